//! Markdown: front matter, then the sections under their headings.

use indexmap::IndexMap;

use crate::resolve::Resolved;
use crate::value::Value;

use super::frontmatter;

/// The whole document.
#[must_use]
pub fn document(resolved: &Resolved<'_>) -> String {
    let name = Value::from(resolved.name);
    let description = resolved.prompt.description.as_deref().filter(|text| !text.is_empty()).map(Value::from);
    let mut members: IndexMap<&str, &Value> = IndexMap::new();
    members.insert("name", &name);
    members.extend(description.iter().map(|text| ("description", text)));
    members.extend(resolved.frontmatter.iter().map(|(key, value)| (*key, *value)));

    let mut text = frontmatter::block(&members);
    text.push('\n');
    text.push_str(&body(resolved));
    text.push('\n');
    text
}

/// What stands below the front matter, without a final newline: one section alone goes without its heading.
#[must_use]
pub fn body(resolved: &Resolved<'_>) -> String {
    match resolved.sections.as_slice() {
        [alone] => alone.body.to_owned(),
        sections => {
            let size = sections.iter().map(|part| part.name.len() + part.body.len() + 7).sum();
            let mut text = String::with_capacity(size);
            for (index, part) in sections.iter().enumerate() {
                let gap = if index == 0 { "" } else { "\n\n" };
                text.extend([gap, "## ", part.name, "\n\n", part.body]);
            }
            text
        }
    }
}
