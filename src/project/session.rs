//! What one build leaves to the next, in memory or in the cache: what it read, and what prompts were rendered to.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::bytes::{self, Decoder};
use crate::cache::Entry;
use crate::catalog::{Catalog, Versions};
use crate::files::{DiskFiles, Stat};
use crate::ownership::Written;
use crate::plan::{self, Looked, Plan};
use crate::prompt::Header;
use crate::render::Output;
use crate::source::{Known, Touched};

use super::Project;

/// What one build leaves to the next, as long as both are of one project and one request.
#[derive(Debug, Default)]
pub struct Session {
    pub(super) known: Known,
    pub(super) last: Option<Last>,
    /// The prompts of the last build, to be used until the store is read again.
    pub(super) catalog: Option<Catalog>,
    /// What was written ahead of the last build that succeeded, by path.
    pub(super) wrote: HashMap<Arc<str>, Written>,
    /// Whether no other build follows.
    is_once: bool,
}

/// What one run leaves to another: what it knew of the configuration and the store when it built everything.
#[derive(Debug)]
pub(super) struct Basis {
    config: Option<Vec<u8>>,
    known: Known,
}

impl Basis {
    /// It as bytes, given the prompts that it knows of.
    pub(super) fn pack(&self, catalog: &Catalog) -> Vec<u8> {
        let mut packed = Vec::new();
        bytes::option(&mut packed, self.config.as_ref(), |packed, config| {
            bytes::list(packed, config, |packed, byte| packed.push(*byte));
        });
        packed.extend(self.known.pack(catalog.all().map(Versions::header).collect()));
        packed
    }

    pub(super) fn unpack(packed: &[u8]) -> Option<Basis> {
        let mut from = Decoder(packed);
        let config = from.option(|from| {
            let length = from.size()?;
            from.take(length).map(<[u8]>::to_vec)
        })?;
        Some(Basis { config, known: Known::unpack(from.0)? })
    }
}

/// The last build that succeeded.
#[derive(Debug)]
pub(super) struct Last {
    /// The configuration's text.
    pub(super) config: Option<Vec<u8>>,
    /// By the id of its prompt.
    pub(super) outputs: HashMap<Arc<str>, Rendered>,
}

/// What a prompt was rendered to.
#[derive(Debug)]
pub(super) struct Rendered {
    pub(super) path: Arc<str>,
    pub(super) hash: blake3::Hash,
    name: Arc<str>,
    version: u64,
    /// What the system said of the file that holds it, if that is known here and to be trusted.
    stat: Option<Stat>,
}

/// What the prompts of these outputs were rendered to, by the id of the prompt.
pub(super) fn rendered(outputs: &[Entry]) -> HashMap<Arc<str>, Rendered> {
    let rendered = |Entry { path, written: Written { id, name, version, hash, stat, .. } }: &Entry| {
        let (path, name) = (path.clone(), name.clone());
        (id.clone(), Rendered { path, hash: *hash, name, version: *version, stat: *stat })
    };
    outputs.iter().map(rendered).collect()
}

impl Last {
    /// The ids of all prompts that may render to something else now, given the records that may be new, changed or gone.
    pub(super) fn stale(&self, catalog: &Catalog, touched: &Touched) -> HashSet<String> {
        let mut names: Vec<&str> = touched.names.iter().map(Arc::as_ref).collect();
        for id in &touched.ids {
            names.extend(catalog.with_id(id).into_iter().flat_map(Versions::names));
            names.extend(self.outputs.get(id).map(|rendered| rendered.name.as_ref()));
        }
        let dependents =
            catalog.dependents(&names).into_iter().map(|versions| versions.header().id.to_owned());
        touched.ids.iter().map(|id| String::from(id.as_ref())).chain(dependents).collect()
    }
}

impl Session {
    /// For a single build.
    pub(super) fn once() -> Session {
        Session { is_once: true, known: Known::default().for_once(), ..Session::default() }
    }

    /// Takes over what another run left, and what it rendered then.
    pub(super) fn begin_with(&mut self, basis: Basis, outputs: HashMap<Arc<str>, Rendered>) {
        let Basis { config, known } = basis;
        self.known = if self.is_once { known.for_once() } else { known };
        self.last = Some(Last { config, outputs });
    }

    /// Begins anew, as if nothing had been built.
    pub(super) fn forget(&mut self) {
        self.last = None;
        self.known = if self.is_once { Known::default().for_once() } else { Known::default() };
    }

    /// What this build leaves to another run.
    pub(super) fn basis(&self, config: Option<&[u8]>) -> Basis {
        Basis { config: config.map(<[u8]>::to_vec), known: self.known.marks() }
    }

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

    /// What need not be rendered again, given the records that may be new, changed or gone.
    pub(super) fn spared(
        &mut self,
        catalog: &Catalog,
        config: Option<&[u8]>,
        touched: Option<&Touched>,
    ) -> Spared {
        let last = self.last.take().filter(|last| last.config.as_deref() == config);
        let (Some(mut last), Some(touched)) = (last, touched) else { return Spared::default() };
        for id in last.stale(catalog, touched) {
            last.outputs.remove(id.as_str());
        }
        Spared(last.outputs)
    }

    /// Keeps what a build came to, which was spared some of it.
    pub(super) fn keep(&mut self, config: Option<Vec<u8>>, plan: &Plan, spared: Spared) {
        if self.is_once {
            return;
        }
        let Spared(mut outputs) = spared;
        for step in plan.outputs() {
            let Output { path, id, name, version, .. } = &step.output;
            if outputs.get(id).is_none_or(|known| known.hash != step.hash || known.path != *path) {
                let (path, name) = (path.clone(), name.clone());
                let (hash, version, stat) = (step.hash, *version, None);
                outputs.insert(id.clone(), Rendered { path, hash, name, version, stat });
            }
        }
        self.last = Some(Last { config, outputs });
    }
}

/// What prompts render to, known without rendering them.
#[derive(Debug, Default)]
pub(super) struct Spared(HashMap<Arc<str>, Rendered>);

impl Spared {
    /// A way to look for the outputs of prompts: those that are known and stand where they should.
    pub(super) fn look<'s>(
        &'s self,
        files: &'s DiskFiles,
    ) -> impl FnMut(Header<'_>) -> Option<Looked> + use<'s> {
        let mut glance = files.glance();
        move |prompt| {
            let (id, Rendered { path, hash, name, version, stat }) = self.0.get_key_value(prompt.id)?;
            let found = glance.as_wished(path, *hash, *stat)?;
            let (path, id, name) = (path.clone(), id.clone(), name.clone());
            let (version, origin) = (*version, super::origin(prompt.line));
            let output = Output { path, contents: String::new(), id, name, version, origin };
            Some(plan::looked(output, *hash, Ok(found)))
        }
    }
}

#[cfg(test)]
impl Basis {
    /// With no configuration.
    pub(super) fn of(known: Known) -> Basis {
        Basis { config: None, known }
    }
}
