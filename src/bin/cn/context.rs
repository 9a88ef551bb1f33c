//! What every command stands on: where it was called, and the project that it is about.

use std::cell::RefCell;
use std::path::{Path, PathBuf};

use canopy::files::{self, Input};
use canopy::problem::Problem;
use canopy::project::{self, Failure, Project};
use canopy::prompt::Prompt;

use crate::args::Global;

/// Where a command was called and how it is to answer.
pub(crate) struct Context {
    /// Whether the answer is JSON: then no text is made.
    pub(crate) json: bool,
    /// Whether a person may be asked, if there is one.
    pub(crate) may_ask: bool,
    /// Whether it is to say what it reads.
    verbose: bool,
    root: Option<PathBuf>,
    /// What was read, and from where, for whoever asked to be told.
    read: RefCell<String>,
    /// Where the project is, seen from where the command was called.
    base: RefCell<PathBuf>,
}

impl Context {
    pub(crate) fn new(global: &Global, json: bool) -> Context {
        let root = global.root.clone().filter(|root| !root.is_empty()).map(PathBuf::from);
        let may_ask = !json && !global.quiet;
        Context {
            json,
            may_ask,
            verbose: global.verbose,
            root,
            read: RefCell::default(),
            base: RefCell::default(),
        }
    }

    /// The folder that the command was called in.
    #[expect(clippy::disallowed_methods, reason = "this is where the current folder comes in")]
    pub(crate) fn here() -> Result<PathBuf, Failure> {
        std::env::current_dir()
            .map_err(|e| failure(Problem::new(format!("cannot tell the current folder: {e}"))))
    }

    /// The folder that a new store is made in.
    pub(crate) fn new_root(&self) -> Result<PathBuf, Failure> {
        let here = Context::here()?;
        Ok(self.root.as_ref().map_or_else(|| here.clone(), |root| here.join(root)))
    }

    /// The project's root: the folder given, or the nearest one upwards that holds a store.
    pub(crate) fn root(&self) -> Result<PathBuf, Failure> {
        let root = self.find_root()?;
        let base = root.strip_prefix(Context::here()?).unwrap_or(&root);
        self.base.replace(base.to_owned());
        Ok(root)
    }

    /// Where the project is, seen from where the command was called: whole if it is not below.
    pub(crate) fn base(&self) -> PathBuf {
        self.base.take()
    }

    fn find_root(&self) -> Result<PathBuf, Failure> {
        let hint = "`cn init` makes a store here, `--root DIR` looks elsewhere";
        let here = Context::here()?;
        match &self.root {
            Some(root) if files::is_root(&here.join(root)) => Ok(here.join(root)),
            Some(root) => {
                let message = format!("there is no `.canopy` in `{}`", root.display());
                Err(failure(Problem::new(message).hint(hint)))
            }
            None => files::find_root(&here).ok_or_else(|| {
                failure(Problem::new("there is no `.canopy` here or in a folder above").hint(hint))
            }),
        }
    }

    /// The opened project.
    pub(crate) fn open(&self) -> Result<Project, Failure> {
        let root = self.root()?;
        let project = project::open(&root)?;
        self.remember(&root, &project.inputs());
        Ok(project)
    }

    /// Remembers what was read, if it is to be told.
    pub(crate) fn remember(&self, root: &Path, inputs: &[Input]) {
        if !self.verbose || self.json {
            return;
        }
        let mut read = format!("root: {}\n", root.display());
        for input in inputs {
            let found = if input.found { "read" } else { "not there" };
            read.push_str(&format!("{found}: {}\n", input.path));
        }
        self.read.replace(read);
    }

    /// What was read, as lines.
    pub(crate) fn read(&self) -> String {
        self.read.take()
    }

    /// A path that was typed, seen from where it was typed.
    pub(crate) fn typed(path: &Path) -> Result<PathBuf, Failure> {
        let mut whole = PathBuf::new();
        for name in Context::here()?.join(path).components() {
            match name {
                std::path::Component::ParentDir => drop(whole.pop()),
                name => whole.push(name),
            }
        }
        Ok(whole)
    }
}

/// One problem as a failure.
pub(crate) fn failure(problem: Problem) -> Failure {
    Failure { problems: vec![problem], ..Failure::default() }
}

/// The version that `NAME` or `NAME@VERSION` means, and whether a version was asked for.
pub(crate) fn version<'p>(project: &'p Project, typed: &str) -> Result<(&'p Prompt, bool), Failure> {
    let catalog = &project.catalog;
    if let Some(versions) = catalog.named(typed) {
        return Ok((versions.latest(), false));
    }
    let split = typed.rsplit_once('@').and_then(|(name, at)| Some((name, catalog.named(name)?, at)));
    let Some((name, versions, at)) = split else {
        return Err(of(project, project::unknown(catalog, typed)));
    };
    let found = at.parse().ok().and_then(|number| catalog.named_at(name, number));
    found.map(|prompt| (prompt, true)).ok_or_else(|| {
        let problem = match at.parse::<u64>() {
            Ok(_) => Problem::new(format!("`{name}` has no version {at}")),
            Err(_) => Problem::new(format!("`{at}` is no version number")),
        };
        let last = versions.latest().version;
        of(project, problem.hint(format!("its latest version is {last}; `cn history {name}` lists them all")))
    })
}

/// The current state of the prompt that a typed name means.
pub(crate) fn named<'p>(project: &'p Project, typed: &str) -> Result<&'p canopy::catalog::Versions, Failure> {
    project.catalog.named(typed).ok_or_else(|| of(project, project::unknown(&project.catalog, typed)))
}

/// A problem with what the project holds, beside what is wrong with its store.
pub(crate) fn of(project: &Project, problem: Problem) -> Failure {
    Failure { problems: vec![problem], warnings: project.warnings.clone(), inputs: project.inputs() }
}
