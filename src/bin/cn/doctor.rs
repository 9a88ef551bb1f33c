//! `cn doctor`: what is wrong with the project, and what was done about it.

use canopy::doctor::{self, Check, Mended, Verdict};
use canopy::project::Failure;
use canopy::value::{Map, Value};

use crate::args::Doctor;
use crate::context::{Context, failure};
use crate::report::{ExitStatus, Reply, bad, caution, count, dim, good, hint};

/// The columns that a line may take.
const WIDTH: usize = 80;

/// Where the text of a finding begins.
const INDENT: usize = 6;

/// Looks, mends if asked to and looks again.
pub(crate) fn doctor(context: &Context, typed: &Doctor) -> Result<Reply, Failure> {
    let root = context.root()?;
    let mut checks = doctor::examine(&root).map_err(failure)?;
    let mended = typed.fix.then(|| doctor::mend(&root, &checks));
    if mended.as_ref().is_some_and(|mended| !mended.fixed.is_empty()) {
        checks = doctor::examine(&root).map_err(failure)?;
    }
    let mut reply = if context.json { members(&checks, &mended) } else { text(&checks, &mended) };
    reply.problems = mended.map(|mended| mended.problems).unwrap_or_default();
    if number(&checks, Verdict::Fail) > 0 || !reply.problems.is_empty() {
        reply.status = ExitStatus::Failed;
    }
    Ok(reply)
}

fn number(checks: &[Check], verdict: Verdict) -> usize {
    checks.iter().filter(|check| check.verdict == verdict).count()
}

fn members(checks: &[Check], mended: &Option<Mended>) -> Reply {
    let numbers = [Verdict::Pass, Verdict::Warn, Verdict::Fail].map(|verdict| {
        let number: Value = number(checks, verdict).into();
        (verdict.as_str().to_owned(), number)
    });
    let summary: Map = numbers.into_iter().collect();
    let reply = Reply::default().with("checks", checks.iter().map(check).collect::<Value>());
    let reply = reply.with("summary", summary);
    match mended {
        Some(mended) => reply.with("fixed", mended.fixed.iter().map(String::as_str).collect::<Value>()),
        None => reply,
    }
}

fn check(check: &Check) -> Map {
    let members: [(&str, Value); 5] = [
        ("name", check.name.into()),
        ("status", check.verdict.as_str().into()),
        ("message", check.message.as_str().into()),
        ("details", check.details.iter().map(String::as_str).collect()),
        ("fixable", check.fixable.into()),
    ];
    members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn text(checks: &[Check], mended: &Option<Mended>) -> Reply {
    let width = checks.iter().map(|check| check.name.len()).max().unwrap_or_default();
    let fixed = mended.iter().flat_map(|mended| &mended.fixed);
    let fixed: String =
        fixed.map(|done| format!("{} {}", good("fixed"), wrapped(done, INDENT).trim_start())).collect();
    let data = fixed + &checks.iter().map(|check| line(check, width)).collect::<String>();
    let numbers = [
        format!("{} ok", number(checks, Verdict::Pass)),
        count(number(checks, Verdict::Warn), "warning"),
        count(number(checks, Verdict::Fail), "failure"),
    ];
    let mut notes = dim(format!("{}\n", numbers.join(", ")));
    let fixable = checks.iter().filter(|check| check.fixable).map(|check| check.name);
    let fixable: Vec<&str> = fixable.collect();
    if !fixable.is_empty() && mended.is_none() {
        notes.push_str(&hint(format!("`cn doctor --fix` mends {}", fixable.join(", "))));
    }
    Reply { data: data.into(), notes: notes.into(), ..Reply::default() }
}

/// A check on a line, and below it what was found.
fn line(check: &Check, width: usize) -> String {
    let word = match check.verdict {
        Verdict::Pass => good("ok  "),
        Verdict::Warn => caution("warn"),
        Verdict::Fail => bad("fail"),
    };
    let message = wrapped(&check.message, INDENT + width + 2);
    let mut text = format!("{word}  {:width$}  {}", check.name, message.trim_start());
    for detail in &check.details {
        text.push_str(&wrapped(detail, INDENT));
    }
    text
}

/// A text on lines that fit, all of them indented; words stay whole.
fn wrapped(text: &str, indent: usize) -> String {
    let mut lines = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let long = word.chars().count();
        if column > indent && column + 1 + long <= WIDTH {
            lines.push(' ');
            column += 1;
        } else {
            let end = if column > 0 { "\n" } else { "" };
            lines.push_str(&format!("{end}{:indent$}", ""));
            column = indent;
        }
        lines.push_str(word);
        column += long;
    }
    lines.push('\n');
    lines
}
