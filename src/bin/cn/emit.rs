//! `cn emit`: one build, and what becomes of it: written, shown or checked.

mod ask;
mod check;
mod depfile;
mod listing;
mod showing;

use std::path::PathBuf;
use std::sync::OnceLock;

use canopy::plan::Plan;
use canopy::problem::Problem;
use canopy::project::{self, Destination, Failure, Memo, Project, Request, Selection};
use canopy::write;

use crate::args::Emit;
use crate::context::Context;
use crate::report::progress::Progress;
use crate::report::{ExitStatus, Reply, Report, quoted, terminal};
use crate::signals::{self, Stop};
use crate::usage;
use crate::watch;

pub(crate) use listing::{Tense, edited, members, orphans, summary};

/// Builds, then applies or reports.
pub(crate) fn emit(context: &Context, typed: &Emit, report: &Report) -> Result<Reply, Failure> {
    if typed.out.is_some() && typed.names.len() > 1 {
        let problem = Problem::new(format!("one file cannot take {} prompts", typed.names.len()));
        return Ok(usage::wrong(problem.hint("name one prompt, or give a folder with `--out-dir`")));
    }
    if typed.watch {
        return Ok(watch::watch(context, typed, report));
    }
    let is_folder = |path: &PathBuf| path.to_string_lossy().ends_with(std::path::is_separator);
    if let Some(folder) = typed.out.as_ref().filter(|path| is_folder(path)) {
        let problem = Problem::new(format!("`{}` is the path of a folder", folder.display()));
        return Ok(usage::wrong(problem.hint("`--out-dir` writes into a folder")));
    }
    let root = context.root()?;
    let mut request = request(typed)?;
    // Text names what differs, and lists for other tools name all.
    request.brief = !context.json && typed.depfile.is_none() && typed.out_list.is_none();
    let mut built = project::build(&root, &request)?;
    if !typed.writes_nothing() && context.may_ask && terminal::is_somebody_there() {
        match ask::asked(&built.plan, terminal::ask) {
            None => {
                let problem = Problem::new("you chose to stop, and nothing was written");
                return Ok(Reply { status: ExitStatus::Failed, problems: vec![problem], ..Reply::default() });
            }
            Some(agreed) if !agreed.is_empty() => {
                // People take their time: what was changed while they did is not what they agreed to.
                built = project::build(&root, &request)?;
                agreed.apply(&mut built.plan);
            }
            Some(_) => {}
        }
    }
    let reply = if typed.check {
        check::check(context, typed, &built.plan)
    } else if typed.writes_nothing() {
        let mut reply = listing::listed(context, typed, &built.plan, Tense::Future).with("dryRun", true);
        reply.warnings.extend(listing::edited(typed, &built.plan));
        reply
    } else {
        let reply = apply(context, typed, &built.plan, (built.memo, built.project.as_ref()));
        if reply.status == ExitStatus::Success {
            depfile::write(typed, &root, &built.plan, &built.inputs)?;
        }
        reply
    };
    context.remember(&root, &built.inputs);
    // The process ends soon: to give all of it back piece by piece takes longer than the system takes.
    std::mem::forget((built.plan, built.project));
    Ok(reply.warn(built.warnings))
}

/// What was typed, as a build takes it.
pub(crate) fn request(typed: &Emit) -> Result<Request, Failure> {
    let selection = match typed.names.as_slice() {
        [] => Selection::All,
        names => Selection::Named(names.to_vec()),
    };
    let destination = match (&typed.out, &typed.out_dir) {
        (Some(file), _) => Destination::File(Context::typed(file)?),
        (None, Some(dir)) => Destination::Dir(Context::typed(dir)?),
        (None, None) => Destination::Routed,
    };
    Ok(Request {
        selection,
        destination,
        force: typed.force,
        prune: typed.prune,
        cache: !typed.no_cache,
        brief: false,
    })
}

/// More files than that take so long that somebody may want to stop.
const FEW: usize = 64;

/// Writes and removes what the plan says, and remembers it.
fn apply(context: &Context, typed: &Emit, plan: &Plan, (memo, project): (Memo, Option<&Project>)) -> Reply {
    let many = plan.changes().count();
    let progress = Progress::of(many);
    // Few files are written before anybody could press a key. Who cannot be heard ends it as they always could.
    let may_stop = many > FEW && !signals::are_ignored();
    let stop = may_stop.then(|| signals::listen(|| {}).ok()).flatten();
    let stopped = OnceLock::new();
    let applied = write::apply_while(plan, || {
        progress.step();
        let signal = stop.as_ref().and_then(Stop::signal);
        if let Some(signal) = signal {
            // All threads hear of the same one.
            let _ = stopped.set(signal);
        }
        signal.is_none()
    });
    drop(progress);
    memo.keep(plan, &applied, project);
    if let Some(signal) = stopped.into_inner() {
        let problem = Problem::new(format!("stopped by {}, with files left to do", signal.name()));
        let problem = problem.hint("the same command again does the others");
        return Reply { status: signal.into(), problems: vec![problem], ..Reply::default() };
    }
    let failed = &applied.failed;
    let mut reply = listing::listed(context, typed, plan, Tense::Past(failed));
    reply.problems = failed.iter().map(|e| Problem::new(e.to_string()).at(&e.origin)).collect();
    reply.problems.extend(listing::edited(typed, plan));
    if !reply.problems.is_empty() {
        reply.status = ExitStatus::Failed;
    }
    reply
}

/// The command that emits what was asked for, without what says how.
fn command(typed: &Emit) -> String {
    let names: Vec<&str> = typed.names.iter().map(String::as_str).collect();
    command_for(typed, &names)
}

/// The same for these prompts; none means all.
fn command_for(typed: &Emit, names: &[&str]) -> String {
    let names: String = match names {
        [] => " --all".to_owned(),
        names => names.iter().map(|name| format!(" {}", quoted(name))).collect(),
    };
    let option = |option: &str, path: &Option<PathBuf>| {
        path.as_ref().map(|path| format!(" {option} {}", quoted(&path.to_string_lossy()))).unwrap_or_default()
    };
    format!("cn emit{names}{}{}", option("--out", &typed.out), option("--out-dir", &typed.out_dir))
}
