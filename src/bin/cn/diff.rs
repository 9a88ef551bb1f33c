//! `cn diff`: what changed between two versions of a prompt, section by section.

pub(crate) mod words;

use canopy::problem::Problem;
use canopy::project::{Failure, Project};
use canopy::prompt::Prompt;
use canopy::source::record;
use canopy::value::{Map, Value};
use indexmap::IndexMap;

use crate::args::Diff;
use crate::context::{self, Context};
use crate::report::{Reply, dim, strong};

/// What happened to a section.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Added,
    Removed,
    Modified,
}

impl Kind {
    fn word(self) -> &'static str {
        match self {
            Kind::Added => "added",
            Kind::Removed => "removed",
            Kind::Modified => "modified",
        }
    }

    /// The sign in front of a section's name.
    pub(crate) fn sign(self) -> char {
        match self {
            Kind::Added => '+',
            Kind::Removed => '-',
            Kind::Modified => '~',
        }
    }
}

/// A section that two versions do not share.
pub(crate) struct Change<'p> {
    /// Its name.
    pub(crate) name: &'p str,
    /// What happened to it.
    pub(crate) kind: Kind,
    from: &'p str,
    to: &'p str,
}

/// Compares the versions that were named.
pub(crate) fn diff(context: &Context, typed: &Diff) -> Result<Reply, Failure> {
    let project = context.open()?;
    let (from, to) = versions(&project, typed)?;
    let sections = changed_sections(from, to);
    let fields = changed_fields(from, to);
    let name = context::named(&project, &typed.name).map_or(to.name.as_str(), |v| v.latest().name.as_str());
    let reply = match context.json {
        false => Reply { data: text(from, to, &sections, &fields).into(), ..Reply::default() },
        true => Reply::default()
            .with("name", name)
            .with("from", from.version)
            .with("to", to.version)
            .with("changes", sections.iter().map(members).collect::<Value>())
            .with("fields", fields.iter().copied().collect::<Value>()),
    };
    Ok(reply.warn(project.warnings.clone()))
}

/// The two versions: as they were given, else the latest and the one before the other.
fn versions<'p>(project: &'p Project, typed: &Diff) -> Result<(&'p Prompt, &'p Prompt), Failure> {
    let (named, exactly) = context::version(project, &typed.name)?;
    let name = if exactly { typed.name.rsplit_once('@').map_or("", |(name, _)| name) } else { &typed.name };
    let at = |number: u64| context::version(project, &format!("{name}@{number}")).map(|(prompt, _)| prompt);
    let latest = || context::named(project, name).map(canopy::catalog::Versions::latest);
    match (exactly, typed.from, typed.to) {
        (true, Some(to), None) => Ok((named, at(to)?)),
        (true, None, None) => Ok((named, latest()?)),
        (true, _, Some(_)) => Err(context::of(
            project,
            Problem::new("three versions are one too many")
                .hint(format!("`cn diff {name} FROM TO` takes two")),
        )),
        (false, Some(from), Some(to)) => Ok((at(from)?, at(to)?)),
        (false, Some(from), None) => Ok((at(from)?, latest()?)),
        (false, None, _) => {
            let versions = context::named(project, name)?;
            let before = versions.iter().rev().nth(1);
            before.map(|before| (before, versions.latest())).ok_or_else(|| {
                context::of(project, Problem::new(format!("`{name}` has one version, so nothing to compare")))
            })
        }
    }
}

/// The sections that differ: those of `from` in its order, then those that only `to` has.
pub(crate) fn changed_sections<'p>(from: &'p Prompt, to: &'p Prompt) -> Vec<Change<'p>> {
    let by_name = |prompt: &'p Prompt| -> IndexMap<&'p str, &'p str> {
        prompt.sections.iter().map(|section| (section.name.as_str(), section.body.as_str())).collect()
    };
    let (old, new) = (by_name(from), by_name(to));
    let kept = old.iter().filter_map(|(name, from)| match new.get(name) {
        None => Some(Change { name, kind: Kind::Removed, from, to: "" }),
        Some(to) if to != from => Some(Change { name, kind: Kind::Modified, from, to }),
        Some(_) => None,
    });
    let added = new.iter().filter(|(name, _)| !old.contains_key(*name));
    kept.chain(added.map(|(name, to)| Change { name, kind: Kind::Added, from: "", to })).collect()
}

/// The members, other than sections and bookkeeping, that differ.
pub(crate) fn changed_fields(from: &Prompt, to: &Prompt) -> Vec<&'static str> {
    const FIELDS: [&str; 13] = [
        "name",
        "description",
        "extends",
        "mixins",
        "tags",
        "schema",
        "emitAs",
        "emitDir",
        "pinned",
        "frontmatter",
        "mulch",
        "extends_mulch",
        "status",
    ];
    let (from, to) = (record::prompt_members(from), record::prompt_members(to));
    FIELDS.into_iter().filter(|field| from.get(*field) != to.get(*field)).collect()
}

fn members(change: &Change<'_>) -> Map {
    let mut map = Map::new();
    map.insert("section".into(), change.name.into());
    map.insert("type".into(), change.kind.word().into());
    map
}

fn text(from: &Prompt, to: &Prompt, sections: &[Change<'_>], fields: &[&str]) -> String {
    let mut text = format!("{}  v{} → v{}\n", strong(&to.name), from.version, to.version);
    if !fields.is_empty() {
        text.push_str(&format!("\n~ {}\n", fields.join(", ")));
    }
    for change in sections {
        let kind = dim(format!("({})", change.kind.word()));
        text.push_str(&format!("\n{} {} {kind}\n", change.kind.sign(), strong(change.name)));
        words::push(&mut text, change.from, change.to);
    }
    if fields.is_empty() && sections.is_empty() {
        text.push_str("nothing changed\n");
    }
    text
}
