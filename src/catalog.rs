//! Every prompt and every version of it, found by name.

use std::collections::{HashMap, HashSet};
use std::io;
use std::sync::Arc;

use indexmap::IndexMap;

use crate::problem::nearest;
use crate::prompt::{Prompt, Status, Version};

/// All prompts of a project.
///
/// Invariant: the versions of each prompt ascend, and each version is there once.
#[derive(Debug, Default)]
pub struct Catalog {
    prompts: Vec<Versions>,
    by_name: HashMap<String, usize>,
    by_id: HashMap<Arc<str>, usize>,
}

/// The versions of one prompt; never empty. Older ones are read when they are asked for.
#[derive(Debug)]
pub struct Versions {
    older: Vec<Version>,
    latest: Arc<Prompt>,
    /// The latest one again, with the place of its record.
    current: Version,
    /// Records that a later line with the same version took the place of.
    overruled: Vec<Version>,
}

impl Versions {
    /// The version with the highest number: the current state of the prompt.
    #[must_use]
    pub fn latest(&self) -> &Prompt {
        &self.latest
    }

    /// The version with that number.
    #[must_use]
    pub fn at(&self, version: u64) -> Option<&Prompt> {
        if version == self.latest.version {
            return Some(&self.latest);
        }
        self.older.iter().find(|older| older.number == version).and_then(Version::prompt).map(Arc::as_ref)
    }

    /// All versions, the oldest first; each older one is read.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Prompt> {
        self.older.iter().filter_map(Version::prompt).chain([&self.latest]).map(Arc::as_ref)
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
        before.chain([self.latest.name.as_str()])
    }

    /// A record for each place that it may ever have been emitted to; only these are read.
    pub fn routes(&self) -> impl Iterator<Item = &Prompt> {
        let mut seen = HashSet::new();
        // Mostly all of them go to the same place.
        let is_new =
            move |version: &&Version| version.route != self.current.route && seen.insert(version.route);
        let before = self.overruled.iter().chain(&self.older).filter(is_new);
        before.filter_map(Version::prompt).map(Arc::as_ref).chain([self.latest()])
    }

    /// How many versions there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.older.len() + 1
    }

    /// Whether the record of the latest version still stands where it was read.
    ///
    /// # Errors
    /// Whatever keeps it from being read again.
    pub fn stands(&self) -> io::Result<bool> {
        self.current.stands()
    }

    fn of(mut versions: Vec<Version>) -> Option<Versions> {
        if !versions.is_sorted_by(|one, other| one.number < other.number) {
            return Versions::sorted(versions);
        }
        let current = versions.pop()?;
        match current.prompt().cloned() {
            Some(latest) => Some(Versions { older: versions, latest, current, overruled: Vec::new() }),
            None => Versions::of(versions),
        }
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
            if let Some(latest) = current.prompt().cloned() {
                older.shrink_to_fit();
                return Some(Versions { older, latest, current, overruled });
            }
        }
        None
    }

    /// The same with one more record, which stands behind all of them.
    fn with(self, (record, version): (Arc<Prompt>, Version)) -> Versions {
        let Versions { mut older, latest, current, overruled } = self;
        if record.version > latest.version {
            older.push(current);
            return Versions { older, latest: record, current: version, overruled };
        }
        let mut versions = overruled;
        versions.extend(older);
        versions.extend([current.clone(), version]);
        let alone = Versions { older: Vec::new(), latest, current, overruled: Vec::new() };
        Versions::of(versions).unwrap_or(alone)
    }
}

impl Catalog {
    /// Sorts records, in the order of their lines, into prompts and versions.
    #[must_use]
    pub fn new(records: Vec<Prompt>) -> Catalog {
        Catalog::of(records.into_iter().map(Version::from).collect())
    }

    /// As [`Catalog::new`], for versions that may not have been read; the latest of each prompt is read now.
    #[must_use]
    pub fn of(versions: Vec<Version>) -> Catalog {
        let mut catalog = Catalog::default();
        let mut prompts: Vec<Vec<Version>> = Vec::new();
        for version in versions {
            match catalog.by_id.get(&version.id).and_then(|index| prompts.get_mut(*index)) {
                Some(versions) => versions.push(version),
                None => {
                    catalog.by_id.insert(Arc::clone(&version.id), prompts.len());
                    prompts.push(vec![version]);
                }
            }
        }
        let many = prompts.len();
        catalog.prompts = prompts.into_iter().filter_map(Versions::of).collect();
        if catalog.prompts.len() < many {
            // Of some no version could be read: the others have other places.
            let ids = catalog.prompts.iter().enumerate();
            catalog.by_id =
                ids.map(|(index, versions)| (versions.latest.id.as_str().into(), index)).collect();
        }
        catalog.index_names();
        catalog
    }

    /// Adds versions whose records stand behind all of them, in the order of their lines; one that cannot be read is left
    /// out.
    pub fn append(&mut self, versions: impl IntoIterator<Item = Version>) {
        for version in versions {
            let Some(record) = version.prompt().cloned() else { continue };
            match self.by_id.get(record.id.as_str()).copied().filter(|index| *index < self.prompts.len()) {
                Some(index) => {
                    let versions = self.prompts.swap_remove(index);
                    self.prompts.push(versions.with((record, version)));
                    // Back to where it was, as was the one that took its place.
                    let last = self.prompts.len() - 1;
                    self.prompts.swap(index, last);
                }
                None => {
                    self.by_id.insert(record.id.as_str().into(), self.prompts.len());
                    let (older, overruled) = (Vec::new(), Vec::new());
                    self.prompts.push(Versions { older, latest: record, current: version, overruled });
                }
            }
        }
        self.index_names();
    }

    /// The current state of all prompts that build on one of these names, by whatever way.
    pub fn dependents(&self, names: &[&str]) -> Vec<&Prompt> {
        let mut reached: HashSet<&str> = names.iter().copied().collect();
        let mut found: IndexMap<&str, &Prompt> = IndexMap::new();
        loop {
            let known = found.len();
            for versions in &self.prompts {
                let prompt = versions.latest();
                let pinned = prompt.pinned.and_then(|version| versions.at(version));
                let mut parents = [Some(prompt), pinned].into_iter().flatten();
                if parents.any(|version| version.parents().any(|name| reached.contains(name))) {
                    reached.insert(&prompt.name);
                    found.insert(&prompt.id, prompt);
                }
            }
            if found.len() == known {
                return found.into_values().collect();
            }
        }
    }

    fn index_names(&mut self) {
        self.by_name.clear();
        for (index, versions) in self.prompts.iter().enumerate() {
            let place = self.by_name.entry(versions.latest.name.clone()).or_insert(index);
            if let Some(holder) = self.prompts.get(*place)
                && precedence(&versions.latest) > precedence(&holder.latest)
            {
                *place = index;
            }
        }
    }

    /// The prompt that `name` means: the active one of that name, else the one with the highest version.
    #[must_use]
    pub fn named(&self, name: &str) -> Option<&Versions> {
        self.by_name.get(name).and_then(|index| self.prompts.get(*index))
    }

    /// All versions of the prompt with that id.
    #[must_use]
    pub fn with_id(&self, id: &str) -> Option<&Versions> {
        self.by_id.get(id).and_then(|index| self.prompts.get(*index))
    }

    /// All versions of the prompt that `prompt` is a version of.
    #[must_use]
    pub fn versions_of(&self, prompt: &Prompt) -> Option<&Versions> {
        self.with_id(&prompt.id)
    }

    /// The version of `name` with that number, also one of a namesake if the prompt meant has none.
    #[must_use]
    pub fn named_at(&self, name: &str, version: u64) -> Option<&Prompt> {
        let namesakes = self.prompts.iter().filter(|versions| versions.latest.name == name);
        self.named(name).into_iter().chain(namesakes).find_map(|versions| versions.at(version))
    }

    /// Every prompt, in the order in which the prompts first appear in the store.
    pub fn all(&self) -> impl Iterator<Item = &Versions> {
        self.prompts.iter()
    }

    /// The current state of every prompt, in the same order.
    pub fn current(&self) -> impl Iterator<Item = &Prompt> {
        self.prompts.iter().map(Versions::latest)
    }

    /// What the prompt is called now that was once called `name`, the most recent one if there were several.
    #[must_use]
    pub fn renamed(&self, name: &str) -> Option<&str> {
        let once = |versions: &&Versions| versions.older.iter().any(|version| *version.name == *name);
        let renamed = self.prompts.iter().filter(once).max_by_key(|versions| precedence(&versions.latest));
        renamed.map(|versions| versions.latest.name.as_str()).filter(|now| *now != name)
    }

    /// The existing name that a person most likely meant by `typed`.
    #[must_use]
    pub fn nearest(&self, typed: &str) -> Option<&str> {
        nearest(typed, self.current().map(|prompt| prompt.name.as_str()))
    }
}

/// Of two namesakes, the greater one is meant: an active one, then the higher version, then the later line.
fn precedence(prompt: &Prompt) -> (bool, u64, usize) {
    (prompt.status == Status::Active, prompt.version, prompt.origin.line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Origin;
    use crate::source::record;

    fn catalog(lines: &[&str]) -> Catalog {
        let record = |(index, line): (usize, &&str)| {
            let origin = Origin { path: "p".into(), line: index + 1 };
            record::prompt(&format!("{{{line},\"sections\":[]}}"), origin).unwrap()
        };
        Catalog::new(lines.iter().enumerate().map(record).collect())
    }

    #[test]
    fn a_name_means_the_active_prompt() {
        let catalog = catalog(&[
            r#""id":"x-1","name":"a","version":9,"status":"archived""#,
            r#""id":"x-2","name":"a","version":1,"status":"active""#,
        ]);
        assert_eq!(catalog.named("a").unwrap().latest().id, "x-2");
        assert_eq!(catalog.named_at("a", 9).unwrap().id, "x-1");
    }

    #[test]
    fn without_an_active_one_it_means_the_highest_version_then_the_later_line() {
        let catalog = catalog(&[
            r#""id":"x-1","name":"a","version":3,"status":"archived""#,
            r#""id":"x-2","name":"a","version":1,"status":"draft""#,
            r#""id":"x-3","name":"b","version":1,"status":"draft""#,
            r#""id":"x-4","name":"b","version":1,"status":"archived""#,
        ]);
        assert_eq!(catalog.named("a").unwrap().latest().id, "x-1");
        assert_eq!(catalog.named("b").unwrap().latest().id, "x-4");
    }

    #[test]
    fn versions_ascend_and_of_two_equal_ones_the_later_line_is_kept() {
        let catalog = catalog(&[
            r#""id":"x-1","name":"a","version":2,"status":"active","description":"left""#,
            r#""id":"x-1","name":"a","version":1,"status":"active""#,
            r#""id":"x-1","name":"a","version":2,"status":"active","description":"right""#,
        ]);
        let versions = catalog.named("a").unwrap();
        assert_eq!(versions.iter().map(|p| p.version).collect::<Vec<_>>(), [1, 2]);
        assert_eq!(versions.latest().description.as_deref(), Some("right"));
    }

    #[test]
    fn a_record_more_is_what_all_records_at_once_are() {
        let lines = [
            r#""id":"x-1","name":"a","version":2,"status":"active""#,
            r#""id":"x-2","name":"b","version":1,"status":"draft""#,
            r#""id":"x-3","name":"c","version":1,"status":"active""#,
        ];
        for more in [
            r#""id":"x-1","name":"b","version":3,"status":"active""#,
            r#""id":"x-1","name":"a","version":1,"status":"active""#,
            r#""id":"x-1","name":"z","version":2,"status":"active""#,
            r#""id":"x-9","name":"b","version":1,"status":"active""#,
        ] {
            let all: Vec<&str> = lines.into_iter().chain([more]).collect();
            let mut grown = catalog(&lines);
            let last = catalog(&all).all().flat_map(Versions::iter).find(|p| p.origin.line == 4).cloned();
            grown.append([last.unwrap().into()]);
            assert_eq!(format!("{:?}", grown.prompts), format!("{:?}", catalog(&all).prompts), "{more}");
            for name in ["a", "b", "c", "z"] {
                assert_eq!(grown.by_name.get(name), catalog(&all).by_name.get(name), "{name}: {more}");
            }
        }
    }

    #[test]
    fn a_renamed_prompt_is_known_by_its_new_name_only() {
        let catalog = catalog(&[
            r#""id":"x-1","name":"old","version":1,"status":"active""#,
            r#""id":"x-1","name":"new","version":2,"status":"active""#,
        ]);
        assert!(catalog.named("old").is_none());
        assert_eq!(catalog.renamed("old"), Some("new"));
        assert_eq!(catalog.renamed("new"), None);
    }
}
