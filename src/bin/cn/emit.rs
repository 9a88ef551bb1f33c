//! `cn emit`: one build, and what becomes of it: written, shown or checked.

use std::collections::HashSet;
use std::path::PathBuf;

use canopy::plan::{Change, Plan, Step};
use canopy::problem::Problem;
use canopy::project::{self, Destination, Failure, Request, Selection};
use canopy::value::{Map, Value};
use canopy::write::{self, WriteError};

use crate::args::Emit;
use crate::context::Context;
use crate::report::{ExitStatus, Reply, count, dim, quoted};
use crate::usage;

/// Builds, then applies or reports.
pub(crate) fn emit(context: &Context, typed: &Emit) -> Result<Reply, Failure> {
    if typed.out.is_some() && typed.names.len() > 1 {
        let problem = Problem::new(format!("one file cannot take {} prompts", typed.names.len()));
        return Ok(usage::wrong(problem.hint("name one prompt, or give a folder with `--out-dir`")));
    }
    let root = context.root()?;
    let built = project::build(&root, &request(typed)?)?;
    let reply = if typed.check {
        check(context, typed, &built.plan)
    } else if typed.dry_run {
        listed(context, &built.plan, &[], ("would create", "would update")).with("dryRun", true)
    } else {
        apply(context, &built.plan)
    };
    context.remember(&root, &built.inputs);
    Ok(reply.warn(built.warnings))
}

fn request(typed: &Emit) -> Result<Request, Failure> {
    let selection = match typed.names.as_slice() {
        [] => Selection::All,
        names => Selection::Named(names.to_vec()),
    };
    let destination = match (&typed.out, &typed.out_dir) {
        (Some(file), _) => Destination::File(Context::typed(file)?),
        (None, Some(dir)) => Destination::Dir(Context::typed(dir)?),
        (None, None) => Destination::Routed,
    };
    Ok(Request { selection, destination, force: typed.force })
}

fn apply(context: &Context, plan: &Plan) -> Reply {
    let failed = write::apply(plan);
    let mut reply = listed(context, plan, &failed, ("created", "updated"));
    if !failed.is_empty() {
        reply.status = ExitStatus::Failed;
        reply.problems = failed.iter().map(|e| Problem::new(e.to_string()).at(&e.origin)).collect();
    }
    reply
}

/// The files of a plan, with the words for what happens to them; those that `failed` were not written.
fn listed(context: &Context, plan: &Plan, failed: &[WriteError], (create, update): (&str, &str)) -> Reply {
    let failed: HashSet<&str> = failed.iter().map(|e| e.path.as_str()).collect();
    let is_done = |step: &&Step| !failed.contains(step.output.path.as_str());
    if context.json {
        let file = |step: &Step| file(step, !is_done(&step));
        return Reply::default().with("files", plan.steps.iter().map(file).collect::<Value>());
    }
    let word = |step: &Step| match step.change {
        Change::Create => create,
        _ => update,
    };
    let width = create.len().max(update.len());
    let line = |step: &Step| format!("{:width$}  {}\n", word(step), step.output.path);
    let news: String = plan.changes().filter(is_done).map(line).collect();
    let changed = plan.changes().count();
    let written = changed - failed.len();
    let unchanged = plan.steps.len() - changed;
    let notes = match changed {
        0 => format!("{}, all up to date\n", count(plan.steps.len(), "file")),
        _ => {
            let verb = if create == "created" { "written" } else { "to write" };
            format!("{written} {verb}, {unchanged} up to date\n")
        }
    };
    Reply { news: news.into(), notes: dim(notes).into(), ..Reply::default() }
}

fn file(step: &Step, failed: bool) -> Map {
    let mut map = Map::new();
    map.insert("name".into(), step.output.name.as_str().into());
    map.insert("path".into(), step.output.path.as_str().into());
    map.insert("version".into(), step.output.version.into());
    let status = match step.change {
        _ if failed => "failed",
        Change::Create => "created",
        Change::Update => "updated",
        Change::Unchanged => "unchanged",
    };
    if step.change == Change::Unchanged {
        map.insert("skipped".into(), true.into());
    }
    map.insert("status".into(), status.into());
    map
}

/// Says which files are not what they should be; nothing is written.
fn check(context: &Context, typed: &Emit, plan: &Plan) -> Reply {
    let stale: Vec<&Step> = plan.changes().collect();
    let names = |wanted: fn(&Step) -> bool| -> Value {
        stale.iter().filter(|step| wanted(step)).map(|step| step.output.name.as_str()).collect()
    };
    let up_to_date = stale.is_empty();
    let status = if up_to_date { ExitStatus::Success } else { ExitStatus::Failed };
    let mut reply = Reply { status, ..Reply::default() };
    if context.json {
        return reply
            .with("check", true)
            .with("stale", names(|_| true))
            .with("missing", names(|step| step.change == Change::Create))
            .with("edited", names(|_| false))
            .with("orphans", names(|_| false))
            .with("upToDate", up_to_date);
    }
    let word = |step: &Step| if step.change == Change::Create { "missing" } else { "stale" };
    reply.data = stale
        .iter()
        .map(|step| format!("{:8} {}\n", word(step), step.output.path))
        .collect::<String>()
        .into();
    if up_to_date {
        reply.notes = dim(format!("{}, all up to date\n", count(plan.steps.len(), "file"))).into();
    } else {
        let message = format!("{} of {} not up to date", stale.len(), count(plan.steps.len(), "file"));
        reply.problems = vec![Problem::new(message).hint(format!("`{}` writes them", writing(typed)))];
    }
    reply
}

/// The command that writes what a check looked at.
fn writing(typed: &Emit) -> String {
    let names: String = match typed.names.as_slice() {
        [] => " --all".to_owned(),
        names => names.iter().map(|name| format!(" {}", quoted(name))).collect(),
    };
    let option = |option: &str, path: &Option<PathBuf>| {
        path.as_ref().map(|path| format!(" {option} {}", quoted(&path.to_string_lossy()))).unwrap_or_default()
    };
    format!("cn emit{names}{}{}", option("--out", &typed.out), option("--out-dir", &typed.out_dir))
}
