//! A prompt as a document that a person edits: its own text out as Markdown, and back without a loss.

mod keep;

use std::fmt;

use indexmap::IndexMap;

use crate::problem::{Origin, Problem};
use crate::prompt::{Prompt, Section};
use crate::render::frontmatter;
use crate::value::{Map, Value};
use crate::yaml;

/// Explains the format to whoever edits a document.
const HEADER: &str = r"<!--
Change what you like, save and close. If nothing is changed, nothing happens.

`description` and what stands indented below `frontmatter` are YAML.
A line that begins with `## ` begins a section; its name follows, an odd one in double quotes.
A line of a section's text that would begin so has a backslash in front of it: `\## `.
Blank lines around a section's text do not count; a line that is only `\` is a blank line that does.
A section without text removes the inherited section of its name.
-->
";

/// What begins the line of a section.
const SECTION: &str = "## ";

/// The part of a prompt that is text: what a person edits.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Document {
    /// One line on what it does.
    pub description: Option<String>,
    /// Its own front matter.
    pub frontmatter: Map,
    /// Its own sections.
    pub sections: Vec<Section>,
}

/// What is wrong with a document, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentError {
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: Option<String>,
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for DocumentError {}

impl DocumentError {
    fn new(line: usize, message: impl Into<String>) -> Self {
        DocumentError { line, message: message.into(), hint: None }
    }

    fn hint(self, hint: impl Into<String>) -> Self {
        DocumentError { hint: Some(hint.into()), ..self }
    }

    /// The error as a problem of the file that holds the document.
    #[must_use]
    pub fn problem(self, path: &str) -> Problem {
        let origin = Origin { path: path.into(), line: self.line };
        Problem::new(self.message).at(&origin).maybe_hint(self.hint)
    }
}

impl Document {
    /// The text of a prompt.
    #[must_use]
    pub fn of(prompt: &Prompt) -> Document {
        Document {
            description: prompt.description.clone(),
            frontmatter: prompt.frontmatter.clone(),
            sections: prompt.sections.clone(),
        }
    }

    /// The document as a file.
    ///
    /// ```
    /// use canopy::document::Document;
    ///
    /// let document = Document { description: Some("Builds".into()), ..Document::default() };
    /// let changed = document.write() + "\n## role\nYou build.\n";
    /// let read = Document::read(&changed, &document)?;
    /// assert_eq!(read.description.as_deref(), Some("Builds"));
    /// assert_eq!(read.sections[0].body, "You build.");
    /// # Ok::<(), canopy::document::DocumentError>(())
    /// ```
    #[must_use]
    pub fn write(&self) -> String {
        let mut text = format!("{HEADER}{}", self.block());
        for section in &self.sections {
            text.extend(["\n", SECTION, &name(&section.name), "\n"]);
            push_body(&mut text, &section.body);
        }
        text
    }

    /// The document that a file holds, which was `old` before a person edited it.
    ///
    /// What a file does not show is taken from `old`: the other members of a section that keeps its name, the
    /// spelling of a number that was left alone.
    ///
    /// # Errors
    /// If the file is not made as its header says.
    pub fn read(text: &str, old: &Document) -> Result<Document, DocumentError> {
        let text = with_line_ends_of(text, &old.write());
        let lines: Vec<&str> = text.strip_prefix('\u{FEFF}').unwrap_or(&text).split('\n').collect();
        if lines.iter().all(|line| line.trim().is_empty()) {
            return Err(DocumentError::new(1, "the document is empty"));
        }
        let mut rest = Lines { lines: &lines, at: 0 };
        rest.skip_header()?;
        rest.skip_blank();
        let mut document = Document::default();
        if rest.peek().is_some_and(is_fence) {
            let first = rest.at + 1;
            let block = rest.block()?;
            (document.description, document.frontmatter) = members(&block, first, old)?;
        }
        document.sections = sections(rest, &old.sections)?;
        Ok(document)
    }

    /// Description and front matter, as they stand in the document.
    fn block(&self) -> String {
        let description = self.description.as_deref().map_or(Value::Null, Value::from);
        let members = match self.frontmatter.is_empty() {
            true => Value::Null,
            false => Value::Map(self.frontmatter.clone()),
        };
        frontmatter::block(&IndexMap::from([("description", &description), ("frontmatter", &members)]))
    }
}

/// The text with bare line ends, if an editor gave it others than the document had.
fn with_line_ends_of(text: &str, old: &str) -> String {
    let ends = text.matches('\n').count();
    let all_are_windows = ends > 0 && text.matches("\r\n").count() == ends;
    if all_are_windows && !old.contains('\r') { text.replace("\r\n", "\n") } else { text.to_owned() }
}

/// A name as it stands behind the mark: bare if it comes back so, else as a JSON string.
fn name(name: &str) -> String {
    let bare =
        !name.is_empty() && name.trim() == name && !name.starts_with('"') && !name.contains(char::is_control);
    if bare { name.to_owned() } else { serde_json::to_string(name).unwrap_or_default() }
}

/// Writes the lines of a body so that none is taken for a section and no blank one at an edge for decoration.
fn push_body(text: &mut String, body: &str) {
    if body.is_empty() {
        return;
    }
    let lines: Vec<&str> = body.split('\n').collect();
    let is_blank = |line: &&str| line.is_empty();
    let first = lines.iter().position(|line| !is_blank(line)).unwrap_or(lines.len());
    let last = lines.iter().rposition(|line| !is_blank(line)).unwrap_or(0);
    for (at, line) in lines.iter().enumerate() {
        let edge = line.is_empty() && (at < first || at > last);
        let escape = if edge || is_escaped_by_a_backslash(line) { "\\" } else { "" };
        text.extend([escape, line, "\n"]);
    }
}

/// Whether a line of a body has a backslash in front of it: it would else read as another one.
fn is_escaped_by_a_backslash(line: &str) -> bool {
    let bare = line.trim_start_matches('\\');
    bare.starts_with(SECTION) || (bare.is_empty() && !line.is_empty())
}

fn is_fence(line: &str) -> bool {
    line.trim_end() == "---"
}

/// The lines of a document and how far it is read.
struct Lines<'a> {
    lines: &'a [&'a str],
    at: usize,
}

impl<'a> Lines<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.lines.get(self.at).copied()
    }

    fn skip_blank(&mut self) {
        while self.peek().is_some_and(|line| line.trim().is_empty()) {
            self.at += 1;
        }
    }

    fn skip_header(&mut self) -> Result<(), DocumentError> {
        self.skip_blank();
        if !self.peek().is_some_and(|line| line.starts_with("<!--")) {
            return Ok(());
        }
        let rest = self.lines.get(self.at..).unwrap_or_default();
        let end = rest.iter().position(|line| line.trim_end().ends_with("-->"));
        let unclosed =
            || DocumentError::new(self.at + 1, "the comment has no end").hint("it ends with `-->`");
        self.at += end.ok_or_else(unclosed)? + 1;
        Ok(())
    }

    /// What stands between two fences; the next line is the first of them.
    fn block(&mut self) -> Result<String, DocumentError> {
        let inside = self.lines.get(self.at + 1..).unwrap_or_default();
        let unclosed = || DocumentError::new(self.at + 1, "the front matter has no end");
        let end = inside.iter().position(|line| is_fence(line));
        let end = end.ok_or_else(|| unclosed().hint("it ends with a line `---`"))?;
        self.at += end + 2;
        Ok(inside.iter().take(end).flat_map(|line| [*line, "\n"]).collect())
    }
}

/// Description and front matter out of their block, which begins behind line `first`.
fn members(block: &str, first: usize, old: &Document) -> Result<(Option<String>, Map), DocumentError> {
    let before = old.block();
    let before = before.strip_prefix("---\n").and_then(|text| text.strip_suffix("---\n")).unwrap_or_default();
    if block == before {
        return Ok((old.description.clone(), old.frontmatter.clone()));
    }
    let wrong = |e: serde_yaml::Error| {
        let line = e.location().map_or(first, |place| place.line());
        DocumentError::new(line, format!("the front matter is not read: {e}"))
    };
    // Blank lines in front, so that the lines that the reader names are those of the document.
    let read = match yaml::read(&("\n".repeat(first) + block)).map_err(wrong)? {
        Value::Map(map) => map,
        Value::Null => Map::new(),
        other => return Err(DocumentError::new(first, format!("the front matter is {}", other.kind()))),
    };
    let mut description = None;
    let mut map = Map::new();
    for (key, value) in read {
        match (key.as_str(), value) {
            ("description" | "frontmatter", Value::Null) => {}
            ("description", Value::String(text)) => description = Some(text),
            ("frontmatter", Value::Map(members)) => map = members,
            (key, value) => return Err(misplaced(key, &value, block, first)),
        }
    }
    let written = yaml::read(before).ok().and_then(|before| before.as_map()?.get("frontmatter").cloned());
    let map = match written.as_ref().and_then(Value::as_map) {
        Some(written) => keep::keep_members(map, written, &old.frontmatter),
        None => map,
    };
    Ok((description, map))
}

/// What is wrong with a member of the block that is not what it may be.
fn misplaced(key: &str, value: &Value, block: &str, first: usize) -> DocumentError {
    let is_it = |line: &str| line.trim_start_matches('"').starts_with(key);
    let line = block.lines().position(is_it).map_or(first, |at| first + at + 1);
    match key {
        "description" => DocumentError::new(line, format!("the description is {}", value.kind()))
            .hint("put it in double quotes"),
        "frontmatter" => DocumentError::new(line, format!("`frontmatter` is {}", value.kind()))
            .hint("its members stand indented below it"),
        key => DocumentError::new(line, format!("`{key}` stands beside `frontmatter`"))
            .hint("what belongs to the front matter is indented below `frontmatter:`"),
    }
}

/// The sections, each with what the old one of its name has beside its text.
fn sections(mut rest: Lines<'_>, old: &[Section]) -> Result<Vec<Section>, DocumentError> {
    rest.skip_blank();
    if rest.peek().is_some_and(|line| !line.starts_with(SECTION)) {
        let wrong = DocumentError::new(rest.at + 1, "a text stands before the first section");
        return Err(wrong.hint("a line `## NAME` begins a section"));
    }
    let mut sections: Vec<Section> = Vec::new();
    while let Some(line) = rest.peek() {
        let name = read_name(line.strip_prefix(SECTION).unwrap_or(line), rest.at + 1)?;
        let namesakes = sections.iter().filter(|section| section.name == name).count();
        let known = old.iter().filter(|section| section.name == name).nth(namesakes);
        if namesakes > 0 && known.is_none() {
            let wrong = DocumentError::new(rest.at + 1, format!("there is a section `{name}` already"));
            return Err(wrong.hint("a line of text that begins with `## ` needs a backslash in front of it"));
        }
        rest.at += 1;
        let lines = rest.lines.get(rest.at..).unwrap_or_default();
        let length = lines.iter().position(|line| line.starts_with(SECTION)).unwrap_or(lines.len());
        rest.at += length;
        sections.push(Section {
            name,
            body: body(lines.get(..length).unwrap_or_default()),
            required: known.and_then(|section| section.required),
            extra: known.map(|section| section.extra.clone()).unwrap_or_default(),
        });
    }
    Ok(sections)
}

fn read_name(written: &str, line: usize) -> Result<String, DocumentError> {
    let written = written.trim();
    if written.starts_with('"') {
        let read = serde_json::from_str(written);
        return read.map_err(|e| {
            let wrong = DocumentError::new(line, format!("the section's name is not read: {e}"));
            wrong.hint("a name that begins with a double quote is a JSON string")
        });
    }
    if written.is_empty() {
        Err(DocumentError::new(line, "the section has no name"))
    } else {
        Ok(written.to_owned())
    }
}

/// The text that was written as these lines.
fn body(lines: &[&str]) -> String {
    let first = lines.iter().position(|line| !line.is_empty()).unwrap_or(lines.len());
    let end = lines.iter().rposition(|line| !line.is_empty()).map_or(first, |last| last + 1);
    let lines = lines.get(first..end).unwrap_or_default().iter();
    let lines: Vec<&str> =
        lines.map(|line| if is_escaped(line) { line.get(1..).unwrap_or_default() } else { line }).collect();
    lines.join("\n")
}

/// Whether the first character of a line in the document is a backslash of ours.
fn is_escaped(line: &str) -> bool {
    line.starts_with('\\') && is_escaped_by_a_backslash(line)
}
