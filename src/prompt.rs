//! What a prompt is, whichever format it came from.

mod header;
mod version;

use crate::problem::Origin;
use crate::value::{Map, Value};

pub use header::{Brief, Header};
#[cfg(test)]
pub(crate) use version::Empty;
pub use version::{Place, Shelf, Version};

/// One version of a prompt, as its record says it.
#[derive(Debug, Clone, PartialEq)]
pub struct Prompt {
    /// What makes versions belong together: `{project}-{4 hex digits}`.
    pub id: String,
    /// The name by which people and other prompts refer to it.
    pub name: String,
    /// Counted from 1; every change is a new version.
    pub version: u64,
    /// One line on what it does; goes into the front matter.
    pub description: Option<String>,
    /// Its own sections, in order; one with an empty body removes an inherited one.
    pub sections: Vec<Section>,
    /// The name of the prompt it inherits from.
    pub extends: Option<String>,
    /// The names of the prompts that are mixed in, left to right, above what it inherits.
    pub mixins: Vec<String>,
    /// Free words to filter and to route by.
    pub tags: Vec<String>,
    /// The name of the schema it is validated against.
    pub schema: Option<String>,
    /// The file name it is emitted under, if not `{name}.md`.
    pub emit_as: Option<String>,
    /// The folder it is emitted into, whatever the configuration says.
    pub emit_dir: Option<String>,
    /// The version that is rendered in place of the latest.
    pub pinned: Option<u64>,
    /// What is written between the `---` lines, beside name and description.
    pub frontmatter: Map,
    /// The expertise that a role declares; a block of any shape, since validation reports a wrong one.
    pub mulch: Option<Value>,
    /// Whether the block is merged with the inherited ones; of any shape, for the same reason.
    pub extends_mulch: Option<Value>,
    /// Where it is in its life.
    pub status: Status,
    /// When its first version was made, ISO 8601.
    pub created_at: Option<String>,
    /// When this version was made, ISO 8601.
    pub updated_at: Option<String>,
    /// Members that we do not know, kept so that writing the record back loses nothing.
    pub extra: Map,
    /// Where the record stands.
    pub origin: Origin,
}

impl Prompt {
    /// A prompt with that id and name which says nothing else, before its first version.
    #[must_use]
    pub fn empty((id, name): (String, String), origin: Origin) -> Prompt {
        Prompt {
            id,
            name,
            version: 0,
            description: None,
            sections: Vec::new(),
            extends: None,
            mixins: Vec::new(),
            tags: Vec::new(),
            schema: None,
            emit_as: None,
            emit_dir: None,
            pinned: None,
            frontmatter: Map::new(),
            mulch: None,
            extends_mulch: None,
            status: Status::Active,
            created_at: None,
            updated_at: None,
            extra: Map::new(),
            origin,
        }
    }

    /// The names of the prompts that it builds on: what it extends, then its mixins.
    pub fn parents(&self) -> impl Iterator<Item = &str> {
        self.header().parents()
    }

    /// Whether both records say the same, wherever they stand.
    #[must_use]
    pub fn says_the_same_as(&self, other: &Prompt) -> bool {
        // Maps are equal in whatever order; that of the front matter is what files show.
        let order = |prompt: &Prompt| format!("{:?}{:?}", prompt.frontmatter, prompt.mulch);
        *self == Prompt { origin: self.origin.clone(), ..other.clone() } && order(self) == order(other)
    }
}

/// The unit of composition: a named piece of Markdown.
#[derive(Debug, Clone, PartialEq)]
pub struct Section {
    /// Its name, which becomes its heading.
    pub name: String,
    /// Its Markdown; empty means "remove the inherited section of this name".
    pub body: String,
    /// Whether prompts that inherit it may not remove it; absent is kept apart from `false`.
    pub required: Option<bool>,
    /// Members that we do not know, kept so that writing the record back loses nothing.
    pub extra: Map,
}

/// Where a prompt is in its life.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Work in progress: emitted only when named.
    Draft,
    /// Current: emitted and validated.
    Active,
    /// Deleted softly: out of sight, still there to inherit from.
    Archived,
}

impl Status {
    /// Every status, in the order of a prompt's life.
    pub const ALL: [Status; 3] = [Status::Draft, Status::Active, Status::Archived];

    /// The word for it in a record.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Status::Draft => "draft",
            Status::Active => "active",
            Status::Archived => "archived",
        }
    }

    /// The status that a record's word stands for.
    #[must_use]
    pub fn parse(word: &str) -> Option<Status> {
        Status::ALL.into_iter().find(|status| status.as_str() == word)
    }
}
