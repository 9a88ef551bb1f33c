//! A folder that is not there yet is filled beside its place and renamed there: all of its files appear at once.
#![expect(clippy::disallowed_methods, reason = "this is part of the room through which files go out")]

use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::fs::OpenOptions;
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use crate::files::Stat;
use crate::plan::{Change, Step};

/// Fewer files than that are not worth a folder of their own.
const FEW: usize = 4;

/// The folders that are missing for new files, and where these are made instead.
#[derive(Debug, Default)]
pub(super) struct Stages<'s> {
    /// What is to take the place of the outermost missing folders.
    stages: Vec<Stage>,
    /// Where the files of a folder are made; none for one that is there, or is to get few files.
    folders: HashMap<&'s OsStr, Option<Instead>>,
}

/// A folder within the one that is to be renamed.
#[derive(Debug)]
struct Instead {
    beside: PathBuf,
    folder: PathBuf,
}

#[derive(Debug)]
struct Stage {
    place: PathBuf,
    beside: PathBuf,
}

impl<'s> Stages<'s> {
    /// Finds what is missing for `steps`, and begins with it. Where that cannot be, the files are written as others are.
    pub(super) fn begin(steps: &'s [Step]) -> Self {
        let mut places: HashMap<&OsStr, Option<&Path>> = HashMap::new();
        let mut files: HashMap<&Path, usize> = HashMap::new();
        for folder in steps.iter().filter_map(new_in) {
            let place = *places.entry(folder.as_os_str()).or_insert_with(|| missing(folder));
            place.into_iter().for_each(|place| *files.entry(place).or_default() += 1);
        }
        let mut stages = Stages::default();
        let mut beside: HashMap<&Path, Option<PathBuf>> = HashMap::new();
        let mut cleared = HashSet::new();
        for (folder, place) in places {
            let instead = place.filter(|place| files.get(place).is_some_and(|many| *many >= FEW));
            let instead = instead.and_then(|place| {
                let within = place.parent()?;
                if cleared.insert(within) {
                    remove_abandoned(within);
                }
                let beside = beside.entry(place).or_insert_with(|| stages.stage(place, within)).clone()?;
                let folder = beside.join(Path::new(folder).strip_prefix(place).ok()?);
                Some(Instead { beside, folder })
            });
            stages.folders.insert(folder, instead);
        }
        stages
    }

    fn stage(&mut self, place: &Path, within: &Path) -> Option<PathBuf> {
        let (beside, ()) = super::beside(within, "", |path| std::fs::create_dir(path)).ok()?;
        self.stages.push(Stage { place: place.to_owned(), beside: beside.clone() });
        Some(beside)
    }

    /// Makes the file of a step, if it belongs into a folder that is being filled.
    pub(super) fn make(&self, step: &Step) -> Option<io::Result<Stat>> {
        let Instead { beside, folder } = self.folders.get(step.target.parent()?.as_os_str())?.as_ref()?;
        let path = folder.join(step.target.file_name()?);
        let contents = step.output.contents.as_bytes();
        Some(match make(&path, contents) {
            // If somebody removed all of it, what was made before is to be missed.
            Err(e) if e.kind() == ErrorKind::NotFound && beside.is_dir() => {
                std::fs::create_dir_all(folder).and_then(|()| make(&path, contents))
            }
            made => made,
        })
    }

    /// Puts the folders in their places. Returns those whose place was taken by then, or which cannot be moved: what was
    /// made in them is gone.
    pub(super) fn end(self) -> HashSet<PathBuf> {
        let mut lost = HashSet::new();
        for Stage { place, beside } in self.stages {
            // One in which nothing was made is not to be there.
            if std::fs::remove_dir(&beside).is_ok() {
                continue;
            }
            // An empty folder would be replaced, and with it what somebody made it for: its owner and its mode.
            if place.symlink_metadata().is_ok() || std::fs::rename(&beside, &place).is_err() {
                // One that stays does no harm.
                let _ = std::fs::remove_dir_all(&beside);
                lost.insert(place);
            }
        }
        lost
    }
}

/// The folder of a file that is new.
fn new_in(step: &Step) -> Option<&Path> {
    step.target.parent().filter(|_| step.change == Change::Create)
}

/// The outermost folder that is not there of those that lead to `folder`.
fn missing(folder: &Path) -> Option<&Path> {
    let is_missing =
        |folder: &&Path| folder.symlink_metadata().is_err_and(|e| e.kind() == ErrorKind::NotFound);
    folder.ancestors().take_while(is_missing).last()
}

/// Removes from `folder` what those left there who were filling a folder when they died.
fn remove_abandoned(folder: &Path) {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        let name = entry.file_name();
        let name =
            name.to_str().and_then(|name| name.strip_prefix(super::BESIDE)?.strip_suffix(super::UNFINISHED));
        let numbers = name.and_then(|name| name.split_once('-'));
        let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        let process = numbers.filter(|(process, number)| is_number(process) && is_number(number));
        let process = process.and_then(|(process, _)| process.parse::<u32>().ok());
        if process.is_some_and(is_dead) {
            // One that stays does no harm.
            let _ = std::fs::remove_dir_all(entry.path());
        }
    }
}

/// Whether there is no process of that number. Where that cannot be told, there may be one.
fn is_dead(process: u32) -> bool {
    let all = Path::new("/proc");
    cfg!(target_os = "linux") && all.join("self").exists() && !all.join(process.to_string()).exists()
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
