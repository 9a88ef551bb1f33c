//! What a build leaves to be remembered, and how the next one is spared its work.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::cache::{self, Cache, Entry, Packed, Run};
use crate::cores;
use crate::files::{self, DiskFiles, Stat};
use crate::ownership::{Recorded, Written};
use crate::plan::{Change, Plan, Step};
use crate::problem::{Origin, Problem};
use crate::render::Output;
use crate::source::PROMPTS;
use crate::write::{self, Applied};

use super::session::{self, Basis};
use super::{Project, Session};

/// The path of something, and what the system said of it before it was read; `None` for what was not there.
pub(super) type Marks = Vec<(String, Option<Stat>)>;

/// What is to be remembered of a build once its plan was carried out.
#[derive(Debug, Default)]
pub struct Memo {
    root: PathBuf,
    /// Whether anything is to be remembered at all.
    is_wanted: bool,
    /// The moment before anything was looked at, in nanoseconds since 1970.
    began: i64,
    /// What was known before.
    recorded: Arc<Recorded>,
    /// What was read, and the folders that were looked through, if the build was about all files.
    pub(super) whole: Option<(Marks, Marks)>,
    /// What the next build may begin with, if the build was about all files.
    pub(super) basis: Option<Basis>,
    warnings: Vec<Problem>,
}

impl Memo {
    pub(super) fn new(files: &DiskFiles, recorded: &Arc<Recorded>, is_wanted: bool) -> Memo {
        let (root, recorded) = (files.root().to_owned(), Arc::clone(recorded));
        Memo { root, is_wanted, began: files.began(), recorded, ..Memo::default() }
    }

    pub(super) fn warn(&mut self, warnings: &[Problem]) {
        self.warnings = warnings.to_vec();
    }

    /// Writes down what the files are once `plan`, of this project, was applied. That it cannot be written harms nobody: the next run has
    /// more to do.
    pub fn keep(self, plan: &Plan, applied: &Applied, project: Option<&Project>) {
        if !self.is_wanted {
            return;
        }
        let basis = || self.basis.as_ref().zip(project).map(|(basis, project)| basis.pack(&project.catalog));
        let (cache, basis) = cores::both(plan.count() > MANY, || self.cache(plan, applied), basis);
        // Written again also if it is the same: what was too young to be trusted is old enough by now.
        put(&self.root, &Cache { basis, ..cache });
    }

    fn cache(&self, plan: &Plan, applied: &Applied) -> Cache {
        let steps = || plan.steps.iter().zip(&applied.stats);
        // What was read when it was that young may have been written again within the same tick of the clock.
        let is_old = |stat: &Stat| stat.is_older_than(self.began);
        let read = |step: &Step| step.stat.filter(is_old);
        let mut entries: Vec<Entry> =
            steps().filter_map(|(step, stat)| entry(step, *stat, read(step))).collect();
        let outputs = entries.len();
        let known: HashSet<&str> = entries.iter().map(|entry| entry.path.as_ref()).collect();
        let others = self.recorded.files.iter().filter(|(path, _)| !known.contains(path.as_ref()));
        let others: Vec<_> = others.collect();
        // A run over everything looked for each, and removed some.
        let is_gone = |path: &str| self.whole.is_some() && !files::is_there(&self.root.join(path));
        let others = others.into_iter().filter(|(path, _)| !is_gone(path));
        let mut others: Vec<Entry> =
            others.map(|(path, written)| Entry { path: path.clone(), written: written.clone() }).collect();
        others.sort_by(|a, b| a.path.cmp(&b.path));
        let is_done = outputs == plan.steps.len() && plan.changes().next().is_none();
        let is_plain = |step: &Step| step.target == self.root.join(&*step.output.path);
        let marks = |(inputs, folders): &(Marks, Marks)| {
            inputs.iter().chain(folders).all(|(_, stat)| stat.as_ref().is_none_or(is_old))
        };
        let run = self.whole.clone().filter(|_| is_done && plan.steps.iter().all(is_plain)).filter(marks);
        let run = run.map(|(inputs, folders)| Run { inputs, folders, warnings: self.warnings.clone() });
        entries.extend(others);
        let basis = None;
        let is_all = self.whole.is_some() || self.basis.is_some();
        let outputs = if is_all { outputs } else { 0 };
        Cache { entries, outputs, run, basis }
    }
}

/// The file of a step, if it is what it should be now.
fn entry(step: &Step, after: Option<Stat>, read: Option<Stat>) -> Option<Entry> {
    let stat = match step.change {
        Change::Unchanged => read,
        Change::Create | Change::Update => Some(after?),
        Change::Edited | Change::Orphan | Change::Remove => return None,
    };
    Some(Entry { path: step.output.path.clone(), written: written(step, stat) })
}

/// What is remembered of the file of a step that is what it should be.
pub(super) fn written(step: &Step, stat: Option<Stat>) -> Written {
    let Output { id, name, version, origin, .. } = &step.output;
    let (id, name, version, line) = (id.clone(), name.clone(), *version, origin.line as u64);
    Written { id, name, version, line, hash: step.hash, stat }
}

fn put(root: &Path, cache: &Cache) {
    let bytes = cache.write(root);
    let _ = write::aside(&root.join(cache::FOLDER), &cache::ASIDE, &root.join(cache::FILE), &bytes);
}

/// Adds these files to what is remembered.
pub(super) fn add(root: &Path, files: &HashMap<Arc<str>, Written>) {
    let Ok(disk) = DiskFiles::new(root) else { return };
    let mut cache = packed(&disk).and_then(|packed| packed.unpacked()).unwrap_or_default();
    (cache.outputs, cache.run) = (0, None);
    cache.entries.retain(|entry| !files.contains_key(&entry.path));
    let added = files.iter().map(|(path, written)| Entry { path: path.clone(), written: written.clone() });
    cache.entries.extend(added);
    put(disk.root(), &cache);
}

/// What the last run remembers of the project, yet to be read.
pub(super) fn packed(files: &DiskFiles) -> Option<Packed> {
    let (pieces, stat) = files.open_aside(cache::FILE)?;
    Packed::open(pieces, files.root(), stat.modified)
}

/// What the last run remembers of the project's files.
pub(super) fn recorded(packed: Option<&Packed>) -> Recorded {
    packed.and_then(Packed::unpacked).map(Cache::into_recorded).unwrap_or_default()
}

/// As [`recorded`], and the session takes over what the last run began with.
pub(super) fn taken_over(packed: Option<&Packed>, session: &mut Session) -> Recorded {
    let Some(packed) = packed else { return Recorded::default() };
    let unpacked = || {
        let cache = packed.unpacked()?;
        let last = cache.entries.get(..cache.outputs).map(session::rendered).unwrap_or_default();
        Some((last, cache.into_recorded()))
    };
    let (unpacked, basis) =
        cores::both(packed.count() > MANY, unpacked, || packed.basis().as_deref().and_then(Basis::unpack));
    let Some((last, recorded)) = unpacked else { return Recorded::default() };
    if let Some(basis) = basis {
        session.begin_with(basis, last);
    }
    recorded
}

/// The plan of a run over all prompts, if everything stands as the last one left it: then there is nothing to do. A
/// `brief` plan only counts the files.
pub(super) fn nothing_to_do(files: &DiskFiles, packed: &Packed, brief: bool) -> Option<(Plan, Vec<Problem>)> {
    let run = packed.run().filter(|run| stands(files, packed, run))?;
    let (outputs, warnings) = (packed.count(), run.warnings.clone());
    if brief {
        return Some((Plan { steps: Vec::new(), unlisted: outputs }, warnings));
    }
    let prompts: Arc<str> = PROMPTS.into();
    let entries = packed.unpacked()?.entries.into_iter().take(outputs);
    Some((Plan { steps: entries.map(|entry| unchanged(entry, &prompts)).collect(), unlisted: 0 }, warnings))
}

/// More files than that are worth a thread.
pub(super) const MANY: usize = 500;

/// How many blocks of outputs are worth a thread.
const BLOCKS: usize = 4;

/// Whether nothing that the run read or wrote was touched since.
fn stands(files: &DiskFiles, packed: &Packed, run: &Run) -> bool {
    let Some(outputs) = packed.outputs() else { return false };
    run.inputs.iter().all(|(path, stat)| files.is_input_as_it_was(path, *stat))
        && run.folders.iter().all(|(path, stat)| files.folder(path) == *stat)
        && cores::share_with(outputs, BLOCKS, Vec::new, |buffer, blocks| {
            let mut stands = |block| packed.marks(block, buffer).is_some_and(|m| files.are_plain(m));
            blocks.iter().all(&mut stands)
        })
        .into_iter()
        .all(|stands| stands)
}

fn unchanged(entry: Entry, prompts: &Arc<str>) -> Step {
    let Entry { path, written: Written { id, name, version, line, hash, stat } } = entry;
    let origin = Origin { path: Arc::clone(prompts), line: usize::try_from(line).unwrap_or_default() };
    let output = Output { path, contents: String::new(), id, name, version, origin };
    let (found, folders, target) = (Vec::new(), Vec::new(), PathBuf::new());
    Step { output, change: Change::Unchanged, target, found, stat, hash, folders }
}
