//! `cn stats`: how many prompts, versions and schemas there are.

use canopy::catalog::Versions;
use canopy::project::Failure;
use canopy::prompt::{Prompt, Status};
use canopy::value::Map;

use crate::context::{self, Context};
use crate::report::{Reply, dim};

/// Counts them.
pub(crate) fn stats(context: &Context) -> Result<Reply, Failure> {
    let project = context.open()?;
    let (schemas, warnings) = project.schemas().map_err(|problem| context::of(&project, problem))?;
    let count =
        |wanted: fn(&Prompt) -> bool| project.catalog.current().filter(|prompt| wanted(prompt)).count();
    let counts = [
        ("total", "prompts", count(|_| true)),
        ("active", "active", count(|prompt| prompt.status == Status::Active)),
        ("draft", "draft", count(|prompt| prompt.status == Status::Draft)),
        ("archived", "archived", count(|prompt| prompt.status == Status::Archived)),
        ("withSchema", "with a schema", count(|prompt| prompt.schema.is_some())),
        ("withParent", "with a parent", count(|prompt| prompt.extends.is_some())),
        ("totalVersions", "versions", project.catalog.all().map(Versions::count).sum()),
    ];
    let members: Map = counts.iter().map(|(key, _, count)| ((*key).to_owned(), (*count).into())).collect();
    let lines = counts.iter().map(|(_, label, count)| (*label, *count)).chain([("schemas", schemas.len())]);
    let text: String = lines.map(|(label, count)| format!("{count:>6}  {}\n", dim(label))).collect();
    let reply = Reply { data: text.into(), ..Reply::default() };
    let reply = reply.with("prompts", members).with("schemas", schemas.len());
    Ok(reply.warn(project.warnings).warn(warnings))
}
