//! The system's reports of what happens in folders: all that is known of notify.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use notify::event::{AccessKind, AccessMode, ModifyKind, RenameMode};
use notify::{Config, ErrorKind, Event, EventKind, RecommendedWatcher, RecursiveMode, Watcher as _};

/// What the system reports.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Seen {
    /// Something happened at a path.
    At(PathBuf, Happening),
    /// Something may have happened anywhere.
    Lost,
}

/// What happened at a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Happening {
    /// It came here under another name, so it is whole.
    Moved,
    /// Whoever wrote it has closed it.
    Closed,
    /// It came or went, and more may follow.
    Structure,
    /// It is being written, or its mode or times changed.
    Touched,
}

/// Why a folder is not followed.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// It is not there.
    Gone,
    /// The system has its reasons.
    Refused(String),
}

/// The folders that the system reports of.
pub(crate) struct Watcher {
    inner: RecommendedWatcher,
    followed: BTreeSet<PathBuf>,
}

impl Watcher {
    /// Begins to listen; what is seen is told from another thread.
    pub(crate) fn start(tell: impl Fn(Seen) + Send + 'static) -> Result<Watcher, Trouble> {
        let handler = move |event: notify::Result<Event>| match event {
            Ok(event) => seen(event, &tell),
            Err(_) => tell(Seen::Lost),
        };
        let inner = RecommendedWatcher::new(handler, Config::default()).map_err(|e| trouble(&e))?;
        Ok(Watcher { inner, followed: BTreeSet::new() })
    }

    /// Follows these folders, not what lies in folders in them, and no others. Says whether one of them is new.
    ///
    /// What happens to `folders` must be known; of `above` it is good to know.
    pub(crate) fn follow(
        &mut self,
        folders: &BTreeSet<PathBuf>,
        above: &BTreeSet<PathBuf>,
    ) -> Result<bool, Trouble> {
        let mut grew = false;
        for folder in folders {
            grew |= self.add(folder)?;
        }
        for folder in above {
            grew |= self.add(folder).unwrap_or(false);
        }
        let gone = |folder: &&PathBuf| !folders.contains(*folder) && !above.contains(*folder);
        for folder in self.followed.iter().filter(gone) {
            // One that is no longer there is no longer followed.
            let _ = self.inner.unwatch(folder);
        }
        self.followed.retain(|folder| folders.contains(folder) || above.contains(folder));
        Ok(grew)
    }

    /// Whether this very folder is followed.
    pub(crate) fn follows(&self, folder: &Path) -> bool {
        self.followed.contains(folder)
    }

    fn add(&mut self, folder: &Path) -> Result<bool, Trouble> {
        if self.followed.contains(folder) {
            return Ok(false);
        }
        self.inner.watch(folder, RecursiveMode::NonRecursive).map_err(|e| trouble(&e))?;
        Ok(self.followed.insert(folder.to_owned()))
    }
}

fn seen(event: Event, tell: &impl Fn(Seen)) {
    if event.need_rescan() {
        return tell(Seen::Lost);
    }
    let happening = match event.kind {
        EventKind::Modify(ModifyKind::Name(RenameMode::To)) => Happening::Moved,
        // It was told already, as two.
        EventKind::Modify(ModifyKind::Name(RenameMode::Both)) => return,
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => Happening::Closed,
        EventKind::Access(_) => return,
        EventKind::Create(_) | EventKind::Remove(_) | EventKind::Modify(ModifyKind::Name(_)) => {
            Happening::Structure
        }
        EventKind::Modify(_) => Happening::Touched,
        // What nobody can name may be anything.
        EventKind::Any | EventKind::Other => Happening::Structure,
    };
    for path in event.paths {
        tell(Seen::At(path, happening));
    }
}

fn trouble(e: &notify::Error) -> Trouble {
    match &e.kind {
        ErrorKind::PathNotFound => Trouble::Gone,
        ErrorKind::Io(e) if e.kind() == std::io::ErrorKind::NotFound => Trouble::Gone,
        ErrorKind::MaxFilesWatch => Trouble::Refused("all watches that it has are taken".to_owned()),
        ErrorKind::Io(e) => Trouble::Refused(e.to_string()),
        _ => Trouble::Refused(e.to_string()),
    }
}
