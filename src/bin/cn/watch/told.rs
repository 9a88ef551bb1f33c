//! What a watch tells: each event once, as members for programs and as a line for people.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use canopy::plan::{Change, Plan, Step};
use canopy::problem::Problem;
use canopy::value::Value;
use canopy::write::WriteError;

use crate::emit::{self, Tense};
use crate::report::{Event, count};
use crate::signals::Signal;

/// A line names that many files.
const NAMED: usize = 3;

/// The first build was tried, and changes are noticed from now on.
pub(super) fn ready(root: &Path, every: Option<Duration>) -> Event {
    let event = Event::new("ready").with("root", root.to_string_lossy().into_owned());
    match every {
        None => event.with("watching", "reports").line("watching; Ctrl-C ends it".to_owned()),
        Some(every) => {
            let ms = u64::try_from(every.as_millis()).unwrap_or(u64::MAX);
            let line = format!("looking every {ms} ms; Ctrl-C ends it");
            event.with("watching", "polling").with("pollMs", ms).line(line)
        }
    }
}

/// A build was written, but for what `failed`; `problems` are all that is wrong with it.
pub(super) fn emitted(plan: &Plan, failed: &[WriteError], problems: Vec<Problem>, took: Duration) -> Event {
    let lost: HashSet<&str> = failed.iter().map(|e| e.path.as_str()).collect();
    let is_lost = |step: &Step| lost.contains(&*step.output.path);
    let outputs = || plan.outputs().filter(|step| step.change != Change::Unchanged);
    let files: Value = outputs().map(|step| emit::members(step, is_lost(step), false)).collect();
    let done: Vec<&Step> = plan.changes().filter(|step| !is_lost(step)).collect();
    let removed = done.iter().filter(|step| step.change == Change::Remove);
    let summary = emit::summary(plan, Tense::Past(failed), failed.len());
    Event::new("emit")
        .with("files", files)
        .with("removed", removed.map(|step| &*step.output.path).collect::<Value>())
        .with("unchanged", plan.outputs().count() + plan.unlisted - outputs().count())
        .with("durationMs", ms(took))
        .line(format!("{summary} ({}){}", shown(took), names(&done)))
        .wrong(problems)
}

/// There is nothing to write, because something is wrong.
pub(super) fn failed(problems: Vec<Problem>, took: Duration) -> Event {
    let found = count(problems.len(), "problem");
    let line = format!("{found}; the files stay as they are ({})", shown(took));
    Event::new("error").with("durationMs", ms(took)).line(line).wrong(problems)
}

/// It is over.
pub(super) fn stopped(signal: Signal) -> Event {
    Event::new("stopped").with("signal", signal.name()).line("stopped".to_owned())
}

/// The system is not relied on, and why.
pub(super) fn looking(reason: &str, every: Duration) -> Problem {
    let message = format!("the system does not report changes: {reason}");
    let hint = format!("the files are looked at every {} ms; `--poll=MS` sets that", every.as_millis());
    Problem::new(message).hint(hint)
}

fn names(done: &[&Step]) -> String {
    if done.is_empty() {
        return String::new();
    }
    let named: Vec<&str> = done.iter().map(|step| &*step.output.path).take(NAMED).collect();
    let more = done.len() - named.len();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!(": {}{more}", named.join(", "))
}

fn ms(took: Duration) -> u64 {
    u64::try_from(took.as_millis()).unwrap_or(u64::MAX)
}

fn shown(took: Duration) -> String {
    format!("{} ms", ms(took))
}
