//! Asks of a file that differs whether it is ours, and of files that are no outputs whether they were.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::catalog::{Catalog, Versions};
use crate::config::Config;
use crate::files::DiskFiles;
use crate::ownership::{History, Past, Recorded, State, Written};
use crate::plan::{self, Plan, Rules};
use crate::problem::Problem;
use crate::prompt::{Header, Prompt, Status};
use crate::render::Output;

use super::memo::Marks;
use super::{Project, places};

/// What is known of where files come from; what takes work is found out when it is asked for.
pub(super) struct Whose<'a, 'c> {
    catalog: &'a Catalog,
    config: &'c Config,
    recorded: &'c Recorded,
    /// Whether every line of the store could be read: else what we wrote may be all that is left of one.
    is_sound: bool,
    history: OnceLock<History<'a>>,
    holders: OnceLock<HashMap<String, Vec<&'a Versions>>>,
}

impl<'a, 'c> Whose<'a, 'c> {
    pub(super) fn new(project: &'a Project, config: &'c Config) -> Self
    where
        'a: 'c,
    {
        let (catalog, recorded, is_sound) = (&project.catalog, &*project.recorded, project.is_sound());
        Whose { catalog, config, recorded, is_sound, history: OnceLock::new(), holders: OnceLock::new() }
    }

    /// Whether a file that holds `bytes` at the path of `output` is ours.
    pub(super) fn is_ours(&self, output: &Output, bytes: &[u8]) -> bool {
        (self.is_sound && self.recorded.holds(&output.path, bytes))
            || self.state(&output.id, &output.path, bytes).is_some()
    }

    /// What the prompt of that id went through.
    pub(super) fn past(&self, prompt: &'a Prompt) -> Past<'a> {
        self.history.get_or_init(|| History::new(self.catalog)).of(prompt)
    }

    /// The state of the history that renders `bytes` at `path`, and the prompt that it renders it for: the one of
    /// that id, else one that was emitted there once.
    pub(super) fn state(&self, id: &str, path: &str, bytes: &[u8]) -> Option<(&'a Prompt, State)> {
        let state = |prompt| self.past(prompt).state(path, bytes).map(|state| (prompt, state));
        let own = self.catalog.with_id(id).map(Versions::latest);
        own.and_then(state).or_else(|| self.holders(path).filter(|prompt| prompt.id != id).find_map(state))
    }

    /// The prompts that are or once were emitted to `path`.
    pub(super) fn holders(&self, path: &str) -> impl Iterator<Item = &'a Prompt> {
        let holders = self.holders.get_or_init(|| places::holders(self.catalog, self.config));
        holders.get(path).into_iter().flatten().map(|versions| versions.latest())
    }

    /// Finds the files that may have been outputs once and are not among those that are now, or will be when they are
    /// asked for.
    pub(super) fn left_over(&self, current: &HashSet<Arc<str>>, files: &DiskFiles) -> LeftOver {
        let (marks, problems): (RefCell<Marks>, RefCell<Vec<Problem>>) = Default::default();
        let list = |folder: &str| {
            marks.borrow_mut().push((folder.to_owned(), files.folder(folder)));
            files.list(folder).unwrap_or_else(|e| {
                problems.borrow_mut().push(Problem::new(e.to_string()));
                Vec::new()
            })
        };
        let left = places::left_over(self.catalog, self.config, current, list);
        let left = left.into_iter().map(|(path, versions)| {
            let Header { id, name, version, line, .. } = versions.header();
            let (path, id, name, origin) = (path.into(), id.into(), name.into(), super::origin(line));
            Output { path, contents: String::new(), id, name, version, origin }
        });
        let known = self.recorded.files.iter().filter(|(path, _)| !current.contains(*path));
        let known = known.map(|(path, written)| {
            let Written { id, name, version, line, .. } = written.clone();
            let origin = super::origin(usize::try_from(line).unwrap_or_default());
            Output { path: path.clone(), contents: String::new(), id, name, version, origin }
        });
        let mut outputs: Vec<Output> = left.chain(known).collect();
        outputs.sort_by(|a, b| a.path.cmp(&b.path));
        LeftOver { outputs, marks: marks.into_inner(), problems: problems.into_inner() }
    }

    /// Adds to a plan of all prompts the files that no prompt is emitted to any more.
    /// Returns the folders that were looked through, and what the system said of them before; `None` if there are files that
    /// these marks do not tell of.
    ///
    /// # Errors
    /// One problem for each folder that cannot be listed.
    pub(super) fn sweep(
        &self,
        plan: &mut Plan,
        rules: Rules<'_>,
        left: LeftOver,
        files: &DiskFiles,
    ) -> Result<Option<Marks>, Vec<Problem>> {
        let LeftOver { outputs, marks, problems } = left;
        if !problems.is_empty() {
            return Err(problems);
        }
        let targets = places::targets(self.config);
        let keep: HashSet<PathBuf> = targets.map(|folder| files.root().join(folder)).collect();
        let look = |path: &Path, wish: Option<_>| files.look(path, wish);
        // What stands there and is somebody's own may become ours again without a mark on its folder.
        let is_clear = plan::sweep(plan, outputs, (rules, &keep), &look, &|o, b| self.is_ours(o, b));
        Ok(is_clear.then_some(marks))
    }
}

/// Files that may have been outputs once, and how they were found.
#[derive(Debug, Default)]
pub(super) struct LeftOver {
    outputs: Vec<Output>,
    /// The folders that were looked through, and what the system said of them before.
    marks: Marks,
    /// One for each folder that cannot be listed.
    problems: Vec<Problem>,
}

/// Whether a prompt's file is left where it is although nobody asked for it: it is emitted when it is named.
pub(super) fn is_waiting(prompt: Header<'_>) -> bool {
    prompt.status == Status::Draft
}
