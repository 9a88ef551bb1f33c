//! Whose a file is: ours if it holds what we recorded writing there, or what a state of the store's history renders.
//!
//! The store is only ever appended to, so each of its states is a prefix of its lines. For one prompt only those
//! lines matter that are of itself or of what it was ever composed from.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::catalog::{Catalog, Versions};
use crate::files::{Memory, Stat};
use crate::plan::text;
use crate::prompt::Prompt;
use crate::render::{markdown, render};
use crate::resolve::{Resolved, Resolver};

/// What we remember of the files that we wrote.
#[derive(Debug, Clone, Default)]
pub struct Recorded {
    /// By path, relative to the project's root.
    pub files: HashMap<Arc<str>, Written>,
}

/// A file that we wrote, or found as it should be.
#[derive(Debug, Clone, PartialEq)]
pub struct Written {
    /// The id of the prompt.
    pub id: Arc<str>,
    /// The name of the prompt, as it was called then.
    pub name: Arc<str>,
    /// The version that was rendered.
    pub version: u64,
    /// The line of the record that said where it goes.
    pub line: u64,
    /// What the file held, whatever its line ends.
    pub hash: blake3::Hash,
    /// What the system said of it then, if that is to be trusted.
    pub stat: Option<Stat>,
}

impl Memory for Recorded {
    fn remembered(&self, path: &str) -> Option<(Stat, blake3::Hash)> {
        self.files.get(path).and_then(|written| Some((written.stat?, written.hash)))
    }
}

impl Recorded {
    /// Whether `bytes` is what we last wrote to `path`.
    #[must_use]
    pub fn holds(&self, path: &str, bytes: &[u8]) -> bool {
        self.files.get(path).is_some_and(|written| written.hash == text::hash(bytes))
    }
}

/// Every prompt of a store by every name that it ever had.
#[derive(Debug)]
pub struct History<'a> {
    catalog: &'a Catalog,
    by_name: HashMap<&'a str, Vec<&'a Versions>>,
}

impl<'a> History<'a> {
    /// The history of a store.
    #[must_use]
    pub fn new(catalog: &'a Catalog) -> Self {
        let mut by_name: HashMap<&str, Vec<&Versions>> = HashMap::new();
        for versions in catalog.all() {
            for name in versions.names() {
                let bearers = by_name.entry(name).or_default();
                if bearers.last().is_none_or(|last| last.header().id != versions.header().id) {
                    bearers.push(versions);
                }
            }
        }
        History { catalog, by_name }
    }

    /// What the prompt that `prompt` is a version of went through, with all that it was ever composed from.
    #[must_use]
    pub fn of(&self, prompt: &'a Prompt) -> Past<'a> {
        let mut seen: HashSet<&str> = HashSet::from([prompt.id.as_str()]);
        let mut next: Vec<&Versions> = self.catalog.versions_of(prompt).into_iter().collect();
        let mut records = Vec::new();
        while let Some(versions) = next.pop() {
            for record in versions.records() {
                records.push(record);
                let below = record.parents().filter_map(|name| self.by_name.get(name)).flatten();
                next.extend(below.filter(|versions| seen.insert(versions.header().id)));
            }
        }
        records.sort_by_key(|record| record.origin.line);
        Past { prompt, records }
    }
}

/// The records that decided, one after the other, what a prompt renders to.
#[derive(Debug)]
pub struct Past<'a> {
    prompt: &'a Prompt,
    /// In the order of their lines.
    records: Vec<&'a Prompt>,
}

/// A state of the history: it ends with a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct State {
    /// How many of the records had been written.
    records: usize,
    /// The version of the prompt that was rendered then.
    pub version: u64,
    /// The line of the last record.
    pub line: usize,
}

/// How many states are looked at first: a file that is not up to date mostly is what a late one rendered.
const LATE_STATES: usize = 4;

impl<'a> Past<'a> {
    /// The latest state that renders exactly `file` at `path`, in the form of today or in one of those that early
    /// releases wrote.
    #[must_use]
    pub fn state(&self, path: &str, file: &[u8]) -> Option<State> {
        let wanted = text::hash(file);
        let is_wanted = |text: &str| text::hash(text.as_bytes()) == wanted;
        // Most files have front matter: what can have none need not be rendered for them.
        let is_bare = !file.starts_with(b"---");
        let is_early = |resolved: &Resolved<'_>| {
            (is_bare || resolved.sections.len() == 1)
                && markdown::early_forms(resolved).iter().any(|text| is_wanted(text))
        };
        let (mut end, mut size) = (self.records.len(), LATE_STATES);
        while end > 0 {
            let start = end.saturating_sub(size);
            let mut found = None;
            self.walk(start, end, |state, resolved| {
                if is_wanted(&render(resolved, path)) || is_early(resolved) {
                    found = Some(state);
                }
            });
            if found.is_some() {
                return found;
            }
            (end, size) = (start, size * 4);
        }
        None
    }

    /// The records since `state` that changed what stands at `path`, the oldest first.
    #[must_use]
    pub fn since(&self, state: State, path: &str) -> Vec<&'a Prompt> {
        let mut before = None;
        let mut changes = Vec::new();
        self.walk(state.records.saturating_sub(1), self.records.len(), |state, resolved| {
            let text = render(resolved, path);
            if before.as_ref().is_some_and(|before| *before != text) {
                changes.extend(self.records.get(state.records - 1));
            }
            before = Some(text);
        });
        changes
    }

    /// Shows every state whose last record is one of `start..end`, and what the prompt resolves to in it; states in
    /// which it cannot be resolved render nothing.
    fn walk(&self, start: usize, end: usize, mut show: impl FnMut(State, &Resolved<'_>)) {
        let records = |range: std::ops::Range<usize>| {
            self.records.get(range).unwrap_or_default().iter().map(|record| (*record).clone())
        };
        let mut catalog = Catalog::new(records(0..start).collect());
        for (index, record) in records(start..end).enumerate() {
            let line = record.origin.line;
            catalog.append([record.into()]);
            let Some(versions) = catalog.versions_of(self.prompt) else { continue };
            if let Ok(resolved) = Resolver::new(&catalog).current(versions.latest()) {
                let version = resolved.prompt.version;
                show(State { records: start + index + 1, version, line }, &resolved);
            }
        }
    }
}
