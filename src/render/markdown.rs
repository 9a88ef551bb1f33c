//! Markdown: front matter, then the sections under their headings.

use indexmap::IndexMap;

use crate::resolve::{Part, Resolved};
use crate::value::Value;

use super::frontmatter;

/// The whole document.
#[must_use]
pub fn document(resolved: &Resolved<'_>) -> String {
    let mut text = head(resolved);
    text.push('\n');
    text.push_str(&body(resolved));
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
    match resolved.sections.as_slice() {
        [alone] => alone.body.to_owned(),
        sections => under_headings(sections),
    }
}

fn under_headings(sections: &[Part<'_>]) -> String {
    let size = sections.iter().map(|part| part.name.len() + part.body.len() + 7).sum();
    let mut text = String::with_capacity(size);
    for (index, part) in sections.iter().enumerate() {
        let gap = if index == 0 { "" } else { "\n\n" };
        text.extend([gap, "## ", part.name, "\n\n", part.body]);
    }
    text
}

/// What early releases of the TypeScript canopy wrote: every section under its heading, at first without front
/// matter, then with it.
#[must_use]
pub fn early_forms(resolved: &Resolved<'_>) -> [String; 2] {
    let body = under_headings(&resolved.sections);
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
