//! `cn edit`: the text of a prompt in a person's editor, and the next version out of what comes back.

mod editor;

use canopy::catalog::{Catalog, Versions};
use canopy::document::Document;
use canopy::problem::Problem;
use canopy::project::Failure;
use canopy::prompt::Prompt;
use canopy::store::edit::Edit as Change;
use canopy::store::{self, Written};

use crate::args::Edit;
use crate::context::{self, Context, failure};
use crate::report::{ExitStatus, Reply};
use crate::update;
use editor::Draft;

/// Opens the prompt, and changes it if the text was changed.
pub(crate) fn edit(context: &Context, typed: &Edit) -> Result<Reply, Failure> {
    let project = context.open()?;
    let prompt = context::named(&project, &typed.name)?.latest();
    let old = Document::of(prompt);
    let text = old.write();
    let mut draft = Draft::new(&prompt.name, &text).map_err(failure)?;
    let edited = draft.edit(context.json).and_then(|edited| change(context, prompt, &old, &draft, &edited));
    match edited {
        Ok(Some(written)) => {
            draft.discard();
            Ok(update::reply(&written.record).with("changed", true).warn(written.warnings))
        }
        Ok(None) => {
            draft.discard();
            Ok(nothing_changed(prompt))
        }
        Err(problem) if draft.is_changed() => Ok(kept(prompt, &draft, problem)),
        Err(problem) => {
            draft.discard();
            Err(failure(problem))
        }
    }
}

/// The next version out of the text that came back; `None` if it says what the prompt says.
fn change(
    context: &Context,
    opened: &Prompt,
    old: &Document,
    draft: &Draft,
    edited: &str,
) -> Result<Option<Written<Prompt>>, Problem> {
    let mut new = Document::read(edited, old).map_err(|e| e.problem(&draft.path()))?;
    if old.description.is_none() {
        // An empty description is none.
        new.description = new.description.filter(|text| !text.is_empty());
    }
    if new.write() == old.write() {
        return Ok(None);
    }
    let mut changes = vec![Change::Sections(new.sections), Change::WholeFrontmatter(new.frontmatter)];
    if new.description != old.description {
        changes.push(Change::Description(new.description.unwrap_or_default()));
    }
    let root = context.root().map_err(first_problem)?;
    let written = store::append_prompt(&root, |catalog| {
        check_version(catalog, opened)?;
        update::next(catalog, &opened.name, &changes)
    });
    written.map(Some).map_err(store::StoreError::problem)
}

/// Refuses to go over what others did to the prompt in the meantime.
fn check_version(catalog: &Catalog, opened: &Prompt) -> Result<(), Problem> {
    let name = &opened.name;
    match catalog.named(name).map(Versions::latest) {
        Some(latest) if latest.id != opened.id => {
            Err(Problem::new(format!("`{name}` became another prompt while it was being edited")))
        }
        Some(latest) if latest.version != opened.version => {
            let (came, was) = (latest.version, opened.version);
            let problem =
                Problem::new(format!("`{name}` got version {came} while version {was} was being edited"));
            Err(problem.hint(format!("`cn diff {name}` shows what changed")))
        }
        // One that is gone is for the change to report.
        _ => Ok(()),
    }
}

fn first_problem(failure: Failure) -> Problem {
    failure.problems.into_iter().next().unwrap_or_else(|| Problem::new("the project cannot be read"))
}

fn nothing_changed(prompt: &Prompt) -> Reply {
    let reply = Reply { news: "nothing changed\n".to_owned().into(), ..Reply::default() };
    let reply = reply.with("id", prompt.id.as_str()).with("name", prompt.name.as_str());
    reply.with("version", prompt.version).with("changed", false)
}

/// A failure that says where the text is that a person wrote.
fn kept(prompt: &Prompt, draft: &Draft, problem: Problem) -> Reply {
    let path = draft.path();
    let there = Problem::new(format!("what you wrote is kept in `{path}`"));
    let there = match cfg!(unix) {
        true => there.hint(format!(
            "mend it there; `VISUAL='cp {path}' cn edit {}` takes it over as it then is",
            prompt.name
        )),
        false => there,
    };
    let reply = Reply { status: ExitStatus::Failed, problems: vec![problem], ..Reply::default() };
    reply.warn(vec![there]).with("kept", path)
}
