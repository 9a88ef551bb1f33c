//! What is written ahead: the end of the store tells of some files what they are to hold before all of it is read again.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use crate::catalog::Versions;
use crate::config::CONFIG;
use crate::files::{DiskFiles, Files as _};
use crate::plan::{self, Plan, Rules, text};
use crate::prompt::Prompt;
use crate::render::Output;
use crate::resolve::{Resolved, Resolver};
use crate::source::{self, Touched};
use crate::write::Applied;

use super::session::Last;
use super::{Destination, Project, Request, Session, memo, select};

/// More files than that are left to the build: it has all cores for them.
const FEW: usize = 100;

impl Session {
    /// What is to be done to a few files that are no longer what they should be, if the store seems to be what it was
    /// and good records behind that; `None` if only a whole build can tell.
    ///
    /// It is of the build's own steps those that come first: [`super::rebuild`], which reads everything, has the last
    /// word, and is to know what was [`wrote`](Session::wrote). Each record that such a file is composed from is read again where it stands; that none was changed that has
    /// nothing to do with it is left to the build. A file that is not as the last build left it is left to it, too.
    #[must_use]
    pub fn ahead(&mut self, root: &Path, request: &Request) -> Option<Plan> {
        let plan = self.plan_ahead(root, request);
        self.known.close();
        plan
    }

    fn plan_ahead(&mut self, root: &Path, request: &Request) -> Option<Plan> {
        let (last, Some(_)) = (self.last.as_ref()?, &self.catalog) else { return None };
        let files = DiskFiles::new(root).ok()?;
        if files.read(CONFIG).ok()? != last.config {
            return None;
        }
        let appended = source::appended(&files, &self.known, FEW)?;
        // Whatever comes of it, the build that follows has a newer one.
        let mut catalog = self.catalog.take()?;
        let touched: Touched = appended.iter().collect();
        if appended.iter().any(|version| version.prompt().is_none()) {
            return None;
        }
        catalog.append(appended);
        let stale = last.stale(&catalog, &touched);
        let project = Project { catalog, warnings: Vec::new(), files, recorded: Arc::default() };
        if stale.len() > FEW { None } else { project.ahead(request, last, &stale) }
    }

    /// Takes note of what was written ahead: it is ours, whatever records the store turns out to have by then.
    pub fn wrote(&mut self, plan: &Plan, applied: &Applied) {
        let written = plan.steps.iter().zip(&applied.stats).filter(|(_, stat)| stat.is_some());
        self.wrote.extend(written.map(|(step, _)| (step.output.path.clone(), memo::written(step, None))));
    }

    /// Writes down what was written ahead, where no build that follows did.
    pub fn save(&self, root: &Path, request: &Request) {
        if request.remembers() && !self.wrote.is_empty() {
            memo::add(root, &self.wrote);
        }
    }
}

impl Project {
    /// What to do to the files of the prompts with these ids, if each has the one that it had.
    fn ahead(&self, request: &Request, last: &Last, stale: &HashSet<String>) -> Option<Plan> {
        let config = self.config().ok()?;
        let selected = select(&self.catalog, &request.selection).ok()?;
        let selected: Vec<&Versions> =
            selected.into_iter().filter(|versions| stale.contains(versions.header().id)).collect();
        if selected.len() != stale.iter().filter(|id| last.outputs.contains_key(id.as_str())).count() {
            return None;
        }
        let anywhere = !matches!(request.destination, Destination::Routed);
        let rules = Rules { root: self.files.root(), anywhere, force: false, prune: false };
        let resolver = Resolver::new(&self.catalog);
        let mut read = HashSet::new();
        let mut outputs = Vec::new();
        for prompt in selected.into_iter().map(Versions::latest) {
            let known = last.outputs.get(prompt.id.as_str())?;
            let resolved = resolver.current(prompt).ok()?;
            let output = self.rendered(prompt, &resolved, &config, &request.destination).ok()?;
            if output.path != known.path || !self.stands(prompt, &resolved, &mut read) {
                return None;
            }
            outputs.push(plan::look(output, rules, &|path, wish| self.files.look(path, wish)));
        }
        // What they are composed of was known in brief, and is not there.
        if self.catalog.lost().is_some() {
            return None;
        }
        let is_as_left = |output: &Output, bytes: &[u8]| {
            last.outputs.get(&output.id).is_some_and(|known| known.hash == text::hash(bytes))
        };
        plan::plan(outputs, rules, &is_as_left).ok()
    }

    /// Whether each record that `prompt` is composed from still stands where it was read. Those with an id in `read` were
    /// asked about before.
    fn stands<'p>(
        &'p self,
        prompt: &'p Prompt,
        resolved: &Resolved<'p>,
        read: &mut HashSet<&'p str>,
    ) -> bool {
        resolved.lineage.iter().all(|layer| {
            let own = (layer.name == prompt.name).then(|| self.catalog.versions_of(prompt)).flatten();
            let Some(versions) = own.or_else(|| self.catalog.named(layer.name)) else { return false };
            // A pinned one is rare enough to wait for the build.
            versions.header().version == layer.version
                && (!read.insert(versions.header().id) || Versions::stands(versions).unwrap_or(false))
        })
    }
}
