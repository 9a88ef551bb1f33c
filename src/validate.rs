//! Holds prompts against their schemas and against the shape that every prompt must have.

mod mulch;
mod pattern;

use std::collections::HashMap;

use crate::prompt::{Prompt, Status};
use crate::resolve::{ResolveError, Resolver};
use crate::schema::{Rule, Schema, named};
use pattern::{Pattern, Verdict};

/// What validation found in one prompt.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Findings {
    /// What makes the prompt invalid.
    pub errors: Vec<Finding>,
    /// What could not be checked.
    pub warnings: Vec<String>,
}

/// One thing that makes a prompt invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The section or member that is wrong; empty if the whole prompt is.
    pub section: String,
    /// The pattern that does not match, `required`, or the kind of a structural fault; may be empty.
    pub rule: String,
    /// What a person is told.
    pub message: String,
}

impl Finding {
    fn new(section: &str, rule: &str, message: impl Into<String>) -> Finding {
        Finding { section: section.to_owned(), rule: rule.to_owned(), message: message.into() }
    }
}

impl Findings {
    /// Whether nothing makes the prompt invalid.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.errors.is_empty()
    }
}

/// Whether there is anything to hold `prompt` against: a schema, or a declaration of expertise.
#[must_use]
pub fn is_validated(prompt: &Prompt) -> bool {
    prompt.schema.is_some() || prompt.mulch.is_some() || prompt.extends_mulch.is_some()
}

/// Validates what `prompt` renders to against its schema, the one of that name in `schemas`.
#[must_use]
pub fn validate<'a>(prompt: &'a Prompt, resolver: &Resolver<'a>, schemas: &[Schema]) -> Findings {
    let mut findings = Findings::default();
    match (resolver.current(prompt), prompt.schema.as_ref().map(|name| (name, named(schemas, name)))) {
        (Err(error), _) => findings.errors.push(unrendered(&error)),
        (Ok(_), None) => {}
        (Ok(_), Some((name, None))) => {
            findings.errors.push(Finding::new("", "", format!("schema `{name}` does not exist")));
        }
        (Ok(resolved), Some((_, Some(schema)))) => {
            let sections: HashMap<&str, &str> =
                resolved.sections.iter().map(|part| (part.name, part.body)).collect();
            check(schema, &sections, &mut findings);
        }
    }
    findings.errors.extend(mulch::check(prompt));
    findings
}

/// Validates every one of `prompts` that is in use and has something to be held against.
#[must_use]
pub fn all<'a>(
    prompts: impl Iterator<Item = &'a Prompt>,
    resolver: &Resolver<'a>,
    schemas: &[Schema],
) -> Vec<(&'a Prompt, Findings)> {
    let held = prompts.filter(|prompt| prompt.status != Status::Archived && is_validated(prompt));
    held.map(|prompt| (prompt, validate(prompt, resolver, schemas))).collect()
}

/// Whether a rule's pattern can be used.
///
/// # Errors
/// If JavaScript would not compile it; the text says why.
pub fn check_pattern(pattern: &str) -> Result<(), String> {
    Pattern::new(pattern).map(drop)
}

fn unrendered(error: &ResolveError) -> Finding {
    let problem = error.problem();
    let place = problem.origin.map(|origin| format!(" ({origin})")).unwrap_or_default();
    Finding::new("", "", format!("{}{place}", problem.message))
}

fn check(schema: &Schema, sections: &HashMap<&str, &str>, findings: &mut Findings) {
    for name in schema.required_sections.iter().filter(|name| !sections.contains_key(name.as_str())) {
        let message = format!("the section `{name}` is missing, which `{}` requires", schema.name);
        findings.errors.push(Finding::new(name, "required", message));
    }
    for rule in schema.rules.iter().flatten() {
        if let Some(body) = sections.get(rule.section.as_str()) {
            check_rule(rule, body, schema, findings);
        }
    }
}

fn check_rule(rule: &Rule, body: &str, schema: &Schema, findings: &mut Findings) {
    let place = &schema.origin;
    match Pattern::new(&rule.pattern).map(|pattern| pattern.is_match(body)) {
        Ok(Verdict::Matches) => {}
        Ok(Verdict::Fails) => {
            findings.errors.push(Finding::new(&rule.section, &rule.pattern, rule.message.as_str()));
        }
        Ok(Verdict::Undecided) => findings.warnings.push(format!(
            "the pattern `{}` for section `{}` took too many steps and was given up ({place})",
            rule.pattern, rule.section
        )),
        Err(e) => findings.warnings.push(format!(
            "the pattern `{}` for section `{}` is no regular expression: {e} ({place})",
            rule.pattern, rule.section
        )),
    }
}
