//! Looks for what is wrong with a project, one check after the other, and mends what is safe to mend.

mod emitted;
mod git;
mod integrity;
mod locks;
mod mend;
mod mulch;
mod prompts;
mod twins;

use std::path::Path;

use crate::catalog::Catalog;
use crate::files::DiskFiles;
use crate::problem::Problem;
use crate::prompt::Prompt;
use crate::schema::Schema;
use crate::source::{self, Records};

pub use mend::{Mended, mend};

/// What a check came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// All is as it should be.
    Pass,
    /// Something is worth a look, and nothing fails by it.
    Warn,
    /// Something is wrong.
    Fail,
}

impl Verdict {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Warn => "warn",
            Verdict::Fail => "fail",
        }
    }
}

/// One thing that was looked at, and what was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Check {
    /// What was looked at.
    pub name: &'static str,
    /// What it came to.
    pub verdict: Verdict,
    /// What was found, in a line.
    pub message: String,
    /// Each finding, with its place.
    pub details: Vec<String>,
    /// Whether [`mend`] can do something about it.
    pub fixable: bool,
}

impl Check {
    fn new(name: &'static str, verdict: Verdict, message: impl Into<String>) -> Check {
        Check { name, verdict, message: message.into(), details: Vec::new(), fixable: false }
    }

    fn pass(name: &'static str, message: impl Into<String>) -> Check {
        Check::new(name, Verdict::Pass, message)
    }

    fn warn(name: &'static str, message: impl Into<String>, details: Vec<String>) -> Check {
        Check { details, ..Check::new(name, Verdict::Warn, message) }
    }

    fn fail(name: &'static str, message: impl Into<String>, details: Vec<String>) -> Check {
        Check { details, ..Check::new(name, Verdict::Fail, message) }
    }

    /// A check that could not be made is no reason to say that all is well.
    fn skipped(name: &'static str, why: &str) -> Check {
        Check::new(name, Verdict::Warn, format!("skipped: {why}"))
    }

    fn fixable(self, fixable: bool) -> Check {
        Check { fixable, ..self }
    }
}

/// The store as it was read, once for all checks.
struct Store {
    prompts: Result<Records<Prompt>, Problem>,
    schemas: Result<Records<Schema>, Problem>,
    /// The prompts by name, if they could be read.
    catalog: Option<Catalog>,
}

impl Store {
    fn read(files: &DiskFiles) -> Store {
        let prompts = source::prompts(files);
        let catalog = prompts.as_ref().ok().map(|read| Catalog::new(read.records.clone()));
        Store { prompts, schemas: source::schemas(files), catalog }
    }
}

/// Why the checks that are about prompts were not made.
const NO_PROMPTS: &str = "the prompts cannot be read";

/// Makes every check on the project at `root`; one that fails keeps none of the others from being made.
///
/// # Errors
/// If `root` is no folder that can be looked into.
pub fn examine(root: &Path) -> Result<Vec<Check>, Problem> {
    let files = DiskFiles::new(root).map_err(|e| Problem::new(e.to_string()))?;
    let store = Store::read(&files);
    let config = integrity::config(&files);
    let emitted = emitted::check(root, &store, config.verdict != Verdict::Fail);
    Ok(vec![
        config,
        integrity::records("prompts-integrity", source::PROMPTS, &store.prompts, &files),
        integrity::records("schemas-integrity", source::SCHEMAS, &store.schemas, &files),
        prompts::validation(&store),
        prompts::inheritance(&store),
        emitted,
        twins::check(&store),
        locks::check(root),
        mulch::check(&store, &files),
        git::check(&files),
    ])
}

/// A problem in a line: its place, what it is, and the way out.
fn told(problem: &Problem) -> String {
    match &problem.hint {
        Some(hint) => format!("{} ({hint})", placed(problem)),
        None => placed(problem),
    }
}

/// A problem in a line: its place and what it is.
fn placed(problem: &Problem) -> String {
    match &problem.origin {
        Some(origin) => format!("{origin}: {}", problem.message),
        None => problem.message.clone(),
    }
}

/// `1 file`, `2 files`.
fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}
