//! One change of a store's file: locked, whole beside the old one, synced, renamed over it.
#![expect(clippy::disallowed_methods, reason = "the store's files are written here, under its own rules")]

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::problem::{Origin, Problem};
use crate::source::jsonl;
use crate::value::Map;
use crate::write;

use super::lock::{Lock, LockError};

/// How long a writer waits for another one.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// Why the store is as it was.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// Somebody else writes.
    #[error(transparent)]
    Locked(#[from] LockError),
    /// The change is refused.
    #[error("{}", .0.message)]
    Refused(Box<Problem>),
    /// The system said no.
    #[error("cannot {action} `{path}`: {source}")]
    Io {
        /// What was tried: read, write.
        action: &'static str,
        /// The file, relative to the root.
        path: String,
        /// What the system said.
        source: io::Error,
    },
}

impl From<Problem> for StoreError {
    fn from(problem: Problem) -> Self {
        StoreError::Refused(Box::new(problem))
    }
}

impl StoreError {
    /// The error as it is shown.
    #[must_use]
    pub fn problem(self) -> Problem {
        match self {
            StoreError::Refused(problem) => *problem,
            StoreError::Locked(error) => error.problem(),
            io @ StoreError::Io { .. } => Problem::new(io.to_string()),
        }
    }
}

/// Appends the line that `edit` makes of the file's bytes; the old lines stay to the byte.
///
/// When this returns, the line is on the disk: the new file is synced, and the folder after it.
///
/// # Errors
/// If the lock is not to be had, the file cannot be read or written, or `edit` refuses.
pub fn append<T>(
    root: &Path,
    file: &str,
    edit: impl FnOnce(&[u8]) -> Result<(String, T), Problem>,
) -> Result<T, StoreError> {
    change(root, file, |bytes| {
        let (line, result) = edit(bytes)?;
        let mut whole = Vec::with_capacity(bytes.len() + line.len() + 2);
        whole.extend_from_slice(bytes);
        if jsonl::ends_open(bytes) {
            whole.push(b'\n');
        }
        whole.extend_from_slice(line.as_bytes());
        whole.push(b'\n');
        Ok((Some(whole), result))
    })
}

/// Replaces the file's bytes by those that `edit` makes of them, if it makes any.
///
/// # Errors
/// As for [`append`].
pub fn change<T>(
    root: &Path,
    file: &str,
    edit: impl FnOnce(&[u8]) -> Result<(Option<Vec<u8>>, T), Problem>,
) -> Result<T, StoreError> {
    let failed = |action| move |source| StoreError::Io { action, path: file.to_owned(), source };
    let path = real(root, file).map_err(failed("read"))?;
    let _lock = Lock::acquire(&path, file, PATIENCE)?;
    let bytes = match std::fs::read(&path) {
        Ok(bytes) => bytes,
        Err(e) if e.kind() == ErrorKind::NotFound => Vec::new(),
        Err(e) => return Err(failed("read")(e)),
    };
    let (whole, result) = edit(&bytes)?;
    if let Some(whole) = whole {
        // Under the lock nobody else has one that is still wanted.
        write::remove_leftovers(&path);
        replace_durably(&path, &whole).map_err(failed("write"))?;
    }
    Ok(result)
}

/// Where a file really is: a link in its place is written through, not replaced.
pub(super) fn real(root: &Path, file: &str) -> io::Result<PathBuf> {
    let path = root.join(file);
    match path.canonicalize() {
        Err(e) if e.kind() == ErrorKind::NotFound && !path.is_symlink() => Ok(path),
        real => real,
    }
}

/// As [`write::replace`], and on the disk when it returns.
fn replace_durably(path: &Path, contents: &[u8]) -> io::Result<()> {
    // Opened first: after the rename it is too late to find out that it cannot be.
    let folder = path.parent().ok_or(ErrorKind::InvalidInput)?;
    let opened = if cfg!(unix) { Some(File::open(folder)?) } else { None };
    write::replace_synced(path, contents)?;
    match opened.map(|folder| folder.sync_all()) {
        // Some file systems keep their list of names by themselves and refuse to be asked.
        Some(Err(e)) if !matches!(e.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Err(e),
        _ => Ok(()),
    }
}

/// Where the next line of a file with these bytes will stand.
pub(super) fn next_origin(path: &str, bytes: &[u8]) -> Origin {
    let lines = bytes.iter().filter(|byte| **byte == b'\n').count();
    Origin { path: path.into(), line: lines + usize::from(jsonl::ends_open(bytes)) + 1 }
}

/// A record as its line.
pub(super) fn line(map: &Map) -> String {
    super::json(map)
}
