//! The only way out: writes a file beside its place, then renames it there.
#![expect(clippy::disallowed_methods, reason = "this is the room through which files go out")]

#[cfg(feature = "store")]
mod growing;
mod stage;

use std::fmt;
use std::fs::{File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use crate::cores;
use crate::files::Stat;
use crate::plan::{Change, Plan, Step, text};
use crate::problem::Origin;
#[cfg(feature = "store")]
pub(crate) use growing::{Growing, remove_leftovers};
use stage::Stages;

/// A file that could not be written; what stood there stands there still.
#[derive(Debug)]
pub struct WriteError {
    /// What was to be done: `write` or `remove`.
    pub verb: &'static str,
    /// The file, as it is shown to people.
    pub path: String,
    /// The record that asks for it.
    pub origin: Origin,
    /// What the system said.
    pub source: io::Error,
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cannot {} `{}`: {}", self.verb, self.path, self.source)
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

/// What became of a plan.
#[derive(Debug, Default)]
pub struct Applied {
    /// What could not be done.
    pub failed: Vec<WriteError>,
    /// For each step of the plan, what the system says of the file that was written.
    pub stats: Vec<Option<Stat>>,
}

/// Does what `plan` says; one failure does not keep others from being written.
#[must_use]
pub fn apply(plan: &Plan) -> Applied {
    apply_while(plan, || true)
}

/// As [`apply`], but ends before a file as soon as `go_on` says so.
#[must_use]
pub fn apply_while(plan: &Plan, go_on: impl Fn() -> bool + Sync) -> Applied {
    let failed = |step: &Step, source| WriteError {
        verb: if step.change == Change::Remove { "remove" } else { "write" },
        path: step.output.path.to_string(),
        origin: step.output.origin.clone(),
        source,
    };
    let write = |step: &Step| write_step(step).map_err(|e| failed(step, e));
    let run = |steps: &[Step], stages: &Stages<'_>| -> Vec<Result<Option<Stat>, WriteError>> {
        let write = |step: &Step| match step.change.is_done() && go_on() {
            false => Ok(None),
            true => stages.make(step).and_then(Result::ok).map_or_else(|| write(step), |stat| Ok(Some(stat))),
        };
        steps.iter().map(write).collect()
    };
    if plan.changes().next().is_none() {
        return Applied { failed: Vec::new(), stats: vec![None; plan.steps.len()] };
    }
    // What is written is there before anything goes, and nobody makes a file in a folder that is about to go.
    let (outputs, swept) = plan.steps.split_at(plan.outputs().count());
    let stages = Stages::begin(outputs);
    let written = cores::share(outputs, 64, |steps| run(steps, &stages)).into_iter().flatten();
    let mut written: Vec<_> = written.collect();
    let lost = stages.end();
    if !lost.is_empty() {
        let is_lost = |step: &Step| step.target.ancestors().any(|folder| lost.contains(folder));
        for (step, done) in outputs.iter().zip(&mut written) {
            if matches!(done, Ok(Some(_))) && step.change == Change::Create && is_lost(step) {
                *done = if go_on() { write(step) } else { Ok(None) };
            }
        }
    }
    let mut applied = Applied::default();
    for done in written.into_iter().chain(run(swept, &Stages::default())) {
        match done {
            Ok(stat) => applied.stats.push(stat),
            Err(error) => {
                applied.stats.push(None);
                applied.failed.push(error);
            }
        }
    }
    applied
}

fn write_step(step: &Step) -> io::Result<Option<Stat>> {
    let contents = step.output.contents.as_bytes();
    match step.change {
        Change::Unchanged | Change::Edited | Change::Orphan => Ok(None),
        Change::Remove => remove(step).map(|()| None),
        Change::Update => {
            let mode = mode(&step.target)?;
            place(&step.target, contents, mode, Durability::Cached, Some(&|| stands(step)))
        }
        // Most folders are there: asking first would cost more than being told.
        Change::Create => {
            match place(&step.target, contents, None, Durability::Cached, Some(&|| stands(step))) {
                Err(e) if e.kind() == ErrorKind::NotFound => {
                    std::fs::create_dir_all(step.target.parent().ok_or(ErrorKind::InvalidInput)?)?;
                    place(&step.target, contents, None, Durability::Cached, Some(&|| stands(step)))
                }
                placed => placed,
            }
        }
    }
}

/// Refuses to go over what somebody did since it was looked: that is theirs, and what was agreed to was another file.
fn stands(step: &Step) -> io::Result<()> {
    let now = match step.target.symlink_metadata() {
        Ok(meta) => Some(Stat::of(&meta)),
        Err(e) if e.kind() == ErrorKind::NotFound => None,
        Err(e) => return Err(e),
    };
    // Another run may have done the same.
    let is_done = || std::fs::read(&step.target).is_ok_and(|bytes| text::hash(&bytes) == step.hash);
    if now == step.stat || is_done() {
        Ok(())
    } else {
        Err(io::Error::other("it was changed in the meantime"))
    }
}

/// Removes a file that still holds what it was found to hold, and the folders that it leaves empty.
fn remove(step: &Step) -> io::Result<()> {
    match std::fs::read(&step.target) {
        Ok(bytes) if bytes == step.found => std::fs::remove_file(&step.target)?,
        Ok(_) => return Err(io::Error::other("it was changed in the meantime")),
        Err(e) if e.kind() == ErrorKind::NotFound => {}
        Err(e) => return Err(e),
    }
    for folder in &step.folders {
        // One that is not empty stays, and so do those that it lies in.
        if std::fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(())
}

/// Puts `contents` in the place of the file at `path`, which is whole at every moment; its mode stays.
///
/// # Errors
/// Whatever the system says; the file is then as it was.
pub fn replace(path: &Path, contents: &[u8]) -> io::Result<()> {
    place(path, contents, mode(path)?, Durability::Cached, None).map(drop)
}

/// As [`replace`], and the file's content is on the disk before it takes its place.
///
/// # Errors
/// As for [`replace`].
pub fn replace_synced(path: &Path, contents: &[u8]) -> io::Result<()> {
    place(path, contents, mode(path)?, Durability::Synced, None).map(drop)
}

/// Puts `contents` in the place of a file whose loss harms nobody, in a folder that holds `beside` as well; both are made
/// if they are not there.
///
/// # Errors
/// Whatever the system says, and if the folder is behind a link.
pub(crate) fn aside(folder: &Path, beside: &[(&str, &str)], path: &Path, contents: &[u8]) -> io::Result<()> {
    match folder.symlink_metadata() {
        Ok(meta) if meta.is_dir() => {}
        Ok(_) => return Err(ErrorKind::NotADirectory.into()),
        Err(_) => {
            std::fs::create_dir(folder)?;
        }
    }
    for (name, text) in beside {
        let path = folder.join(name);
        if path.symlink_metadata().is_err() {
            replace(&path, text.as_bytes())?;
        }
    }
    replace(path, contents)
}

/// How the names of files begin that are to take another one's place.
const BESIDE: &str = ".cn-";

/// How they end.
const UNFINISHED: &str = ".tmp";

/// What the names of files have in common that are to take the place of the one at `path`, durably.
fn stem(path: &Path) -> String {
    path.file_name().map(|name| format!("{}-", name.to_string_lossy())).unwrap_or_default()
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

/// Writes the file, if it still `may` be at the last moment, and says what the system says of it then, unless somebody else was at it already.
fn place(
    path: &Path,
    contents: &[u8],
    mode: Option<Permissions>,
    durability: Durability,
    may: Option<&dyn Fn() -> io::Result<()>>,
) -> io::Result<Option<Stat>> {
    let folder = path.parent().ok_or(ErrorKind::InvalidInput)?;
    let (beside, mut file) = match durability {
        Durability::Cached => create_beside(folder, "")?,
        Durability::Synced => create_beside(folder, &stem(path))?,
    };
    let written = file
        .write_all(contents)
        .and_then(|()| mode.map_or(Ok(()), |mode| file.set_permissions(mode)))
        .and_then(|()| if durability == Durability::Synced { file.sync_all() } else { Ok(()) })
        .and_then(|()| file.metadata())
        .and_then(|meta| may.map_or(Ok(()), |may| may()).map(|()| meta));
    // An input is closed before it is renamed: whoever watches its place would hear of a file that was written there.
    let file = Some(file).filter(|_| durability == Durability::Cached);
    let placed = written.and_then(|meta| std::fs::rename(&beside, path).map(|()| Stat::of(&meta)));
    if placed.is_err() {
        // The first error is the one to tell; a file left beside does no harm.
        let _ = std::fs::remove_file(&beside);
    }
    let before = placed?;
    // Its new name changed the file's mark; what is written under it from now on changes its time.
    let after = file.and_then(|file| file.metadata().ok()).map(|meta| Stat::of(&meta));
    Ok(after.filter(|after| (after.modified, after.size) == (before.modified, before.size)))
}

/// A new file in `folder` whose name nobody else uses.
pub(crate) fn create_beside(folder: &Path, stem: &str) -> io::Result<(PathBuf, File)> {
    beside(folder, stem, |path| OpenOptions::new().write(true).create_new(true).open(path))
}

/// What `make` makes in `folder` under a name that nobody else uses: by process, then by number.
fn beside<T>(folder: &Path, stem: &str, make: impl Fn(&Path) -> io::Result<T>) -> io::Result<(PathBuf, T)> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    loop {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("{BESIDE}{stem}{}-{number}{UNFINISHED}", std::process::id()));
        match make(&path) {
            Ok(made) => return Ok((path, made)),
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
}
