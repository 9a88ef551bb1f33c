//! `cn history`: a prompt's versions, the latest first.

use canopy::catalog::Versions;
use canopy::project::Failure;
use canopy::prompt::Prompt;
use canopy::source::record;
use canopy::value::Value;

use crate::args::History;
use crate::context::{self, Context};
use crate::diff::{changed_fields, changed_sections};
use crate::report::{Reply, count, dim, strong};

/// Lists the versions.
pub(crate) fn history(context: &Context, typed: &History) -> Result<Reply, Failure> {
    let project = context.open()?;
    let versions = context::named(&project, &typed.name)?;
    let shown: Vec<&Prompt> = versions.iter().rev().take(typed.limit).collect();
    let mut reply = Reply::default();
    if context.json {
        let records: Value = shown.iter().map(|prompt| record::prompt_members(prompt)).collect();
        reply = reply.with("name", versions.latest().name.as_str()).with("versions", records);
    } else {
        reply.data = text(versions, &shown).into();
        if shown.len() < versions.count() {
            let left = count(versions.count() - shown.len(), "older version");
            reply.notes = dim(format!("{left} not shown; `--limit N` shows more\n")).into();
        }
    }
    Ok(reply.warn(project.warnings.clone()))
}

/// One line a version: its number, when it was made, and what it changed.
fn text(versions: &Versions, shown: &[&Prompt]) -> String {
    let mut text = String::new();
    for prompt in shown {
        let before = versions.iter().rev().find(|older| older.version < prompt.version);
        let changed = before.map_or_else(|| "created".to_owned(), |before| summary(before, prompt));
        let time = prompt.updated_at.as_deref().unwrap_or("no date");
        let version = strong(format!("v{}", prompt.version));
        text.push_str(&format!("{version}  {}  {:8}  {changed}\n", dim(time), prompt.status.as_str()));
    }
    text
}

/// What a version changed against an earlier one.
pub(crate) fn summary(before: &Prompt, after: &Prompt) -> String {
    let sections = changed_sections(before, after).into_iter();
    let mut changes: Vec<String> =
        sections.map(|change| format!("{} {}", change.kind.sign(), change.name)).collect();
    changes.extend(changed_fields(before, after).into_iter().map(|field| match (field, after.pinned) {
        ("name", _) => format!("renamed from {}", before.name),
        ("pinned", Some(pin)) => format!("pinned to v{pin}"),
        ("pinned", None) => "unpinned".to_owned(),
        (field, _) => format!("~ {field}"),
    }));
    changes.join(", ")
}
