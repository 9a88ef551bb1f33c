//! What the system says of a file without reading it: enough to tell it from what it was.

use std::fs::Metadata;
use std::time::UNIX_EPOCH;

/// The marks of a file that change when its content does, or when another one takes its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// In bytes.
    pub size: u64,
    /// When its content was written last, in nanoseconds since 1970.
    pub modified: i64,
    /// When anything about it changed last, which nobody can set; where the system does not say it, when it was made.
    pub changed: i64,
    /// Which file it is; 0 where the system does not say it.
    pub inode: u64,
}

impl Stat {
    /// Whether nothing happened to it in the moment of `time`, in nanoseconds since 1970, or later: two changes in one
    /// moment of the file system's clock look like one.
    #[must_use]
    pub fn is_older_than(&self, time: i64) -> bool {
        self.modified < time && self.changed < time
    }

    /// Of the metadata of a file.
    #[must_use]
    pub fn of(meta: &Metadata) -> Stat {
        let since = |time: std::io::Result<std::time::SystemTime>| {
            let since = time.ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            // Before 1970 or beyond 2262 there is nothing to tell apart.
            since.and_then(|since| i64::try_from(since.as_nanos()).ok()).unwrap_or(i64::MAX)
        };
        let (changed, inode) = marks(meta).unwrap_or_else(|| (since(meta.created()), 0));
        Stat { size: meta.len(), modified: since(meta.modified()), changed, inode }
    }
}

/// By how much the clock of a file system may lag behind, in nanoseconds: a few of its ticks.
const LAG: i64 = 30_000_000;

/// A moment that no change from now on will bear or have borne before, in nanoseconds since 1970.
pub(super) fn moment() -> i64 {
    let now = std::time::SystemTime::now().duration_since(UNIX_EPOCH).ok();
    let now = now.and_then(|now| i64::try_from(now.as_nanos()).ok()).unwrap_or_default();
    now.saturating_sub(LAG)
}

/// When anything changed, and which file it is.
#[cfg(unix)]
fn marks(meta: &Metadata) -> Option<(i64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    let seconds = meta.ctime().checked_mul(1_000_000_000);
    Some((seconds.and_then(|s| s.checked_add(meta.ctime_nsec())).unwrap_or(i64::MAX), meta.ino()))
}

#[cfg(not(unix))]
fn marks(_: &Metadata) -> Option<(i64, u64)> {
    None
}
