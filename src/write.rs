//! The only way out: writes a file beside its place, then renames it there.
#![expect(clippy::disallowed_methods, reason = "this is the room through which files go out")]

use std::fs::{OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::plan::{Change, Plan, Step};
use crate::problem::Origin;

/// A file that could not be written; what stood there stands there still.
#[derive(Debug, thiserror::Error)]
#[error("cannot write `{path}`: {source}")]
pub struct WriteError {
    /// The file, as it is shown to people.
    pub path: String,
    /// The record that asks for it.
    pub origin: Origin,
    /// What the system said.
    pub source: io::Error,
}

/// Does what `plan` says and returns what could not be done; one failure does not keep others from being
/// written.
#[must_use]
pub fn apply(plan: &Plan) -> Vec<WriteError> {
    let failed = |step: &Step, source| WriteError {
        path: step.output.path.clone(),
        origin: step.output.origin.clone(),
        source,
    };
    plan.changes().filter_map(|step| write_step(step).err().map(|e| failed(step, e))).collect()
}

fn write_step(step: &Step) -> io::Result<()> {
    let contents = step.output.contents.as_bytes();
    if step.change != Change::Create {
        return replace(&step.target, contents);
    }
    // Most folders are there: asking first would cost more than being told.
    match place(&step.target, contents, None, Durability::Cached) {
        Err(e) if e.kind() == ErrorKind::NotFound => {
            std::fs::create_dir_all(step.target.parent().ok_or(ErrorKind::InvalidInput)?)?;
            place(&step.target, contents, None, Durability::Cached)
        }
        placed => placed,
    }
}

/// Puts `contents` in the place of the file at `path`, which is whole at every moment; its mode stays.
///
/// # Errors
/// Whatever the system says; the file is then as it was.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    place(path, contents, mode(path)?, Durability::Cached)
}

/// As [`replace`], and the file's content is on the disk before it takes its place.
///
/// # Errors
/// As for [`replace`].
pub fn replace_synced(path: &Path, contents: &[u8]) -> io::Result<()> {
    place(path, contents, mode(path)?, Durability::Synced)
}

/// Whether a file's content must be on the disk before it takes its place.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Durability {
    Cached,
    Synced,
}

/// The mode of a file that is there.
fn mode(path: &Path) -> io::Result<Option<Permissions>> {
    match path.metadata() {
        Ok(meta) => Ok(Some(meta.permissions())),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(None),
        Err(e) => Err(e),
    }
}

fn place(path: &Path, contents: &[u8], mode: Option<Permissions>, durability: Durability) -> io::Result<()> {
    let (beside, mut file) = create_beside(path.parent().ok_or(ErrorKind::InvalidInput)?)?;
    let written = file
        .write_all(contents)
        .and_then(|()| mode.map_or(Ok(()), |mode| file.set_permissions(mode)))
        .and_then(|()| if durability == Durability::Synced { file.sync_all() } else { Ok(()) })
        .and_then(|()| std::fs::rename(&beside, path));
    if written.is_err() {
        // The first error is the one to tell; a file left beside does no harm.
        let _ = std::fs::remove_file(&beside);
    }
    written
}

/// A new file in `folder` whose name nobody else uses: by process, then by number.
pub(crate) fn create_beside(folder: &Path) -> io::Result<(std::path::PathBuf, std::fs::File)> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!(".cn-{}-{number}.tmp", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
}
