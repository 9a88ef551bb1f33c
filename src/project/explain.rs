//! Why a file is what it is: whose it is, what it holds, what changed since, and who gave each part.

use std::path::Path;

use crate::catalog::Versions;
use crate::config::{Config, FALLBACK_DIR};
use crate::files::Standing;
use crate::ownership::State;
use crate::path;
use crate::plan::{self, Change, Rules};
use crate::problem::{Problem, nearest};
use crate::prompt::{Prompt, Status};
use crate::render::markdown;
use crate::resolve::{Layer, Resolved, Resolver};

use super::{Destination, Project, Whose};

/// All that is known of a file.
#[derive(Debug)]
pub struct Explained<'p> {
    /// The file, relative to the project's root.
    pub path: String,
    /// What it is to the project.
    pub verdict: Verdict,
    /// The current record of the prompt that is emitted to it, or was.
    pub prompt: &'p Prompt,
    /// What puts it there, in words.
    pub route: String,
    /// Where the prompt is emitted to now, if it is elsewhere.
    pub elsewhere: Option<String>,
    /// The state of the store that rendered what stands there, if it is not today's, and the prompt that it did it for.
    pub state: Option<(&'p Prompt, State)>,
    /// The records since then that changed the text, the oldest first.
    pub since: Vec<&'p Prompt>,
    /// The parts of the text as it should be.
    pub parts: Vec<Given<'p>>,
    /// The members of the front matter.
    pub frontmatter: Vec<Given<'p>>,
}

/// What a file is to its project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// It is what its prompt renders to.
    UpToDate,
    /// It is not there.
    Missing,
    /// It is ours, and its prompt renders to something else by now.
    Stale,
    /// A prompt is emitted to it, and somebody wrote or changed what stands there.
    Edited,
    /// It is ours, and no prompt is emitted to it any more.
    Orphan,
    /// A prompt was emitted to it once, and what stands there is somebody's own.
    Foreign,
}

impl Verdict {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::UpToDate => "up to date",
            Verdict::Missing => "missing",
            Verdict::Stale => "stale",
            Verdict::Edited => "edited",
            Verdict::Orphan => "orphan",
            Verdict::Foreign => "not ours",
        }
    }
}

/// A part of a file and the version of a prompt that gave it.
#[derive(Debug)]
pub struct Given<'p> {
    /// The section's name, or the member's.
    pub name: &'p str,
    /// Who gave it.
    pub from: Layer<'p>,
    /// Its first and last line as the file should be, where that can be told.
    pub lines: Option<(usize, usize)>,
}

impl Project {
    /// Why the file at `path`, relative to the root, is what it is; or the file of the prompt of that name.
    ///
    /// # Errors
    /// If no prompt is or was emitted to it, or the one that is cannot be.
    pub fn explain(&self, path: &str, name: &str) -> Result<Explained<'_>, Vec<Problem>> {
        let config = self.config().map_err(|problem| vec![problem])?;
        let place = |prompt: &Prompt| self.output_path(prompt.header(), &config, &Destination::Routed);
        let emitted = || self.catalog.current().filter(|prompt| prompt.status != Status::Archived);
        let places: Vec<(String, &Prompt)> =
            emitted().filter_map(|prompt| Some((place(prompt).ok()?, prompt))).collect();
        let takes = |wanted: &str| {
            let of_path = places.iter().filter(|(place, _)| path::key(place) == path::key(wanted));
            of_path.min_by_key(|(_, prompt)| prompt.status != Status::Active).map(|(_, prompt)| *prompt)
        };
        let whose = Whose::new(self, &config);
        if let Some(prompt) = takes(path) {
            return self.explain_output(prompt, path, &config, &whose);
        }
        let recorded = self.recorded.files.get(path).and_then(|written| self.catalog.with_id(&written.id));
        if let Some(prompt) = whose.holders(path).next().or(recorded.map(Versions::latest)) {
            let elsewhere = place(prompt).ok().filter(|_| prompt.status != Status::Archived);
            return self.explain_former(prompt, path, elsewhere, &whose);
        }
        if let Some(versions) = self.catalog.named(name) {
            let prompt = versions.latest();
            let path = place(prompt).map_err(|problem| vec![problem])?;
            return match prompt.status {
                Status::Archived => self.explain_former(prompt, &path, None, &whose),
                _ => self.explain_output(prompt, &path, &config, &whose),
            };
        }
        let near = nearest(path, places.iter().map(|(place, _)| place.as_str()));
        let hint = near
            .map_or("`cn emit --all --dry-run` lists the files that are emitted".to_owned(), |near| {
                format!("did you mean `{near}`?")
            });
        Err(vec![Problem::new(format!("no prompt is emitted to `{path}`, nor was one ever")).hint(hint)])
    }

    fn explain_output<'p>(
        &'p self,
        prompt: &'p Prompt,
        path: &str,
        config: &Config,
        whose: &Whose<'p, '_>,
    ) -> Result<Explained<'p>, Vec<Problem>> {
        let resolver = Resolver::new(&self.catalog);
        let resolved = resolver.current(prompt).map_err(|e| vec![e.problem()])?;
        let output = self.output(prompt, &resolver, config, &Destination::Routed).map_err(|e| vec![e])?;
        let rules = Rules { root: self.files.root(), anywhere: false, force: false, prune: false };
        let look = |path: &Path, wish: Option<_>| self.files.look(path, wish);
        let looked = plan::look(output, rules, &look);
        let plan = plan::plan(vec![looked], rules, &|output, bytes| whose.is_ours(output, bytes))?;
        let step = plan.steps.first();
        let verdict = match step.map(|step| step.change) {
            Some(Change::Create) => Verdict::Missing,
            Some(Change::Update) => Verdict::Stale,
            Some(Change::Edited) => Verdict::Edited,
            _ => Verdict::UpToDate,
        };
        let found = step.filter(|step| step.change == Change::Update);
        let state = found.and_then(|step| whose.state(&prompt.id, path, &step.found));
        let own = state.filter(|(of, _)| of.id == prompt.id);
        let since = own.map(|(_, state)| whose.past(prompt).since(state, path)).unwrap_or_default();
        Ok(Explained {
            path: path.to_owned(),
            verdict,
            prompt,
            route: route(prompt, config),
            elsewhere: None,
            state,
            since,
            parts: parts(&resolved, path),
            // A module has none.
            frontmatter: if path.ends_with(".ts") { Vec::new() } else { self.givers(&resolved) },
        })
    }

    /// Of a file that no prompt is emitted to any more.
    fn explain_former<'p>(
        &'p self,
        prompt: &'p Prompt,
        path: &str,
        elsewhere: Option<String>,
        whose: &Whose<'p, '_>,
    ) -> Result<Explained<'p>, Vec<Problem>> {
        let standing =
            self.files.look(Path::new(path), None).map_err(|e| vec![Problem::new(e.to_string())])?;
        let (verdict, state) = match standing {
            (_, Standing::File(bytes, _)) => match whose.state(&prompt.id, path, &bytes) {
                Some(state) => (Verdict::Orphan, Some(state)),
                None if self.recorded.holds(path, &bytes) => (Verdict::Orphan, None),
                None => (Verdict::Foreign, None),
            },
            _ => {
                let problem =
                    Problem::new(format!("no prompt is emitted to `{path}` any more, and nothing is there"));
                return Err(vec![problem.at(&prompt.origin).hint(went(prompt, elsewhere.as_deref()))]);
            }
        };
        let prompt = state.map_or(prompt, |(of, _)| of);
        let route = went(prompt, elsewhere.as_deref());
        let (path, since) = (path.to_owned(), Vec::new());
        let (parts, frontmatter) = (Vec::new(), Vec::new());
        Ok(Explained { path, verdict, prompt, route, elsewhere, state, since, parts, frontmatter })
    }

    /// Who gave each member of the front matter.
    fn givers<'p>(&'p self, resolved: &Resolved<'p>) -> Vec<Given<'p>> {
        let own = Layer { name: resolved.name, version: resolved.prompt.version };
        let described = resolved.prompt.description.as_ref().filter(|text| !text.is_empty());
        let bare = [Some("name"), described.map(|_| "description")].into_iter().flatten();
        let bare = bare.filter(|name| !resolved.frontmatter.contains_key(name));
        let bare = bare.map(|name| Given { name, from: own, lines: None });
        let merged = resolved.frontmatter.iter().map(|(name, value)| {
            // The very value, since a layer may be applied more than once.
            let gave = |layer: &&Layer<'p>| {
                let record = self.catalog.named_at(layer.name, layer.version);
                record
                    .and_then(|record| record.frontmatter.get(*name))
                    .is_some_and(|own| std::ptr::eq(own, *value))
            };
            let from = resolved.lineage.iter().find(gave).copied().unwrap_or(own);
            Given { name, from, lines: None }
        });
        bare.chain(merged).collect()
    }
}

fn parts<'p>(resolved: &Resolved<'p>, path: &str) -> Vec<Given<'p>> {
    let lines =
        markdown::lines(resolved).into_iter().map(|lines| Some(lines).filter(|_| !path.ends_with(".ts")));
    let parts = resolved.sections.iter().zip(lines);
    parts.map(|(part, lines)| Given { name: part.name, from: part.from, lines }).collect()
}

/// Why a prompt goes where it goes.
fn route(prompt: &Prompt, config: &Config) -> String {
    let file = if prompt.emit_as.is_some() { ", named by its `emitAs`" } else { "" };
    if prompt.emit_dir.as_ref().is_some_and(|dir| !dir.is_empty()) {
        return format!("its `emitDir`{file}");
    }
    let by_tag = prompt.tags.iter().find_map(|tag| {
        let (name, _) = config.targets.iter().find(|(_, target)| target.tags.contains(tag))?;
        Some(format!("the target `{name}`, for its tag `{tag}`{file}"))
    });
    let default = || config.targets.iter().find(|(_, target)| target.default);
    by_tag.unwrap_or_else(|| match default() {
        Some((name, _)) => format!("the default target `{name}`{file}"),
        None => format!("`{FALLBACK_DIR}`, since there is no default target{file}"),
    })
}

/// What became of a prompt whose file this was.
fn went(prompt: &Prompt, elsewhere: Option<&str>) -> String {
    match elsewhere {
        Some(path) => format!("`{}` is emitted to `{path}` now", prompt.name),
        None if prompt.status == Status::Archived => format!("`{}` is archived", prompt.name),
        None => format!("`{}` is not emitted to it", prompt.name),
    }
}
