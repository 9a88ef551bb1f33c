//! What stands where outputs go: looked at, and read only where nothing is remembered of it.
#![expect(clippy::disallowed_methods, reason = "this is part of the room through which files come in")]

use std::collections::HashMap;
use std::fmt::Debug;
use std::fs::Metadata;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use super::pieces::{OnDisk, Pieces};
use super::{DiskFiles, FileError, Stat};

/// What stands at a path that an output would take.
#[derive(Debug)]
pub enum Standing {
    /// Nothing; the file would be new.
    Nothing,
    /// A file, with its content, and what was said of it before that was read.
    File(Vec<u8>, Stat),
    /// A file that holds the text that was looked for, as far as is remembered or was found.
    AsWished(Stat),
    /// A folder, which a file cannot replace.
    Folder,
    /// A device, a pipe or the like, which is not to be read and not to be replaced.
    Special,
    /// A symbolic link, there or on the way, that leads to nothing.
    Dangling,
}

/// What is remembered of files from an earlier look at them.
pub trait Memory: Debug + Send + Sync {
    /// What was said of the file at `path` when it held the text of that hash.
    fn remembered(&self, path: &str) -> Option<(Stat, blake3::Hash)>;
}

impl DiskFiles {
    /// What stands at `path` and where that really is, once symbolic links are followed. If it is remembered to hold the
    /// text whose hash is `wish`, it is not read.
    ///
    /// Not recorded: an output is not an input, and a watcher must not wake up from its own writes.
    ///
    /// # Errors
    /// Whatever keeps an existing file from being read.
    pub fn look(&self, path: &Path, wish: Option<blake3::Hash>) -> Result<(PathBuf, Standing), FileError> {
        let failed = |source| FileError { path: path.to_string_lossy().into_owned(), source };
        let (real, meta) = match self.find(path).map_err(failed)? {
            Ok(found) => found,
            Err(other) => return Ok(other),
        };
        if meta.is_dir() {
            return Ok((real, Standing::Folder));
        }
        if !meta.is_file() {
            return Ok((real, Standing::Special));
        }
        let stat = Stat::of(&meta);
        if wish.is_some_and(|wish| self.remembers(path, stat, wish)) {
            return Ok((real, Standing::AsWished(stat)));
        }
        let bytes = std::fs::read(&real).map_err(failed)?;
        Ok((real, Standing::File(bytes, stat)))
    }

    fn remembers(&self, path: &Path, stat: Stat, wish: blake3::Hash) -> bool {
        let remembered =
            self.memory.as_ref().zip(path.to_str()).and_then(|(memory, path)| memory.remembered(path));
        remembered == Some((stat, wish))
    }

    /// The file at `path` in a real folder and what the system says of it, or what stands there else.
    fn find(&self, path: &Path) -> io::Result<Result<(PathBuf, Metadata), (PathBuf, Standing)>> {
        let whole = self.root.join(path);
        let (Some(folder), Some(name)) = (whole.parent(), whole.file_name()) else {
            return Ok(Err((whole, Standing::Folder)));
        };
        let Some(folder) = self.real_folder(folder)? else {
            return Ok(Err((whole, Standing::Dangling)));
        };
        let real = folder.join(name);
        match real.symlink_metadata() {
            Ok(meta) if meta.is_symlink() => match real.canonicalize() {
                Ok(target) => target.metadata().map(|meta| Ok((target, meta))),
                Err(e) if e.kind() == ErrorKind::NotFound => Ok(Err((real, Standing::Dangling))),
                Err(e) => Err(e),
            },
            Ok(meta) => Ok(Ok((real, meta))),
            Err(e) if e.kind() == ErrorKind::NotFound => Ok(Err((real, Standing::Nothing))),
            Err(e) => Err(e),
        }
    }

    /// Whether each of these paths is a file of which the system says what it said, and no link leads to it.
    #[must_use]
    pub fn are_plain<'f>(&self, mut files: impl Iterator<Item = (&'f str, Option<Stat>)>) -> bool {
        let mut glance = self.glance();
        files.all(|(path, stat)| stat.is_some() && glance.stat(path) == stat)
    }

    /// A way to look at many files, one after the other.
    #[must_use]
    pub fn glance(&self) -> Glance<'_> {
        let (folder, whole, base) = (None, String::new(), 0);
        Glance { files: self, start: self.start(), folder, whole, base }
    }

    /// How a path below the root begins: with nothing, where the root is the current folder, since the system finds a
    /// file the faster the fewer folders are named.
    fn start(&self) -> Option<String> {
        let stat = |path: &Path| path.metadata().ok().map(|meta| Stat::of(&meta));
        match stat(Path::new(".")) {
            Some(here) if here.inode != 0 && Some(here) == stat(&self.root) => Some(String::new()),
            _ => Some(format!("{}/", self.root.to_str()?)),
        }
    }

    /// A file that is no input, if no link leads to it, and what was said of it when it was opened.
    #[must_use]
    pub fn open_aside(&self, path: &str) -> Option<(Arc<dyn Pieces>, Stat)> {
        let whole = self.root.join(path);
        // Another one may take its place at any moment, but not each time.
        let tries = if super::is_there(&whole) { 10 } else { 0 };
        (0..tries).find_map(|_| self.try_open_aside(path, &whole))
    }

    fn try_open_aside(&self, path: &str, whole: &Path) -> Option<(Arc<dyn Pieces>, Stat)> {
        // Looked at first: to open a pipe is to wait.
        let stat = whole.symlink_metadata().ok().filter(Metadata::is_file).map(|meta| Stat::of(&meta))?;
        let file = self.are_plain([(path, Some(stat))].into_iter()).then(|| OnDisk::open(whole).ok())??;
        (file.stat() == stat).then(|| (Arc::new(file) as Arc<dyn Pieces>, stat))
    }

    /// What the system says of a folder; `None` if there is none.
    #[must_use]
    pub fn folder(&self, path: &str) -> Option<Stat> {
        self.root.join(path).metadata().ok().map(|meta| Stat::of(&meta))
    }

    /// The names of the files in `folder`, links left aside; none if there is no such folder.
    ///
    /// Not recorded, for the same reason: it is where outputs are.
    ///
    /// # Errors
    /// Whatever keeps an existing folder from being listed.
    pub fn list(&self, folder: &str) -> Result<Vec<String>, FileError> {
        let mut names = Vec::new();
        let mut add = |entry: std::fs::DirEntry| {
            let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
            names.extend(entry.file_name().into_string().ok().filter(|_| is_file));
        };
        match std::fs::read_dir(self.root.join(folder)) {
            Ok(entries) => entries.flatten().for_each(&mut add),
            Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {}
            Err(source) => return Err(FileError { path: folder.to_owned(), source }),
        }
        Ok(names)
    }

    /// Where `folder` really is, even if its last names do not exist yet; `None` behind a dangling link.
    fn real_folder(&self, folder: &Path) -> io::Result<Option<PathBuf>> {
        if let Some(known) = self.folders().get(folder) {
            return Ok(known.clone());
        }
        let real = match folder.canonicalize() {
            Ok(real) => Some(real),
            Err(e) if e.kind() == ErrorKind::NotFound => {
                match (folder.is_symlink(), folder.parent(), folder.file_name()) {
                    (false, Some(above), Some(name)) => self.real_folder(above)?.map(|real| real.join(name)),
                    _ => None,
                }
            }
            Err(e) => return Err(e),
        };
        self.folders().insert(folder.to_owned(), real.clone());
        Ok(real)
    }

    fn folders(&self) -> std::sync::MutexGuard<'_, HashMap<PathBuf, Option<PathBuf>>> {
        self.real_folders.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Looks at many files, most of which share their folder with the one before.
#[derive(Debug)]
pub struct Glance<'a> {
    files: &'a DiskFiles,
    /// How a path below the root begins. One that is no text is rare enough to be looked at in another way.
    start: Option<String>,
    /// The folder of the file before, if no link leads to it.
    folder: Option<String>,
    /// The path of the file before, and how much of it its folder is.
    whole: String,
    base: usize,
}

impl Glance<'_> {
    /// What the system says of the file at `path`, if it is one and no link leads to it.
    pub fn stat(&mut self, path: &str) -> Option<Stat> {
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        if self.folder.as_deref() != Some(folder) {
            self.folder = None;
            let real = self.files.root.join(folder);
            if self.files.real_folder(&real).ok().flatten() != Some(real) {
                return None;
            }
            self.whole.clear();
            let slash = if folder.is_empty() { "" } else { "/" };
            self.whole.extend([self.start.as_deref()?, folder, slash]);
            self.base = self.whole.len();
            self.folder = Some(folder.to_owned());
        }
        self.whole.truncate(self.base);
        self.whole.push_str(name);
        let meta = Path::new(&self.whole).symlink_metadata().ok().filter(Metadata::is_file);
        meta.map(|meta| Stat::of(&meta))
    }

    /// As [`DiskFiles::look`], for a file that is remembered to hold the text of that hash, and to which no link leads;
    /// `None` for all others. Of one of which the system says what it `said` when it held that text nobody else is asked.
    pub fn as_wished(
        &mut self,
        path: &str,
        wish: blake3::Hash,
        said: Option<Stat>,
    ) -> Option<(PathBuf, Standing)> {
        let stat = self.stat(path)?;
        let is_known = said == Some(stat) || self.files.remembers(Path::new(path), stat, wish);
        is_known.then(|| (self.files.root.join(path), Standing::AsWished(stat)))
    }
}
