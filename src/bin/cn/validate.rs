//! `cn validate`: prompts held against their schemas.

use canopy::problem::Problem;
use canopy::project::{Failure, Project};
use canopy::prompt::Prompt;
use canopy::resolve::Resolver;
use canopy::schema::Schema;
use canopy::validate::{self, Finding, Findings};
use canopy::value::{Map, Value};

use crate::args::Validate;
use crate::context::{self, Context};
use crate::report::{self, ExitStatus, Reply, Rule, count, dim, strong};

/// Validates one prompt or all.
pub(crate) fn validate(context: &Context, typed: &Validate) -> Result<Reply, Failure> {
    let project = context.open()?;
    let (schemas, warnings) = project.schemas().map_err(|problem| context::of(&project, problem))?;
    let reply = match &typed.name {
        Some(name) => one(context, &project, name, &schemas)?,
        None => all(context, &project, &schemas),
    };
    Ok(reply.warn(project.warnings.clone()).warn(warnings))
}

fn one(context: &Context, project: &Project, name: &str, schemas: &[Schema]) -> Result<Reply, Failure> {
    let prompt = context::named(project, name)?.latest();
    if !validate::is_validated(prompt) {
        let problem = Problem::new(format!("`{name}` has no schema")).at(&prompt.origin);
        return Err(context::of(project, problem.hint("give it one, or validate with `--all`")));
    }
    let findings = validate::validate(prompt, &Resolver::new(&project.catalog), schemas);
    let findings = [(prompt, findings)];
    let mut reply = Reply { status: status(&findings), findings: placed(&findings), ..Reply::default() };
    let [(_, findings)] = findings;
    if context.json {
        reply.fields = members(prompt, &findings);
    } else {
        reply.data = text(prompt, &findings).into();
    }
    Ok(reply)
}

fn all(context: &Context, project: &Project, schemas: &[Schema]) -> Reply {
    let resolver = Resolver::new(&project.catalog);
    let found = validate::all(project.catalog.current(), &resolver, schemas);
    let mut reply = Reply { status: status(&found), findings: placed(&found), ..Reply::default() };
    if context.json {
        let results: Value = found.iter().map(|(prompt, findings)| members(prompt, findings)).collect();
        reply.with("results", results).with("count", found.len())
    } else {
        reply.data = found.iter().map(|(prompt, findings)| text(prompt, findings)).collect::<String>().into();
        let invalid = found.iter().filter(|(_, findings)| !findings.is_valid()).count();
        reply.notes = dim(format!("{}, {invalid} invalid\n", count(found.len(), "prompt"))).into();
        reply
    }
}

fn status(found: &[(&Prompt, Findings)]) -> ExitStatus {
    let is_valid = found.iter().all(|(_, findings)| findings.is_valid());
    if is_valid { ExitStatus::Success } else { ExitStatus::Failed }
}

/// Each error at its record.
fn placed(found: &[(&Prompt, Findings)]) -> Vec<report::Finding> {
    let problem = |prompt: &Prompt, error: &Finding| {
        let section = if error.section.is_empty() { String::new() } else { format!("[{}] ", error.section) };
        Problem::new(format!("`{}`: {section}{}", prompt.name, error.message)).at(&prompt.origin)
    };
    let each = |(prompt, findings): &(&Prompt, Findings)| -> Vec<report::Finding> {
        let errors = findings.errors.iter().map(|error| problem(prompt, error));
        errors.map(|problem| report::Finding { rule: Rule::SCHEMA, problem }).collect()
    };
    found.iter().flat_map(each).collect()
}

fn members(prompt: &Prompt, findings: &Findings) -> Map {
    let mut map = Map::new();
    map.insert("name".into(), prompt.name.as_str().into());
    map.insert("valid".into(), findings.is_valid().into());
    map.insert("errors".into(), findings.errors.iter().map(finding).collect());
    map.insert("warnings".into(), findings.warnings.iter().map(String::as_str).collect());
    map
}

fn finding(finding: &Finding) -> Map {
    let members = [("section", &finding.section), ("rule", &finding.rule), ("message", &finding.message)];
    members.into_iter().map(|(key, text)| (key.to_owned(), text.as_str().into())).collect()
}

fn text(prompt: &Prompt, findings: &Findings) -> String {
    let verdict = if findings.is_valid() { "valid" } else { "invalid" };
    let mut text = format!("{}  {verdict}\n", strong(&prompt.name));
    for error in &findings.errors {
        let section = if error.section.is_empty() { String::new() } else { format!("[{}] ", error.section) };
        text.push_str(&format!("  {section}{}\n", error.message));
    }
    if !findings.is_valid() {
        text.push_str(&format!("  {}\n", dim(format!("--> {}", prompt.origin))));
    }
    for warning in &findings.warnings {
        text.push_str(&format!("  {}\n", dim(format!("not checked: {warning}"))));
    }
    text
}
