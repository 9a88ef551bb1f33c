//! Markdown that people have, made into what a prompt is made of: front matter and sections.

mod frontmatter;
mod sections;
mod yaml;

use crate::problem::{Origin, Problem};
use crate::value::{Map, Value};

/// How a text is to be taken.
#[derive(Debug, Clone, Copy)]
pub struct How<'a> {
    /// What messages call the file.
    pub path: &'a str,
    /// The name that the prompt is going to have.
    pub name: &'a str,
    /// Where sections begin.
    pub split: Split,
}

/// Where sections begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Split {
    /// The whole text is one section, `body`.
    Nowhere,
    /// At each level-2 heading, whose words in lower case with hyphens between them are the name.
    Headings,
    /// The same, but that the heading as it is written is the name.
    HeadingsAsWritten,
}

/// What a text comes to.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Imported {
    /// The front matter's description.
    pub description: Option<String>,
    /// The front matter without name and description.
    pub frontmatter: Map,
    /// Names and texts, in order; each name once.
    pub sections: Vec<(String, String)>,
    /// What could not be kept as it is, and what may surprise.
    pub warnings: Vec<Problem>,
}

/// Reads a Markdown text with or without front matter.
///
/// # Errors
/// If the front matter is no YAML, or no members by their names: with the line.
///
/// ```
/// use canopy::import::{How, Split, read};
///
/// let text = "---\ndescription: Builds\nmodel: opus\n---\n## Quality Gates\n\n- test\n";
/// let how = How { path: "builder.md", name: "builder", split: Split::Headings };
/// let imported = read(text, &how)?;
/// assert_eq!(imported.description.as_deref(), Some("Builds"));
/// assert_eq!(imported.frontmatter["model"].as_str(), Some("opus"));
/// assert_eq!(imported.sections, [("quality-gates".to_owned(), "- test".to_owned())]);
/// # Ok::<(), canopy::problem::Problem>(())
/// ```
pub fn read(text: &str, how: &How<'_>) -> Result<Imported, Problem> {
    let text = with_plain_line_ends(text.strip_prefix('\u{feff}').unwrap_or(text));
    let at = |line| Origin { path: how.path.into(), line };
    let mut warnings = Vec::new();
    let (yaml, body) = match frontmatter::split(&text) {
        frontmatter::Parts::Closed { yaml, body } => (Some(yaml), body),
        frontmatter::Parts::None => (None, text.as_str()),
        frontmatter::Parts::Open => {
            let problem = Problem::new("the front matter has no end, so it is taken for text").at(&at(1));
            warnings.push(problem.hint("front matter ends with a line `---`"));
            (None, text.as_str())
        }
    };
    let mut frontmatter = Map::new();
    if let Some(yaml) = yaml {
        let (members, said) = frontmatter::read(yaml, how.path)?;
        frontmatter = members;
        warnings.extend(said);
    }
    let name = frontmatter.shift_remove("name");
    warnings.extend(name.and_then(|name| other_name(&name, how)).map(|problem| problem.at(&at(1))));
    let description = take_description(&mut frontmatter);
    let line = text.lines().count() - body.lines().count() + 1;
    let (sections, said) = sections::split(body, how.split, &at(line));
    warnings.extend(said);
    Ok(Imported { description, frontmatter, sections, warnings })
}

/// The text with `\n` at the end of each line, however often a tool put `\r` before it.
fn with_plain_line_ends(text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| match line.strip_suffix('\n') {
        Some(line) => [line.trim_end_matches('\r'), "\n"],
        None => [line, ""],
    });
    lines.flatten().collect()
}

/// A description that is no text stays in the front matter, which may override the prompt's own.
fn take_description(frontmatter: &mut Map) -> Option<String> {
    match frontmatter.get("description")? {
        Value::String(text) if !text.is_empty() => {}
        _ => return None,
    }
    match frontmatter.shift_remove("description") {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

/// What there is to say of a name that is not the prompt's.
fn other_name(name: &Value, how: &How<'_>) -> Option<Problem> {
    let written = match name {
        Value::String(text) => text.as_str(),
        Value::Number(number) => number.as_str(),
        Value::Null => return None,
        other => {
            let message = format!("the front matter's `name` is {} and is not kept", other.kind());
            return Some(Problem::new(message).hint(format!("the prompt is called `{}`", how.name)));
        }
    };
    (written != how.name).then(|| {
        Problem::new(format!("the front matter's name `{written}` is not kept"))
            .hint(format!("the prompt is called `{}`, and so are the files it is emitted to", how.name))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn taken(text: &str, split: Split) -> Imported {
        read(text, &How { path: "in.md", name: "x", split }).unwrap_or_else(|e| panic!("{text:?}: {e:?}"))
    }

    fn messages(imported: &Imported) -> Vec<String> {
        let line = |p: &Problem| p.origin.as_ref().map_or(0, |origin| origin.line);
        imported.warnings.iter().map(|p| format!("{}: {}", line(p), p.message)).collect()
    }

    #[test]
    fn front_matter_and_text_are_told_apart() {
        for (text, description, body) in [
            ("---\ndescription: d\n---\n\ntext\n", Some("d"), Some("text")),
            ("\u{feff}---\r\ndescription: d\r\n---\r\na\r\n\r\nb\r\n", Some("d"), Some("a\n\nb")),
            ("---  \ndescription: d\n--- \ntext", Some("d"), Some("text")),
            ("a\r\r\n\r\r\nb\rc", None, Some("a\n\nb\rc")),
            ("---\n---\ntext", None, Some("text")),
            ("---\n# only a remark\n---\ntext", None, Some("text")),
            ("---\ndescription: ''\n---\ntext", None, Some("text")),
            ("---\ndescription: d\n---", Some("d"), None),
            ("text\n---\nmore\n---\n", None, Some("text\n---\nmore\n---")),
            ("\n---\na: b\n---\n", None, Some("---\na: b\n---")),
            ("    code\n\nend  \n\n \n", None, Some("    code\n\nend  ")),
            ("----\na\n", None, Some("----\na")),
        ] {
            let imported = taken(text, Split::Nowhere);
            assert_eq!(imported.description.as_deref(), description, "{text:?}");
            let bodies: Vec<_> = imported.sections.iter().map(|(_, body)| body.as_str()).collect();
            assert_eq!(bodies, Vec::from_iter(body), "{text:?}");
        }
    }

    #[test]
    fn what_is_not_kept_is_said() {
        for (text, said) in [
            ("---\nname: x\n---\na", vec![]),
            ("---\nname: y\n---\na", vec!["1: the front matter's name `y` is not kept"]),
            ("---\nname: [y]\n---\na", vec!["1: the front matter's `name` is a list and is not kept"]),
            ("---\na: b\ntext\n", vec!["1: the front matter has no end, so it is taken for text"]),
            ("---\na: b\n---\n\n", vec!["4: the file holds no text, so the prompt has no section"]),
        ] {
            assert_eq!(messages(&taken(text, Split::Nowhere)), said, "{text:?}");
        }
    }

    #[test]
    fn a_description_that_is_no_text_stays_where_it_is() {
        let imported = taken("---\ndescription: [a]\n---\nx", Split::Nowhere);
        assert_eq!(imported.description, None);
        assert!(imported.frontmatter.contains_key("description"));
    }
}
