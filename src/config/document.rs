//! The configuration as a value: out of YAML and back into it.

use crate::problem::Problem;
use crate::value::{Map, Value};
use crate::yaml;

use super::Config;

/// Reads one YAML value.
///
/// # Errors
/// If the text is no YAML or holds what JSON has no word for.
pub fn value(text: &str) -> Result<Value, Problem> {
    yaml::read(text).map_err(|e| {
        let start: String = text.chars().take(60).collect();
        Problem::new(format!("`{start}` is no YAML: {e}"))
            .hint("a text with YAML's own signs in it stands in quotes of its own: '\"a: b\"'")
    })
}

/// Reads a document of members; an empty one has none.
///
/// # Errors
/// If the text is no YAML or no mapping.
#[cfg(feature = "store")]
pub(super) fn members(text: &str) -> Result<Map, Problem> {
    match yaml::read(text).map_err(|e| super::parse::unusable(&e))? {
        Value::Map(map) => Ok(map),
        Value::Null => Ok(Map::new()),
        other => Err(Problem::new(format!("the configuration is {}", other.kind()))),
    }
}

/// The members of a configuration in their canonical form; what is not set is left out.
#[must_use]
pub fn canonical(config: &Config) -> Map {
    let target = |target: &super::Target| {
        let mut map = Map::from_iter([("dir".to_owned(), Value::from(target.dir.as_str()))]);
        if target.default {
            map.insert("default".to_owned(), true.into());
        }
        if !target.tags.is_empty() {
            map.insert("tags".to_owned(), target.tags.iter().map(String::as_str).collect());
        }
        Value::Map(map)
    };
    let targets: Map = config.targets.iter().map(|(name, t)| (name.clone(), target(t))).collect();
    Map::from_iter([
        ("project".to_owned(), config.project.as_str().into()),
        ("version".to_owned(), config.version.as_str().into()),
        ("targets".to_owned(), targets.into()),
    ])
}

/// The value at a place, if there is one.
#[must_use]
pub fn at<'m>(map: &'m Map, place: &[String]) -> Option<&'m Value> {
    let (name, rest) = place.split_first()?;
    let value = map.get(name)?;
    if rest.is_empty() { Some(value) } else { at(value.as_map()?, rest) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_read_as_yaml() {
        for (yaml, json) in [
            ("true", "true"),
            ("plain words", "\"plain words\""),
            ("[a, 'b c', 1]", r#"["a","b c",1]"#),
            ("{dir: x, default: false}", r#"{"dir":"x","default":false}"#),
            ("-3", "-3"),
            ("1.5", "1.5"),
            ("", "null"),
            ("{1: x, true: y}", r#"{"1":"x","true":"y"}"#),
        ] {
            let read = value(yaml).unwrap();
            assert_eq!(serde_json::to_string(&read).unwrap(), json, "{yaml}");
        }
        for yaml in ["[", "{a: 1, a: 2}", ".nan", "a: b: c", "!x y", "--- a\n--- b\n"] {
            assert!(value(yaml).is_err(), "{yaml}");
        }
    }
}
