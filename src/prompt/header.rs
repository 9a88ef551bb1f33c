//! What of a prompt decides where its file goes and what it is composed from: little enough to be known of all.

use super::{Prompt, Status};

/// A record in brief, wherever that is known from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Header<'a> {
    /// What makes versions belong together.
    pub id: &'a str,
    /// What people and other prompts call it.
    pub name: &'a str,
    /// Which version it is.
    pub version: u64,
    /// The line of the record.
    pub line: usize,
    /// Where it is in its life.
    pub status: Status,
    /// The version that is rendered in its place.
    pub pinned: Option<u64>,
    /// The name of the prompt that it inherits from.
    pub extends: Option<&'a str>,
    /// The names of the prompts that are mixed in.
    pub mixins: &'a [String],
    /// The words that it may be routed by.
    pub tags: &'a [String],
    /// The file name it is emitted under, if not `{name}.md`.
    pub emit_as: Option<&'a str>,
    /// The folder it is emitted into, whatever the configuration says.
    pub emit_dir: Option<&'a str>,
}

/// What a header says beside who it is of, kept by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brief {
    /// As in [`Header::status`].
    pub status: Status,
    /// As in [`Header::pinned`].
    pub pinned: Option<u64>,
    /// As in [`Header::extends`].
    pub extends: Option<String>,
    /// As in [`Header::mixins`].
    pub mixins: Vec<String>,
    /// As in [`Header::tags`].
    pub tags: Vec<String>,
    /// As in [`Header::emit_as`].
    pub emit_as: Option<String>,
    /// As in [`Header::emit_dir`].
    pub emit_dir: Option<String>,
}

impl<'a> Header<'a> {
    /// The names of the prompts that it builds on: what it extends, then its mixins.
    pub fn parents(self) -> impl Iterator<Item = &'a str> {
        self.extends.into_iter().chain(self.mixins.iter().map(String::as_str))
    }

    /// The same, kept by itself.
    #[must_use]
    pub fn brief(&self) -> Brief {
        let text = |text: Option<&str>| text.map(str::to_owned);
        Brief {
            status: self.status,
            pinned: self.pinned,
            extends: text(self.extends),
            mixins: self.mixins.to_vec(),
            tags: self.tags.to_vec(),
            emit_as: text(self.emit_as),
            emit_dir: text(self.emit_dir),
        }
    }
}

impl Brief {
    /// The header of the version of that id, name and number, whose record stands in that line.
    #[must_use]
    pub fn header<'a>(&'a self, id: &'a str, name: &'a str, version: u64, line: usize) -> Header<'a> {
        let Brief { status, pinned, extends, mixins, tags, emit_as, emit_dir } = self;
        Header {
            id,
            name,
            version,
            line,
            status: *status,
            pinned: *pinned,
            extends: extends.as_deref(),
            mixins,
            tags,
            emit_as: emit_as.as_deref(),
            emit_dir: emit_dir.as_deref(),
        }
    }
}

impl Prompt {
    /// What it says in brief.
    #[must_use]
    pub fn header(&self) -> Header<'_> {
        Header {
            id: &self.id,
            name: &self.name,
            version: self.version,
            line: self.origin.line,
            status: self.status,
            pinned: self.pinned,
            extends: self.extends.as_deref(),
            mixins: &self.mixins,
            tags: &self.tags,
            emit_as: self.emit_as.as_deref(),
            emit_dir: self.emit_dir.as_deref(),
        }
    }
}
