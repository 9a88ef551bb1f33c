//! Mends what a store can be left with: locks of the dead, an open last line, lines that stand there twice.
#![expect(clippy::disallowed_methods, reason = "the store's files are written here, under its own rules")]

use std::collections::HashSet;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::prompt::Prompt;
use crate::source::{PROMPTS, jsonl, record};
use crate::write;

use super::append::{self, StoreError};
use super::init::{self, GITATTRIBUTES, GITIGNORE, InitError};
use super::lock::{self, Lock, LockError};

/// Where the lock of a store's file stands: beside what the file really is.
///
/// # Errors
/// If the file is there and cannot be found out about.
pub fn lock_of(root: &Path, file: &str) -> io::Result<PathBuf> {
    Ok(lock::beside(&append::real(root, file)?))
}

/// Takes the lock of a file if nobody holds it, and gives it back, which removes what the dead left; whether
/// that was possible.
///
/// # Errors
/// If the system says no.
pub fn remove_dead_lock(root: &Path, file: &str) -> Result<bool, LockError> {
    let failed = |source| LockError::Io { file: file.to_owned(), source };
    let path = append::real(root, file).map_err(failed)?;
    match Lock::acquire(&path, file, Duration::ZERO) {
        Ok(held) => {
            drop(held);
            Ok(true)
        }
        Err(LockError::Held { .. }) => Ok(false),
        Err(e) => Err(e),
    }
}

/// Ends the last line of a store's file, if it is open; whether it was.
///
/// # Errors
/// If the lock is not to be had, or the file cannot be read or written.
pub fn end_last_line(root: &Path, file: &str) -> Result<bool, StoreError> {
    append::change(root, file, |bytes| {
        let open = jsonl::ends_open(bytes);
        Ok((open.then(|| [bytes, b"\n"].concat()), open))
    })
}

/// Removes the lines that `chosen` names by number from the prompts, and returns how many; every other byte stays.
///
/// # Errors
/// As for [`end_last_line`], and if the prompts hold conflict markers.
pub fn remove_lines(root: &Path, chosen: impl FnOnce(&[Prompt]) -> Vec<usize>) -> Result<usize, StoreError> {
    append::change(root, PROMPTS, |bytes| {
        let read = jsonl::read(PROMPTS, bytes, record::prompt)?;
        let chosen: HashSet<usize> = chosen(&read.records).into_iter().collect();
        if chosen.is_empty() {
            return Ok((None, 0));
        }
        Ok((Some(without(bytes, &chosen)), chosen.len()))
    })
}

/// The bytes without the lines of these numbers. A byte order mark belongs to the file, not to its first line.
fn without(bytes: &[u8], lines: &HashSet<usize>) -> Vec<u8> {
    let mark: &[u8] = b"\xEF\xBB\xBF";
    let (mark, text) = bytes.strip_prefix(mark).map_or((&[][..], bytes), |text| (mark, text));
    let kept = text.split_inclusive(|byte| *byte == b'\n').enumerate();
    let kept = kept.filter(|(index, _)| !lines.contains(&(index + 1)));
    mark.iter().chain(kept.flat_map(|(_, line)| line)).copied().collect()
}

/// Adds the lines that git needs and has not got; returns each with its file.
///
/// # Errors
/// If one of the files cannot be read or written.
pub fn tell_git(root: &Path) -> Result<Vec<(&'static str, &'static str)>, InitError> {
    let mut added = Vec::new();
    for path in [GITATTRIBUTES, GITIGNORE] {
        let failed = |source| InitError::Io { path: path.to_owned(), source };
        let real = append::real(root, path).map_err(failed)?;
        let text = match std::fs::read(&real) {
            Ok(text) => text,
            Err(e) if e.kind() == ErrorKind::NotFound => Vec::new(),
            Err(e) => return Err(failed(e)),
        };
        let missing = init::missing_lines(path, &text);
        if !missing.is_empty() {
            write::replace(&real, &init::with_lines(text, &missing)).map_err(failed)?;
        }
        added.extend(missing.into_iter().map(|line| (path, line)));
    }
    Ok(added)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_removed_stays_to_the_byte() {
        let lines = [1, 3].into_iter().collect();
        assert_eq!(without(b"\xEF\xBB\xBFa\r\n\n b\nc", &lines), b"\xEF\xBB\xBF\nc");
        assert_eq!(without(b"a\nb\nc\nd", &lines), b"b\nd");
    }
}
