//! What a schema is: the sections that a prompt must have and what must stand in them.

use crate::problem::Origin;
use crate::value::Map;

/// A named set of demands on rendered prompts.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// `schema-{4 hex digits}`.
    pub id: String,
    /// The name that prompts refer to it by.
    pub name: String,
    /// Sections that must be there, own or inherited.
    pub required_sections: Vec<String>,
    /// Sections that may be there; documentation, not enforced.
    pub optional_sections: Option<Vec<String>>,
    /// Patterns that sections must match; absent is kept apart from empty.
    pub rules: Option<Vec<Rule>>,
    /// When it was made, ISO 8601.
    pub created_at: Option<String>,
    /// When it was last changed, ISO 8601.
    pub updated_at: Option<String>,
    /// Members that we do not know, kept so that writing the record back loses nothing.
    pub extra: Map,
    /// Where the record stands.
    pub origin: Origin,
}

/// One pattern that a section must match, wherever the section is present.
#[derive(Debug, Clone, PartialEq)]
pub struct Rule {
    /// The section that is looked at.
    pub section: String,
    /// A regular expression as JavaScript reads it.
    pub pattern: String,
    /// What a person is told when it does not match.
    pub message: String,
    /// Members that we do not know, kept so that writing the record back loses nothing.
    pub extra: Map,
}

/// The schema of that name; of two the one whose line is the later.
#[must_use]
pub fn named<'s>(schemas: &'s [Schema], name: &str) -> Option<&'s Schema> {
    schemas.iter().filter(|schema| schema.name == name).max_by_key(|schema| schema.origin.line)
}
