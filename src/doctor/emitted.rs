//! Whether the emitted files are what the prompts render to now: the answer of the build itself.

use std::path::Path;

use crate::plan::{Change, Step};
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
        let word = if step.change == Change::Create { "missing" } else { "stale" };
        format!("{word}: {}", step.output.path)
    };
    let stale: Vec<String> = plan.changes().map(line).collect();
    let files = count(plan.steps.len(), "file");
    if stale.is_empty() {
        return Check::pass(NAME, format!("{files}, all up to date"));
    }
    let message = format!("{} of {files} not up to date; `cn emit --all` writes them", stale.len());
    Check::warn(NAME, message, stale)
}
