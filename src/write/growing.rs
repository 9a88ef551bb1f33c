//! A store's next state: it grows beside the file whose place it is to take, and is on the disk before it does.
#![expect(clippy::disallowed_methods, reason = "this is part of the room through which files go out")]

use std::fs::File;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use super::{BESIDE, UNFINISHED, create_beside, mode, stem};
use crate::files::{Buffer, Pieces};

/// How much of a file is in memory while it is copied, in bytes.
const PIECE: usize = 1 << 20;

/// A file that grows beside the one whose place it is to take, durably; dropped before that, it leaves nothing.
#[derive(Debug)]
pub(crate) struct Growing {
    beside: PathBuf,
    file: Option<File>,
}

impl Growing {
    /// Begins with what `old` holds, which is on the disk when this returns; ends early if it is not wanted any more.
    pub(crate) fn from(path: &Path, old: &dyn Pieces, is_over: &AtomicBool) -> io::Result<Growing> {
        let folder = path.parent().ok_or(ErrorKind::InvalidInput)?;
        let (beside, file) = create_beside(folder, &stem(path))?;
        let mut growing = Growing { beside, file: Some(file) };
        let mut buffer = Buffer::default();
        let mut at = 0;
        while at < old.size() {
            if is_over.load(Ordering::Relaxed) {
                return Err(ErrorKind::Interrupted.into());
            }
            let length = usize::try_from(old.size() - at).unwrap_or(usize::MAX).min(PIECE);
            growing.write(buffer.read(old, at, length)?)?;
            at += length as u64;
        }
        // Most of it need not wait for what comes last.
        growing.file.as_ref().map_or(Ok(()), File::sync_data)?;
        Ok(growing)
    }

    /// Adds to its end.
    pub(crate) fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        self.file.as_mut().map_or(Ok(()), |file| file.write_all(piece))
    }

    /// Takes the place of the file at `path`, whose mode it gets.
    pub(crate) fn place(mut self, path: &Path) -> io::Result<()> {
        let Some(file) = self.file.take() else { return Ok(()) };
        let synced = mode(path)
            .and_then(|mode| mode.map_or(Ok(()), |mode| file.set_permissions(mode)))
            .and_then(|()| file.sync_all());
        // Closed before it is renamed: whoever watches its place would hear of a file that was written there.
        drop(file);
        let placed = synced.and_then(|()| std::fs::rename(&self.beside, path));
        if placed.is_err() {
            // The first error is the one to tell; a file left beside does no harm.
            let _ = std::fs::remove_file(&self.beside);
        }
        placed
    }
}

impl Drop for Growing {
    fn drop(&mut self) {
        if self.file.take().is_some() {
            // One that stays does no harm.
            let _ = std::fs::remove_file(&self.beside);
        }
    }
}

/// Removes what writers left behind who were to replace the file at `path` durably and died. Only for whoever may
/// be sure that nobody else is writing it.
pub(crate) fn remove_leftovers(path: &Path) {
    let begin = format!("{BESIDE}{}", stem(path));
    let entries = path.parent().and_then(|folder| std::fs::read_dir(folder).ok());
    for entry in entries.into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(&begin) && name.ends_with(UNFINISHED) {
            // One that stays does no harm.
            let _ = std::fs::remove_file(entry.path());
        }
    }
}
