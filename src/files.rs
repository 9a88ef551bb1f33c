//! The only way in: reads what a build asks for and remembers every path that was asked.
#![expect(clippy::disallowed_methods, reason = "this is the room through which files come in")]

mod buffer;
mod look;
mod pieces;
mod stat;

use std::collections::{BTreeMap, HashMap};
use std::fmt::{self, Debug};
use std::fs::File;
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

pub use buffer::Buffer;
pub use look::{Glance, Memory, Standing};
use pieces::OnDisk;
pub use pieces::Pieces;
pub use stat::Stat;

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
#[derive(Debug)]
pub struct FileError {
    /// The file, relative to the project's root.
    pub path: String,
    /// What the system said.
    pub source: io::Error,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot read `{}`: {}", self.path, self.source)
    }
}

impl std::error::Error for FileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
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

/// The files of a folder on disk.
#[derive(Debug)]
pub struct DiskFiles {
    root: PathBuf,
    began: i64,
    memory: Option<Arc<dyn Memory>>,
    asked: Mutex<BTreeMap<String, Asked>>,
    real_folders: Mutex<HashMap<PathBuf, Option<PathBuf>>>,
}

/// What an asked path was found to be.
#[derive(Debug, Clone, Copy)]
enum Asked {
    Missing,
    Found(Option<Stat>),
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
        Ok(DiskFiles {
            root,
            began: stat::moment(),
            memory: None,
            asked: Mutex::default(),
            real_folders: Mutex::default(),
        })
    }

    /// The same, with a memory of what they were.
    #[must_use]
    pub fn with_memory(mut self, memory: Arc<dyn Memory>) -> Self {
        self.memory = Some(memory);
        self
    }

    /// The root, absolute and without symbolic links.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A moment before anything was looked at, in nanoseconds since 1970, as the file system's clock may have told it.
    #[must_use]
    pub fn began(&self) -> i64 {
        self.began
    }

    /// Every path that was asked for so far, each once, sorted.
    #[must_use]
    pub fn inputs(&self) -> Vec<Input> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let input = |(path, asked): (&String, &Asked)| Input {
            path: path.clone(),
            found: matches!(asked, Asked::Found(_)),
        };
        asked.iter().map(input).collect()
    }

    /// What was said of each path that was asked for when it was read; `None` if one cannot be told from what it may
    /// become.
    #[must_use]
    pub fn input_stats(&self) -> Option<Vec<(String, Option<Stat>)>> {
        let asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        let stat = |(path, asked): (&String, &Asked)| match asked {
            Asked::Missing => Some((path.clone(), None)),
            Asked::Found(stat) => stat.map(|stat| (path.clone(), Some(stat))),
        };
        asked.iter().map(stat).collect()
    }

    /// Whether the path that was asked for once is as it was, or still is not there; it counts as asked for.
    #[must_use]
    pub fn is_input_as_it_was(&self, path: &str, stat: Option<Stat>) -> bool {
        let whole = self.root.join(path);
        let now = whole.metadata().ok().map(|meta| Stat::of(&meta));
        self.note(path, now.map_or(Asked::Missing, |now| Asked::Found(Some(now))));
        now == stat && (now.is_some() || !whole.is_symlink())
    }

    fn note(&self, path: &str, found: Asked) {
        let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
        // The first answer is the oldest: what came later is noticed by it.
        asked.entry(path.to_owned()).or_insert(found);
    }
}

impl DiskFiles {
    /// What `get` gets of the file at `path`, which is remembered as asked for.
    fn ask<T>(
        &self,
        path: &str,
        get: impl Fn(&Path) -> io::Result<(T, Stat)>,
    ) -> Result<Option<T>, FileError> {
        let whole = self.root.join(path);
        match get(&whole) {
            Ok((got, stat)) => {
                self.note(path, Asked::Found(Some(stat)));
                Ok(Some(got))
            }
            // A link to nothing is a file that is elsewhere, not one that is not there.
            Err(e) if e.kind() == ErrorKind::NotFound && !whole.is_symlink() => {
                self.note(path, Asked::Missing);
                Ok(None)
            }
            Err(source) => {
                self.note(path, Asked::Found(None));
                Err(FileError { path: path.to_owned(), source })
            }
        }
    }
}

impl Files for DiskFiles {
    fn read(&self, path: &str) -> Result<Option<Vec<u8>>, FileError> {
        self.ask(path, read_whole)
    }

    fn open(&self, path: &str) -> Result<Option<Arc<dyn Pieces>>, FileError> {
        self.ask(path, |whole| {
            let file = OnDisk::open(whole)?;
            let stat = file.stat();
            Ok((Arc::new(file) as Arc<dyn Pieces>, stat))
        })
    }
}

/// The bytes of a file, and what was said of it before they were read.
fn read_whole(path: &Path) -> io::Result<(Vec<u8>, Stat)> {
    let mut file = File::open(path)?;
    let stat = Stat::of(&file.metadata()?);
    let mut bytes = Vec::with_capacity(usize::try_from(stat.size).unwrap_or_default());
    file.read_to_end(&mut bytes)?;
    Ok((bytes, stat))
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

/// Whether something stands at `path`, be it a link that leads to nothing.
#[must_use]
pub fn is_there(path: &Path) -> bool {
    path.symlink_metadata().is_ok()
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
