//! Every prompt and every version of it, found by name.

mod versions;

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::problem::nearest;
use crate::prompt::{Header, Prompt, Status, Version};

pub use versions::Versions;

/// All prompts of a project.
///
/// Invariant: the versions of each prompt ascend, and each version is there once.
#[derive(Debug, Default)]
pub struct Catalog {
    prompts: Vec<Versions>,
    by_name: HashMap<Arc<str>, usize>,
    by_id: HashMap<Arc<str>, usize>,
}

impl Catalog {
    /// Sorts records, in the order of their lines, into prompts and versions.
    #[must_use]
    pub fn new(records: Vec<Prompt>) -> Catalog {
        Catalog::of(records.into_iter().map(Version::from).collect())
    }

    /// As [`Catalog::new`], for versions that may not have been read; the latest of each prompt is read now, unless it is known in brief.
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
                ids.map(|(index, versions)| (Arc::clone(&versions.current().id), index)).collect();
        }
        catalog.index_names();
        catalog
    }

    /// Adds versions whose records stand behind all of them, in the order of their lines; one that cannot be read is left
    /// out.
    pub fn append(&mut self, versions: impl IntoIterator<Item = Version>) {
        for version in versions {
            if version.prompt().is_none() {
                continue;
            }
            match self.by_id.get(&version.id).copied().filter(|index| *index < self.prompts.len()) {
                Some(index) => {
                    let versions = self.prompts.swap_remove(index);
                    self.prompts.push(versions.with(version));
                    // Back to where it was, as was the one that took its place.
                    let last = self.prompts.len() - 1;
                    self.prompts.swap(index, last);
                }
                None => {
                    self.by_id.insert(Arc::clone(&version.id), self.prompts.len());
                    self.prompts.extend(Versions::of(vec![version]));
                }
            }
        }
        self.index_names();
    }

    /// All prompts that build on one of these names, by whatever way.
    pub fn dependents(&self, names: &[&str]) -> Vec<&Versions> {
        let mut reached: HashSet<&str> = names.iter().copied().collect();
        let mut is_found = vec![false; self.prompts.len()];
        let mut found = Vec::new();
        loop {
            let known = found.len();
            for (versions, is_found) in
                self.prompts.iter().zip(&mut is_found).filter(|(_, is_found)| !**is_found)
            {
                let header = versions.header();
                let pinned = header.pinned.and_then(|version| versions.at(version)).map(Prompt::header);
                let mut parents = [Some(header), pinned].into_iter().flatten().flat_map(Header::parents);
                if parents.any(|name| reached.contains(name)) {
                    reached.insert(header.name);
                    *is_found = true;
                    found.push(versions);
                }
            }
            if found.len() == known {
                return found;
            }
        }
    }

    /// A prompt whose record was known and could not be read when it was wanted: what was made of these prompts then is
    /// not to be used.
    #[must_use]
    pub fn lost(&self) -> Option<&Versions> {
        self.prompts.iter().find(|versions| versions.is_lost())
    }

    fn index_names(&mut self) {
        self.by_name.clear();
        for (index, versions) in self.prompts.iter().enumerate() {
            let place = self.by_name.entry(Arc::clone(&versions.current().name)).or_insert(index);
            if *place != index
                && let Some(holder) = self.prompts.get(*place)
                && precedence(versions.header()) > precedence(holder.header())
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
        let namesakes = self.prompts.iter().filter(|versions| *versions.current().name == *name);
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
        let once = |versions: &&Versions| versions.older().iter().any(|version| *version.name == *name);
        let renamed = self.prompts.iter().filter(once).max_by_key(|versions| precedence(versions.header()));
        renamed.map(|versions| versions.current().name.as_ref()).filter(|now| *now != name)
    }

    /// The existing name that a person most likely meant by `typed`.
    #[must_use]
    pub fn nearest(&self, typed: &str) -> Option<&str> {
        nearest(typed, self.prompts.iter().map(|versions| versions.current().name.as_ref()))
    }
}

/// Of two namesakes, the greater one is meant: an active one, then the higher version, then the later line.
fn precedence(prompt: Header<'_>) -> (bool, u64, usize) {
    (prompt.status == Status::Active, prompt.version, prompt.line)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Origin;
    use crate::prompt::{Empty, Place, Shelf};
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
    fn what_is_known_in_brief_is_read_when_it_is_wanted_and_told_of_if_it_cannot_be() {
        let known =
            catalog(&[r#""id":"x-1","name":"a","version":2,"status":"draft","tags":["t"],"extends":"b""#]);
        let brief = known.named("a").unwrap().latest().header().brief();
        let place = Place { line: 1, at: 0, length: 1 };
        let version = Version::waiting(place, ("x-1".into(), "a".into()), 2, 0).in_brief(brief);
        let catalog = Catalog::of(vec![version.moved(0, &(Arc::new(Empty) as Arc<dyn Shelf>))]);
        let versions = catalog.named("a").unwrap();
        assert_eq!(versions.header(), known.named("a").unwrap().header());
        assert_eq!(catalog.dependents(&["b"]).len(), 1);
        assert!(!versions.is_read() && catalog.lost().is_none());
        assert_eq!(versions.latest().name, "a");
        assert!(catalog.lost().is_some());
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
