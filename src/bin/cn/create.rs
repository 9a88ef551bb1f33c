//! `cn create`: the first version of a prompt.

use canopy::catalog::Catalog;
use canopy::path::{self, PathError};
use canopy::problem::{Origin, Problem};
use canopy::project::Failure;
use canopy::prompt::{Prompt, Status};
use canopy::source::PROMPTS;
use canopy::store::{self, edit};

use crate::args::Create;
use crate::context::{Context, failure};
use crate::report::Reply;
use crate::update;
use crate::usage;

/// Makes the prompt.
pub(crate) fn create(context: &Context, typed: &Create) -> Result<Reply, Failure> {
    let root = context.root()?;
    if let Some(problem) = typed.bodies.read_twice() {
        return Ok(usage::wrong(problem));
    }
    let mut edits = typed.edits.edits();
    edits.extend(update::section_edits(&typed.bodies)?);
    let project = canopy::project::open(&root)?.config().map_err(failure)?.project;
    let written = store::append_prompt(&root, |catalog| make(catalog, &typed.name, &project, &edits));
    let written = written.map_err(|e| failure(e.problem()))?;
    let warnings = update::missing_schema(context, &edits)?;
    Ok(reply(&written.record).warn(written.warnings).warn(warnings))
}

/// A new prompt of that name with those edits, after what every new prompt must be.
pub(crate) fn make(
    catalog: &Catalog,
    name: &str,
    project: &str,
    edits: &[edit::Edit],
) -> Result<Prompt, Problem> {
    check_free(catalog, name)?;
    let ids = catalog.current().map(|prompt| prompt.id.as_str());
    let now = store::now();
    let origin = Origin { path: PROMPTS.into(), line: 0 };
    let empty = Prompt::empty((store::new_id(project, ids), name.to_owned()), origin);
    let empty = Prompt { created_at: Some(now.clone()), ..empty };
    let first = edit::first(&empty, edits, &now)?;
    check_name(&first)?;
    Ok(first)
}

/// Refuses a name that no prompt may have.
pub(crate) fn check_name(prompt: &Prompt) -> Result<(), Problem> {
    let name = &prompt.name;
    let checked = path::check_name(name, prompt.emit_as.is_some());
    checked.map_err(|e| Problem::new(format!("no prompt can be called `{name}`")).hint(e.to_string()))?;
    let file = prompt.emit_as.clone().unwrap_or_else(|| format!("{name}.md"));
    let dir = prompt.emit_dir.as_deref();
    match path::inside(dir.unwrap_or_default(), &file) {
        // How far up a file name may lead depends on the folder that the configuration gives it.
        Err(PathError::Leaves) if dir.is_none() => Ok(()),
        Err(e) => {
            let place = dir.map_or(file.clone(), |dir| format!("{dir}/{file}"));
            Err(Problem::new(format!("`{name}` cannot be emitted: `{place}` {e}"))
                .hint("an `--emit-as` and an `--emit-dir` lead to a file inside the project"))
        }
        Ok(_) => Ok(()),
    }
}

/// Refuses a name that a prompt in use has.
pub(crate) fn check_free(catalog: &Catalog, name: &str) -> Result<(), Problem> {
    let in_use = catalog.current().find(|prompt| prompt.name == name && prompt.status != Status::Archived);
    match in_use {
        None => Ok(()),
        Some(prompt) => Err(Problem::new(format!("there is a prompt called `{name}` already"))
            .at(&prompt.origin)
            .hint(format!("`cn update {name}` changes it, `cn archive {name}` frees its name"))),
    }
}

/// What is said of a prompt that was made.
pub(crate) fn reply(prompt: &Prompt) -> Reply {
    let news = format!("created {} ({})\n", prompt.name, prompt.id);
    let reply = Reply { news: news.into(), ..Reply::default() };
    reply.with("id", prompt.id.as_str()).with("name", prompt.name.as_str())
}
