//! What a watch keeps between builds: what it read of the store, and what its prompts were rendered to.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::catalog::{Catalog, Versions};
use crate::files::{DiskFiles, Standing};
use crate::ownership::Written;
use crate::plan::{self, Looked, Plan};
use crate::prompt::Prompt;
use crate::render::Output;
use crate::source::Known;

use super::Project;

/// What one build leaves to the next, as long as both are of one project and one request.
#[derive(Debug, Default)]
pub struct Session {
    pub(super) known: Known,
    pub(super) last: Option<Last>,
    /// The prompts of the last build, to be used until the store is read again.
    pub(super) catalog: Option<Catalog>,
    /// What was written ahead of the last build that succeeded, by path.
    pub(super) wrote: HashMap<String, Written>,
}

/// The last build that succeeded.
#[derive(Debug)]
pub(super) struct Last {
    /// The configuration's text.
    pub(super) config: Option<Vec<u8>>,
    /// By the id of its prompt.
    pub(super) outputs: HashMap<String, Rendered>,
}

/// What a prompt was rendered to.
#[derive(Debug)]
pub(super) struct Rendered {
    pub(super) path: String,
    pub(super) hash: blake3::Hash,
    name: String,
    version: u64,
}

impl Last {
    /// The ids of all prompts that may render to something else now, given the ids of those of which a record may be
    /// new, changed or gone.
    pub(super) fn stale(&self, catalog: &Catalog, touched: &HashSet<Arc<str>>) -> HashSet<String> {
        let mut names: Vec<&str> = Vec::new();
        for id in touched {
            names.extend(catalog.with_id(id).into_iter().flat_map(Versions::names));
            names.extend(self.outputs.get(id.as_ref()).map(|rendered| rendered.name.as_str()));
        }
        let dependents = catalog.dependents(&names).into_iter().map(|prompt| prompt.id.clone());
        touched.iter().map(|id| String::from(id.as_ref())).chain(dependents).collect()
    }
}

impl Session {
    /// Whether a build has succeeded, and no other has failed since.
    pub(super) fn is_warm(&self) -> bool {
        self.last.is_some()
    }

    /// What is known of the store, to be brought up to date: the prompts of the last build are not.
    pub(super) fn known(&mut self) -> &mut Known {
        self.catalog = None;
        &mut self.known
    }

    /// To be called when a build is over and was written: keeps its prompts, for what the next one can do before it has
    /// read all of them again.
    pub fn hold(&mut self, project: Option<Project>) {
        self.wrote.clear();
        self.known.close();
        if let Some(project) = project {
            self.catalog = Some(project.catalog);
        }
    }

    /// To be called when a build failed or was put off: nothing of the project is held open.
    pub fn rest(&self) {
        self.known.close();
    }

    /// What need not be rendered again, given the ids of all prompts of which a record may be new, changed or gone.
    pub(super) fn spared(
        &mut self,
        catalog: &Catalog,
        config: Option<&[u8]>,
        touched: Option<&HashSet<Arc<str>>>,
    ) -> Spared {
        let last = self.last.take().filter(|last| last.config.as_deref() == config);
        let (Some(mut last), Some(touched)) = (last, touched) else { return Spared::default() };
        for id in last.stale(catalog, touched) {
            last.outputs.remove(&id);
        }
        Spared(last.outputs)
    }

    /// Keeps what a build came to, which was spared some of it.
    pub(super) fn keep(&mut self, config: Option<Vec<u8>>, plan: &Plan, spared: Spared) {
        let Spared(mut outputs) = spared;
        for step in plan.outputs() {
            let Output { path, id, name, version, .. } = &step.output;
            if outputs.get(id).is_none_or(|known| known.hash != step.hash || known.path != *path) {
                let (path, name) = (path.clone(), name.clone());
                outputs.insert(id.clone(), Rendered { path, hash: step.hash, name, version: *version });
            }
        }
        self.last = Some(Last { config, outputs });
    }
}

/// What prompts render to, known without rendering them.
#[derive(Debug, Default)]
pub(super) struct Spared(HashMap<String, Rendered>);

impl Spared {
    /// The output of `prompt`, if it is known and stands where it should.
    pub(super) fn look(&self, prompt: &Prompt, files: &DiskFiles) -> Option<Looked> {
        let Rendered { path, hash, name, version } = self.0.get(&prompt.id)?;
        let found = files.look(path.as_ref(), Some(*hash));
        let Ok((_, Standing::AsWished(_))) = found else { return None };
        let (path, id, name) = (path.clone(), prompt.id.clone(), name.clone());
        let output = Output {
            path,
            contents: String::new(),
            id,
            name,
            version: *version,
            origin: prompt.origin.clone(),
        };
        Some(plan::looked(output, *hash, found))
    }
}
