//! One change of a YAML text: only the lines of one value change, comments and all else stay to the byte.

use std::ops::Range;

use crate::value::{Map, Value};

use super::layout::{Entry, Node, Shape, layout};
use super::yaml;

/// What becomes what.
type Patch = (Range<usize>, String);

/// Sets the value at a place; none if there is no way to do so that this module knows.
///
/// The caller reads the result and compares: a way that this module believes in may still be none.
pub(super) fn set(text: &str, place: &[String], value: &Value) -> Option<String> {
    let Some(root) = layout(text).filter(|root| !root.span.is_empty()) else {
        return add_to_empty(text, &nested(place, value));
    };
    let text = Text::new(text, &root);
    let (mut map, mut holder, mut rest) = (&root, None, place);
    loop {
        let (name, deeper) = rest.split_first()?;
        let found = map.entries()?.iter().find(|entry| entry.name.as_ref() == Some(name));
        let Some(entry) = found else {
            return text.apply(text.insert(map, holder, name, &nested(deeper, value))?);
        };
        if deeper.is_empty() || entry.value.entries().is_none() {
            return text.apply(text.replace(map, entry, &nested(deeper, value))?);
        }
        (map, holder, rest) = (&entry.value, Some((map, entry)), deeper);
    }
}

/// Removes the member at a place; none as for [`set`].
pub(super) fn unset(text: &str, place: &[String]) -> Option<String> {
    let root = layout(text)?;
    let text = Text { text, step: 2 };
    let (mut map, mut holder, mut rest) = (&root, None, place);
    loop {
        let (name, deeper) = rest.split_first()?;
        let entries = map.entries()?;
        let at = entries.iter().position(|entry| entry.name.as_ref() == Some(name))?;
        if deeper.is_empty() {
            return text.apply(text.remove(map, holder, at)?);
        }
        holder = entries.get(at);
        (map, rest) = (&holder?.value, deeper);
    }
}

/// The value inside of maps of one member each.
fn nested(names: &[String], value: &Value) -> Value {
    let wrap = |inner: Value, name: &String| Value::Map(Map::from_iter([(name.clone(), inner)]));
    names.iter().rev().fold(value.clone(), wrap)
}

/// Writes the first members behind the comments of a text that has none.
fn add_to_empty(text: &str, value: &Value) -> Option<String> {
    let ends = |line: &&str| line.trim_end() == "..." || line.starts_with("... ");
    let before: usize = text.split_inclusive('\n').take_while(|line| !ends(line)).map(str::len).sum();
    let lines = yaml::lines(value.as_map()?, 0, 2);
    let text = Text { text, step: 2 };
    text.apply(vec![text.line_at(before, lines)])
}

struct Text<'t> {
    text: &'t str,
    /// How much deeper the members of a member stand than the member itself.
    step: usize,
}

impl<'t> Text<'t> {
    /// The text, its steps as they are at the first place that shows one.
    fn new(text: &'t str, root: &Node) -> Text<'t> {
        let text = Text { text, step: 2 };
        let step = text.first_step(root).unwrap_or(2);
        Text { step, ..text }
    }

    fn first_step(&self, map: &Node) -> Option<usize> {
        map.entries()?.iter().find_map(|entry| match &entry.value.shape {
            Shape::Map { flow: false, entries } => {
                self.column(entries.first()?.start)?.checked_sub(self.column(entry.start)?)
            }
            _ => None,
        })
    }

    /// Writes another value in place of a member's.
    fn replace(&self, map: &Node, entry: &Entry, value: &Value) -> Option<Vec<Patch>> {
        let old = &entry.value;
        if map.is_inline() {
            return (!old.span.is_empty()).then(|| vec![(old.span.clone(), yaml::inline(value))]);
        }
        let indent = self.column(entry.start)?;
        let on_the_names_line = old.span.start < self.after_line(entry.colon);
        let lines = self.lines_of(&old.span);
        match (self.as_lines(old, value, indent), old.is_inline()) {
            (None, true) if old.span.is_empty() => {
                Some(vec![(entry.colon..entry.colon, format!(" {}", yaml::inline(value)))])
            }
            (None, true) => Some(vec![(old.span.clone(), yaml::inline(value))]),
            (None, false) if on_the_names_line => None,
            (None, false) => Some(vec![
                (entry.colon..entry.colon, format!(" {}", yaml::inline(value))),
                (lines, String::new()),
            ]),
            (Some(new), true) if on_the_names_line => Some(vec![
                (entry.colon..entry.end(), String::new()),
                self.line_at(self.after_line(entry.end()), new),
            ]),
            (Some(_), false) if on_the_names_line => None,
            (Some(new), _) => Some(vec![(lines, self.ends_as_here(&new))]),
        }
    }

    /// A value in lines of its own, if that is how it is to be written where `old` was.
    fn as_lines(&self, old: &Node, value: &Value, indent: usize) -> Option<String> {
        match value {
            Value::Map(map) if !map.is_empty() => Some(yaml::lines(map, indent + self.step, self.step)),
            Value::List(items) if !items.is_empty() && matches!(old.shape, Shape::List { flow: false }) => {
                let column = self.column(old.span.start)?;
                Some(items.iter().map(|item| format!("{:column$}- {}\n", "", yaml::inline(item))).collect())
            }
            _ => None,
        }
    }

    /// Adds a member behind the last one.
    fn insert(
        &self,
        map: &Node,
        holder: Option<(&Node, &Entry)>,
        name: &str,
        value: &Value,
    ) -> Option<Vec<Patch>> {
        let member = Map::from_iter([(name.to_owned(), value.clone())]);
        let flow = || format!("{}: {}", yaml::scalar(name), yaml::inline(value));
        match (&map.shape, map.entries()?.last(), holder) {
            (Shape::Map { flow: true, .. }, Some(last), _) => {
                Some(vec![(last.end()..last.end(), format!(", {}", flow()))])
            }
            // What had no members yet gets lines where lines may stand.
            (_, None, Some((outer, entry))) if !outer.is_inline() => {
                self.replace(outer, entry, &Value::Map(member))
            }
            (_, None, Some(_)) => Some(vec![(map.span.start + 1..map.span.start + 1, flow())]),
            (_, None, None) => {
                let lines = yaml::document(&member);
                Some(vec![(map.span.clone(), self.ends_as_here(lines.trim_end()))])
            }
            (_, Some(last), _) => {
                let indent = self.column(map.span.start)?;
                let at = self.behind_comments(self.after_line(last.end()), indent);
                Some(vec![self.line_at(at, yaml::lines(&member, indent, self.step))])
            }
        }
    }

    /// Removes the member at a position.
    fn remove(&self, map: &Node, holder: Option<&Entry>, at: usize) -> Option<Vec<Patch>> {
        let entries = map.entries()?;
        let entry = entries.get(at)?;
        let before = at.checked_sub(1).and_then(|before| entries.get(before));
        if map.is_inline() {
            return Some(vec![match (before, entries.get(at + 1)) {
                (_, Some(next)) => (entry.start..next.start, String::new()),
                (Some(before), None) => (before.end()..entry.end(), String::new()),
                (None, None) => (map.span.clone(), "{}".to_owned()),
            }]);
        }
        self.column(entry.start)?;
        let mut patches = vec![(self.lines_of(&(entry.start..entry.end())), String::new())];
        if let (1, Some(holder)) = (entries.len(), holder) {
            patches.push((holder.colon..holder.colon, " {}".to_owned()));
        }
        Some(patches)
    }

    /// The column of what begins its line.
    fn column(&self, at: usize) -> Option<usize> {
        let before = self.text.get(self.line_start(at)..at)?;
        before.bytes().all(|byte| byte == b' ').then_some(before.len())
    }

    fn line_start(&self, at: usize) -> usize {
        self.text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
    }

    fn after_line(&self, at: usize) -> usize {
        let behind = self.text.get(at..).and_then(|behind| behind.find('\n'));
        behind.map_or(self.text.len(), |end| at + end + 1)
    }

    fn lines_of(&self, span: &Range<usize>) -> Range<usize> {
        self.line_start(span.start)..self.after_line(span.end)
    }

    /// Behind the comments that stand at least as deep as `indent`.
    fn behind_comments(&self, mut at: usize, indent: usize) -> usize {
        let mut end = at;
        for line in self.text.get(at..).unwrap_or_default().split_inclusive('\n') {
            at += line.len();
            let words = line.trim_start_matches(' ');
            if words.starts_with('#') && line.len() - words.len() >= indent {
                end = at;
            } else if !words.trim().is_empty() {
                break;
            }
        }
        end
    }

    /// Lines put in at the beginning of a line, or behind a last line that has no end.
    fn line_at(&self, at: usize, lines: String) -> Patch {
        let before = self.text.get(..at).unwrap_or_default();
        let open = !before.is_empty() && !before.ends_with('\n');
        (at..at, self.ends_as_here(&if open { format!("\n{lines}") } else { lines }))
    }

    /// The same lines with the line ends of the text.
    fn ends_as_here(&self, lines: &str) -> String {
        if self.text.contains("\r\n") { lines.replace('\n', "\r\n") } else { lines.to_owned() }
    }

    /// The text with the patches made.
    fn apply(&self, mut patches: Vec<Patch>) -> Option<String> {
        patches.sort_by_key(|(range, _)| (range.start, range.end));
        let mut result = String::with_capacity(self.text.len() + 80);
        let mut done = 0;
        for (range, new) in patches {
            result.push_str(self.text.get(done..range.start)?);
            result.push_str(&new);
            done = range.end;
        }
        result.push_str(self.text.get(done..)?);
        Some(result)
    }
}
