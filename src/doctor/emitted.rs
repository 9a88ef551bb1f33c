//! Whether the emitted files are what the prompts render to now: the answer of the build itself.

use std::path::Path;

use crate::plan::{Change, Plan, Step};
use crate::project::{self, Request};

use super::{Check, NO_PROMPTS, Store, count, told};

/// Builds everything, writes nothing, and says which files are not up to date.
pub(super) fn check(root: &Path, store: &Store, is_configured: bool) -> Check {
    const NAME: &str = "emit-staleness";
    if store.prompts.is_err() {
        return Check::skipped(NAME, NO_PROMPTS);
    }
    if !is_configured {
        return Check::skipped(NAME, "the configuration cannot be used");
    }
    let plan = match project::build(root, &Request::default()) {
        Ok(built) => built.plan,
        Err(failure) => {
            let details = failure.problems.iter().map(told).collect();
            return Check::fail(NAME, "nothing can be emitted", details);
        }
    };
    let line = |step: &Step| {
        let word = match step.change {
            Change::Create => "missing",
            Change::Edited => "edited",
            Change::Orphan | Change::Remove => "orphan",
            Change::Update | Change::Unchanged => "stale",
        };
        format!("{word}: {}", step.output.path)
    };
    let differing: Vec<String> = plan.differing().map(line).collect();
    let files = count(plan.outputs().count(), "file");
    if differing.is_empty() {
        return Check::pass(NAME, format!("{files}, all up to date"));
    }
    Check::warn(NAME, message(&plan, &files), differing)
}

/// How many files are not as they should be, and which command goes on from here.
fn message(plan: &Plan, files: &str) -> String {
    let orphans = plan.differing().filter(|step| step.change.is_sweeping()).count();
    let stale = plan.differing().count() - orphans;
    let mut parts = Vec::new();
    if stale > 0 {
        parts.push(format!("{stale} of {files} not up to date"));
    }
    if orphans > 0 {
        parts.push(format!("{} of no prompt any more", count(orphans, "file")));
    }
    let is_written = |step: &Step| matches!(step.change, Change::Create | Change::Update);
    let way_out = match plan.differing().all(is_written) {
        true => "`cn emit --all` writes them",
        false => "`cn emit --check` says what to do",
    };
    format!("{}; {way_out}", parts.join(", "))
}
