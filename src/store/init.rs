//! Makes an empty store and tells git how to merge it.
#![expect(clippy::disallowed_methods, reason = "the store's files are made here, under its own rules")]

use std::io::{self, ErrorKind};
use std::path::Path;

use crate::config::CONFIG;
use crate::source::{PROMPTS, SCHEMAS, jsonl};
use crate::write;

use super::mend;

/// What git is told of the store's files: both sides of a merge are kept.
const ATTRIBUTES: [&str; 2] = [".canopy/prompts.jsonl merge=union", ".canopy/schemas.jsonl merge=union"];

/// Where git is told how to merge the store's files, relative to the root.
pub const GITATTRIBUTES: &str = ".gitattributes";

/// Where git is told what to leave out of the store, relative to the root.
pub const GITIGNORE: &str = ".canopy/.gitignore";

/// What git is told to leave out: locks are nobody else's business.
const IGNORED: &str = "*.lock";

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
        Err(e) if e.kind() == ErrorKind::AlreadyExists && root.join(".canopy").is_dir() => {
            return Err(InitError::Exists);
        }
        made => made.map_err(failed(".canopy"))?,
    }
    let config = format!(
        "project: {project}\nversion: \"1\"\ntargets:\n  agents:\n    dir: agents\n    default: true\n"
    );
    let files = [(GITIGNORE, "*.lock\n"), (CONFIG, &config), (SCHEMAS, ""), (PROMPTS, "")];
    for (path, text) in files {
        write::replace(&root.join(path), text.as_bytes()).map_err(failed(path))?;
    }
    mend::tell_git(root).map(drop)
}

/// The lines that the file at `path`, one of those that speak to git, lacks.
#[must_use]
pub fn missing_lines(path: &str, text: &[u8]) -> Vec<&'static str> {
    let lines: Vec<&[u8]> = text.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii).collect();
    if path == GITIGNORE {
        let ignores = |line: &&[u8]| matches!(*line, b"*.lock" | b"/*.lock" | b"*");
        return if lines.iter().any(ignores) { Vec::new() } else { vec![IGNORED] };
    }
    ATTRIBUTES.into_iter().filter(|wanted| !lines.iter().any(|line| says(line, wanted))).collect()
}

/// Whether a line of attributes gives the file what `wanted` gives it, perhaps among other things.
fn says(line: &[u8], wanted: &str) -> bool {
    let line = String::from_utf8_lossy(line);
    let mut words = line.split_ascii_whitespace();
    let path = words.next().map(|path| path.strip_prefix('/').unwrap_or(path));
    let (file, attribute) = wanted.split_once(' ').unwrap_or((wanted, ""));
    path == Some(file) && words.any(|word| word == attribute)
}

/// The text with these lines after it, each on a line of its own.
pub(super) fn with_lines(mut text: Vec<u8>, lines: &[&str]) -> Vec<u8> {
    for line in lines {
        if jsonl::ends_open(&text) {
            text.push(b'\n');
        }
        text.extend([line.as_bytes(), b"\n"].concat());
    }
    text
}
