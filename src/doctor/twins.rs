//! Versions that stand in the store twice, as merges leave them, and prompts that share a name.

use indexmap::IndexMap;

use crate::catalog::Catalog;
use crate::prompt::{Prompt, Status};

use super::{Check, NO_PROMPTS, Store, count};

/// Which lines are about one version of one prompt, and which active prompts have one name.
pub(super) fn check(store: &Store) -> Check {
    const NAME: &str = "twins";
    let (Ok(read), Some(catalog)) = (&store.prompts, &store.catalog) else {
        return Check::skipped(NAME, NO_PROMPTS);
    };
    let twins = groups(&read.records);
    let redundant = redundant(&read.records);
    let differing: Vec<String> =
        twins.iter().filter(|lines| differ(lines)).filter_map(|lines| different(lines, catalog)).collect();
    let namesakes = namesakes(catalog);
    let equal: Vec<String> = twins.iter().filter(|lines| !differ(lines)).filter_map(|l| equal(l)).collect();
    let message = match (differing.len(), namesakes.len(), equal.len()) {
        (0, 0, 0) => return Check::pass(NAME, "no version and no name is there twice"),
        (0, 0, copies) => {
            let message = format!("{}, all equal", stand(copies));
            return Check::warn(NAME, message, equal).fixable(!redundant.is_empty());
        }
        (0, names, _) => used(names),
        (versions, 0, _) => format!("{} that differ", stand(versions)),
        (versions, names, _) => {
            format!("{} that differ; {}", stand(versions), used(names))
        }
    };
    let details = differing.into_iter().chain(namesakes).chain(equal).collect();
    Check::fail(NAME, message, details).fixable(!redundant.is_empty())
}

/// The numbers of the lines that say what a later line about the same version says too.
pub(super) fn redundant(prompts: &[Prompt]) -> Vec<usize> {
    let mut lines = Vec::new();
    for twins in groups(prompts) {
        for (index, one) in twins.iter().enumerate() {
            if twins.iter().skip(index + 1).any(|later| one.says_the_same_as(later)) {
                lines.push(one.origin.line);
            }
        }
    }
    lines
}

/// The records about one version of one prompt, where there are several.
fn groups(prompts: &[Prompt]) -> Vec<Vec<&Prompt>> {
    let mut groups: IndexMap<(&str, u64), Vec<&Prompt>> = IndexMap::new();
    for prompt in prompts {
        groups.entry((prompt.id.as_str(), prompt.version)).or_default().push(prompt);
    }
    groups.into_values().filter(|group| group.len() > 1).collect()
}

fn differ(twins: &[&Prompt]) -> bool {
    twins.iter().zip(twins.iter().skip(1)).any(|(one, next)| !one.says_the_same_as(next))
}

fn equal(twins: &[&Prompt]) -> Option<String> {
    let last = twins.last()?;
    Some(format!("`{}` version {} ({}): {} are equal", last.name, last.version, last.id, lines(twins)))
}

fn different(twins: &[&Prompt], catalog: &Catalog) -> Option<String> {
    let last = twins.last()?;
    let (path, line) = (&last.origin.path, last.origin.line);
    let latest = catalog.versions_of(last)?.latest().version;
    // A line that gets a higher number becomes current, which only the one that is current already may do.
    let way_out = if latest == last.version && twins.len() == 2 {
        let next = latest.saturating_add(1);
        format!("to keep both, give line {line} the `version` {next}, else delete the wrong one")
    } else {
        "delete those that are not wanted".to_owned()
    };
    Some(format!(
        "`{}` version {} ({}): {} of {path} differ, and line {line} counts; {way_out}",
        last.name,
        last.version,
        last.id,
        lines(twins),
    ))
}

/// One line for each name that several active prompts have.
fn namesakes(catalog: &Catalog) -> Vec<String> {
    let mut names: IndexMap<&str, Vec<&Prompt>> = IndexMap::new();
    for prompt in catalog.current().filter(|prompt| prompt.status == Status::Active) {
        names.entry(prompt.name.as_str()).or_default().push(prompt);
    }
    let several = names.into_iter().filter(|(_, prompts)| prompts.len() > 1);
    several.map(|(name, prompts)| namesake(name, &prompts)).collect()
}

fn namesake(name: &str, prompts: &[&Prompt]) -> String {
    let each = |prompt: &&Prompt| format!("{} version {} ({})", prompt.id, prompt.version, prompt.origin);
    let all: Vec<String> = prompts.iter().map(each).collect();
    format!("`{name}` is the name of {}; archive or rename all but one", all.join(" and "))
}

fn lines(twins: &[&Prompt]) -> String {
    let numbers: Vec<String> = twins.iter().map(|prompt| prompt.origin.line.to_string()).collect();
    match numbers.split_last() {
        Some((last, rest)) => format!("lines {} and {last}", rest.join(", ")),
        None => String::new(),
    }
}

fn stand(number: usize) -> String {
    format!("{} {} several lines", count(number, "version"), if number == 1 { "has" } else { "have" })
}

fn used(number: usize) -> String {
    let verb = if number == 1 { "is" } else { "are" };
    format!("{} {verb} used by several active prompts", count(number, "name"))
}
