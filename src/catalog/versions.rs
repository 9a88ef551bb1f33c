//! The versions of one prompt, of which only those are read that somebody asks for.

use std::collections::HashSet;
use std::io;
use std::sync::{Arc, OnceLock};

use crate::prompt::{Header, Prompt, Version};

/// The versions of one prompt; never empty. Older ones are read when they are asked for, and so is the latest one if
/// it is known in brief.
#[derive(Debug)]
pub struct Versions {
    older: Vec<Version>,
    /// The latest one; it has been read, or it is known in brief that it can be.
    current: Version,
    /// Records that a later line with the same version took the place of.
    overruled: Vec<Version>,
    /// What stands in for the latest one if it could not be read after all.
    lost: OnceLock<Box<Prompt>>,
}

impl Versions {
    /// The version with the highest number: the current state of the prompt. It is read now if it is known only in brief;
    /// if that fails, [`super::Catalog::lost`] tells.
    #[must_use]
    pub fn latest(&self) -> &Prompt {
        match self.current.prompt() {
            Some(latest) => latest,
            None => self.lost.get_or_init(|| Box::new(self.current.stand_in())),
        }
    }

    /// The latest version in brief, for which mostly nothing is read.
    #[must_use]
    pub fn header(&self) -> Header<'_> {
        self.current.header().unwrap_or_else(|| self.latest().header())
    }

    /// The version with that number.
    #[must_use]
    pub fn at(&self, version: u64) -> Option<&Prompt> {
        if version == self.current.number {
            return Some(self.latest());
        }
        self.older.iter().find(|older| older.number == version).and_then(Version::prompt).map(Arc::as_ref)
    }

    /// All versions, the oldest first; each older one is read.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Prompt> {
        self.older.iter().filter_map(Version::prompt).map(Arc::as_ref).chain([self.latest()])
    }

    /// The versions before the latest one, the oldest first; none is read.
    #[must_use]
    pub fn older(&self) -> &[Version] {
        &self.older
    }

    /// Every record, in no particular order, those among them that a later line with the same version took the
    /// place of: the store was in that state once.
    pub fn records(&self) -> impl Iterator<Item = &Prompt> {
        self.overruled.iter().filter_map(Version::prompt).map(Arc::as_ref).chain(self.iter())
    }

    /// Every name that it ever had, in no particular order and some of them more than once; nothing is read for it.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let before = self.overruled.iter().chain(&self.older).map(|version| version.name.as_ref());
        before.chain([self.current.name.as_ref()])
    }

    /// In brief, a record for each place that it may ever have been emitted to; only these are read.
    pub fn routes(&self) -> impl Iterator<Item = Header<'_>> {
        let mut seen = HashSet::new();
        // Mostly all of them go to the same place.
        let is_new =
            move |version: &&Version| version.route != self.current.route && seen.insert(version.route);
        let before = self.overruled.iter().chain(&self.older).filter(is_new);
        before.filter_map(Version::header).chain([self.header()])
    }

    /// How many versions there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.older.len() + 1
    }

    /// Whether the record of the latest version has been read.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.current.is_read()
    }

    /// The latest version, with the place of its record.
    pub(super) fn current(&self) -> &Version {
        &self.current
    }

    /// Whether the record of the latest version could not be read when it was wanted.
    pub(super) fn is_lost(&self) -> bool {
        self.lost.get().is_some()
    }

    /// Whether the record of the latest version still stands where it was read.
    ///
    /// # Errors
    /// Whatever keeps it from being read again.
    pub fn stands(&self) -> io::Result<bool> {
        self.current.stands()
    }

    pub(super) fn of(mut versions: Vec<Version>) -> Option<Versions> {
        if !versions.is_sorted_by(|one, other| one.number < other.number) {
            return Versions::sorted(versions);
        }
        let current = versions.pop()?;
        if current.is_known() || current.prompt().is_some() {
            return Some(Versions::with_current(current, versions, Vec::new()));
        }
        Versions::of(versions)
    }

    fn with_current(current: Version, older: Vec<Version>, overruled: Vec<Version>) -> Versions {
        Versions { older, current, overruled, lost: OnceLock::new() }
    }

    fn sorted(mut versions: Vec<Version>) -> Option<Versions> {
        // Stable: of two lines with one version the later one comes last, and wins.
        versions.sort_by_key(|version| version.number);
        let mut older: Vec<Version> = Vec::with_capacity(versions.len());
        let mut overruled = Vec::new();
        for version in versions {
            match older.last_mut().filter(|last| last.number == version.number) {
                Some(last) => overruled.push(std::mem::replace(last, version)),
                None => older.push(version),
            }
        }
        while let Some(current) = older.pop() {
            if current.is_known() || current.prompt().is_some() {
                older.shrink_to_fit();
                return Some(Versions::with_current(current, older, overruled));
            }
        }
        None
    }

    /// The same with one more record that can be read, which stands behind all of them.
    pub(super) fn with(self, version: Version) -> Versions {
        let Versions { mut older, current, overruled, .. } = self;
        if version.number > current.number {
            older.push(current);
            return Versions::with_current(version, older, overruled);
        }
        let mut versions = overruled;
        versions.extend(older);
        versions.extend([current.clone(), version]);
        Versions::of(versions).unwrap_or_else(|| Versions::with_current(current, Vec::new(), Vec::new()))
    }
}
