//! What a watch keeps between builds: what it read of the store, and what its prompts were rendered to.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::catalog::{Catalog, Versions};
use crate::files::{DiskFiles, Standing};
use crate::plan::{self, Looked, Plan};
use crate::prompt::Prompt;
use crate::render::Output;
use crate::source::Known;

/// What one build leaves to the next, as long as both are of one project and one request.
#[derive(Debug, Default)]
pub struct Session {
    pub(super) known: Known,
    last: Option<Last>,
}

/// The last build that succeeded.
#[derive(Debug)]
struct Last {
    /// The configuration's text.
    config: Option<Vec<u8>>,
    /// By the id of its prompt.
    outputs: HashMap<String, Rendered>,
}

/// What a prompt was rendered to.
#[derive(Debug)]
struct Rendered {
    path: String,
    hash: blake3::Hash,
    name: String,
    version: u64,
}

impl Session {
    /// What need not be rendered again, given the ids of all prompts of which a record may be new, changed or gone.
    pub(super) fn spared(
        &mut self,
        catalog: &Catalog,
        config: Option<&[u8]>,
        touched: Option<&HashSet<Arc<str>>>,
    ) -> Spared {
        let last = self.last.take().filter(|last| last.config.as_deref() == config);
        let (Some(mut last), Some(touched)) = (last, touched) else { return Spared::default() };
        let mut names: Vec<&str> = Vec::new();
        for id in touched {
            names.extend(catalog.with_id(id).into_iter().flat_map(Versions::names));
        }
        let gone: Vec<Rendered> = touched.iter().filter_map(|id| last.outputs.remove(id.as_ref())).collect();
        names.extend(gone.iter().map(|rendered| rendered.name.as_str()));
        for dependent in catalog.dependents(&names) {
            last.outputs.remove(&dependent.id);
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
