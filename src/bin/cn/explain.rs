//! `cn explain`: why a file is what it is, on one screen.

use canopy::project::{Explained, Failure, Given, Project, Verdict};
use canopy::prompt::Prompt;
use canopy::value::{Map, Value};

use crate::args::Explain;
use crate::context::Context;
use crate::history;
use crate::report::{Reply, bad, caution, dim, good, hint, quoted, strong};

/// Explains a file, or the file of a prompt.
pub(crate) fn explain(context: &Context, typed: &Explain) -> Result<Reply, Failure> {
    let project = context.open()?;
    let path = project.shown(&Context::typed(&typed.file)?);
    let explained = project.explain(&path, &typed.file.to_string_lossy()).map_err(|problems| Failure {
        problems,
        warnings: project.warnings.clone(),
        inputs: project.inputs(),
    })?;
    let mut reply = Reply::default();
    if context.json {
        reply.fields = members(&project, &explained);
    } else {
        reply.data = text(&project, &explained).into();
        reply.notes = way_out(&explained).map(hint).unwrap_or_default().into();
    }
    Ok(reply.warn(project.warnings.clone()))
}

fn text(project: &Project, explained: &Explained<'_>) -> String {
    let word = explained.verdict.as_str();
    let word = match explained.verdict {
        Verdict::UpToDate => good(word),
        Verdict::Edited | Verdict::Foreign => bad(word),
        Verdict::Missing | Verdict::Stale | Verdict::Orphan => caution(word),
    };
    let mut text = format!("{}  {word}\n\n", strong(&explained.path));
    let mut line =
        |label: &str, value: &str| text.push_str(&format!("{}{value}\n", dim(format!("{label:12}"))));
    let Prompt { name, version, status, origin, .. } = explained.prompt;
    let pin = explained.prompt.pinned.map(|pin| format!(", pinned to v{pin}")).unwrap_or_default();
    line("prompt", &format!("{name} v{version}, {}{pin}, {origin}", status.as_str()));
    line(if explained.parts.is_empty() { "went" } else { "goes by" }, &explained.route);
    line("holds", &held(explained));
    for (index, record) in explained.since.iter().enumerate() {
        let label = if index == 0 { "since then" } else { "" };
        let time = record.updated_at.as_deref().unwrap_or("no date");
        line(label, &format!("{} v{}  {time}  {}", record.name, record.version, changed(project, record)));
    }
    text + &givers(explained)
}

/// Who gave which section and which member of the front matter, in columns.
fn givers(explained: &Explained<'_>) -> String {
    let from = |given: &Given<'_>| format!("{} v{}", given.from.name, given.from.version);
    let all = || explained.parts.iter().chain(&explained.frontmatter);
    let names = all().map(|given| given.name.chars().count()).max().unwrap_or(0);
    let givers = all().map(|given| from(given).chars().count()).max().unwrap_or(0);
    let line = |given: &Given<'_>| match given.lines {
        Some((first, last)) => {
            let lines = if first == last { format!("line {first}") } else { format!("lines {first}-{last}") };
            format!("  {:names$}  {:givers$}  {}\n", given.name, from(given), dim(lines))
        }
        None => format!("  {:names$}  {}\n", given.name, from(given)),
    };
    let mut text = String::new();
    for (title, part) in [("sections", &explained.parts), ("front matter", &explained.frontmatter)] {
        if !part.is_empty() {
            text.push_str(&format!("\n{}\n", dim(title)));
            text.extend(part.iter().map(line));
        }
    }
    text
}

/// What stands there, in words.
fn held(explained: &Explained<'_>) -> String {
    match (&explained.state, explained.verdict) {
        (Some((prompt, state)), _) => {
            let origin = &prompt.origin.path;
            format!("what `{}` v{} rendered to as of {origin}:{}", prompt.name, state.version, state.line)
        }
        (None, Verdict::UpToDate) => "what it should".to_owned(),
        (None, Verdict::Missing) => "nothing: it is not there".to_owned(),
        (None, Verdict::Stale) => "what was last written there".to_owned(),
        (None, Verdict::Orphan) => "what was written there, and edits of somebody".to_owned(),
        (None, Verdict::Edited | Verdict::Foreign) => {
            "what no version renders to: somebody's own text".to_owned()
        }
    }
}

/// What a version changed against the one before it.
fn changed(project: &Project, record: &Prompt) -> String {
    let versions = project.catalog.versions_of(record);
    let before =
        versions.and_then(|versions| versions.iter().rev().find(|older| older.version < record.version));
    before.map_or_else(|| "created".to_owned(), |before| history::summary(before, record))
}

fn way_out(explained: &Explained<'_>) -> Option<String> {
    let name = quoted(&explained.prompt.name);
    Some(match explained.verdict {
        Verdict::UpToDate | Verdict::Foreign => return None,
        Verdict::Missing => format!("`cn emit {name}` writes it"),
        Verdict::Stale => format!("`cn emit {name}` writes it, `cn emit {name} --diff` shows what changes"),
        Verdict::Edited => {
            format!("`cn emit {name} --diff` shows what was edited, `cn emit {name} --force` overwrites it")
        }
        Verdict::Orphan => "`cn emit --all --prune` deletes it".to_owned(),
    })
}

fn members(project: &Project, explained: &Explained<'_>) -> Map {
    let Prompt { name, version, origin, .. } = explained.prompt;
    let mut map = Map::new();
    map.insert("path".into(), explained.path.as_str().into());
    map.insert("status".into(), explained.verdict.as_str().replace(' ', "-").into());
    map.insert("name".into(), name.as_str().into());
    map.insert("version".into(), (*version).into());
    map.insert("record".into(), place(&origin.path, origin.line).into());
    map.insert("route".into(), explained.route.as_str().into());
    if let Some(path) = &explained.elsewhere {
        map.insert("emittedTo".into(), path.as_str().into());
    }
    if let Some((prompt, state)) = &explained.state {
        let mut holds = place(&prompt.origin.path, state.line);
        holds.insert("name".into(), prompt.name.as_str().into());
        holds.insert("version".into(), state.version.into());
        map.insert("holds".into(), holds.into());
    }
    let since = explained.since.iter().map(|record| {
        let mut map = layer(&record.name, record.version);
        map.insert("updatedAt".into(), record.updated_at.as_deref().map_or(Value::Null, Value::from));
        map.insert("changed".into(), changed(project, record).into());
        map.extend(place(&record.origin.path, record.origin.line));
        map
    });
    map.insert("since".into(), since.collect());
    map.insert(
        "sections".into(),
        explained.parts.iter().map(|given| given_members("section", given)).collect(),
    );
    map.insert(
        "frontmatter".into(),
        explained.frontmatter.iter().map(|given| given_members("key", given)).collect(),
    );
    map
}

fn place(path: &str, line: usize) -> Map {
    [("path".to_owned(), path.into()), ("line".to_owned(), line.into())].into_iter().collect()
}

fn layer(name: &str, version: u64) -> Map {
    [("name".to_owned(), name.into()), ("version".to_owned(), version.into())].into_iter().collect()
}

fn given_members(key: &str, given: &Given<'_>) -> Map {
    let mut map = Map::new();
    map.insert(key.into(), given.name.into());
    map.extend(layer(given.from.name, given.from.version));
    if let Some((first, last)) = given.lines {
        map.insert("lines".into(), [first, last].into_iter().map(Value::from).collect());
    }
    map
}
