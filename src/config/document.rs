//! The configuration as a value: out of YAML and back into it.

use std::fmt;

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::problem::Problem;
use crate::value::{Map, Value};

use super::Config;

/// Reads one YAML value.
///
/// # Errors
/// If the text is no YAML or holds what JSON has no word for.
pub fn value(yaml: &str) -> Result<Value, Problem> {
    serde_yaml::from_str::<Yaml>(yaml).map(|yaml| yaml.0).map_err(|e| {
        Problem::new(format!("`{yaml}` is no YAML: {e}"))
            .hint("a text with YAML's own signs in it stands in quotes of its own: '\"a: b\"'")
    })
}

/// Reads a document of members; an empty one has none.
///
/// # Errors
/// If the text is no YAML or no mapping.
#[cfg(feature = "store")]
pub(super) fn members(text: &str) -> Result<Map, Problem> {
    match serde_yaml::from_str::<Yaml>(text).map_err(|e| super::parse::unusable(&e))?.0 {
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

/// A value of any shape, read out of YAML.
struct Yaml(Value);

impl<'de> Deserialize<'de> for Yaml {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(YamlVisitor).map(Yaml)
    }
}

struct YamlVisitor;

impl<'de> Visitor<'de> for YamlVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that JSON knows as well")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    // What stands in an empty text.
    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, b: bool) -> Result<Value, E> {
        Ok(b.into())
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<Value, E> {
        Ok(n.into())
    }

    fn visit_i64<E: Error>(self, n: i64) -> Result<Value, E> {
        serde_json::from_str(&n.to_string()).map_err(E::custom)
    }

    fn visit_f64<E: Error>(self, n: f64) -> Result<Value, E> {
        serde_json::from_str(&n.to_string()).map_err(|_| E::custom("this number is none in JSON"))
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(Yaml(item)) = items.next_element()? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        // A name is a text, also where a value of that spelling would be a number.
        while let Some((name, Yaml(value))) = members.next_entry::<String, Yaml>()? {
            if map.contains_key(&name) {
                return Err(A::Error::custom(format!("`{name}` is there twice")));
            }
            map.insert(name, value);
        }
        Ok(Value::Map(map))
    }
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
