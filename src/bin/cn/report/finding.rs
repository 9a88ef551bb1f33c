//! What is wrong, each by a rule and at a place: what the forms for other programs are made of.

use std::path::{MAIN_SEPARATOR, Path};

use canopy::problem::Problem;

use super::{Level, Reply};

/// By which rule something is wrong: its id, and what it means.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rule {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
}

impl Rule {
    /// A file that is not there.
    pub(crate) const MISSING: Rule = Rule { id: "missing", title: "A prompt's file is missing" };
    /// A file that says something else.
    pub(crate) const STALE: Rule = Rule { id: "stale", title: "A prompt's file is not up to date" };
    /// A file that somebody changed.
    pub(crate) const EDITED: Rule = Rule { id: "edited", title: "A prompt's file was edited" };
    /// A file of ours that no prompt is emitted to.
    pub(crate) const ORPHAN: Rule = Rule { id: "orphan", title: "A file is of no prompt any more" };
    /// A prompt that breaks a rule of its schema.
    pub(crate) const SCHEMA: Rule = Rule { id: "schema", title: "A prompt is not valid" };
    /// What keeps the project from being built, or is wrong with its store.
    const PROJECT: Rule = Rule { id: "project", title: "The project needs care" };

    /// Every rule.
    pub(super) const ALL: [Rule; 6] =
        [Rule::MISSING, Rule::STALE, Rule::EDITED, Rule::ORPHAN, Rule::SCHEMA, Rule::PROJECT];
}

/// One thing that a command was to find.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(crate) rule: Rule,
    pub(crate) problem: Problem,
}

/// A finding, how bad it is, and where its file is for whoever reads the answer.
pub(super) struct Placed<'r> {
    pub(super) level: Level,
    pub(super) rule: Rule,
    pub(super) path: Option<String>,
    pub(super) problem: &'r Problem,
}

impl Placed<'_> {
    /// What is wrong and what to do about it.
    pub(super) fn text(&self) -> String {
        let hint = self.problem.hint.as_ref().map(|hint| format!("\nhint: {hint}"));
        self.problem.message.clone() + &hint.unwrap_or_default()
    }
}

/// All that a reply has found, the worst first; problems count where they are not the sum of findings.
pub(super) fn all(reply: &Reply) -> Vec<Placed<'_>> {
    let findings = reply.findings.iter().map(|finding| (Level::Error, finding.rule, &finding.problem));
    let problems = reply.problems.iter().filter(|_| reply.findings.is_empty());
    let problems = problems.map(|problem| (Level::Error, Rule::PROJECT, problem));
    let warnings = reply.warnings.iter().map(|problem| (Level::Warning, Rule::PROJECT, problem));
    let place = |(level, rule, problem)| Placed { level, rule, path: path(&reply.base, problem), problem };
    findings.chain(problems).chain(warnings).map(place).collect()
}

/// Where a problem stands, seen from where the command was called.
fn path(base: &Path, problem: &Problem) -> Option<String> {
    let origin = problem.origin.as_ref()?;
    Some(base.join(&*origin.path).to_string_lossy().replace(MAIN_SEPARATOR, "/"))
}
