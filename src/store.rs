//! The store as a database: nothing acknowledged is lost, nothing half-written is seen.

pub mod append;
pub mod edit;
pub mod init;
pub mod lock;
pub mod mend;

use std::collections::HashSet;
use std::path::Path;

use crate::catalog::{Catalog, Versions};
use crate::problem::Problem;
use crate::prompt::{Prompt, Status};
use crate::resolve::{ResolveError, Resolver};
use crate::source::{self, Log, PROMPTS, Records, SCHEMAS, jsonl, log, record};
use crate::value::{Map, Value};

pub use append::StoreError;

/// What was written, and what is wrong with the store beside it.
#[derive(Debug)]
pub struct Written<T> {
    /// The record as it stands in the store now.
    pub record: T,
    /// Lines that are no records, and what the change breaks without being refused.
    pub warnings: Vec<Problem>,
}

/// Appends one version of a prompt, made from the prompts that there are.
///
/// `make` is called under the lock, with what the store holds at that moment. The version is refused if the
/// prompt could be composed before and could not be after.
///
/// # Errors
/// Whatever `make` refuses, and whatever keeps the store from being locked, read or written; it is then as it was.
pub fn append_prompt(
    root: &Path,
    make: impl FnOnce(&Catalog) -> Result<Prompt, Problem>,
) -> Result<Written<Prompt>, StoreError> {
    append::append(root, PROMPTS, |file| {
        let Log { versions, mut warnings, ended, .. } = log::read(PROMPTS, file)?;
        let mut catalog = Catalog::of(versions);
        let mut prompt = make(&catalog)?;
        prompt.origin = append::next_origin(PROMPTS, file.as_ref(), ended)?;
        warnings.extend(consequences(&mut catalog, &prompt)?);
        let line = append::line(&record::prompt_members(&prompt));
        Ok((line, Written { record: prompt, warnings }))
    })
}

/// Appends one state of a schema, made from the schemas that there are.
///
/// # Errors
/// As for [`append_prompt`].
pub fn append_schema(
    root: &Path,
    make: impl FnOnce(&[crate::schema::Schema]) -> Result<crate::schema::Schema, Problem>,
) -> Result<Written<crate::schema::Schema>, StoreError> {
    append::append(root, SCHEMAS, |file| {
        let bytes = append::all_of(SCHEMAS, file.as_ref())?;
        let Records { records, warnings } = jsonl::read(SCHEMAS, &bytes, record::schema)?;
        let mut schema = make(&source::latest_schemas(records))?;
        let ended = bytes.iter().filter(|byte| **byte == b'\n').count();
        schema.origin = append::next_origin(SCHEMAS, file.as_ref(), ended)?;
        let line = append::line(&record::schema_members(&schema));
        Ok((line, Written { record: schema, warnings }))
    })
}

/// What the change does to the prompt itself, which may refuse it, and to those that build on it.
fn consequences(catalog: &mut Catalog, prompt: &Prompt) -> Result<Vec<Problem>, Problem> {
    let old = catalog.versions_of(prompt).map(Versions::latest);
    let old_name = old.map_or(prompt.name.clone(), |old| old.name.clone());
    let resolver = Resolver::new(catalog);
    let was_fine = old.is_none_or(|old| resolver.current(old).and_then(|_| resolver.exact(old)).is_ok());
    let dependents = catalog.dependents(&[&old_name, &prompt.name]).into_iter();
    let others = dependents.map(Versions::latest);
    let in_use = others.filter(|other| other.id != prompt.id && other.status != Status::Archived);
    let fine: HashSet<String> =
        in_use.filter(|other| resolver.current(other).is_ok()).map(|other| other.id.clone()).collect();

    catalog.append([prompt.clone().into()]);
    let resolver = Resolver::new(catalog);
    let mut warnings = Vec::new();
    match resolver.current(prompt).and_then(|_| resolver.exact(prompt)) {
        Err(error) if was_fine => return Err(unplaced(&error)),
        Err(error) => warnings.push(error.problem()),
        Ok(_) => {}
    }
    let broken = catalog.current().filter(|other| fine.contains(&other.id));
    warnings.extend(broken.filter_map(|other| resolver.current(other).err()).map(|error| error.problem()));
    Ok(warnings)
}

/// The error without its place: the record it stands in was not written.
fn unplaced(error: &ResolveError) -> Problem {
    Problem { origin: None, ..error.problem() }
}

/// The time now, as records hold it: ISO 8601, to the millisecond, in UTC.
#[must_use]
pub fn now() -> String {
    format!("{:.3}", jiff::Timestamp::now())
}

/// A new id that begins with `prefix` and is none of `taken`: four hexadecimal digits, eight if those run out.
#[must_use]
pub fn new_id<'a>(prefix: &str, taken: impl Iterator<Item = &'a str>) -> String {
    let taken: HashSet<&str> = taken.collect();
    let short = std::iter::repeat_with(|| format!("{prefix}-{:04x}", fastrand::u16(..))).take(100);
    let long = std::iter::repeat_with(|| format!("{prefix}-{:08x}", fastrand::u32(..)));
    short.chain(long).find(|id| !taken.contains(id.as_str())).unwrap_or_default()
}

/// The JSON text of an object, on one line.
fn json(map: &Map) -> String {
    serde_json::to_string(&Value::Map(map.clone())).unwrap_or_default()
}
