//! Which file each prompt renders to, where it goes, and what is to happen to it.

use std::path::Path;
use std::sync::Arc;

use crate::catalog::Versions;
use crate::config::Config;
use crate::cores;
use crate::path;
use crate::plan::{self, Looked, Plan, Rules};
use crate::problem::Problem;
use crate::prompt::{Header, Prompt};
use crate::render::{Output, render};
use crate::resolve::{Resolved, Resolver};

use super::memo::{MANY, Memo};
use super::session::Spared;
use super::whose::{self, Whose};
use super::{Destination, Project, Request, select};

impl Project {
    /// What is to happen to which file, as `request` asks.
    pub(super) fn plan<'p>(
        &'p self,
        request: &Request,
        config: &Config,
        spared: &Spared,
        memo: &mut Memo,
    ) -> Result<Plan, Vec<Problem>> {
        let selected = select(&self.catalog, &request.selection)?;
        if let (Destination::File(_), true) = (&request.destination, selected.len() != 1) {
            let message = format!("one file cannot take {} prompts", selected.len());
            return Err(vec![Problem::new(message).hint("name one prompt, or give a folder")]);
        }
        let rules = Rules {
            root: self.files.root(),
            anywhere: !matches!(request.destination, Destination::Routed),
            force: request.force,
            prune: request.prune,
        };
        let look = |output| plan::look(output, rules, &|path, wish| self.files.look(path, wish));
        let run = |resolver: &mut Resolver<'p>, run: &[&'p Versions]| -> Vec<Result<Looked, Problem>> {
            let rendered = |prompts: &'p Versions| {
                self.output(prompts.latest(), resolver, config, &request.destination).map(look)
            };
            let mut spared = spared.look(&self.files);
            run.iter().map(|prompt| spared(prompt.header()).map_or_else(|| rendered(prompt), Ok)).collect()
        };
        let mut outputs = Vec::with_capacity(selected.len());
        let mut problems = Vec::new();
        let resolver = || Resolver::new(&self.catalog);
        for output in cores::share_with(&selected, 64, resolver, run).into_iter().flatten() {
            match output {
                Ok(output) => outputs.push(output),
                Err(problem) => problems.push(problem),
            }
        }
        if request.prune && !self.is_sound() {
            let message = "nothing is deleted while lines of the store cannot be read, or the store is gone";
            problems.push(Problem::new(message).hint("`cn doctor` says what is wrong with the store"));
        }
        let whose = Whose::new(self, config);
        let is_sweeping = request.is_whole() && self.is_sound();
        let paths: Vec<Arc<str>> = outputs.iter().map(|looked| Arc::clone(looked.path())).collect();
        let left_over = || {
            let waiting =
                self.catalog.all().map(Versions::header).filter(|prompt| whose::is_waiting(*prompt));
            let waiting =
                waiting.filter_map(|prompt| self.output_path(prompt, config, &Destination::Routed).ok());
            whose.left_over(&paths.iter().cloned().chain(waiting.map(Arc::from)).collect(), &self.files)
        };
        let left_over = || is_sweeping.then(left_over);
        let plan = || plan::plan(outputs, rules, &|output, bytes| whose.is_ours(output, bytes));
        let (plan, left) = cores::both(paths.len() > MANY, plan, left_over);
        let mut plan = match plan {
            Ok(plan) if problems.is_empty() => plan,
            Ok(_) => return Err(problems),
            Err(more) => return Err(problems.into_iter().chain(more).collect()),
        };
        if let Some(left) = left {
            let folders = whose.sweep(&mut plan, rules, left, &self.files)?;
            memo.whole = self.files.input_stats().zip(folders);
        }
        Ok(plan)
    }

    /// What `prompt` renders to, and where that goes.
    pub(super) fn output<'a>(
        &'a self,
        prompt: &'a Prompt,
        resolver: &Resolver<'a>,
        config: &Config,
        destination: &Destination,
    ) -> Result<Output, Problem> {
        let resolved = resolver.current(prompt).map_err(|e| e.problem())?;
        self.rendered(prompt, &resolved, config, destination)
    }

    /// What `prompt`, resolved, renders to, and where that goes.
    pub(super) fn rendered(
        &self,
        prompt: &Prompt,
        resolved: &Resolved<'_>,
        config: &Config,
        destination: &Destination,
    ) -> Result<Output, Problem> {
        let path = self.output_path(prompt.header(), config, destination)?;
        Ok(Output {
            contents: render(resolved, &path),
            path: path.into(),
            id: prompt.id.as_str().into(),
            name: prompt.name.as_str().into(),
            version: resolved.prompt.version,
            origin: prompt.origin.clone(),
        })
    }

    /// Where `prompt` goes: relative to the root if it is inside, else absolute.
    pub(super) fn output_path(
        &self,
        prompt: Header<'_>,
        config: &Config,
        destination: &Destination,
    ) -> Result<String, Problem> {
        let default = || format!("{}.md", prompt.name);
        let file = prompt.emit_as.map_or_else(default, str::to_owned);
        let inside = |dir: &str| {
            path::inside(dir, &file).map_err(|e| {
                let place = if dir.is_empty() { file.clone() } else { format!("{dir}/{file}") };
                Problem::new(format!("`{}` cannot be emitted: `{place}` {e}", prompt.name))
                    .at(&super::origin(prompt.line))
                    .hint("set another `emitAs` or `emitDir`, or the target's `dir`, inside the project")
            })
        };
        match destination {
            Destination::Routed => inside(config.dir(prompt)),
            Destination::Dir(dir) => Ok(self.shown(&dir.join(inside("")?))),
            Destination::File(file) => Ok(self.shown(file)),
        }
    }

    /// A typed path as it is shown and written to: relative to the root where that is possible.
    #[must_use]
    pub fn shown(&self, path: &Path) -> String {
        let inside = path.strip_prefix(self.files.root()).ok().and_then(Path::to_str);
        let names = inside.map(|inside| inside.replace(std::path::MAIN_SEPARATOR, "/"));
        names.unwrap_or_else(|| path.to_string_lossy().into_owned())
    }
}
