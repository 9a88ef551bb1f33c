//! `cn update`: the next version of a prompt, out of flags.

use std::collections::HashSet;
use std::io::Read as _;
use std::path::Path;

use canopy::catalog::{Catalog, Versions};
use canopy::problem::Problem;
use canopy::project::{self, Failure};
use canopy::prompt::{Prompt, Status};
use canopy::resolve::Resolver;
use canopy::store::edit::{self, Edit};
use canopy::store::{self, Written};

use crate::args::Update;
use crate::args::edits::{Bodies, Body};
use crate::context::{Context, failure};
use crate::create::{check_free, check_name};
use crate::report::Reply;
use crate::usage;

/// Changes the prompt.
pub(crate) fn update(context: &Context, typed: &Update) -> Result<Reply, Failure> {
    if let Some(problem) = typed.bodies.read_twice().or_else(|| contradiction(typed)) {
        return Ok(usage::wrong(problem));
    }
    let mut edits = typed.edits.edits();
    edits.extend(section_edits(&typed.bodies)?);
    edits.extend(typed.removals.edits());
    edits.extend(typed.name.clone().map(Edit::Name));
    if edits.is_empty() {
        let problem = Problem::new(format!("nothing to change in `{}`", typed.prompt));
        return Ok(usage::wrong(problem.hint("`cn help update` shows what can be changed")));
    }
    let written = change(context, &typed.prompt, &edits)?;
    let warnings = missing_schema(context, &edits)?;
    Ok(reply(&written.record).warn(written.warnings).warn(warnings))
}

/// What is both given and taken away: which of the two is meant cannot be told.
fn contradiction(typed: &Update) -> Option<Problem> {
    let given = typed.edits.named().chain(typed.bodies.named());
    let mut both = given.filter(|given| typed.removals.named().any(|removed| removed == *given));
    let (what, name) = both.next()?;
    Some(
        Problem::new(format!("the {what} `{name}` is both given and removed"))
            .hint("leave one of the two out"),
    )
}

/// Appends the next version of the prompt called `name`.
pub(crate) fn change(context: &Context, name: &str, edits: &[Edit]) -> Result<Written<Prompt>, Failure> {
    let written = store::append_prompt(&context.root()?, |catalog| next(catalog, name, edits));
    written.map_err(|e| failure(e.problem()))
}

/// The next version, after what every change of a prompt must meet.
pub(crate) fn next(catalog: &Catalog, name: &str, edits: &[Edit]) -> Result<Prompt, Problem> {
    let prompt = catalog.named(name).map(Versions::latest).ok_or_else(|| project::unknown(catalog, name))?;
    let next = edit::apply(prompt, edits, &inherited(catalog, prompt), &store::now())?;
    if next.name != prompt.name || next.emit_as != prompt.emit_as || next.emit_dir != prompt.emit_dir {
        check_name(&next)?;
    }
    let returns = prompt.status == Status::Archived && next.status != Status::Archived;
    if next.name != prompt.name || returns {
        check_free(catalog, &next.name)?;
    }
    Ok(next)
}

/// The names of the sections that a prompt would have without its own. What cannot be composed has none.
fn inherited(catalog: &Catalog, prompt: &Prompt) -> HashSet<String> {
    let without = Prompt { sections: Vec::new(), ..prompt.clone() };
    match Resolver::new(catalog).exact(&without) {
        Ok(resolved) => resolved.sections.iter().map(|part| part.name.to_owned()).collect(),
        Err(_) => HashSet::new(),
    }
}

/// A schema that does not exist is no reason to refuse, but one to say so.
pub(crate) fn missing_schema(context: &Context, edits: &[Edit]) -> Result<Vec<Problem>, Failure> {
    let Some(name) = edits.iter().find_map(|edit| match edit {
        Edit::Schema(name) if !name.is_empty() => Some(name),
        _ => None,
    }) else {
        return Ok(Vec::new());
    };
    let (schemas, _) = context.open()?.schemas().map_err(failure)?;
    if schemas.iter().any(|schema| schema.name == *name) {
        return Ok(Vec::new());
    }
    let hint = format!("`cn schema create --name {name}` makes it");
    Ok(vec![Problem::new(format!("no schema is called `{name}`")).hint(hint)])
}

/// The texts of sections as edits; files are read now.
pub(crate) fn section_edits(bodies: &Bodies) -> Result<Vec<Edit>, Failure> {
    let edit = |(name, body): &(String, Body)| -> Result<Edit, Failure> {
        let body = match body {
            Body::Text(text) => text.clone(),
            Body::File(path) => read(path)?,
        };
        Ok(Edit::Section { name: name.clone(), body })
    };
    bodies.0.iter().map(edit).collect()
}

/// The text of a file, or of standard input for `-`; the end of its last line is not part of it.
#[expect(clippy::disallowed_methods, reason = "a file that a person names on the command line comes in here")]
fn read(path: &Path) -> Result<String, Failure> {
    let text = if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(Context::here()?.join(path))
    };
    let text = text.map_err(|e| failure(Problem::new(format!("cannot read `{}`: {e}", path.display()))))?;
    let mut text = text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned();
    if text.ends_with('\n') {
        text.pop();
        if text.ends_with('\r') {
            text.pop();
        }
    }
    Ok(text)
}

/// What is said of a prompt that was changed.
pub(crate) fn reply(prompt: &Prompt) -> Reply {
    let news = format!("updated {} to v{}\n", prompt.name, prompt.version);
    let reply = Reply { news: news.into(), ..Reply::default() };
    reply.with("id", prompt.id.as_str()).with("name", prompt.name.as_str()).with("version", prompt.version)
}
