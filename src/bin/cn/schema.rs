//! `cn schema show` and `cn schema list`.

use canopy::problem::{Problem, nearest};
use canopy::project::{Failure, Project};
use canopy::schema::Schema;
use canopy::source::record;
use canopy::value::Value;

use crate::args::SchemaShow;
use crate::context::{self, Context};
use crate::report::{Reply, count, dim, strong};

/// Shows one schema.
pub(crate) fn show(context: &Context, typed: &SchemaShow) -> Result<Reply, Failure> {
    let (project, schemas, reply) = open(context)?;
    let named = schemas.iter().rev().find(|schema| schema.name == typed.name);
    let schema = named.ok_or_else(|| {
        let near = nearest(&typed.name, schemas.iter().map(|schema| schema.name.as_str()));
        let hint =
            near.map_or("`cn schema list` shows them".into(), |near| format!("did you mean `{near}`?"));
        context::of(&project, Problem::new(format!("no schema is called `{}`", typed.name)).hint(hint))
    })?;
    Ok(match context.json {
        true => reply.with("schema", record::schema_members(schema)),
        false => Reply { data: text(schema).into(), ..reply },
    })
}

/// Lists all of them.
pub(crate) fn list(context: &Context) -> Result<Reply, Failure> {
    let (_, schemas, reply) = open(context)?;
    if context.json {
        let members: Value = schemas.iter().map(record::schema_members).collect();
        return Ok(reply.with("schemas", members).with("count", schemas.len()));
    }
    let lines: String = schemas.iter().map(line).collect();
    Ok(Reply { data: lines.into(), notes: dim(count(schemas.len(), "schema") + "\n").into(), ..reply })
}

fn open(context: &Context) -> Result<(Project, Vec<Schema>, Reply), Failure> {
    let project = context.open()?;
    let (schemas, warnings) = project.schemas().map_err(|problem| context::of(&project, problem))?;
    let reply = Reply::default().warn(project.warnings.clone()).warn(warnings);
    Ok((project, schemas, reply))
}

fn line(schema: &Schema) -> String {
    let rules = schema.rules.as_deref().unwrap_or_default().len();
    let required = schema.required_sections.join(", ");
    format!("{}  {}  {}\n", strong(&schema.name), dim(count(rules, "rule")), dim(required))
}

fn text(schema: &Schema) -> String {
    let mut text = format!("{}  {}\n", strong(&schema.name), dim(&schema.id));
    let mut sections = |label: &str, names: &[String]| {
        if !names.is_empty() {
            text.push_str(&format!("{} {}\n", dim(format!("{label:9}")), names.join(", ")));
        }
    };
    sections("required", &schema.required_sections);
    sections("optional", schema.optional_sections.as_deref().unwrap_or_default());
    for rule in schema.rules.iter().flatten() {
        text.push_str(&format!("{} /{}/  {}\n", strong(&rule.section), rule.pattern, dim(&rule.message)));
    }
    text
}
