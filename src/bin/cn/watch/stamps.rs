//! Looking for changes where no system reports them: what a file looks like from outside, without reading it.
#![expect(clippy::disallowed_methods, reason = "what stands at a place is asked, what it holds is not read")]

use std::collections::BTreeMap;
use std::fs::Metadata;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::places::Places;

/// What stood at each place; nothing where nothing stood.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Stamps(BTreeMap<PathBuf, Option<Stamp>>);

/// What differs if a file is another one or holds something else.
#[derive(Debug, PartialEq, Eq)]
struct Stamp {
    is_link: bool,
    size: u64,
    modified: Option<SystemTime>,
    identity: [u64; 4],
}

impl Stamps {
    /// What stands at the places now.
    pub(super) fn of(places: &Places) -> Stamps {
        Stamps(places.exact().map(|path| (path.to_owned(), stamp(path))).collect())
    }

    /// Goes over to other places; what is known of one stays. Says whether something stands at a new one.
    pub(super) fn go_over_to(&mut self, places: &Places) -> bool {
        let mut known = std::mem::take(&mut self.0);
        let mut grew = false;
        for path in places.exact() {
            let stamp = known.remove(path).unwrap_or_else(|| {
                let stamp = stamp(path);
                grew |= stamp.is_some();
                stamp
            });
            self.0.insert(path.to_owned(), stamp);
        }
        grew
    }
}

fn stamp(path: &Path) -> Option<Stamp> {
    let meta = path.symlink_metadata().ok()?;
    Some(Stamp {
        is_link: meta.is_symlink(),
        size: meta.len(),
        modified: meta.modified().ok(),
        identity: identity(&meta),
    })
}

/// The file itself, and when the system last changed what it knows of it.
#[cfg(unix)]
fn identity(meta: &Metadata) -> [u64; 4] {
    use std::os::unix::fs::MetadataExt as _;
    [meta.dev(), meta.ino(), meta.ctime().cast_unsigned(), meta.ctime_nsec().cast_unsigned()]
}

#[cfg(not(unix))]
fn identity(_: &Metadata) -> [u64; 4] {
    [0; 4]
}
