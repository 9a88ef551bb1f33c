//! The files of a plan, with the words for what happens to them.

use std::collections::HashSet;

use canopy::plan::{Change, Plan, Step};
use canopy::problem::Problem;
use canopy::value::{Map, Value};
use canopy::write::WriteError;

use crate::args::Emit;
use crate::context::Context;
use crate::report::{Reply, count, dim};

use super::{command_for, showing};

/// Whether the files were written, but for those that could not be, or would be.
#[derive(Clone, Copy)]
pub(crate) enum Tense<'a> {
    Past(&'a [WriteError]),
    Future,
}

impl Tense<'_> {
    fn word(self, change: Change) -> &'static str {
        match (change, self) {
            (Change::Create, Tense::Past(_)) => "created",
            (Change::Update, Tense::Past(_)) => "updated",
            (Change::Remove, Tense::Past(_)) => "removed",
            (Change::Create, Tense::Future) => "would create",
            (Change::Update, Tense::Future) => "would update",
            (Change::Remove, Tense::Future) => "would remove",
            (Change::Unchanged, _) => "unchanged",
            (Change::Edited, _) => "edited",
            (Change::Orphan, _) => "orphan",
        }
    }

    fn failed(&self) -> HashSet<&str> {
        match self {
            Tense::Past(failed) => failed.iter().map(|e| e.path.as_str()).collect(),
            Tense::Future => HashSet::new(),
        }
    }
}

/// The files of a plan, each with what happens to it.
pub(super) fn listed(context: &Context, typed: &Emit, plan: &Plan, tense: Tense<'_>) -> Reply {
    let failed = tense.failed();
    let has_failed = |step: &Step| failed.contains(&*step.output.path);
    let mut reply = Reply::default();
    reply.warnings.extend(orphans(plan, typed.prune));
    if context.json {
        let file = |step: &Step| members(step, has_failed(step), typed.diff);
        return reply.with("files", plan.steps.iter().map(file).collect::<Value>());
    }
    let shown: Vec<&Step> = plan.differing().filter(|step| !has_failed(step)).collect();
    if typed.diff {
        reply.data = showing::text(&shown, |change| tense.word(change)).into();
    } else {
        let width = shown.iter().map(|step| tense.word(step.change).len()).max().unwrap_or(0);
        let line = |step: &&Step| format!("{:width$}  {}\n", tense.word(step.change), step.output.path);
        reply.news = shown.iter().map(line).collect::<String>().into();
    }
    reply.notes = dim(summary(plan, tense, failed.len()) + "\n").into();
    reply
}

/// `2 written, 1 removed, 3 up to date`.
pub(crate) fn summary(plan: &Plan, tense: Tense<'_>, failed: usize) -> String {
    let number = |of: fn(Change) -> bool| plan.steps.iter().filter(|step| of(step.change)).count();
    let unchanged = number(|change| change == Change::Unchanged) + plan.unlisted;
    if unchanged == plan.count() {
        return format!("{}, all up to date", count(unchanged, "file"));
    }
    let (written, removed) = match tense {
        Tense::Past(_) => ("written", "removed"),
        Tense::Future => ("to write", "to remove"),
    };
    let removals = number(|change| change == Change::Remove);
    let mut parts = vec![format!("{} {written}", (plan.changes().count() - removals).saturating_sub(failed))];
    let mut part = |number: usize, what: &str| {
        if number > 0 {
            parts.push(format!("{number} {what}"));
        }
    };
    part(removals, removed);
    part(number(|change| matches!(change, Change::Edited | Change::Orphan)), "left alone");
    parts.push(format!("{unchanged} up to date"));
    parts.join(", ")
}

/// One file as JSON.
pub(crate) fn members(step: &Step, failed: bool, with_diff: bool) -> Map {
    let mut map = Map::new();
    map.insert("name".into(), (*step.output.name).into());
    map.insert("path".into(), (*step.output.path).into());
    map.insert("version".into(), step.output.version.into());
    let status = match step.change {
        _ if failed => "failed",
        change => Tense::Past(&[]).word(change),
    };
    if step.change == Change::Unchanged {
        map.insert("skipped".into(), true.into());
    }
    map.insert("status".into(), status.into());
    if with_diff && step.change != Change::Unchanged {
        map.insert("diff".into(), showing::unified(step).into());
    }
    map
}

/// How many files are named in a message; more are counted.
const NAMED: usize = 3;

/// What is said of files that are not ours.
pub(crate) fn edited(typed: &Emit, plan: &Plan) -> Option<Problem> {
    let steps: Vec<&Step> = plan.steps.iter().filter(|step| step.change == Change::Edited).collect();
    let first = steps.first()?;
    let message = match steps.len() {
        1 => format!(
            "`{}` holds what no version of `{}` renders to, and is left as it is",
            first.output.path, first.output.name
        ),
        number => format!(
            "{number} files hold what no version of their prompts renders to, and are left as they are: {}",
            paths(&steps)
        ),
    };
    let names: Vec<&str> = match steps.len() {
        ..=NAMED => steps.iter().map(|step| &*step.output.name).collect(),
        _ => typed.names.iter().map(String::as_str).collect(),
    };
    let command = command_for(typed, &names);
    let it = if steps.len() == 1 { "it" } else { "them" };
    Some(
        Problem::new(message)
            .at(&first.output.origin)
            .hint(format!("`{command} --diff` shows what was edited, `{command} --force` overwrites {it}")),
    )
}

/// What is said of files that no prompt is emitted to any more; what was to be pruned and is still there was edited.
pub(crate) fn orphans(plan: &Plan, pruned: bool) -> Option<Problem> {
    let steps: Vec<&Step> = plan.steps.iter().filter(|step| step.change == Change::Orphan).collect();
    if steps.is_empty() {
        return None;
    }
    let (it, they_were, they_stay) = match steps.len() {
        1 => ("it", "it was", "it stays"),
        _ => ("them", "they were", "they stay"),
    };
    let problem = Problem::new(format!("no prompt is emitted any more to {}", paths(&steps)));
    Some(match pruned {
        false => problem.hint(format!("`cn emit --all --prune` deletes {it}")),
        true => problem.hint(format!(
            "{they_were} edited since, and so {they_stay}; delete {it} if you do not need {it}"
        )),
    })
}

/// Some paths, and how many more there are.
fn paths(steps: &[&Step]) -> String {
    let named: Vec<String> = steps.iter().take(NAMED).map(|step| format!("`{}`", step.output.path)).collect();
    let more = match steps.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    named.join(", ") + &more
}
