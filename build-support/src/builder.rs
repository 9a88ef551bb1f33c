//! What a build script asks for, and what it gets: constants, a check, or files in the source tree.
#![expect(clippy::disallowed_methods, reason = "Cargo speaks to a build script by environment and stdout")]

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use canopy::catalog::Versions;
use canopy::files::{self, Input};
use canopy::plan::{Change, Step};
use canopy::problem::Problem;
use canopy::project::{self, Failure, Project, Request, Selection};
use canopy::render::Output;
use canopy::resolve::Resolver;

use crate::cargo::Cargo;
use crate::error::Error;
use crate::module::{self, Entry};
use crate::out;

/// Emits every active prompt of the nearest `.canopy`, upwards from the crate, into the module `prompts.rs` in
/// `OUT_DIR`, which [`include_prompts!`](crate::include_prompts) includes.
///
/// # Errors
/// If there is no `.canopy`, a prompt cannot be composed, or something cannot be read or written. Cargo has been told.
pub fn emit() -> Result<(), Error> {
    Builder::new().emit()
}

/// What is emitted, where from and where to.
///
/// ```no_run
/// // build.rs
/// fn main() -> Result<(), canopy_build::Error> {
///     canopy_build::Builder::new().root("../agents").select("review-*").module("review.rs").emit()
/// }
/// ```
#[derive(Debug, Clone)]
pub struct Builder {
    root: Option<PathBuf>,
    selection: Vec<String>,
    out_dir: Option<PathBuf>,
    module: String,
}

impl Default for Builder {
    fn default() -> Self {
        Builder { root: None, selection: Vec::new(), out_dir: None, module: "prompts.rs".to_owned() }
    }
}

impl Builder {
    /// Every active prompt of the nearest `.canopy`, into `prompts.rs` in `OUT_DIR`.
    #[must_use]
    pub fn new() -> Builder {
        Builder::default()
    }

    /// The folder that holds `.canopy`; a relative path begins at the crate's `Cargo.toml`.
    #[must_use]
    pub fn root(mut self, root: impl Into<PathBuf>) -> Builder {
        self.root = Some(root.into());
        self
    }

    /// Only the prompt of this name, or the active ones that this glob matches; may be called again for more.
    #[must_use]
    pub fn select(mut self, name_or_glob: impl Into<String>) -> Builder {
        self.selection.push(name_or_glob.into());
        self
    }

    /// Where the module and its texts go, if not to `OUT_DIR`; a relative path begins at the crate's `Cargo.toml`.
    #[must_use]
    pub fn out_dir(mut self, dir: impl Into<PathBuf>) -> Builder {
        self.out_dir = Some(dir.into());
        self
    }

    /// What the module's file is called, if not `prompts.rs`: a build script may make several.
    #[must_use]
    pub fn module(mut self, file: impl Into<String>) -> Builder {
        self.module = file.into();
        self
    }

    /// Writes the module and the texts that it includes; what is there already is not touched.
    ///
    /// # Errors
    /// As for [`emit`].
    pub fn emit(&self) -> Result<(), Error> {
        self.run(Builder::module_to, &Crate::of_environment(), &mut io::stdout())
    }

    /// Fails with the list if the files that the project commits are not what its prompts render to, as `cn emit
    /// --check` does. Writes nothing.
    ///
    /// # Errors
    /// As for [`emit`], and one problem for each file that is missing, stale, edited or of no prompt any more.
    pub fn check(&self) -> Result<(), Error> {
        self.run(Builder::check_tree, &Crate::of_environment(), &mut io::stdout())
    }

    /// Writes the files of the project to where the prompts and the configuration say, as `cn emit` does.
    ///
    /// A file that somebody edited stays as it is, and is an error. A build that changes its own sources surprises people, and Cargo refuses to publish what did so: call this
    /// only where it is wanted.
    ///
    /// # Errors
    /// As for [`emit`].
    pub fn emit_into_source_tree(&self) -> Result<(), Error> {
        self.run(Builder::write_tree, &Crate::of_environment(), &mut io::stdout())
    }

    /// Finds the project, does one of the above, and tells Cargo how it went.
    pub(crate) fn run(&self, ending: Ending, asking: &Crate, out: &mut dyn Write) -> Result<(), Error> {
        let found = asking.manifest_dir().and_then(|dir| self.find_root(dir));
        let (root, done) = match found {
            Ok(root) => {
                let done = ending(self, &root, asking, &mut Cargo::new(&root, out));
                (root, done)
            }
            Err(problem) => (PathBuf::new(), Err(vec![problem])),
        };
        let Err(problems) = done else { return Ok(()) };
        let error = Error::new(&root, problems);
        // Where Cargo cannot be told, the error that is returned still says it.
        let _ = Cargo::new(&root, out).fail(&error);
        Err(error)
    }

    fn find_root(&self, crate_dir: &Path) -> Result<PathBuf, Problem> {
        let hint = "`cn init` makes a store, `Builder::root` names another folder";
        match &self.root {
            Some(root) if files::is_root(&crate_dir.join(root)) => Ok(straight(&crate_dir.join(root))),
            Some(root) => {
                let root = straight(&crate_dir.join(root));
                Err(Problem::new(format!("there is no `.canopy` in `{}`", root.display())).hint(hint))
            }
            None => files::find_root(crate_dir).ok_or_else(|| {
                let message = format!("there is no `.canopy` in `{}` or a folder above", crate_dir.display());
                Problem::new(message).hint(hint)
            }),
        }
    }

    pub(crate) fn module_to(&self, root: &Path, asking: &Crate, cargo: &mut Cargo<'_>) -> Done {
        let project = told(project::open(root), cargo)?;
        tell(cargo, &project.inputs(), &project.warnings)?;
        let entries = self.entries(&project)?;
        let folder = self.module.strip_suffix(".rs").unwrap_or("");
        if folder.is_empty() || folder.contains(['/', '\\']) {
            let problem = Problem::new(format!("`{}` is no name for a module's file", self.module));
            return Err(vec![problem.hint("give one like `prompts.rs`, and the folder with `out_dir`")]);
        }
        let out_dir = match &self.out_dir {
            Some(dir) => asking.manifest_dir().map_err(|problem| vec![problem])?.join(dir),
            None => asking.out_dir().map_err(|problem| vec![problem])?.to_owned(),
        };
        let texts: BTreeMap<String, &str> =
            entries.iter().map(|entry| (entry.file(), entry.text.as_str())).collect();
        out::fill(&out_dir.join(folder), &texts)
            .and_then(|()| {
                out::write_over_own(&out_dir.join(&self.module), &module::module(&entries, folder))
            })
            .map_err(|e| vec![Problem::new(format!("cannot write to `{}`: {e}", out_dir.display()))])
    }

    fn entries<'p>(&self, project: &'p Project) -> Result<Vec<Entry<'p>>, Vec<Problem>> {
        let resolver = Resolver::new(&project.catalog);
        let mut entries = Vec::new();
        let mut problems = Vec::new();
        for prompt in project::select(&project.catalog, &self.selection())?.into_iter().map(Versions::latest)
        {
            match resolver.current(prompt) {
                Ok(resolved) => entries.push(Entry::new(resolved)),
                Err(e) => problems.push(e.problem()),
            }
        }
        problems.extend(module::clashes(&entries));
        if problems.is_empty() { Ok(entries) } else { Err(problems) }
    }

    pub(crate) fn check_tree(&self, root: &Path, _: &Crate, cargo: &mut Cargo<'_>) -> Done {
        let built = told(project::build(root, &self.request()), cargo)?;
        tell(cargo, &built.inputs, &built.warnings)?;
        let committed = built.plan.steps.iter().map(|step| root.join(&*step.output.path));
        cargo.watch_files(committed).map_err(|e| untold(&e))?;
        let problems: Vec<Problem> = built.plan.differing().map(differing).collect();
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    pub(crate) fn write_tree(&self, root: &Path, _: &Crate, cargo: &mut Cargo<'_>) -> Done {
        let built = told(project::build(root, &self.request()), cargo)?;
        tell(cargo, &built.inputs, &built.warnings)?;
        let applied = canopy::write::apply(&built.plan);
        let failed = applied.failed.iter().map(|e| Problem::new(e.to_string()).at(&e.origin));
        let edited = built.plan.steps.iter().filter(|step| step.change == Change::Edited).map(differing);
        let problems: Vec<Problem> = failed.chain(edited).collect();
        if problems.is_empty() { Ok(()) } else { Err(problems) }
    }

    fn request(&self) -> Request {
        Request { selection: self.selection(), ..Request::default() }
    }

    fn selection(&self) -> Selection {
        match self.selection.as_slice() {
            [] => Selection::All,
            names => Selection::Named(names.to_vec()),
        }
    }
}

/// A path without the `..` in it, as people read it, if it then leads to the same place.
fn straight(path: &Path) -> PathBuf {
    let mut straight = PathBuf::new();
    for name in path.components() {
        match name {
            Component::ParentDir => drop(straight.pop()),
            name => straight.push(name),
        }
    }
    let is_same = path.canonicalize().ok() == straight.canonicalize().ok();
    if is_same { straight } else { path.to_owned() }
}

/// What is wrong with a committed file, and the command that mends it.
fn differing(step: &Step) -> Problem {
    let Output { path, name, origin, .. } = &step.output;
    let (what, hint) = match step.change {
        Change::Create => ("is missing", format!("`cn emit {name}` writes it")),
        Change::Edited => (
            "was edited",
            format!("`cn emit {name} --diff` shows what was edited, `cn emit {name} --force` overwrites it"),
        ),
        Change::Orphan | Change::Remove => {
            ("is of no prompt any more", "`cn emit --all --prune` deletes it".to_owned())
        }
        Change::Update | Change::Unchanged => ("is stale", format!("`cn emit {name}` writes it")),
    };
    Problem::new(format!("`{path}` {what}")).at(origin).hint(hint)
}

/// What becomes of a build: done, or what is wrong.
type Done = Result<(), Vec<Problem>>;

/// One way in which a build ends.
pub(crate) type Ending = fn(&Builder, &Path, &Crate, &mut Cargo<'_>) -> Done;

/// The crate that is built, as Cargo's environment tells of it.
pub(crate) struct Crate {
    pub(crate) manifest_dir: Option<PathBuf>,
    pub(crate) out_dir: Option<PathBuf>,
}

impl Crate {
    fn of_environment() -> Crate {
        let path = |name| std::env::var_os(name).map(PathBuf::from);
        Crate { manifest_dir: path("CARGO_MANIFEST_DIR"), out_dir: path("OUT_DIR") }
    }

    fn manifest_dir(&self) -> Result<&Path, Problem> {
        self.manifest_dir.as_deref().ok_or_else(|| not_a_build("CARGO_MANIFEST_DIR"))
    }

    fn out_dir(&self) -> Result<&Path, Problem> {
        self.out_dir.as_deref().ok_or_else(|| not_a_build("OUT_DIR"))
    }
}

fn not_a_build(variable: &str) -> Problem {
    Problem::new(format!("`{variable}` is not set")).hint("this is for build scripts, which Cargo runs")
}

/// What was built, or why not; in that case Cargo knows what to wait for.
fn told<T>(built: Result<T, Failure>, cargo: &mut Cargo<'_>) -> Result<T, Vec<Problem>> {
    built.map_err(|failure| {
        let more = tell(cargo, &failure.inputs, &failure.warnings).err().unwrap_or_default();
        failure.problems.into_iter().chain(more).collect()
    })
}

fn tell(cargo: &mut Cargo<'_>, inputs: &[Input], warnings: &[Problem]) -> Done {
    cargo.watch(inputs).and_then(|()| cargo.warn(warnings)).map_err(|e| untold(&e))
}

fn untold(e: &io::Error) -> Vec<Problem> {
    vec![Problem::new(format!("cannot tell Cargo: {e}"))]
}
