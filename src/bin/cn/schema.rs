//! `cn schema`: shows, lists, makes and extends schemas.

use canopy::problem::{Origin, Problem, nearest};
use canopy::project::{Failure, Project};
use canopy::schema::{self, Rule, Schema};
use canopy::source::{SCHEMAS, record};
use canopy::store;
use canopy::value::{Map, Value};

use crate::args::{SchemaCreate, SchemaRuleAdd, SchemaShow};
use crate::context::{self, Context, failure};
use crate::report::{Reply, count, dim, strong};

/// Makes a schema.
pub(crate) fn create(context: &Context, typed: &SchemaCreate) -> Result<Reply, Failure> {
    let words = |words: &[String]| -> Vec<String> {
        words.iter().map(|word| word.trim().to_owned()).filter(|word| !word.is_empty()).collect()
    };
    let written = store::append_schema(&context.root()?, |schemas| {
        if schemas.iter().any(|schema| schema.name == typed.name) || typed.name.is_empty() {
            return Err(Problem::new(format!("`{}` is empty or the name of another schema", typed.name))
                .hint("`cn schema list` shows them"));
        }
        let now = Some(store::now());
        Ok(Schema {
            id: store::new_id("schema", schemas.iter().map(|schema| schema.id.as_str())),
            name: typed.name.clone(),
            required_sections: words(&typed.required),
            optional_sections: Some(words(&typed.optional)).filter(|words| !words.is_empty()),
            rules: None,
            created_at: now.clone(),
            updated_at: now,
            extra: Map::new(),
            origin: Origin { path: SCHEMAS.into(), line: 0 },
        })
    });
    let written = written.map_err(|e| failure(e.problem()))?;
    let schema = written.record;
    let news = format!("created schema {} ({})\n", schema.name, schema.id);
    let reply = Reply { news: news.into(), ..Reply::default() };
    Ok(reply.with("id", schema.id).with("name", schema.name).warn(written.warnings))
}

/// Adds a rule to a schema.
pub(crate) fn add_rule(context: &Context, typed: &SchemaRuleAdd) -> Result<Reply, Failure> {
    let rule = Rule {
        section: typed.section.clone(),
        pattern: typed.pattern.clone(),
        message: typed.message.clone(),
        extra: Map::new(),
    };
    let unusable = canopy::validate::check_pattern(&rule.pattern).err();
    let written = store::append_schema(&context.root()?, |schemas| {
        let mut schema = find(schemas, &typed.schema)?.clone();
        schema.rules.get_or_insert_default().push(rule.clone());
        schema.updated_at = Some(store::now());
        Ok(schema)
    });
    let written = written.map_err(|e| failure(e.problem()))?;
    let news = format!("added a rule for {} to schema {}\n", rule.section, written.record.name);
    let reply = Reply { news: news.into(), ..Reply::default() };
    let reply = reply.with("schema", written.record.name).with("rule", record::rule_members(&rule));
    let unusable = unusable.map(|why| {
        Problem::new(format!("`{}` is no regular expression: {why}", rule.pattern))
            .hint("it will not be checked")
    });
    Ok(reply.warn(written.warnings).warn(unusable.into_iter().collect()))
}

/// The schema of that name.
fn find<'s>(schemas: &'s [Schema], name: &str) -> Result<&'s Schema, Problem> {
    schema::named(schemas, name).ok_or_else(|| {
        let near = nearest(name, schemas.iter().map(|schema| schema.name.as_str()));
        let hint =
            near.map_or("`cn schema list` shows them".into(), |near| format!("did you mean `{near}`?"));
        Problem::new(format!("no schema is called `{name}`")).hint(hint)
    })
}

/// Shows one schema.
pub(crate) fn show(context: &Context, typed: &SchemaShow) -> Result<Reply, Failure> {
    let (project, schemas, reply) = open(context)?;
    let schema = find(&schemas, &typed.name).map_err(|problem| context::of(&project, problem))?;
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
