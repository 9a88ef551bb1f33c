//! Whether the domains of expertise that prompts name are ones that the project has.

use serde_yaml::Value as Yaml;

use crate::files::{DiskFiles, Files};
use crate::problem::nearest;
use crate::prompt::{Prompt, Status};
use crate::yaml;

use super::{Check, NO_PROMPTS, Store, count};

/// Where the domains of a project are listed, relative to its root.
const MULCH: &str = ".mulch/mulch.config.yaml";

/// Holds the domains of every prompt that is not archived against the list, if there is one: a guard against
/// slips of the finger, which never fails.
pub(super) fn check(store: &Store, files: &DiskFiles) -> Check {
    const NAME: &str = "mulch-domains";
    let text = match files.read(MULCH) {
        Ok(None) => return Check::pass(NAME, format!("no {MULCH} found (skipped)")),
        Ok(Some(text)) => text,
        Err(e) => return Check::warn(NAME, "the domains cannot be read", vec![e.to_string()]),
    };
    let known = match domains(&text) {
        Ok(known) => known,
        Err(why) => {
            return Check::warn(NAME, "the domains cannot be read", vec![format!("{MULCH}: {why}")]);
        }
    };
    let Some(catalog) = &store.catalog else { return Check::skipped(NAME, NO_PROMPTS) };
    let prompts = catalog.current().filter(|prompt| prompt.status != Status::Archived);
    let named: Vec<(&Prompt, &str)> =
        prompts.flat_map(|prompt| primed(prompt).map(move |domain| (prompt, domain))).collect();
    let unknown: Vec<String> = named
        .iter()
        .filter(|(_, domain)| !known.iter().any(|name| name == domain))
        .map(|(prompt, domain)| unknown(prompt, domain, &known))
        .collect();
    if unknown.is_empty() {
        let words = count(named.len(), "reference");
        return Check::pass(NAME, format!("{words}, all to known domains"));
    }
    Check::warn(NAME, format!("{} to unknown domains", count(unknown.len(), "reference")), unknown)
}

fn unknown(prompt: &Prompt, domain: &str, known: &[String]) -> String {
    let meant = nearest(domain, known.iter().map(String::as_str));
    let meant = meant.map(|name| format!(" (did you mean `{name}`?)")).unwrap_or_default();
    format!("`{}` names the domain `{domain}`, which {MULCH} does not have{meant}", prompt.name)
}

/// The domains that a prompt's own block asks for; a block of another shape is validation's to report.
fn primed(prompt: &Prompt) -> impl Iterator<Item = &str> {
    let block = prompt.mulch.as_ref().and_then(|block| block.as_map());
    let prime = block.and_then(|block| block.get("prime")).and_then(|prime| prime.as_map());
    let domains = prime.and_then(|prime| prime.get("domains")).and_then(|domains| domains.as_list());
    domains.unwrap_or_default().iter().filter_map(|domain| domain.as_str())
}

/// The names in `domains:`: the items of a list, or the keys of a map.
fn domains(text: &[u8]) -> Result<Vec<String>, String> {
    if yaml::is_bottomless(text) {
        return Err("it nests without end".to_owned());
    }
    let config: Yaml = serde_yaml::from_slice(text).map_err(|e| e.to_string())?;
    match config.get("domains") {
        None | Some(Yaml::Null) => Ok(Vec::new()),
        Some(Yaml::Sequence(items)) => Ok(items.iter().filter_map(word).collect()),
        Some(Yaml::Mapping(members)) => Ok(members.keys().filter_map(word).collect()),
        Some(_) => Err("`domains` is neither a list nor a map".to_owned()),
    }
}

/// A name, also where YAML takes it for a number or a truth.
fn word(value: &Yaml) -> Option<String> {
    match value {
        Yaml::String(text) => Some(text.clone()),
        Yaml::Number(number) => Some(number.to_string()),
        Yaml::Bool(truth) => Some(truth.to_string()),
        _ => None,
    }
}
