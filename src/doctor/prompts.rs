//! Whether every prompt in use can be composed, and is what its schema wants.

use crate::prompt::Status;
use crate::resolve::Resolver;
use crate::source;
use crate::validate;

use super::{Check, NO_PROMPTS, Store, count, told};

/// What `cn validate --all` says.
pub(super) fn validation(store: &Store) -> Check {
    const NAME: &str = "schema-validation";
    let Some(catalog) = &store.catalog else { return Check::skipped(NAME, NO_PROMPTS) };
    let Ok(schemas) = &store.schemas else { return Check::skipped(NAME, "the schemas cannot be read") };
    let schemas = source::latest_schemas(schemas.records.clone());
    let found = validate::all(catalog.current(), &Resolver::new(catalog), &schemas);
    let mut errors = Vec::new();
    let mut unchecked = Vec::new();
    for (prompt, findings) in &found {
        for error in &findings.errors {
            let section =
                if error.section.is_empty() { String::new() } else { format!("[{}] ", error.section) };
            errors.push(format!("`{}`: {section}{}", prompt.name, error.message));
        }
        unchecked.extend(findings.warnings.iter().map(|warning| format!("`{}`: {warning}", prompt.name)));
    }
    let invalid = found.iter().filter(|(_, findings)| !findings.is_valid()).count();
    let checked = count(found.len(), "prompt");
    match (invalid, unchecked.is_empty()) {
        (0, true) => Check::pass(NAME, format!("{checked} checked")),
        (0, false) => Check::warn(NAME, "not every rule could be checked", unchecked),
        _ => {
            errors.extend(unchecked);
            Check::fail(NAME, format!("{invalid} of {checked} invalid"), errors)
        }
    }
}

/// Whether every prompt that is not archived can be composed.
pub(super) fn inheritance(store: &Store) -> Check {
    const NAME: &str = "inheritance";
    let Some(catalog) = &store.catalog else { return Check::skipped(NAME, NO_PROMPTS) };
    let resolver = Resolver::new(catalog);
    let prompts = || catalog.current().filter(|prompt| prompt.status != Status::Archived);
    let broken: Vec<String> = prompts()
        .filter_map(|prompt| resolver.current(prompt).err())
        .map(|error| told(&error.problem()))
        .collect();
    let looked_at = count(prompts().count(), "prompt");
    if broken.is_empty() {
        return Check::pass(NAME, format!("{looked_at} composed"));
    }
    let message = format!("{} of {looked_at} cannot be composed", broken.len());
    // One fault may break all that build on it; it is said once.
    let mut details: Vec<String> = Vec::new();
    for line in broken {
        if !details.contains(&line) {
            details.push(line);
        }
    }
    Check::fail(NAME, message, details)
}
