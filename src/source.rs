//! Reads a project's records, one file a format, into the one shape that all formats share.

pub mod jsonl;
mod known;
pub mod log;
mod packed;
pub mod record;
mod segment;
mod skim;

use crate::files::{FileError, Files};
use crate::problem::Problem;
use crate::prompt::{Prompt, Version};
use crate::schema::Schema;

pub use known::{Known, Touched};
pub use log::Log;

/// Where the prompts of a store stand, relative to the project's root.
pub const PROMPTS: &str = ".canopy/prompts.jsonl";

/// Where the schemas of a store stand, relative to the project's root.
pub const SCHEMAS: &str = ".canopy/schemas.jsonl";

/// What was read, and what could not be: a bad record never hides the good ones.
#[derive(Debug)]
pub struct Records<T> {
    /// The records, in the order of their lines.
    pub records: Vec<T>,
    /// One for each line that is no record; the line stays in the file whatever is written.
    pub warnings: Vec<Problem>,
}

/// Reads every version of every prompt of the project. A store without the file is an empty one.
///
/// # Errors
/// If the file cannot be read, or holds the conflict markers of an unfinished merge.
pub fn prompts(files: &dyn Files) -> Result<Records<Prompt>, Problem> {
    records(files, PROMPTS, record::prompt)
}

/// Finds every version of every prompt of the project, and reads those that are current and not known in brief. A store without the file is an
/// empty one. Whoever reads again and again brings what is `known`.
///
/// # Errors
/// As for [`prompts`].
pub fn log(files: &dyn Files, known: Option<&mut Known>) -> Result<Log, Problem> {
    match files.open(PROMPTS).map_err(|e| unreadable(&e))? {
        Some(pieces) => match known {
            Some(known) => log::reread(PROMPTS, &pieces, known),
            None => log::read(PROMPTS, &pieces),
        },
        None => Ok(Log::default()),
    }
}

/// The versions whose records were appended to the prompts' file since it became `known`, as its end tells; `None` if it
/// cannot be told that this is all, and if they are more than `most`.
#[must_use]
pub fn appended(files: &dyn Files, known: &Known, most: usize) -> Option<Vec<Version>> {
    known::appended(PROMPTS, &files.open(PROMPTS).ok()??, known, most)
}

/// Reads every schema of the project. A store without the file has none.
///
/// # Errors
/// If the file cannot be read, or holds the conflict markers of an unfinished merge.
pub fn schemas(files: &dyn Files) -> Result<Records<Schema>, Problem> {
    records(files, SCHEMAS, record::schema)
}

/// The state of each schema: of several lines with one id the last counts.
#[must_use]
pub fn latest_schemas(records: Vec<Schema>) -> Vec<Schema> {
    let mut latest: indexmap::IndexMap<String, Schema> = indexmap::IndexMap::new();
    for schema in records {
        latest.insert(schema.id.clone(), schema);
    }
    latest.into_values().collect()
}

fn records<T>(files: &dyn Files, path: &str, parse: jsonl::Parse<T>) -> Result<Records<T>, Problem> {
    let bytes = files.read(path).map_err(|e| unreadable(&e))?;
    jsonl::read(path, &bytes.unwrap_or_default(), parse)
}

fn unreadable(error: &FileError) -> Problem {
    Problem::new(error.to_string()).hint("a store that cannot be read is never taken for an empty one")
}
