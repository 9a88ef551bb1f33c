//! A file that is read piece by piece: all pieces are of the file that stood there when it was opened.
#![expect(clippy::disallowed_methods, reason = "this is part of the room through which files come in")]

use std::fmt::Debug;
use std::fs::File;
use std::io;
use std::path::Path;

use super::Stat;

/// A file that is open, however it is kept.
pub trait Pieces: Debug + Send + Sync {
    /// How many bytes it had when it was opened.
    fn size(&self) -> u64;

    /// Fills `into` with the bytes from `at` on.
    ///
    /// # Errors
    /// If there are not so many bytes, or the system says no.
    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()>;

    /// Whether nobody wrote into it since it was opened, as far as can be told.
    fn is_as_it_was(&self) -> bool;
}

impl Pieces for Vec<u8> {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        let from = usize::try_from(at).ok().and_then(|at| self.get(at..));
        let piece = from.and_then(|from| from.get(..into.len())).ok_or(io::ErrorKind::UnexpectedEof)?;
        into.copy_from_slice(piece);
        Ok(())
    }

    fn is_as_it_was(&self) -> bool {
        true
    }
}

/// A file on disk. Whoever replaces it by another one changes nothing for its reader.
#[derive(Debug)]
pub(super) struct OnDisk {
    file: File,
    stat: Stat,
}

impl OnDisk {
    pub(super) fn open(path: &Path) -> io::Result<OnDisk> {
        let file = File::open(path)?;
        let meta = file.metadata()?;
        if meta.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // Of devices and pipes nobody knows the size.
        if !meta.is_file() {
            return Err(io::Error::other("it is a device or a pipe, no file"));
        }
        Ok(OnDisk { file, stat: Stat::of(&meta) })
    }

    /// What was said of it when it was opened.
    pub(super) fn stat(&self) -> Stat {
        self.stat
    }
}

impl Pieces for OnDisk {
    fn size(&self) -> u64 {
        self.stat.size
    }

    fn is_as_it_was(&self) -> bool {
        // Its other marks change as well when it loses its name to another file.
        let now = self.file.metadata().ok().map(|meta| Stat::of(&meta));
        now.is_some_and(|now| (now.size, now.modified) == (self.stat.size, self.stat.modified))
    }

    #[cfg(unix)]
    fn read_at(&self, at: u64, into: &mut [u8]) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, into, at)
    }

    #[cfg(windows)]
    fn read_at(&self, mut at: u64, mut into: &mut [u8]) -> io::Result<()> {
        while !into.is_empty() {
            match std::os::windows::fs::FileExt::seek_read(&self.file, into, at)? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                read => {
                    at += read as u64;
                    into = into.get_mut(read..).unwrap_or_default();
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_writes_into_an_open_file_is_noticed_and_who_replaces_it_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let (path, other) = (folder.path().join("a"), folder.path().join("b"));
        std::fs::write(&path, "one").unwrap();
        let file = OnDisk::open(&path).unwrap();
        assert!(file.is_as_it_was());
        std::fs::write(&other, "two").unwrap();
        std::fs::rename(&other, &path).unwrap();
        assert!(file.is_as_it_was());
        let file = OnDisk::open(&path).unwrap();
        std::fs::write(&path, "three").unwrap();
        assert!(!file.is_as_it_was());
    }
}
