//! `cn import`: a prompt out of a Markdown file.

use std::path::Path;

use canopy::import::{self, How, Split};
use canopy::problem::{Origin, Problem};
use canopy::project::Failure;
use canopy::prompt::Section;
use canopy::store;
use canopy::store::edit::Edit;
use canopy::value::Map;

use crate::args::Import;
use crate::context::{Context, failure};
use crate::create;
use crate::report::{Reply, count};

/// Makes a prompt of the file.
pub(crate) fn import(context: &Context, typed: &Import) -> Result<Reply, Failure> {
    let root = context.root()?;
    let path = typed.path.display().to_string();
    let split = match (typed.split, typed.keep_headings) {
        (true, true) => Split::HeadingsAsWritten,
        (true, false) => Split::Headings,
        (false, _) => Split::Nowhere,
    };
    let how = How { path: &path, name: &typed.name, split };
    let imported = import::read(&read(&typed.path)?, &how).map_err(failure)?;
    let sections: Vec<_> = imported.sections.into_iter().map(section).collect();
    let number = sections.len();
    let mut edits = vec![Edit::WholeFrontmatter(imported.frontmatter), Edit::Sections(sections)];
    edits.extend(imported.description.map(Edit::Description));
    edits.extend(typed.tag.iter().cloned().map(Edit::Tag));
    let project = canopy::project::open(&root)?.config().map_err(failure)?.project;
    let written = store::append_prompt(&root, |catalog| create::make(catalog, &typed.name, &project, &edits));
    let written = written.map_err(|e| failure(e.problem()))?;
    let prompt = written.record;
    let news = format!("created {} ({}) with {}\n", prompt.name, prompt.id, count(number, "section"));
    let reply = Reply { news: news.into(), ..create::reply(&prompt) };
    Ok(reply.with("sections", number).warn(written.warnings).warn(imported.warnings))
}

fn section((name, body): (String, String)) -> Section {
    Section { name, body, required: None, extra: Map::new() }
}

/// The text of the file.
#[expect(clippy::disallowed_methods, reason = "a file that a person names on the command line comes in here")]
fn read(path: &Path) -> Result<String, Failure> {
    let shown = path.display();
    let bytes = std::fs::read(Context::here()?.join(path))
        .map_err(|e| failure(Problem::new(format!("cannot read `{shown}`: {e}"))))?;
    String::from_utf8(bytes).map_err(|e| {
        let good = e.as_bytes().get(..e.utf8_error().valid_up_to()).unwrap_or_default();
        let line = good.iter().filter(|byte| **byte == b'\n').count() + 1;
        let origin = Origin { path: shown.to_string().into(), line };
        let problem = Problem::new(format!("`{shown}` is no text in UTF-8"));
        failure(problem.at(&origin).hint("nothing was imported; save the file as UTF-8 first"))
    })
}
