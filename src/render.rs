//! Turns a resolved prompt into the text of a file, in the format that the file's name asks for.

pub mod frontmatter;
pub mod markdown;
pub mod typescript;

use std::sync::Arc;

use crate::problem::Origin;
use crate::resolve::Resolved;

/// A file as it should be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Output {
    /// Where it goes: relative to the project's root, or wherever a person said.
    pub path: Arc<str>,
    /// Its whole text.
    pub contents: String,
    /// The id of the prompt.
    pub id: Arc<str>,
    /// The name of the prompt.
    pub name: Arc<str>,
    /// The version that was rendered.
    pub version: u64,
    /// The record that says where the file goes.
    pub origin: Origin,
}

/// The text of the file at `path` for `resolved`: TypeScript if the name ends in `.ts`, else Markdown.
#[must_use]
pub fn render(resolved: &Resolved<'_>, path: &str) -> String {
    if path.ends_with(".ts") { typescript::module(resolved) } else { markdown::document(resolved) }
}
