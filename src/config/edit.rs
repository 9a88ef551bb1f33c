//! Changes the configuration as a text, so that a person's comments, blank lines and order stay.
//!
//! A change is made to the value first, and checked there. Then the text is brought to say the same, one place
//! after the other, each time comparing what it says with what it should say.

use crate::problem::Problem;
use crate::value::{Map, Value};

use super::check::check;
use super::document::{self, members};
use super::{Config, parse, patch};

/// The text with a value set; in the canonical form, if it was in the legacy one.
///
/// # Errors
/// If the text cannot be used as it is, would not be a configuration afterwards, or is written in a way that
/// cannot be changed without losing what else is in it.
///
/// ```
/// let text = "project: shop # ours\n";
/// let changed = canopy::config::edit::set(text, &["project".to_owned()], &"store".into())?;
/// assert_eq!(changed, "project: store # ours\n");
/// # Ok::<(), canopy::problem::Problem>(())
/// ```
pub fn set(text: &str, place: &[String], value: &Value) -> Result<String, Problem> {
    let (bom, text) = split_bom(text);
    let mut wanted = canonical(text)?;
    put(&mut wanted, place, value);
    Ok(format!("{bom}{}", rewritten(text, &wanted)?))
}

/// The text with a value removed, or none if there is no such value.
///
/// # Errors
/// As for [`set`].
pub fn unset(text: &str, place: &[String]) -> Result<Option<String>, Problem> {
    let (bom, text) = split_bom(text);
    let mut wanted = canonical(text)?;
    if document::at(&wanted, place).is_none() {
        let legacy = place.first().is_some_and(|name| name == "emitDir" || name == "emitDirByTag");
        return match legacy && document::at(&members(text)?, place).is_some() {
            true => Err(Problem::new("this is the legacy form, whose members have become targets")
                .hint("`cn config show` shows them under their names")),
            false => Ok(None),
        };
    }
    take(&mut wanted, place);
    Ok(Some(format!("{bom}{}", rewritten(text, &wanted)?)))
}

fn split_bom(text: &str) -> (&str, &str) {
    text.split_at(if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 })
}

/// What the text says, in the canonical form; members that we do not know stay, for the schema to name.
fn canonical(text: &str) -> Result<Map, Problem> {
    let config = parse(text.as_bytes())?;
    let mut map = members(text)?;
    let mut canonical = document::canonical(&config);
    if map.is_empty() {
        canonical.shift_remove("targets");
        return Ok(canonical);
    }
    let is_legacy = [map.shift_remove("emitDir"), map.shift_remove("emitDirByTag")] != [None, None];
    map.insert("project".to_owned(), config.project.as_str().into());
    match map.get("version") {
        None => {}
        Some(Value::Null) => drop(map.shift_remove("version")),
        Some(_) => drop(map.insert("version".to_owned(), config.version.as_str().into())),
    }
    match map.get_mut("targets") {
        Some(Value::Map(targets)) => canonical_targets(targets, &config),
        stated if stated.is_some() || is_legacy => {
            map.extend(canonical.shift_remove_entry("targets"));
        }
        _ => {}
    }
    Ok(map)
}

/// Members that were spelled freely get their types; `null` says nothing.
fn canonical_targets(targets: &mut Map, config: &Config) {
    for (name, target) in targets {
        let (Value::Map(members), Some(known)) = (target, config.targets.get(name)) else { continue };
        for member in ["default", "tags"] {
            if members.get(member) == Some(&Value::Null) {
                members.shift_remove(member);
            }
        }
        members.insert("dir".to_owned(), known.dir.as_str().into());
        if let Some(default) = members.get_mut("default") {
            *default = known.default.into();
        }
        if let Some(tags) = members.get_mut("tags") {
            *tags = known.tags.iter().map(String::as_str).collect();
        }
    }
}

/// Puts a value at a place; what stands in the way gives way.
fn put(map: &mut Map, place: &[String], value: &Value) {
    match place {
        [] => {}
        [name] => drop(map.insert(name.clone(), value.clone())),
        [name, deeper @ ..] => {
            let inner = map.entry(name.clone()).or_insert(Value::Null);
            if inner.as_map().is_none() {
                *inner = Value::Map(Map::new());
            }
            if let Value::Map(inner) = inner {
                put(inner, deeper, value);
            }
        }
    }
}

fn take(map: &mut Map, place: &[String]) {
    match place {
        [] => {}
        [name] => drop(map.shift_remove(name)),
        [name, deeper @ ..] => {
            if let Some(Value::Map(inner)) = map.get_mut(name) {
                take(inner, deeper);
            }
        }
    }
}

/// The text brought to say what is wanted, if that is a configuration.
fn rewritten(text: &str, wanted: &Map) -> Result<String, Problem> {
    check(wanted)?;
    let mut text = text.to_owned();
    let mut says = members(&text)?;
    let mut changes = Vec::new();
    differences(&says, wanted, &mut Vec::new(), &mut changes);
    for change in changes {
        match &change {
            (place, Some(value)) => put(&mut says, place, value),
            (place, None) => take(&mut says, place),
        }
        text = changed(&text, &change, &says).ok_or_else(|| by_hand(&change.0))?;
    }
    parse(text.as_bytes()).map_err(|problem| Problem { origin: None, ..problem })?;
    Ok(text)
}

/// A place, and what is to stand there: nothing, if it is to go.
type Change = (Vec<String>, Option<Value>);

/// What to do so that `old` becomes `new`. What is added comes before what goes, so that no map is ever empty
/// in between.
fn differences(old: &Map, new: &Map, place: &mut Vec<String>, changes: &mut Vec<Change>) {
    for (name, value) in new.iter().filter(|(name, _)| old.contains_key(*name)) {
        place.push(name.clone());
        match (old.get(name), value) {
            (Some(Value::Map(old)), Value::Map(new)) if !old.is_empty() && !new.is_empty() => {
                differences(old, new, place, changes);
            }
            (Some(old), new) if old == new => {}
            _ => changes.push((place.clone(), Some(value.clone()))),
        }
        place.pop();
    }
    let added = new.iter().filter(|(name, _)| !old.contains_key(*name));
    let added = added.map(|(name, value)| (name, Some(value.clone())));
    let gone = old.keys().filter(|name| !new.contains_key(*name)).map(|name| (name, None));
    changes.extend(
        added
            .chain(gone)
            .map(|(name, value)| ([place.as_slice(), std::slice::from_ref(name)].concat(), value)),
    );
}

/// The text with one change, or, where that one cannot be made by itself, with the smallest block around it
/// written anew.
fn changed(text: &str, (place, value): &Change, says: &Map) -> Option<String> {
    let is_right = |text: &String| members(text).is_ok_and(|read| read == *says);
    let alone = match value {
        Some(value) => patch::set(text, place, value),
        None => patch::unset(text, place),
    };
    alone.filter(is_right).or_else(|| {
        let around = (1..place.len()).rev().filter_map(|depth| place.get(..depth));
        around.filter_map(|place| patch::set(text, place, document::at(says, place)?)).find(is_right)
    })
}

fn by_hand(place: &[String]) -> Problem {
    let place = super::place::spelled(place.iter().map(String::as_str));
    Problem::new(format!(
        "`{place}` is written in a way that cannot be changed without losing something else"
    ))
    .hint(format!("change it by hand, in `{}`", super::CONFIG))
}

#[cfg(test)]
mod tests;
