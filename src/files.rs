//! The only way in: reads what a build asks for and remembers every path that was asked.
#![expect(clippy::disallowed_methods, reason = "this is the room through which files come in")]

mod pieces;

use std::collections::{BTreeMap, HashMap};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use pieces::OnDisk;
pub use pieces::Pieces;

/// A path that was asked for, and whether something stood there.
///
/// A watcher wants both kinds; Cargo only those that were found, since a missing path makes every build dirty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Relative to the project's root, with `/` between names.
    pub path: String,
    /// Whether it existed when it was read.
    pub found: bool,
}

/// A file that cannot be read, for another reason than that it is not there.
#[derive(Debug, thiserror::Error)]
#[error("cannot read `{path}`: {source}")]
pub struct FileError {
    /// The file, relative to the project's root.
    pub path: String,
    /// What the system said.
    pub source: io::Error,
}

/// Where the text of a project comes from.
pub trait Files {
    /// The bytes of the file at `path`, relative to the root; `None` if there is no such file.
    ///
    /// # Errors
    /// Whatever keeps an existing file from being read.
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, FileError>;

    /// The file at `path`, to be read piece by piece; `None` if there is no such file.
    ///
    /// # Errors
    /// Whatever keeps an existing file from being opened.
    fn open(&self, path: &str) -> Result<Option<Arc<dyn Pieces>>, FileError>;
}

/// What stands at a path that an output would take.
#[derive(Debug)]
pub enum Standing {
    /// Nothing; the file would be new.
    Nothing,
    /// A file, with its content.
    File(Vec<u8>),
    /// A folder, which a file cannot replace.
    Folder,
    /// A device, a pipe or the like, which is not to be read and not to be replaced.
    Special,
    /// A symbolic link, there or on the way, that leads to nothing.
    Dangling,
}

/// The files of a folder on disk.
#[derive(Debug)]
pub struct DiskFiles {
    root: PathBuf,
    asked: Mutex<BTreeMap<String, bool>>,
    real_folders: Mutex<HashMap<PathBuf, Option<PathBuf>>>,
}

impl DiskFiles {
    /// The files below `root`.
    ///
    /// # Errors
    /// If `root` cannot be found out to be a folder.
    pub fn new(root: &Path) -> Result<Self, FileError> {
        let root = root
            .canonicalize()
            .map_err(|source| FileError { path: root.to_string_lossy().into_owned(), source })?;
        Ok(DiskFiles { root, asked: Mutex::default(), real_folders: Mutex::default() })
    }

    /// The root, absolute and without symbolic links.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Every path that was asked for so far, each once, sorted.
    #[must_use]
    pub fn inputs(&self) -> Vec<Input> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.iter().map(|(path, found)| Input { path: path.clone(), found: *found }).collect()
    }

    /// What stands at `path` and where that really is, once symbolic links are followed.
    ///
    /// Not recorded: an output is not an input, and a watcher must not wake up from its own writes.
    ///
    /// # Errors
    /// Whatever keeps an existing file from being read.
    pub fn look(&self, path: &Path) -> Result<(PathBuf, Standing), FileError> {
        let whole = self.root.join(path);
        let failed = |source| FileError { path: path.to_string_lossy().into_owned(), source };
        let (Some(folder), Some(name)) = (whole.parent(), whole.file_name()) else {
            return Ok((whole, Standing::Folder));
        };
        let Some(folder) = self.real_folder(folder).map_err(failed)? else {
            return Ok((whole, Standing::Dangling));
        };
        let real = folder.join(name);
        let (real, meta) = match real.symlink_metadata() {
            Ok(meta) if meta.is_symlink() => match real.canonicalize() {
                Ok(target) => {
                    let meta = target.metadata().map_err(failed)?;
                    (target, meta)
                }
                Err(e) if e.kind() == ErrorKind::NotFound => return Ok((real, Standing::Dangling)),
                Err(e) => return Err(failed(e)),
            },
            Ok(meta) => (real, meta),
            Err(e) if e.kind() == ErrorKind::NotFound => return Ok((real, Standing::Nothing)),
            Err(e) => return Err(failed(e)),
        };
        if meta.is_dir() {
            return Ok((real, Standing::Folder));
        }
        if !meta.is_file() {
            return Ok((real, Standing::Special));
        }
        let bytes = std::fs::read(&real).map_err(failed)?;
        Ok((real, Standing::File(bytes)))
    }

    /// The names of the files in `folder`, links and whatever cannot be listed left aside.
    ///
    /// Not recorded, for the same reason: it is where outputs are.
    #[must_use]
    pub fn list(&self, folder: &str) -> Vec<String> {
        let entries = std::fs::read_dir(self.root.join(folder)).into_iter().flatten().flatten();
        let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_file()));
        files.filter_map(|entry| entry.file_name().into_string().ok()).collect()
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

impl DiskFiles {
    /// What `get` gets of the file at `path`, which is remembered as asked for.
    fn ask<T>(&self, path: &str, get: impl Fn(&Path) -> io::Result<T>) -> Result<Option<T>, FileError> {
        let whole = self.root.join(path);
        let got = match get(&whole) {
            Ok(got) => Ok(Some(got)),
            // A link to nothing is a file that is elsewhere, not one that is not there.
            Err(e) if e.kind() == ErrorKind::NotFound && !whole.is_symlink() => Ok(None),
            Err(source) => Err(FileError { path: path.to_owned(), source }),
        };
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        asked.insert(path.to_owned(), !matches!(got, Ok(None)));
        got
    }
}

impl Files for DiskFiles {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, FileError> {
        self.ask(path, |whole| std::fs::read(whole))
    }

    fn open(&self, path: &str) -> Result<Option<Arc<dyn Pieces>>, FileError> {
        self.ask(path, open)
    }
}

/// Opens a file, to be read piece by piece.
///
/// # Errors
/// Whatever the system says.
pub fn open(path: &Path) -> io::Result<Arc<dyn Pieces>> {
    Ok(Arc::new(OnDisk::open(path)?))
}

/// Files that exist only in memory, for tests and for callers that have their text elsewhere.
#[derive(Debug, Default, Clone)]
pub struct MemoryFiles(HashMap<String, Vec<u8>>);

impl<P: Into<String>, T: Into<Vec<u8>>> FromIterator<(P, T)> for MemoryFiles {
    fn from_iter<I: IntoIterator<Item = (P, T)>>(files: I) -> Self {
        MemoryFiles(files.into_iter().map(|(path, text)| (path.into(), text.into())).collect())
    }
}

impl Files for MemoryFiles {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, FileError> {
        Ok(self.0.get(path).cloned())
    }

    fn open(&self, path: &str) -> Result<Option<Arc<dyn Pieces>>, FileError> {
        Ok(self.0.get(path).map(|bytes| Arc::new(bytes.clone()) as Arc<dyn Pieces>))
    }
}

/// Whether `folder` is the root of a project: whether it holds a `.canopy` folder.
#[must_use]
pub fn is_root(folder: &Path) -> bool {
    folder.join(".canopy").is_dir()
}

/// The nearest folder, from `start` upwards, that is the root of a project.
#[must_use]
pub fn find_root(start: &Path) -> Option<PathBuf> {
    start.ancestors().find(|folder| is_root(folder)).map(Path::to_owned)
}
