//! `cn list`: the prompts, filtered.

use canopy::project::Failure;
use canopy::prompt::{Prompt, Status};
use canopy::source::record;
use canopy::value::Value;

use crate::args::List;
use crate::context::Context;
use crate::report::{Reply, count, dim, strong};

/// Lists the prompts that the filters leave.
pub(crate) fn list(context: &Context, typed: &List) -> Result<Reply, Failure> {
    let project = context.open()?;
    let found: Vec<&Prompt> = project.catalog.current().filter(|prompt| is_wanted(prompt, typed)).collect();
    let mut reply = Reply::default();
    if context.json {
        let prompts: Value = found.iter().map(|prompt| record::prompt_members(prompt)).collect();
        reply = reply.with("prompts", prompts).with("count", found.len());
    } else {
        reply.data = table(&found).into();
        reply.notes = dim(count(found.len(), "prompt") + "\n").into();
    }
    Ok(reply.warn(project.warnings))
}

fn is_wanted(prompt: &Prompt, typed: &List) -> bool {
    let status = match typed.status {
        Some(status) => prompt.status == status,
        None => prompt.status != Status::Archived,
    };
    status
        && typed.tag.iter().all(|tag| prompt.tags.contains(tag))
        && typed.extends.as_ref().is_none_or(|name| prompt.extends.as_ref() == Some(name))
        && typed.mixin.as_ref().is_none_or(|name| prompt.mixins.contains(name))
}

/// One line a prompt: name, version, status if not active, parents, tags.
fn table(prompts: &[&Prompt]) -> String {
    let name_width = prompts.iter().map(|prompt| prompt.name.chars().count()).max().unwrap_or(0);
    let version_width = prompts.iter().map(|prompt| prompt.version.to_string().len() + 1).max().unwrap_or(0);
    let mut text = String::new();
    for prompt in prompts {
        let gap = " ".repeat(name_width - prompt.name.chars().count());
        let version = format!("v{}", prompt.version);
        let mut line = format!("{}{gap}  {version:version_width$}", strong(&prompt.name));
        if prompt.status != Status::Active {
            line.push_str(&format!("  {}", prompt.status.as_str()));
        }
        if let Some(pin) = prompt.pinned {
            line.push_str(&format!("  pinned to v{pin}"));
        }
        let parents: Vec<&str> = prompt.extends.iter().chain(&prompt.mixins).map(String::as_str).collect();
        if !parents.is_empty() {
            line.push_str(&dim(format!("  ← {}", parents.join(" + "))));
        }
        if !prompt.tags.is_empty() {
            line.push_str(&dim(format!("  [{}]", prompt.tags.join(", "))));
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
