//! Why a prompt cannot be composed.

use std::fmt;

use crate::problem::{Origin, Problem};

use super::LONGEST_CHAIN;

/// How one prompt refers to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Link {
    /// As the one that it inherits from.
    Extends,
    /// As one that is mixed in.
    Mixin,
}

impl Link {
    fn verb(self) -> &'static str {
        match self {
            Link::Extends => "extends",
            Link::Mixin => "mixes in",
        }
    }
}

/// Why a prompt cannot be composed, with the record that is to be changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ResolveError {
    /// It refers to a prompt that is not there.
    Missing {
        /// The record that refers.
        origin: Origin,
        /// The prompt that refers.
        child: String,
        /// How it refers.
        link: Link,
        /// The name that nobody has.
        name: String,
        /// What the prompt is called now that once had the name.
        now: Option<String>,
        /// An existing name that is close.
        near: Option<String>,
    },
    /// It inherits from itself.
    Cycle {
        /// The record that closes the circle.
        origin: Origin,
        /// The names along the circle; the last is the first again.
        chain: Vec<String>,
    },
    /// A chain is too long.
    Depth {
        /// The record from which on the chain is too long.
        origin: Origin,
        /// The names along the chain, the child first.
        chain: Vec<String>,
    },
    /// It removes a section that must stay.
    Required {
        /// The record that removes.
        origin: Origin,
        /// The section.
        section: String,
        /// The prompt that removes it.
        child: String,
        /// The prompt that requires it.
        parent: String,
    },
    /// It is pinned to a version that is not there.
    Pin {
        /// The record that holds the pin.
        origin: Origin,
        /// The prompt.
        name: String,
        /// The version it is pinned to.
        version: u64,
        /// The versions there are.
        existing: Vec<u64>,
    },
}

impl fmt::Display for ResolveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ResolveError::Missing { child, link, name, now, .. } => {
                write!(f, "`{child}` {} `{name}`, which ", link.verb())?;
                match now {
                    Some(now) => write!(f, "is now called `{now}`"),
                    None => f.write_str("does not exist"),
                }
            }
            ResolveError::Cycle { chain, .. } => write!(f, "circular inheritance: {}", chain.join(" → ")),
            ResolveError::Depth { chain, .. } => {
                let (depth, chain) = (chain.len(), chain.join(" → "));
                write!(f, "inheritance is {depth} prompts deep, and {LONGEST_CHAIN} are the most: {chain}")
            }
            ResolveError::Required { child, section, parent, .. } => {
                write!(f, "`{child}` removes the section `{section}`, which `{parent}` requires")
            }
            ResolveError::Pin { name, version, .. } => {
                write!(f, "`{name}` is pinned to version {version}, which does not exist")
            }
        }
    }
}

impl std::error::Error for ResolveError {}

impl ResolveError {
    /// The error as it is shown: with its place and the way out.
    #[must_use]
    pub fn problem(&self) -> Problem {
        let (origin, hint) = match self {
            ResolveError::Missing { origin, child, link, now, near, .. } => {
                let what = match link {
                    Link::Extends => "`extends`",
                    Link::Mixin => "`mixins`",
                };
                let hint = match (now, near) {
                    (Some(now), _) => format!("change the {what} of `{child}` to `{now}`"),
                    (None, Some(near)) => format!("did you mean `{near}`?"),
                    (None, None) => "`cn list` shows the names that there are".to_owned(),
                };
                (origin, hint)
            }
            ResolveError::Cycle { origin, .. } => (
                origin,
                "take one of these prompts out of `extends` or `mixins` of the one before it".to_owned(),
            ),
            ResolveError::Depth { origin, .. } => {
                (origin, "let a prompt further down the chain extend one further up".to_owned())
            }
            ResolveError::Required { origin, child, section, .. } => (
                origin,
                format!("give the section `{section}` of `{child}` a text, or drop it from the record"),
            ),
            ResolveError::Pin { origin, name, existing, .. } => {
                let existing = existing.iter().map(u64::to_string).collect::<Vec<_>>().join(", ");
                (origin, format!("`{name}` has version {existing}; pin it to one of these, or unpin it"))
            }
        };
        Problem::new(self.to_string()).at(origin).hint(hint)
    }
}
