//! `cn show`: a prompt's own record, nothing inherited.

use canopy::project::Failure;
use canopy::prompt::Prompt;
use canopy::source::record;

use crate::args::Show;
use crate::context::{self, Context};
use crate::report::{Reply, dim, strong};

/// Shows the record of a prompt or of one of its versions.
pub(crate) fn show(context: &Context, typed: &Show) -> Result<Reply, Failure> {
    let project = context.open()?;
    let (prompt, _) = context::version(&project, &typed.name)?;
    let reply = match context.json {
        true => Reply::default().with("prompt", record::prompt_members(prompt)),
        false => Reply { data: text(prompt).into(), ..Reply::default() },
    };
    Ok(reply.warn(project.warnings))
}

fn text(prompt: &Prompt) -> String {
    let mut text = format!("{}  v{}  {}\n", strong(&prompt.name), prompt.version, prompt.status.as_str());
    let mut line = |label: &str, value: Option<&str>| {
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            text.push_str(&format!("{}{value}\n", dim(format!("{label:13}"))));
        }
    };
    line("description", prompt.description.as_deref());
    line("id", Some(&prompt.id));
    line("extends", prompt.extends.as_deref());
    line("mixins", Some(&prompt.mixins.join(", ")));
    line("tags", Some(&prompt.tags.join(", ")));
    line("schema", prompt.schema.as_deref());
    line("emitted as", prompt.emit_as.as_deref());
    line("emitted into", prompt.emit_dir.as_deref());
    line("pinned to", prompt.pinned.map(|pin| format!("v{pin}")).as_deref());
    line("created", prompt.created_at.as_deref());
    line("updated", prompt.updated_at.as_deref());
    line("stands at", Some(&prompt.origin.to_string()));
    for (key, value) in &prompt.frontmatter {
        let value = match value.as_str() {
            Some(text) => text.to_owned(),
            None => serde_json::to_string(value).unwrap_or_default(),
        };
        line(key, Some(&value));
    }
    for section in &prompt.sections {
        let required = if section.required == Some(true) { dim("  (required)") } else { String::new() };
        text.push_str(&format!("\n{}{required}\n", strong(format!("## {}", section.name))));
        match section.body.as_str() {
            "" => text.push_str(&format!("{}\n", dim("(removes the inherited section)"))),
            body => text.push_str(&format!("\n{body}\n")),
        }
    }
    text
}
