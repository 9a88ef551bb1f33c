//! The configuration: which target a prompt is routed to.

#[cfg(feature = "store")]
mod check;
pub mod comments;
pub mod document;
#[cfg(feature = "store")]
pub mod edit;
#[cfg(feature = "store")]
mod layout;
mod parse;
#[cfg(feature = "store")]
mod patch;
mod place;
mod unknown;
pub mod yaml;

use indexmap::IndexMap;

use crate::prompt::Header;

pub use parse::parse;
pub use place::place;
pub use unknown::unknown;

/// Where the configuration stands, relative to the project's root.
pub const CONFIG: &str = ".canopy/config.yaml";

/// The JSON Schema of the configuration's canonical form.
pub const SCHEMA: &str = include_str!("config/schema.json");

/// The folder that prompts go to when no target says otherwise.
pub const FALLBACK_DIR: &str = "agents";

/// A project's configuration, in its canonical form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The project's name, which begins the ids of its prompts.
    pub project: String,
    /// The version of the configuration's format.
    pub version: String,
    /// The folders that prompts are emitted into, by name, in the order of the file.
    pub targets: IndexMap<String, Target>,
}

/// A folder that prompts are emitted into, and which prompts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Target {
    /// The folder, relative to the project's root.
    pub dir: String,
    /// Whether it takes the prompts that no other target takes; at most one target does.
    pub default: bool,
    /// The tags whose prompts it takes.
    pub tags: Vec<String>,
}

impl Default for Config {
    /// What a project without a configuration has.
    fn default() -> Self {
        Config { project: "canopy".to_owned(), version: "1".to_owned(), targets: IndexMap::new() }
    }
}

impl Config {
    /// The folder that `prompt` is emitted into: its own, that of its first tag with a target, or the default.
    #[must_use]
    pub fn dir<'a>(&'a self, prompt: Header<'a>) -> &'a str {
        let own = prompt.emit_dir.filter(|dir| !dir.is_empty());
        let by_tag =
            || prompt.tags.iter().find_map(|tag| self.targets.values().find(|t| t.tags.contains(tag)));
        let by_default = || self.targets.values().find(|target| target.default);
        own.or_else(|| by_tag().or_else(by_default).map(|target| target.dir.as_str())).unwrap_or(FALLBACK_DIR)
    }

    /// Every folder that a prompt with this `emitDir` and these tags may have been emitted into: also those of its
    /// other tags, and the default, since a target may be younger than the prompt.
    #[must_use]
    pub fn dirs<'a>(&'a self, emit_dir: Option<&'a str>, tags: &[String]) -> Vec<&'a str> {
        if let Some(dir) = emit_dir.filter(|dir| !dir.is_empty()) {
            return vec![dir];
        }
        let takes = |target: &&Target| target.default || target.tags.iter().any(|tag| tags.contains(tag));
        let mut dirs: Vec<&str> =
            self.targets.values().filter(takes).map(|target| target.dir.as_str()).collect();
        if !self.targets.values().any(|target| target.default) {
            dirs.push(FALLBACK_DIR);
        }
        dirs
    }
}
