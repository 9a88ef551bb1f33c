//! Which lines of a Markdown text are headings, and the sections that they begin.

use std::collections::{HashMap, HashSet};

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag};

use crate::problem::{Origin, Problem};

use super::Split;

/// What a section is called whose heading is empty.
const NAMELESS: &str = "section";

/// The sections of a text that begins at `origin`, and what there is to say of them.
pub(super) fn split(text: &str, split: Split, origin: &Origin) -> (Vec<(String, String)>, Vec<Problem>) {
    if without_blank_ends(text).is_empty() {
        let problem = Problem::new("the file holds no text, so the prompt has no section");
        return (Vec::new(), vec![problem.at(origin)]);
    }
    if split == Split::Nowhere {
        return (vec![("body".to_owned(), without_blank_ends(text).to_owned())], Vec::new());
    }
    let headings = headings(text);
    let mut taken = Taken { text, origin, names: Names::default(), said: Vec::new() };
    let mut sections = Vec::new();
    let before = text.get(..headings.first().map_or(text.len(), |first| first.start)).unwrap_or_default();
    let intro = without_blank_ends(before);
    if !intro.is_empty() {
        sections.push((taken.names.free("intro"), intro.to_owned()));
    }
    for (index, heading) in headings.iter().enumerate() {
        let end = headings.get(index + 1).map_or(text.len(), |next| next.start);
        let body = without_blank_ends(text.get(heading.end..end).unwrap_or_default());
        let name = taken.name(heading, split);
        if body.is_empty() {
            let hint = "it is not emitted until `cn update` gives it one";
            taken.say(heading, format!("the section `{name}` has no text"), hint);
        }
        sections.push((name, body.to_owned()));
    }
    if let Some((name, heading)) = alone(&sections, &headings) {
        let message = format!("`{name}` is the only section with text, which is emitted without its heading");
        taken.say(heading, message, "without `--split` the heading is part of the text");
    }
    (sections, taken.said)
}

/// The section that has text while no other has, if a heading begins it.
fn alone<'s>(sections: &'s [(String, String)], headings: &'s [Heading]) -> Option<(&'s str, &'s Heading)> {
    // From the end, since an intro has no heading.
    let with_headings = sections.iter().rev().zip(headings.iter().rev().map(Some).chain([None]));
    let mut with_text = with_headings.filter(|((_, body), _)| !body.is_empty());
    let ((name, _), heading) = with_text.next()?;
    with_text.next().is_none().then_some((name.as_str(), heading?))
}

/// One level-2 heading.
struct Heading {
    /// Where its line begins.
    start: usize,
    /// Where its line ends, behind which its section's text begins.
    end: usize,
    /// What stands between the signs, as it is written.
    written: String,
    /// The words that a reader sees.
    words: String,
}

/// The level-2 headings of the text itself, begun with `##`: none in code, lists or quotes, none underlined.
fn headings(text: &str) -> Vec<Heading> {
    let mut found = Vec::new();
    let mut depth = 0_usize;
    let mut open: Option<Heading> = None;
    for (event, range) in Parser::new_ext(text, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(tag) => {
                if depth == 0 && matches!(tag, Tag::Heading { level: HeadingLevel::H2, .. }) {
                    open = heading(text, range.start);
                }
                depth += 1;
            }
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    found.extend(open.take());
                }
            }
            Event::Text(words) | Event::Code(words) => {
                if let Some(heading) = &mut open {
                    heading.words.push_str(&words);
                }
            }
            _ => {}
        }
    }
    found
}

/// The heading that stands at `place`, if it is one that begins with `##`.
fn heading(text: &str, place: usize) -> Option<Heading> {
    let start = text.get(..place)?.rfind(['\n', '\r']).map_or(0, |before| before + 1);
    let rest = text.get(start..)?;
    let length = rest.find(['\n', '\r']).unwrap_or(rest.len());
    let behind = rest.get(..length)?.trim_start_matches(' ').strip_prefix("##")?;
    let is_sign = behind.is_empty() || behind.starts_with([' ', '\t']);
    is_sign.then(|| {
        let written = without_closing(behind.trim_matches([' ', '\t'])).to_owned();
        Heading { start, end: start + length, written, words: String::new() }
    })
}

/// A heading's line without the signs at its end, which are none unless a blank stands before them.
fn without_closing(line: &str) -> &str {
    let before = line.trim_end_matches('#');
    if before.is_empty() || before.ends_with([' ', '\t']) {
        before.trim_end_matches([' ', '\t'])
    } else {
        line
    }
}

/// What is taken from a text, and what there is to say of it.
struct Taken<'t> {
    text: &'t str,
    origin: &'t Origin,
    names: Names,
    said: Vec<Problem>,
}

impl Taken<'_> {
    /// The name of the section that a heading begins.
    fn name(&mut self, heading: &Heading, split: Split) -> String {
        let written = heading.written.as_str();
        let mut name = match split {
            Split::HeadingsAsWritten => written.to_owned(),
            _ if hyphened(&heading.words).is_empty() => hyphened(written),
            _ => hyphened(&heading.words),
        };
        if name.is_empty() {
            NAMELESS.clone_into(&mut name);
            self.say(heading, format!("an empty heading is taken for `{name}`"), "a section has a name");
        } else if split != Split::HeadingsAsWritten && hyphened(written) != name {
            let message = format!("of the heading `{written}` only the words are kept: `{name}`");
            self.say(heading, message, "`--keep-headings` keeps headings as they are written");
        }
        let free = self.names.free(&name);
        if free != name {
            let message = format!("another section is called `{name}`, so this one is `{free}`");
            self.say(heading, message, "a section has a name of its own");
        }
        free
    }

    fn say(&mut self, heading: &Heading, message: String, hint: &str) {
        let before = self.text.get(..heading.start).unwrap_or_default();
        let line = self.origin.line + before.matches('\n').count();
        let origin = Origin { path: self.origin.path.clone(), line };
        self.said.push(Problem::new(message).at(&origin).hint(hint));
    }
}

/// Words in lower case with hyphens between them.
fn hyphened(words: &str) -> String {
    words.split_whitespace().collect::<Vec<_>>().join("-").to_lowercase()
}

/// The names that are taken, and how often each was asked for.
#[derive(Default)]
struct Names {
    taken: HashSet<String>,
    asked: HashMap<String, usize>,
}

impl Names {
    /// This name, or with the first number behind it that makes it free.
    fn free(&mut self, name: &str) -> String {
        let asked = self.asked.entry(name.to_owned()).or_default();
        let mut free = name.to_owned();
        loop {
            *asked += 1;
            if *asked > 1 {
                free = format!("{name}-{asked}");
            }
            if self.taken.insert(free.clone()) {
                return free;
            }
        }
    }
}

/// The text from its first line that is not blank to its last; blanks within these lines stay.
fn without_blank_ends(text: &str) -> &str {
    let (mut start, mut end, mut place) = (None, 0, 0);
    for line in text.split_inclusive('\n') {
        let inside = line.strip_suffix('\n').unwrap_or(line);
        if !inside.trim_matches([' ', '\t', '\r']).is_empty() {
            start.get_or_insert(place);
            end = place + inside.len();
        }
        place += line.len();
    }
    start.and_then(|start| text.get(start..end)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::tests::taken;
    use super::*;

    #[test]
    fn a_text_is_split_at_the_headings_that_a_reader_sees() {
        let cases: [(&str, &[(&str, &str)]); 24] = [
            ("p\n\n## A\n\na\n## B\nb\n", &[("intro", "p"), ("a", "a"), ("b", "b")]),
            ("no heading\n", &[("intro", "no heading")]),
            ("## Quality  Gates ##\nx", &[("quality-gates", "x")]),
            ("  ##\tA #\nx", &[("a", "x")]),
            ("## C# \nx", &[("c#", "x")]),
            ("    ## code\n\n## A\nx", &[("intro", "    ## code"), ("a", "x")]),
            ("```\n## code\n```\n## A\nx", &[("intro", "```\n## code\n```"), ("a", "x")]),
            ("~~~~\n~~~\n## code\n~~~~\n## A\nx", &[("intro", "~~~~\n~~~\n## code\n~~~~"), ("a", "x")]),
            ("```\n## never closed\n", &[("intro", "```\n## never closed")]),
            ("> ## quoted\n\n- ## listed\n", &[("intro", "> ## quoted\n\n- ## listed")]),
            ("- a\n\n  ## in it\n## out\nx", &[("intro", "- a\n\n  ## in it"), ("out", "x")]),
            ("<pre>\n## html\n</pre>\n\n## A\nx", &[("intro", "<pre>\n## html\n</pre>"), ("a", "x")]),
            ("<!--\n## gone\n-->\n## A\nx", &[("intro", "<!--\n## gone\n-->"), ("a", "x")]),
            ("Under\n-----\nx\n##no\n##x\n---\n", &[("intro", "Under\n-----\nx\n##no\n##x\n---")]),
            (
                "# One\n### Three\n## Two\n### Below\nx",
                &[("intro", "# One\n### Three"), ("two", "### Below\nx")],
            ),
            ("words\n## A\nx", &[("intro", "words"), ("a", "x")]),
            ("\\## no\n\n&#35;# no\n", &[("intro", "\\## no\n\n&#35;# no")]),
            ("## A\nx\n## a\ny\n## A-2\nz", &[("a", "x"), ("a-2", "y"), ("a-2-2", "z")]),
            ("## a-2\nx\n## A\ny\n## A\nz", &[("a-2", "x"), ("a", "y"), ("a-3", "z")]),
            ("i\n## Intro\nx", &[("intro", "i"), ("intro-2", "x")]),
            ("##\nx\n## ##\ny", &[("section", "x"), ("section-2", "y")]),
            ("## **Do** `It`\nx", &[("do-it", "x")]),
            ("## <!-- a -->\nx", &[("<!---a--->", "x")]),
            ("## Été\n\n\n    code\n\n", &[("été", "    code")]),
        ];
        for (text, wanted) in cases {
            let imported = taken(text, Split::Headings);
            let found: Vec<_> = imported.sections.iter().map(|(n, b)| (n.as_str(), b.as_str())).collect();
            assert_eq!(found, wanted, "{text:?}");
        }
    }

    #[test]
    fn headings_may_be_kept_as_they_are_written() {
        let text = "## Quality  *Gates* ##\nx\n## C \\##\ny\n## C \\##\nz";
        let imported = taken(text, Split::HeadingsAsWritten);
        let names: Vec<_> = imported.sections.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["Quality  *Gates*", "C \\##", "C \\##-2"]);
    }

    #[test]
    fn what_is_lost_or_renamed_is_said_with_its_line() {
        let cases: [(&str, &[&str]); 9] = [
            ("## A\nx\n## B\ny", &[]),
            ("---\nk: v\n---\np\n\n## A\n\n## B\ny", &["6: the section `a` has no text"]),
            ("p\n## A\nx\n## A\ny", &["4: another section is called `a`, so this one is `a-2`"]),
            ("p\n\n##\nx", &["3: an empty heading is taken for `section`"]),
            ("p\n## [A](b)\nx", &["2: of the heading `[A](b)` only the words are kept: `a`"]),
            ("## A\nx", &["1: `a` is the only section with text, which is emitted without its heading"]),
            (
                "## B\n## A\nx",
                &[
                    "1: the section `b` has no text",
                    "2: `a` is the only section with text, which is emitted without its heading",
                ],
            ),
            ("p\n## B\n", &["2: the section `b` has no text"]),
            ("\n", &["1: the file holds no text, so the prompt has no section"]),
        ];
        for (text, wanted) in cases {
            let imported = taken(text, Split::Headings);
            let line = |p: &Problem| p.origin.as_ref().map_or(0, |origin| origin.line);
            let found: Vec<_> =
                imported.warnings.iter().map(|p| format!("{}: {}", line(p), p.message)).collect();
            assert_eq!(found, wanted, "{text:?}");
        }
    }
}
