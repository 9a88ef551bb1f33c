//! Who may write a file of the store: a lock file whose existence is the lock, held by the kernel's lock as well.
//!
//! The file is what the TypeScript canopy looks for. The kernel's lock, which ends with its process, tells
//! whether the one who made the file is still there.
#![expect(clippy::disallowed_methods, reason = "lock files are made and removed here, under their own rules")]

use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use fs2::FileExt as _;

use crate::problem::Problem;
use crate::write;

/// The first word in a lock file of ours.
const OURS: &str = "canopy-lock";

/// The age at which a lock of another tool counts as left behind.
const STALE: Duration = Duration::from_secs(30);

/// The longest sleep between two tries.
const LONGEST_SLEEP: Duration = Duration::from_millis(8);

/// Why a lock is not to be had.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Somebody else holds it.
    #[error("`{file}` is being written by {holder}")]
    Held {
        /// The file, relative to the root.
        file: String,
        /// Who, and since when.
        holder: String,
    },
    /// The system said no.
    #[error("cannot lock `{file}`: {source}")]
    Io {
        /// The file, relative to the root.
        file: String,
        /// What the system said.
        source: io::Error,
    },
}

impl LockError {
    /// The error as it is shown.
    #[must_use]
    pub fn problem(&self) -> Problem {
        match self {
            LockError::Held { file, .. } => Problem::new(self.to_string()).hint(format!(
                "try again; once nobody has written for 30 seconds, `{file}.lock` is taken over"
            )),
            LockError::Io { .. } => Problem::new(self.to_string()),
        }
    }
}

/// The right to write a file, until it is dropped.
#[derive(Debug)]
pub struct Lock {
    path: PathBuf,
    file: File,
}

impl Lock {
    /// Waits for the lock of the file at `path`, which people know as `shown`, as long as `patience` lasts.
    ///
    /// # Errors
    /// If somebody else holds it all the while, or the lock file cannot be made.
    pub fn acquire(path: &Path, shown: &str, patience: Duration) -> Result<Lock, LockError> {
        let lock = beside(path);
        let failed = |source| LockError::Io { file: shown.to_owned(), source };
        let begun = Instant::now();
        let mut sleep = Duration::from_micros(200);
        loop {
            if let Some(held) = Lock::try_acquire(&lock).map_err(failed)? {
                return Ok(held);
            }
            if begun.elapsed() >= patience {
                return Err(LockError::Held { file: shown.to_owned(), holder: holder(&lock) });
            }
            // A random share of the sleep keeps waiters from knocking together.
            std::thread::sleep(sleep.mul_f64(0.5 + fastrand::f64()));
            sleep = (sleep * 2).min(LONGEST_SLEEP);
        }
    }

    /// Takes the lock if it is free or its holder is gone.
    fn try_acquire(lock: &Path) -> io::Result<Option<Lock>> {
        match OpenOptions::new().read(true).write(true).open(lock) {
            Err(e) if e.kind() == ErrorKind::NotFound => Lock::make(lock),
            Err(e) if e.kind() == ErrorKind::PermissionDenied => Lock::replace(lock),
            Err(e) => Err(e),
            Ok(file) => Lock::take_over(lock, file),
        }
    }

    /// Makes the lock file, whole before it appears: written and locked under another name, then linked.
    fn make(lock: &Path) -> io::Result<Option<Lock>> {
        let folder = lock.parent().ok_or(ErrorKind::InvalidInput)?;
        let (beside, mut file) = write::create_beside(folder, "lock-")?;
        let made = sign(&mut file).and_then(|()| file.lock_exclusive());
        let linked = made.and_then(|()| std::fs::hard_link(&beside, lock));
        // The second name has done its work, or never will.
        let _ = std::fs::remove_file(&beside);
        match linked {
            Ok(()) => Ok(Some(Lock { path: lock.to_owned(), file })),
            Err(e) if e.kind() == ErrorKind::AlreadyExists => Ok(None),
            // Some file systems know no links.
            Err(_) => Lock::make_in_place(lock),
        }
    }

    /// Makes the lock file where it is to be, which is exclusive everywhere; until it is signed it looks like a
    /// young one of another tool, which others wait for.
    fn make_in_place(lock: &Path) -> io::Result<Option<Lock>> {
        match OpenOptions::new().read(true).write(true).create_new(true).open(lock) {
            Err(e) if e.kind() == ErrorKind::AlreadyExists => Ok(None),
            Err(e) => Err(e),
            Ok(mut file) => {
                file.lock_exclusive()?;
                sign(&mut file)?;
                Ok(Some(Lock { path: lock.to_owned(), file }))
            }
        }
    }

    /// Takes the place of a lock file that is not ours to write, if its holder is gone: removes it and makes one.
    fn replace(lock: &Path) -> io::Result<Option<Lock>> {
        let Ok(mut file) = File::open(lock) else { return Ok(None) };
        if !is_abandoned(lock, &mut file)? {
            return Ok(None);
        }
        // Nobody else of ours can hold this file's lock now, so it is this one that goes.
        std::fs::remove_file(lock)?;
        Lock::make(lock)
    }

    /// Takes over a lock file whose holder is gone: one of ours if the kernel's lock can be had, another tool's if
    /// it is old.
    fn take_over(lock: &Path, mut file: File) -> io::Result<Option<Lock>> {
        if !is_abandoned(lock, &mut file)? {
            return Ok(None);
        }
        sign(&mut file)?;
        Ok(Some(Lock { path: lock.to_owned(), file }))
    }
}

impl Drop for Lock {
    /// Removes the lock file, if it is still ours; the kernel's lock goes with the handle, after it.
    fn drop(&mut self) {
        if is_same_file(&self.path, &self.file).unwrap_or(false) {
            // A lock file that stays is taken over by the next writer.
            let _ = std::fs::remove_file(&self.path);
        }
    }
}

/// The lock file of the file at `path`.
pub(super) fn beside(path: &Path) -> PathBuf {
    let mut lock = path.as_os_str().to_owned();
    lock.push(".lock");
    PathBuf::from(lock)
}

/// Whether the lock file at `lock` has a holder that is still there; `None` if there is no lock file.
///
/// # Errors
/// If the file is there and cannot be looked at.
pub fn is_alive(lock: &Path) -> io::Result<Option<bool>> {
    let mut file = match File::open(lock) {
        Ok(file) => file,
        Err(e) if e.kind() == ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(e),
    };
    let mut text = String::new();
    let ours = file.read_to_string(&mut text).is_ok() && text.starts_with(OURS);
    let locked = fs2::FileExt::try_lock_shared(&file).is_err();
    let young = age(&file)?.is_none_or(|age| age <= STALE);
    Ok(Some(locked || !ours && young))
}

/// Takes the kernel's lock of a lock file, if its holder is gone: one of ours that nobody holds, or an old one of
/// another tool.
fn is_abandoned(lock: &Path, file: &mut File) -> io::Result<bool> {
    if file.try_lock_exclusive().is_err() {
        return Ok(false);
    }
    let mut text = String::new();
    let ours = file.read_to_string(&mut text).is_ok() && text.starts_with(OURS);
    let old = age(file)?.is_some_and(|age| age > STALE);
    // What was locked must still be what stands there: it may have been removed, and made anew by another.
    Ok((ours || old) && is_same_file(lock, file)?)
}

/// Writes who holds the lock and since when, over what stands there: at no moment is the file not one of ours.
fn sign(file: &mut File) -> io::Result<()> {
    let line = format!("{OURS} pid={} since={}\n", std::process::id(), super::now());
    file.rewind()?;
    file.write_all(line.as_bytes())?;
    file.set_len(line.len() as u64)
}

fn age(file: &File) -> io::Result<Option<Duration>> {
    Ok(SystemTime::now().duration_since(file.metadata()?.modified()?).ok())
}

/// Whether the path still leads to the open file.
#[cfg(unix)]
fn is_same_file(path: &Path, file: &File) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt as _;

    let (there, here) = match (path.symlink_metadata(), file.metadata()?) {
        (Ok(there), here) => (there, here),
        (Err(e), _) if e.kind() == ErrorKind::NotFound => return Ok(false),
        (Err(e), _) => return Err(e),
    };
    Ok((there.dev(), there.ino()) == (here.dev(), here.ino()))
}

/// Whether the path still leads to the open file: an open file cannot be removed here, so it does if it is there.
#[cfg(not(unix))]
fn is_same_file(path: &Path, _file: &File) -> io::Result<bool> {
    path.try_exists()
}

/// Who holds a lock and since when, in words.
fn holder(lock: &Path) -> String {
    let text = std::fs::read_to_string(lock).unwrap_or_default();
    let word = |key: &str| text.split_whitespace().find_map(|word| word.strip_prefix(key)).map(str::to_owned);
    match (text.starts_with(OURS), word("pid="), word("since=")) {
        (true, Some(pid), Some(since)) => format!("process {pid}, since {since}"),
        _ => {
            let since = lock.metadata().and_then(|meta| meta.modified()).ok();
            let since = since.and_then(|time| jiff::Timestamp::try_from(time).ok());
            let since = since.map(|time| format!(", since {time:.3}")).unwrap_or_default();
            format!("another tool{since}")
        }
    }
}
