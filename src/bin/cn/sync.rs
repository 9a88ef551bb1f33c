//! `cn sync`: commits what changed in the store, and nothing else.

mod git;

use canopy::catalog::Catalog;
use canopy::problem::Problem;
use canopy::project::{self, Failure};
use canopy::prompt::Status;
use canopy::source::{PROMPTS, SCHEMAS, jsonl, record};
use canopy::value::Value;

use crate::args::Sync;
use crate::context::{Context, failure};
use crate::report::{Reply, count, dim};
use git::{Changed, Git};

/// A subject that is longer than this names numbers in place of names.
const LONGEST_SUBJECT: usize = 72;

/// Commits, or says what there is to commit.
pub(crate) fn sync(context: &Context, typed: &Sync) -> Result<Reply, Failure> {
    let root = context.root()?;
    let git = Git::at(root.clone())?;
    let changed = git.changed()?;
    if changed.is_empty() && git.ignores(PROMPTS)? {
        let problem = Problem::new(format!("git is told to ignore `{PROMPTS}`"));
        return Err(failure(problem.hint("take `.canopy` out of the .gitignore that names it")));
    }
    if typed.status {
        return Ok(status(&changed));
    }
    // A store that cannot be read is not committed: conflict markers would go into the history.
    let project = project::open(&root)?;
    git.add_new(&changed)?;
    // A file that git had been told to forget is now what it was: nothing of it is left to commit.
    let changed = git.changed()?;
    if changed.is_empty() {
        let message = "nothing to commit in .canopy/";
        let reply = Reply { notes: dim(format!("{message}\n")).into(), ..Reply::default() };
        return Ok(members(reply.with("committed", false), &changed).with("message", message));
    }
    let message = subject(&git, &project.catalog, &changed)?;
    git.commit(&changed, &message)?;
    let news = format!("committed {message}\n");
    let notes = dim(listed(&changed));
    let reply = Reply { news: news.into(), notes: notes.into(), ..Reply::default() };
    Ok(members(reply.with("committed", true), &changed).with("message", message).warn(project.warnings))
}

fn status(changed: &[Changed]) -> Reply {
    let (data, notes) = match changed.len() {
        0 => (String::new(), "everything in .canopy/ is committed".to_owned()),
        number => (listed(changed), format!("{} not committed; `cn sync` does it", count(number, "file"))),
    };
    let reply = Reply { data: data.into(), notes: dim(notes + "\n").into(), ..Reply::default() };
    members(reply.with("uncommitted", !changed.is_empty()), changed)
}

fn members(reply: Reply, changed: &[Changed]) -> Reply {
    reply.with("files", changed.iter().map(Changed::shown).collect::<Value>())
}

fn listed(changed: &[Changed]) -> String {
    changed.iter().map(|file| format!("  {}\n", file.shown())).collect()
}

/// The commit's message: which prompts are new, changed or out of use since the last commit.
fn subject(git: &Git, catalog: &Catalog, changed: &[Changed]) -> Result<String, Failure> {
    let touched = |path: &str| changed.iter().any(|file| file.shown() == path);
    let mut parts = Vec::new();
    let mut others: Vec<&str> = Vec::new();
    if touched(PROMPTS) {
        // What cannot be read there only makes the message say less.
        let before = jsonl::read(PROMPTS, &git.committed(PROMPTS)?, record::prompt);
        let before = Catalog::new(before.map(|read| read.records).unwrap_or_default());
        parts = differences(&before, catalog);
    }
    if touched(SCHEMAS) {
        others.push("schemas");
    }
    if touched(canopy::config::CONFIG) {
        others.push("configuration");
    }
    let short = |named: bool| {
        let prompts = parts.iter().map(|(verb, names)| match named {
            true => format!("{verb} {}", names.join(", ")),
            false => format!("{verb} {}", count(names.len(), "prompt")),
        });
        let others = (!others.is_empty()).then(|| format!("change {}", others.join(", ")));
        let all: Vec<String> = prompts.chain(others).collect();
        if all.is_empty() {
            "canopy: change the store".to_owned()
        } else {
            format!("canopy: {}", all.join("; "))
        }
    };
    let full = short(true).replace(char::is_control, " ");
    Ok(if full.chars().count() <= LONGEST_SUBJECT { full } else { short(false) })
}

/// The names of the prompts that were added, updated and archived between two states of the store.
fn differences<'c>(before: &Catalog, after: &'c Catalog) -> Vec<(&'static str, Vec<&'c str>)> {
    let mut parts = [("add", Vec::new()), ("update", Vec::new()), ("archive", Vec::new())];
    for prompt in after.current() {
        let old = before.versions_of(prompt).map(canopy::catalog::Versions::latest);
        let verb = match old {
            None => "add",
            Some(old) if old.says_the_same_as(prompt) => continue,
            Some(old) if old.status != Status::Archived && prompt.status == Status::Archived => "archive",
            Some(_) => "update",
        };
        for (_, names) in parts.iter_mut().filter(|(of, _)| *of == verb) {
            names.push(prompt.name.as_str());
        }
    }
    parts.into_iter().filter(|(_, names)| !names.is_empty()).collect()
}
