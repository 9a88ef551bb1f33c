//! Makes an empty store and tells git how to merge it.
#![expect(clippy::disallowed_methods, reason = "the store's files are made here, under its own rules")]

use std::io::{self, ErrorKind};
use std::path::Path;

use crate::config::CONFIG;
use crate::source::{PROMPTS, SCHEMAS};
use crate::write;

/// What git is told of the store's files: both sides of a merge are kept.
const ATTRIBUTES: [&str; 2] = [".canopy/prompts.jsonl merge=union", ".canopy/schemas.jsonl merge=union"];

/// Why a store was not made.
#[derive(Debug, thiserror::Error)]
pub enum InitError {
    /// There is one.
    #[error("`.canopy` is already here")]
    Exists,
    /// The system said no.
    #[error("cannot write `{path}`: {source}")]
    Io {
        /// The file, relative to the root.
        path: String,
        /// What the system said.
        source: io::Error,
    },
}

/// Makes an empty store in `root` for a project of that name, and tells git how to merge it.
///
/// # Errors
/// If there is one already, or a file cannot be written.
pub fn init(root: &Path, project: &str) -> Result<(), InitError> {
    let failed = |path: &str| {
        let path = path.to_owned();
        move |source| InitError::Io { path, source }
    };
    match std::fs::create_dir(root.join(".canopy")) {
        Err(e) if e.kind() == ErrorKind::AlreadyExists => return Err(InitError::Exists),
        made => made.map_err(failed(".canopy"))?,
    }
    let config = format!(
        "project: {project}\nversion: \"1\"\ntargets:\n  agents:\n    dir: agents\n    default: true\n"
    );
    let files = [(".canopy/.gitignore", "*.lock\n"), (CONFIG, &config), (SCHEMAS, ""), (PROMPTS, "")];
    for (path, text) in files {
        write::replace(&root.join(path), text.as_bytes()).map_err(failed(path))?;
    }
    write_attributes(&root.join(".gitattributes")).map_err(failed(".gitattributes"))
}

/// Appends the lines that are missing, each on a line of its own.
fn write_attributes(path: &Path) -> io::Result<()> {
    let mut text = match std::fs::read(path) {
        Ok(text) => text,
        Err(e) if e.kind() == ErrorKind::NotFound => Vec::new(),
        Err(e) => return Err(e),
    };
    let before = text.len();
    for line in ATTRIBUTES {
        if text.split(|b| *b == b'\n').any(|there| there.trim_ascii() == line.as_bytes()) {
            continue;
        }
        if !matches!(text.last(), None | Some(b'\n')) {
            text.push(b'\n');
        }
        text.extend([line.as_bytes(), b"\n"].concat());
    }
    if text.len() == before { Ok(()) } else { write::replace(path, &text) }
}
