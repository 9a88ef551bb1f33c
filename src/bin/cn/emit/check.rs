//! Whether the files are what they should be; nothing is written.

use canopy::plan::{Change, Plan, Step};
use canopy::problem::Problem;
use canopy::value::Value;

use crate::args::Emit;
use crate::context::Context;
use crate::report::{ExitStatus, Finding, Reply, Rule, count, dim};

use super::{command, listing, showing};

/// Says which files are missing, stale, edited or of no prompt any more.
pub(super) fn check(context: &Context, typed: &Emit, plan: &Plan) -> Reply {
    let differing: Vec<&Step> = plan.differing().collect();
    let up_to_date = differing.is_empty();
    let status = if up_to_date { ExitStatus::Success } else { ExitStatus::Failed };
    let mut reply = Reply { status, ..Reply::default() };
    if context.json {
        return members(reply, typed, plan);
    }
    if up_to_date {
        reply.notes = dim(format!("{}, all up to date\n", count(plan.count(), "file"))).into();
        return reply;
    }
    reply.data = match typed.diff {
        true => showing::text(&differing, word).into(),
        false => {
            let line = |step: &&Step| format!("{:8} {}\n", word(step.change), step.output.path);
            differing.iter().map(line).collect::<String>().into()
        }
    };
    reply.problems = vec![problem(typed, plan)];
    reply.findings = differing.iter().map(|step| finding(typed, step)).collect();
    reply
}

/// What is wrong with one file, and the command that mends it.
fn finding(typed: &Emit, step: &Step) -> Finding {
    let command = command(typed);
    let (rule, what, hint) = match step.change {
        Change::Create => (Rule::MISSING, "is missing", format!("`{command}` writes it")),
        Change::Edited => (
            Rule::EDITED,
            "was edited",
            format!("`{command} --diff` shows what was edited, `--force` overwrites it"),
        ),
        Change::Orphan | Change::Remove => {
            (Rule::ORPHAN, "is of no prompt any more", format!("`{command} --prune` deletes it"))
        }
        Change::Update | Change::Unchanged => {
            (Rule::STALE, "is not what its prompt renders to", format!("`{command}` writes it"))
        }
    };
    let problem = Problem::new(format!("`{}` {what}", step.output.path)).at(&step.output.origin);
    Finding { rule, problem: problem.hint(hint) }
}

fn word(change: Change) -> &'static str {
    match change {
        Change::Create => "missing",
        Change::Edited => "edited",
        Change::Orphan | Change::Remove => "orphan",
        Change::Update | Change::Unchanged => "stale",
    }
}

fn members(reply: Reply, typed: &Emit, plan: &Plan) -> Reply {
    let steps = |wanted: fn(Change) -> bool| plan.differing().filter(move |step| wanted(step.change));
    let names = |wanted| steps(wanted).map(|step| &*step.output.name).collect::<Value>();
    let orphans = steps(Change::is_sweeping).map(|step| &*step.output.path);
    let up_to_date = plan.differing().next().is_none();
    let reply = reply
        .with("check", true)
        .with("stale", names(|change| !change.is_sweeping()))
        .with("missing", names(|change| change == Change::Create))
        .with("edited", names(|change| change == Change::Edited))
        .with("orphans", orphans.collect::<Value>())
        .with("upToDate", up_to_date);
    if !typed.diff {
        return reply;
    }
    let files = plan.differing().map(|step| listing::members(step, false, true));
    reply.with("files", files.collect::<Value>())
}

/// How many files are not as they should be, and the commands that mend each kind.
fn problem(typed: &Emit, plan: &Plan) -> Problem {
    let number = |of: fn(Change) -> bool| plan.differing().filter(|step| of(step.change)).count();
    let orphans = number(Change::is_sweeping);
    let stale = number(|change| !change.is_sweeping());
    let mut message = Vec::new();
    if stale > 0 {
        message.push(format!("{stale} of {} not up to date", count(plan.outputs().count(), "file")));
    }
    if orphans > 0 {
        message.push(format!("{} of no prompt any more", count(orphans, "file")));
    }
    // The command is said once, then the options by which it does something else.
    let mut typed_once = Some(command(typed));
    let mut with = |option: &str| match (typed_once.take(), option) {
        (Some(command), "") => format!("`{command}`"),
        (Some(command), option) => format!("`{command} {option}`"),
        (None, option) => format!("`{option}`"),
    };
    let mut hint = Vec::new();
    if number(|change| matches!(change, Change::Create | Change::Update)) > 0 {
        hint.push(format!("{} writes them", with("")));
    }
    if number(|change| change == Change::Edited) > 0 {
        hint.push(format!("{} shows what was edited, {} overwrites it", with("--diff"), with("--force")));
    }
    if orphans > 0 {
        hint.push(format!("{} deletes the orphans", with("--prune")));
    }
    Problem::new(message.join(", ")).hint(hint.join("; "))
}
