//! `cn render`: what a prompt renders to, for a pipe or for a program.

use canopy::project::Failure;
use canopy::render::markdown;
use canopy::resolve::{Layer, Part, Resolved, Resolver};
use canopy::value::{Map, Value};

use crate::args::{Format, Render};
use crate::context::{self, Context};
use crate::report::{Reply, Styled, dim};

impl Render {
    /// Whether JSON was asked for as the format.
    pub(crate) fn is_json(&self) -> bool {
        self.format == Format::Json
    }
}

/// Renders a prompt as it is pinned, or exactly the version that was asked for.
pub(crate) fn render(context: &Context, typed: &Render) -> Result<Reply, Failure> {
    let project = context.open()?;
    let (prompt, exactly) = context::version(&project, &typed.name)?;
    let resolver = Resolver::new(&project.catalog);
    let resolved = if exactly { resolver.exact(prompt) } else { resolver.current(prompt) };
    let resolved = resolved.map_err(|e| context::of(&project, e.problem()))?;
    let mut reply = Reply::default();
    if context.json {
        reply.fields = members(&resolved);
    } else {
        reply.data = Styled::Verbatim(markdown::body(&resolved) + "\n");
        reply.aside = dim(lineage(&resolved) + "\n").into();
    }
    Ok(reply.warn(project.warnings.clone()))
}

fn lineage(resolved: &Resolved<'_>) -> String {
    let layers = resolved.lineage.iter().map(|layer| format!("{} v{}", layer.name, layer.version));
    layers.collect::<Vec<_>>().join(" → ")
}

fn members(resolved: &Resolved<'_>) -> Map {
    let mut map = Map::new();
    let mut names: Vec<&str> = Vec::new();
    for layer in &resolved.lineage {
        if !names.contains(&layer.name) {
            names.push(layer.name);
        }
    }
    let frontmatter = resolved.frontmatter.iter().map(|(key, value)| ((*key).to_owned(), (*value).clone()));
    map.insert("name".into(), resolved.name.into());
    map.insert("version".into(), resolved.prompt.version.into());
    map.insert("sections".into(), resolved.sections.iter().map(section).collect());
    map.insert("resolvedFrom".into(), names.into_iter().collect());
    map.insert("frontmatter".into(), Value::Map(frontmatter.collect()));
    if let Some(mulch) = &resolved.mulch {
        map.insert("mulch".into(), mulch.clone());
    }
    map.insert("lineage".into(), resolved.sections.iter().map(|part| giver(part.name, part.from)).collect());
    map
}

fn section(part: &Part<'_>) -> Map {
    let mut map = Map::new();
    map.insert("name".into(), part.name.into());
    map.insert("body".into(), part.body.into());
    if part.required_by.is_some() {
        map.insert("required".into(), true.into());
    }
    map
}

fn giver(section: &str, from: Layer<'_>) -> Map {
    let mut map = Map::new();
    map.insert("section".into(), section.into());
    map.insert("prompt".into(), from.name.into());
    map.insert("version".into(), from.version.into());
    map
}
