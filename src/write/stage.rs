//! A folder that is not there yet is filled beside its place and renamed there: all of its files appear at once.
#![expect(clippy::disallowed_methods, reason = "this is part of the room through which files go out")]

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use crate::files::Stat;
use crate::plan::{Change, Step};

/// The folders that are missing for new files, and where these are made instead.
#[derive(Debug, Default)]
pub(super) struct Stages<'s> {
    stages: Vec<Stage>,
    /// Where the files of a folder are made; none for one that is there.
    folders: HashMap<&'s OsStr, Option<PathBuf>>,
}

/// The outermost missing folder of some, and the one that is to take its place.
#[derive(Debug)]
struct Stage {
    place: PathBuf,
    beside: PathBuf,
}

impl<'s> Stages<'s> {
    /// Finds what is missing for `steps`, and begins with it. Where that cannot be, the files are written as others are.
    pub(super) fn begin(steps: &'s [Step]) -> Self {
        let mut stages = Stages::default();
        for step in steps.iter().filter(|step| step.change == Change::Create) {
            let Some(folder) = step.target.parent() else { continue };
            if !stages.folders.contains_key(folder.as_os_str()) {
                let instead = stages.instead_of(folder);
                stages.folders.insert(folder.as_os_str(), instead);
            }
        }
        stages
    }

    fn instead_of(&mut self, folder: &Path) -> Option<PathBuf> {
        let is_missing =
            |folder: &&Path| folder.symlink_metadata().is_err_and(|e| e.kind() == ErrorKind::NotFound);
        let place = folder.ancestors().take_while(is_missing).last()?;
        let below = folder.strip_prefix(place).ok()?;
        if let Some(stage) = self.stages.iter().find(|stage| stage.place == place) {
            return Some(stage.beside.join(below));
        }
        let (beside, ()) = super::beside(place.parent()?, "", |path| std::fs::create_dir(path)).ok()?;
        let instead = beside.join(below);
        self.stages.push(Stage { place: place.to_owned(), beside });
        Some(instead)
    }

    /// Makes the file of a step, if it belongs into a folder that is being filled.
    pub(super) fn make(&self, step: &Step) -> Option<io::Result<Stat>> {
        let folder = self.folders.get(step.target.parent()?.as_os_str())?.as_ref()?;
        let path = folder.join(step.target.file_name()?);
        let contents = step.output.contents.as_bytes();
        Some(match make(&path, contents) {
            Err(e) if e.kind() == ErrorKind::NotFound => {
                std::fs::create_dir_all(folder).and_then(|()| make(&path, contents))
            }
            made => made,
        })
    }

    /// Puts the folders in their places. Returns those whose place was taken by then, or which cannot be moved: what was
    /// made in them is gone.
    pub(super) fn end(self) -> Vec<PathBuf> {
        let mut lost = Vec::new();
        for Stage { place, beside } in self.stages {
            // One in which nothing was made is not to be there.
            if std::fs::remove_dir(&beside).is_err() && std::fs::rename(&beside, &place).is_err() {
                // One that stays does no harm.
                let _ = std::fs::remove_dir_all(&beside);
                lost.push(place);
            }
        }
        lost
    }
}

/// Makes a file where nothing stands, and says what the system says of it.
fn make(path: &Path, contents: &[u8]) -> io::Result<Stat> {
    let mut file = OpenOptions::new().write(true).create_new(true).open(path)?;
    let made = file.write_all(contents).and_then(|()| file.metadata());
    if made.is_err() {
        // The first error is the one to tell.
        let _ = std::fs::remove_file(path);
    }
    made.map(|meta| Stat::of(&meta))
}
