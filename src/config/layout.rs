//! Where the parts of a YAML text stand: its members, their names and values, by byte.

use std::ops::Range;

use saphyr_parser::{Event, Parser, ScalarStyle, Span};

/// A value and where it stands.
#[derive(Debug)]
pub(super) struct Node {
    /// From its first byte to behind its last, without blanks and line ends behind it.
    pub(super) span: Range<usize>,
    pub(super) shape: Shape,
}

/// What decides how a value is edited.
#[derive(Debug)]
pub(super) enum Shape {
    /// A scalar or an alias; nothing at all has an empty span.
    Scalar,
    /// A list: `[a]` is flow, lines with dashes are not.
    List { flow: bool },
    /// Members: `{a: b}` is flow, lines are not.
    Map { flow: bool, entries: Vec<Entry> },
}

/// A member.
#[derive(Debug)]
pub(super) struct Entry {
    /// The name, if it is a plain or quoted text.
    pub(super) name: Option<String>,
    /// Where the name begins.
    pub(super) start: usize,
    /// Behind the colon.
    pub(super) colon: usize,
    pub(super) value: Node,
}

impl Node {
    pub(super) fn entries(&self) -> Option<&[Entry]> {
        match &self.shape {
            Shape::Map { entries, .. } => Some(entries),
            _ => None,
        }
    }

    /// Whether it is written within a line's flow rather than as lines of its own.
    pub(super) fn is_inline(&self) -> bool {
        match &self.shape {
            Shape::Scalar => true,
            Shape::List { flow } | Shape::Map { flow, .. } => *flow,
        }
    }
}

impl Entry {
    /// Behind the last byte of the value, or of the colon.
    pub(super) fn end(&self) -> usize {
        self.value.span.end.max(self.colon)
    }
}

/// The text's one value: none if there is nothing in it, or nothing that can be found its way in.
pub(super) fn layout(text: &str) -> Option<Node> {
    let bytes = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
    let mut reader = Reader { text, bytes, parser: Parser::new_from_str(text) };
    let (event, span) = reader.next()?;
    reader.node(&event, span)
}

struct Reader<'t> {
    text: &'t str,
    /// Where each character begins.
    bytes: Vec<usize>,
    parser: Parser<'t, saphyr_parser::StrInput<'t>>,
}

impl<'t> Reader<'t> {
    /// The next event that stands for something in the text.
    fn next(&mut self) -> Option<(Event<'t>, Range<usize>)> {
        loop {
            let (event, Span { start, end, .. }) = self.parser.next_event()?.ok()?;
            let frame = matches!(
                event,
                Event::Nothing
                    | Event::StreamStart
                    | Event::StreamEnd
                    | Event::DocumentStart(_)
                    | Event::DocumentEnd
            );
            if !frame {
                let (start, end) = (*self.bytes.get(start.index())?, *self.bytes.get(end.index())?);
                return Some((event, start..end.max(start)));
            }
        }
    }

    fn node(&mut self, event: &Event<'t>, span: Range<usize>) -> Option<Node> {
        match event {
            // The parser puts a value of nothing anywhere, up to what follows.
            Event::Scalar(text, ScalarStyle::Plain, ..) if text.is_empty() => {
                Some(Node { span: span.start..span.start, shape: Shape::Scalar })
            }
            Event::Scalar(_, style @ (ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted), ..) => {
                let quote = if *style == ScalarStyle::SingleQuoted { '\'' } else { '"' };
                let end = span.start + behind_quotes(self.text.get(span.start..)?, quote)?;
                Some(Node { span: span.start..end, shape: Shape::Scalar })
            }
            Event::Scalar(..) | Event::Alias(_) => {
                let text = self.text.get(span.clone())?;
                let end = span.start + text.trim_end().len();
                Some(Node { span: span.start..end, shape: Shape::Scalar })
            }
            Event::SequenceStart(..) => self.list(span),
            Event::MappingStart(..) => self.map(span),
            _ => None,
        }
    }

    fn list(&mut self, begin: Range<usize>) -> Option<Node> {
        let flow = self.text.get(begin.start..)?.starts_with('[');
        // Lines are said to begin behind their first dash.
        let dash = self.text.get(..begin.start)?.trim_end().strip_suffix('-').filter(|_| !flow);
        let start = dash.map_or(begin.start, str::len);
        let mut end = begin.end;
        loop {
            let (event, span) = self.next()?;
            if matches!(event, Event::SequenceEnd) {
                let end = if flow { behind_bracket(self.text, end, ']')? } else { end };
                return Some(Node { span: start..end, shape: Shape::List { flow } });
            }
            let item = self.node(&event, span)?;
            // An item of nothing may be said to stand further down.
            if !item.span.is_empty() {
                end = item.span.end;
            }
        }
    }

    fn map(&mut self, begin: Range<usize>) -> Option<Node> {
        let flow = self.text.get(begin.start..)?.starts_with('{');
        let mut entries: Vec<Entry> = Vec::new();
        loop {
            let (event, key) = self.next()?;
            if matches!(event, Event::MappingEnd) {
                let start = if flow { begin.start } else { entries.first()?.start };
                let last = entries.last().map_or(begin.end, Entry::end);
                let end = if flow { behind_bracket(self.text, last, '}')? } else { last };
                return Some(Node { span: start..end, shape: Shape::Map { flow, entries } });
            }
            let name = match &event {
                Event::Scalar(name, ..) => Some(name.to_string()),
                _ => None,
            };
            let key = self.node(&event, key)?.span;
            let behind = self.text.get(key.end..)?;
            let gap = behind.len() - behind.trim_start_matches([' ', '\t']).len();
            let has_colon = behind.get(gap..)?.starts_with(':');
            let colon = if has_colon { key.end + gap + 1 } else { key.end };
            let (event, span) = self.next()?;
            let mut value = self.node(&event, span)?;
            if value.span.is_empty() || value.span.start < colon {
                value.span = colon..colon;
            } else if matches!(event, Event::Scalar(_, ScalarStyle::Literal | ScalarStyle::Folded, ..)) {
                // Said to begin with its first line, but `|` and `>` are part of it.
                let behind = self.text.get(colon..value.span.start)?;
                value.span.start = colon + behind.len() - behind.trim_start().len();
            }
            entries.push(Entry { name, start: key.start, colon, value });
        }
    }
}

/// Behind the first quoted text: what the parser says of its end counts a comment in.
fn behind_quotes(text: &str, quote: char) -> Option<usize> {
    let mut chars = text.char_indices().skip_while(|(_, c)| *c != quote).skip(1).peekable();
    while let Some((at, c)) = chars.next() {
        let is_doubled = chars.peek().is_some_and(|(_, next)| *next == quote);
        match (c, quote) {
            ('\\', '"') => drop(chars.next()),
            ('\'', '\'') if is_doubled => drop(chars.next()),
            _ if c == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Behind the bracket that closes what had its last part before `at`: the parser's own mark may be on a comma
/// or a comment.
fn behind_bracket(text: &str, at: usize, bracket: char) -> Option<usize> {
    let mut in_comment = false;
    for (offset, c) in text.get(at..)?.char_indices() {
        match c {
            '\n' => in_comment = false,
            _ if in_comment => {}
            '#' => in_comment = true,
            ' ' | '\t' | '\r' | ',' => {}
            c if c == bracket => return Some(at + offset + 1),
            _ => return None,
        }
    }
    None
}
