//! Whether git knows how to merge the store and what to leave out of it.

use crate::files::{DiskFiles, Files};
use crate::store::init::{self, GITATTRIBUTES, GITIGNORE};

use super::{Check, count};

/// Which lines are missing from the files that speak to git.
pub(super) fn check(files: &DiskFiles) -> Check {
    const NAME: &str = "gitattributes";
    let read = |path| files.read(path).map(Option::unwrap_or_default).map_err(|e| e.to_string());
    let lacking = |path| -> Result<Vec<String>, String> {
        let missing = init::missing_lines(path, &read(path)?);
        Ok(missing.into_iter().map(|line| format!("{path} lacks `{line}`")).collect())
    };
    let (mut missing, mut unread) = (Vec::new(), Vec::new());
    for path in [GITATTRIBUTES, GITIGNORE] {
        match lacking(path) {
            Ok(lines) => missing.extend(lines),
            Err(e) => unread.push(e),
        }
    }
    match (missing.len(), unread.is_empty()) {
        (0, true) => Check::pass(NAME, "git merges the store's files by keeping both sides"),
        (0, false) => Check::warn(NAME, "what git is told cannot be read", unread),
        (number, _) => {
            missing.extend(unread);
            Check::warn(NAME, format!("{} for git missing", count(number, "line")), missing).fixable(true)
        }
    }
}
