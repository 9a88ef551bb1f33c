//! What is wrong, where, and the way out: the one shape of every message to a person.

use std::fmt;
use std::sync::Arc;

/// Where something stands: a file of the project and a line in it.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Origin {
    /// The file, relative to the project's root, with `/` between names.
    pub path: Arc<str>,
    /// The line, counted from 1.
    pub line: usize,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.path, self.line)
    }
}

/// One thing that is wrong.
///
/// Stages collect them rather than stop at the first, so that a person sees all of them at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong, in lower case, the user's own words in backticks.
    pub message: String,
    /// Where the cause stands, if it stands in a file.
    pub origin: Option<Origin>,
    /// What to do about it.
    pub hint: Option<String>,
}

impl Problem {
    /// A problem that stands nowhere in particular.
    #[must_use]
    pub fn new(message: impl Into<String>) -> Self {
        Problem { message: message.into(), origin: None, hint: None }
    }

    /// The same problem at a place.
    #[must_use]
    pub fn at(mut self, origin: &Origin) -> Self {
        self.origin = Some(origin.clone());
        self
    }

    /// The same problem with a way out.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// The same problem with a way out, if there is one to offer.
    #[must_use]
    pub fn maybe_hint(mut self, hint: Option<String>) -> Self {
        self.hint = hint;
        self
    }
}

/// The name of `names` that a person most likely meant by `typed`, if one is close.
#[must_use]
pub fn nearest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let allowed = (typed.chars().count() / 3).clamp(1, 3);
    names
        .into_iter()
        .map(|name| (strsim::damerau_levenshtein(typed, name), name))
        .filter(|(distance, name)| *distance <= allowed && *distance < name.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_finger_finds_its_name() {
        let names = ["base-agent", "builder", "scout"];
        assert_eq!(nearest("base-agnet", names), Some("base-agent"));
        assert_eq!(nearest("bilder", names), Some("builder"));
        assert_eq!(nearest("reviewer", names), None);
    }
}
