//! One change of a store's file: locked, whole beside the old one, synced, renamed over it.
#![expect(clippy::disallowed_methods, reason = "the store's files are written here, under its own rules")]

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::ScopedJoinHandle;
use std::time::Duration;

use crate::cores;
use crate::files::{self, Pieces};
use crate::problem::{Origin, Problem};
use crate::source::jsonl;
use crate::value::Map;
use crate::write::{self, Growing};

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

/// Appends the line that `edit` makes of the file; the old lines stay to the byte.
///
/// When this returns, the line is on the disk: the new file is synced, and the folder after it. While `edit` works, the
/// old lines are copied already.
///
/// # Errors
/// If the lock is not to be had, the file cannot be read or written, or `edit` refuses.
pub fn append<T>(
    root: &Path,
    file: &str,
    edit: impl FnOnce(&Arc<dyn Pieces>) -> Result<(String, T), Problem>,
) -> Result<T, StoreError> {
    let failed = |action| move |source| StoreError::Io { action, path: file.to_owned(), source };
    let path = real(root, file).map_err(failed("read"))?;
    let _lock = Lock::acquire(&path, file, PATIENCE)?;
    let old: Arc<dyn Pieces> = match files::open(&path) {
        Ok(old) => old,
        Err(e) if e.kind() == ErrorKind::NotFound => Arc::new(Vec::new()),
        Err(e) => return Err(failed("read")(e)),
    };
    // Under the lock nobody else has one that is still wanted.
    write::remove_leftovers(&path);
    let is_refused = AtomicBool::new(false);
    let (growing, edited) = std::thread::scope(|scope| {
        let copy = || Growing::from(&path, old.as_ref(), &is_refused);
        let growing = cores::beside(scope, copy);
        let edited = edit(&old);
        is_refused.store(edited.is_err(), Ordering::Relaxed);
        let growing = match growing.map(ScopedJoinHandle::join) {
            Some(Ok(growing)) => growing,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => copy(),
        };
        (growing, edited)
    });
    let (line, result) = edited?;
    let mut growing = growing.map_err(failed("write"))?;
    let ends = if ends_open(old.as_ref()).map_err(failed("read"))? { "\n" } else { "" };
    growing.write(format!("{ends}{line}\n").as_bytes()).map_err(failed("write"))?;
    durably(&path, || growing.place(&path)).map_err(failed("write"))?;
    Ok(result)
}

/// Whether the last line of a file has no end.
fn ends_open(file: &dyn Pieces) -> io::Result<bool> {
    let mut last = [b'\n'];
    if let Some(at) = file.size().checked_sub(1) {
        file.read_at(at, &mut last)?;
    }
    Ok(jsonl::ends_open(&last))
}

/// Replaces the file's bytes by those that `edit` makes of them, if it makes any.
///
/// # Errors
/// If the lock is not to be had, the file cannot be read or written, or `edit` refuses.
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
        durably(&path, || write::replace_synced(&path, &whole)).map_err(failed("write"))?;
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

/// Does what gives the file at `path` another content, and sees to it that the name is on the disk when it returns.
fn durably(path: &Path, replace: impl FnOnce() -> io::Result<()>) -> io::Result<()> {
    // Opened first: after the rename it is too late to find out that it cannot be.
    let folder = path.parent().ok_or(ErrorKind::InvalidInput)?;
    let opened = if cfg!(unix) { Some(File::open(folder)?) } else { None };
    replace()?;
    match opened.map(|folder| folder.sync_all()) {
        // Some file systems keep their list of names by themselves and refuse to be asked.
        Some(Err(e)) if !matches!(e.kind(), ErrorKind::InvalidInput | ErrorKind::Unsupported) => Err(e),
        _ => Ok(()),
    }
}

/// The bytes of a file that is small.
pub(super) fn all_of(path: &str, file: &dyn Pieces) -> Result<Vec<u8>, Problem> {
    let mut bytes = vec![0; usize::try_from(file.size()).unwrap_or(usize::MAX)];
    let read = file.read_at(0, &mut bytes);
    read.map(|()| bytes).map_err(|e| Problem::new(format!("cannot read `{path}`: {e}")))
}

/// Where the next line of a file with so many ended lines will stand.
pub(super) fn next_origin(path: &str, file: &dyn Pieces, ended: usize) -> Result<Origin, Problem> {
    let open = ends_open(file).map_err(|e| Problem::new(format!("cannot read `{path}`: {e}")))?;
    Ok(Origin { path: path.into(), line: ended + usize::from(open) + 1 })
}

/// A record as its line.
pub(super) fn line(map: &Map) -> String {
    super::json(map)
}
