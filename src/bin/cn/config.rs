//! `cn config`: the configuration as a schema, as it is, and changed.

use canopy::config::{self, CONFIG, Config, comments, document, edit, yaml};
use canopy::files::DiskFiles;
use canopy::problem::Problem;
use canopy::project::{self, Failure};
use canopy::store::append;
use canopy::value::{Map, Value};

use crate::args::{ConfigSet, ConfigShow, ConfigUnset};
use crate::context::{Context, failure};
use crate::report::Reply;

/// Prints the schema; as JSON it is the one value itself, so that what reads schemas reads it.
pub(crate) fn schema() -> Result<Reply, Failure> {
    let verbatim: Map = serde_json::from_str(config::SCHEMA)
        .map_err(|e| failure(Problem::new(format!("the schema that comes with canopy is broken: {e}"))))?;
    Ok(Reply { data: config::SCHEMA.to_owned().into(), verbatim: Some(verbatim), ..Reply::default() })
}

/// Shows the configuration in its canonical form, or one value of it.
pub(crate) fn show(context: &Context, typed: &ConfigShow) -> Result<Reply, Failure> {
    let config = document::canonical(&read(context)?);
    let Some(path) = &typed.path else {
        return Ok(Reply { data: yaml::document(&config).into(), ..Reply::default() }.with("config", config));
    };
    let names = config::place(path).map_err(failure)?;
    let value = document::at(&config, &names).cloned().ok_or_else(|| nothing_at(path, &names, &config))?;
    let text = match &value {
        Value::String(text) => format!("{text}\n"),
        Value::Map(map) if !map.is_empty() => yaml::document(map),
        flat => yaml::inline(flat) + "\n",
    };
    Ok(Reply { data: text.into(), ..Reply::default() }.with("path", path.as_str()).with("value", value))
}

fn read(context: &Context) -> Result<Config, Failure> {
    let files = DiskFiles::new(&context.root()?).map_err(|e| failure(Problem::new(e.to_string())))?;
    project::config(&files).map_err(failure)
}

/// Nothing is there: the hint is what is there instead.
fn nothing_at(path: &str, names: &[String], config: &Map) -> Failure {
    let mut around = names;
    let there = loop {
        let Some((_, outer)) = around.split_last() else { break Some(config) };
        around = outer;
        if let Some(value) = document::at(config, around) {
            break value.as_map();
        }
    };
    let members = there.into_iter().flat_map(Map::keys).map(|name| format!("`{name}`"));
    let members = members.collect::<Vec<_>>().join(", ");
    let hint = (!members.is_empty()).then(|| format!("there is {members}"));
    failure(Problem::new(format!("there is nothing at `{path}`")).maybe_hint(hint))
}

/// Sets a value.
pub(crate) fn set(context: &Context, typed: &ConfigSet) -> Result<Reply, Failure> {
    let names = config::place(&typed.path).map_err(failure)?;
    let value = document::value(&typed.value).map_err(failure)?;
    let ((), lost) = change(context, |text| Ok((Some(edit::set(text, &names, &value)?), ())))?;
    let news = format!("set {} to {}\n", typed.path, yaml::inline(&value));
    let reply = Reply { news: news.into(), ..Reply::default() };
    Ok(reply.with("path", typed.path.as_str()).with("value", value).warn(lost))
}

/// Removes a value, if it is there.
pub(crate) fn unset(context: &Context, typed: &ConfigUnset) -> Result<Reply, Failure> {
    let names = config::place(&typed.path).map_err(failure)?;
    let (removed, lost) = change(context, |text| {
        let changed = edit::unset(text, &names)?;
        let removed = changed.is_some();
        Ok((changed, removed))
    })?;
    let news = match removed {
        true => format!("removed {}\n", typed.path),
        false => format!("{} was not set\n", typed.path),
    };
    let reply = Reply { news: news.into(), ..Reply::default() };
    Ok(reply.with("path", typed.path.as_str()).with("removed", removed).warn(lost))
}

/// Changes the text of the configuration, unless it stays as it is; says which comments went with it.
fn change<T>(
    context: &Context,
    edit: impl FnOnce(&str) -> Result<(Option<String>, T), Problem>,
) -> Result<(T, Vec<Problem>), Failure> {
    let changed = append::change(&context.root()?, CONFIG, |bytes| {
        let text = std::str::from_utf8(bytes)
            .map_err(|_| Problem::new(format!("`{CONFIG}` is no UTF-8 text")).hint("save it as UTF-8"))?;
        let (changed, result) = edit(text)?;
        let lost = changed.as_ref().map(|changed| comments::lost(text, changed)).unwrap_or_default();
        Ok((changed.filter(|changed| changed != text).map(String::into_bytes), (result, lost)))
    });
    changed.map_err(|e| failure(e.problem()))
}
