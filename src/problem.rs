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
        .map(|name| (slips(typed, name), name))
        .filter(|(distance, name)| *distance <= allowed && *distance < name.chars().count())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// How many slips of the finger lead from one word to the other: a letter more, less, or another, or two swapped.
fn slips(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    // The rows of the table for the letters of `from` up to the one before, and up to the one in hand.
    let (mut before, mut above): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=to.len()).collect());
    let mut last = None;
    for (row, letter) in from.chars().enumerate() {
        let mut left = row + 1;
        let mut current = vec![left];
        for (((column, wanted), up), across) in to.iter().enumerate().zip(above.iter().skip(1)).zip(&above) {
            let mut fewest = (left + 1).min(up + 1).min(across + usize::from(letter != *wanted));
            let swapped = column.checked_sub(1).and_then(|at| Some((to.get(at)?, before.get(at)?)));
            if let Some((earlier, slips)) = swapped
                && (Some(*earlier), Some(*wanted)) == (Some(letter), last)
            {
                fewest = fewest.min(slips + 1);
            }
            current.push(fewest);
            left = fewest;
        }
        last = Some(letter);
        before = std::mem::replace(&mut above, current);
    }
    above.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_counted() {
        for (from, to, count) in [
            ("", "", 0),
            ("", "abc", 3),
            ("abc", "", 3),
            ("abc", "abc", 0),
            ("abc", "axc", 1),
            ("agnet", "agent", 1),
            ("ab", "ba", 1),
            ("abcd", "badc", 2),
            ("kitten", "sitting", 3),
            ("é名", "名é", 1),
        ] {
            assert_eq!(slips(from, to), count, "{from} {to}");
        }
    }

    #[test]
    fn a_slip_of_the_finger_finds_its_name() {
        let names = ["base-agent", "builder", "scout"];
        assert_eq!(nearest("base-agnet", names), Some("base-agent"));
        assert_eq!(nearest("bilder", names), Some("builder"));
        assert_eq!(nearest("reviewer", names), None);
    }
}
