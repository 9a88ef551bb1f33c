//! Markdown: front matter, then the sections under their headings.

use indexmap::IndexMap;

use crate::resolve::{Part, Resolved};
use crate::value::Value;

use super::frontmatter;

/// The whole document.
#[must_use]
pub fn document(resolved: &Resolved<'_>) -> String {
    let mut text = head(resolved);
    // To grow for the last line end alone would take as much again.
    text.reserve_exact(length(&resolved.sections) + 2);
    text.push('\n');
    put_body(&mut text, &resolved.sections);
    text.push('\n');
    text
}

/// The front matter block, with its final newline.
fn head(resolved: &Resolved<'_>) -> String {
    let name = Value::from(resolved.name);
    let description = resolved.prompt.description.as_deref().filter(|text| !text.is_empty()).map(Value::from);
    let mut members: IndexMap<&str, &Value> = IndexMap::new();
    members.insert("name", &name);
    members.extend(description.iter().map(|text| ("description", text)));
    members.extend(resolved.frontmatter.iter().map(|(key, value)| (*key, *value)));
    frontmatter::block(&members)
}

/// What stands below the front matter, without a final newline: one section alone goes without its heading.
#[must_use]
pub fn body(resolved: &Resolved<'_>) -> String {
    let mut text = String::with_capacity(length(&resolved.sections));
    put_body(&mut text, &resolved.sections);
    text
}

fn put_body(text: &mut String, sections: &[Part<'_>]) {
    match sections {
        [alone] => text.push_str(alone.body),
        sections => put_under_headings(text, sections),
    }
}

fn put_under_headings(text: &mut String, sections: &[Part<'_>]) {
    for (index, part) in sections.iter().enumerate() {
        let gap = if index == 0 { "" } else { "\n\n" };
        text.extend([gap, "## ", part.name, "\n\n", part.body]);
    }
}

/// How long the text below the front matter is at most.
fn length(sections: &[Part<'_>]) -> usize {
    sections.iter().map(|part| part.name.len() + part.body.len() + 7).sum()
}

/// What early releases of the TypeScript canopy wrote: every section under its heading, at first without front
/// matter, then with it.
#[must_use]
pub fn early_forms(resolved: &Resolved<'_>) -> [String; 2] {
    let mut body = String::with_capacity(length(&resolved.sections) + 1);
    put_under_headings(&mut body, &resolved.sections);
    let whole = format!("{}\n{body}\n", head(resolved));
    [body + "\n", whole]
}

/// The lines of the document that each section takes, its heading among them, counted from 1.
#[must_use]
pub fn lines(resolved: &Resolved<'_>) -> Vec<(usize, usize)> {
    let mut next = head(resolved).lines().count() + 2;
    let heading = if resolved.sections.len() == 1 { 0 } else { 2 };
    let range = |part: &Part<'_>| {
        let last = next + heading + part.body.split('\n').count() - 1;
        let range = (next, last);
        next = last + 2;
        range
    };
    resolved.sections.iter().map(range).collect()
}
