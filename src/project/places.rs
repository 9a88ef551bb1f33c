//! Where prompts were emitted to once: the files of their earlier names, folders and tags.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::catalog::{Catalog, Versions};
use crate::config::Config;
use crate::path;

/// A path that a version of a prompt has, or had before the configuration was changed.
struct Place<'a, 'c> {
    versions: &'a Versions,
    dir: &'c str,
    /// The file's name without its `suffix`; it may hold folders.
    stem: &'c str,
    suffix: &'static str,
}

impl Place<'_, '_> {
    /// The path, if it is one inside the project.
    fn path(&self) -> Option<String> {
        path::inside(self.dir, &format!("{}{}", self.stem, self.suffix)).ok()
    }
}

/// Shows every place of every version. Nothing of a version but its name, `emitAs`, `emitDir` and tags is looked at.
fn each<'a: 'c, 'c>(catalog: &'a Catalog, config: &'c Config, mut show: impl FnMut(&Place<'a, 'c>)) {
    for versions in catalog.all() {
        let mut before = None;
        for version in versions.routes() {
            let says = (version.name, version.emit_as, version.emit_dir, version.tags);
            if before.replace(says) == Some(says) {
                continue;
            }
            for dir in config.dirs(version.emit_dir, version.tags) {
                show(&Place { versions, dir, stem: version.name, suffix: ".md" });
                if let Some(stem) = version.emit_as {
                    show(&Place { versions, dir, stem, suffix: "" });
                }
            }
        }
    }
}

/// The prompts that have or had a place at each path.
pub(super) fn holders<'a>(catalog: &'a Catalog, config: &Config) -> HashMap<String, Vec<&'a Versions>> {
    let mut holders: HashMap<String, Vec<&Versions>> = HashMap::new();
    each(catalog, config, |place| {
        let Some(path) = place.path() else { return };
        let known = holders.entry(path).or_default();
        if known.last().is_none_or(|last| last.header().id != place.versions.header().id) {
            known.push(place.versions);
        }
    });
    holders
}

/// The files that `list` finds in the folders of all places, at such a place and not among `outputs`, each with a
/// prompt that has or had it.
pub(super) fn left_over<'a>(
    catalog: &'a Catalog,
    config: &Config,
    outputs: &HashSet<Arc<str>>,
    list: impl Fn(&str) -> Vec<String>,
) -> Vec<(String, &'a Versions)> {
    let mut others: HashSet<String> = HashSet::new();
    for folder in folders(catalog, config) {
        let mut path = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let base = path.len();
        for name in list(&folder) {
            path.truncate(base);
            path.push_str(&name);
            if !outputs.contains(path.as_str()) {
                others.insert(path.clone());
            }
        }
    }
    // Mostly there are none, and the paths of all versions need not be made.
    let names: HashSet<&str> = others.iter().map(|path| file_name(path)).collect();
    let mut found: Vec<(String, &Versions)> = Vec::new();
    if names.is_empty() {
        return found;
    }
    let stems: HashSet<&str> = names.iter().filter_map(|name| name.strip_suffix(".md")).collect();
    each(catalog, config, |place| {
        let known = if place.suffix.is_empty() { &names } else { &stems };
        if known.contains(file_name(place.stem))
            && let Some(path) = place.path().filter(|path| others.contains(path))
        {
            found.push((path, place.versions));
        }
    });
    found
}

fn folders(catalog: &Catalog, config: &Config) -> BTreeSet<String> {
    let mut pairs: HashSet<(&str, &str)> = HashSet::new();
    let mut last = None;
    each(catalog, config, |place| {
        let pair = (place.dir, place.stem.rsplit_once('/').map_or("", |(folder, _)| folder));
        // Mostly one is where the one before is.
        if last.replace(pair) != Some(pair) {
            pairs.insert(pair);
        }
    });
    pairs.into_iter().filter_map(|(dir, below)| folder(dir, below)).collect()
}

/// The folders of the targets, and the one that takes what no target takes.
pub(super) fn targets(config: &Config) -> impl Iterator<Item = String> {
    let dirs = config.targets.values().map(|target| target.dir.as_str());
    dirs.chain(config.dirs(None, &[])).filter_map(|dir| folder(dir, ""))
}

/// The folder `below` in `dir`, without `.` and `..`, if it is one inside the project.
fn folder(dir: &str, below: &str) -> Option<String> {
    let path = path::inside(&format!("{dir}/{below}"), "_").ok()?;
    Some(path.rsplit_once('/').map_or("", |(folder, _)| folder).to_owned())
}

fn file_name(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}
