//! Where a change would matter: the inputs, the links on the way to them, and the folders that hold both.
#![expect(clippy::disallowed_methods, reason = "where something stands is asked, what it holds is not read")]

use std::collections::{BTreeSet, HashMap};
use std::path::{Component, Path, PathBuf};

use canopy::files::Input;

/// A chain of links that is longer leads in a circle.
const MOST_LINKS: usize = 40;

/// Where a change would matter.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(super) struct Places {
    /// The inputs where they really are, and the links that lead there.
    exact: BTreeSet<PathBuf>,
    /// The folders above, as far as the file system goes.
    above: BTreeSet<PathBuf>,
}

/// What a path is to the inputs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// One of them, or a link to one.
    Exact,
    /// A folder above one.
    Above,
}

impl Places {
    /// The places of `inputs`, found or not, in the project at `root`.
    pub(super) fn of(root: &Path, inputs: &[Input]) -> Places {
        let mut links = Links::default();
        let mut exact: BTreeSet<PathBuf> =
            inputs.iter().map(|input| links.follow(&root.join(&input.path))).collect();
        exact.extend(links.found);
        let above = exact.iter().flat_map(|path| path.ancestors().skip(1)).map(Path::to_owned).collect();
        Places { exact, above }
    }

    /// What `path` is to the inputs, if it is anything.
    pub(super) fn get(&self, path: &Path) -> Option<Place> {
        match path {
            path if self.exact.contains(path) => Some(Place::Exact),
            path if self.above.contains(path) => Some(Place::Above),
            _ => None,
        }
    }

    /// The inputs where they really are, and the links that lead there.
    pub(super) fn exact(&self) -> impl Iterator<Item = &Path> {
        self.exact.iter().map(PathBuf::as_path)
    }

    /// The folders to follow: of each place the nearest one that is there. And those above them, which tell when
    /// they are taken away and others are put in their place.
    pub(super) fn folders(&self) -> (BTreeSet<PathBuf>, BTreeSet<PathBuf>) {
        let nearest =
            |path: &PathBuf| path.ancestors().skip(1).find(|above| above.is_dir()).map(Path::to_owned);
        let folders: BTreeSet<PathBuf> = self.exact.iter().filter_map(nearest).collect();
        let above = folders.iter().filter_map(|folder| folder.parent().map(Path::to_owned)).collect();
        (folders, above)
    }
}

/// The links that were met.
#[derive(Default)]
struct Links {
    known: HashMap<PathBuf, PathBuf>,
    found: BTreeSet<PathBuf>,
}

impl Links {
    /// Where `path` really is, whether something stands there or not.
    fn follow(&mut self, path: &Path) -> PathBuf {
        self.real(path, MOST_LINKS)
    }

    fn real(&mut self, path: &Path, links_left: usize) -> PathBuf {
        if let Some(known) = self.known.get(path) {
            return known.clone();
        }
        let (Some(folder), Some(name)) = (path.parent(), path.components().next_back()) else {
            return path.to_owned();
        };
        let folder = self.real(folder, links_left);
        let here = match name {
            Component::ParentDir => folder.parent().map_or_else(|| folder.clone(), Path::to_owned),
            name => folder.join(name),
        };
        let real = match here.read_link() {
            Ok(target) if links_left > 0 => {
                self.found.insert(here);
                self.real(&folder.join(target), links_left - 1)
            }
            _ => here,
        };
        self.known.insert(path.to_owned(), real.clone());
        real
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn links_are_followed_and_all_that_they_lead_over_is_a_place() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        let other = root.join("other");
        std::fs::create_dir_all(&other).unwrap();
        let link = |from: &str, to: &str| std::os::unix::fs::symlink(to, root.join(from)).unwrap();
        link("store", "other/../other");
        link("other/p.jsonl", "q.jsonl");
        link("round", "round");
        let inputs =
            ["store/p.jsonl", "round/x", "new/y"].map(|path| Input { path: path.into(), found: false });
        let places = Places::of(&root, &inputs);
        let exact: Vec<_> = places.exact().map(|path| path.strip_prefix(&root).unwrap()).collect();
        let wanted = ["new/y", "other/p.jsonl", "other/q.jsonl", "round", "round/x", "store"];
        assert_eq!(exact, wanted.map(Path::new));
        let (folders, above) = places.folders();
        assert_eq!(folders.into_iter().collect::<Vec<_>>(), [root.clone(), other.clone()]);
        assert!(above.contains(&root) && above.contains(root.parent().unwrap()));
        assert_eq!(places.get(&other), Some(Place::Above));
        assert_eq!(places.get(&root.join("else")), None);
    }
}
