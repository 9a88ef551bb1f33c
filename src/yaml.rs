//! YAML as JSON values, strictly; and what is refused before a reader sees it.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::value::{Map, Number, Value};

/// How deeply lists and maps in brackets may nest; the reader gives up long before, but not soon.
const DEEPEST: usize = 500;

/// Whether brackets open in the text so often that it is no document of a person's.
///
/// Brackets in words count as well: a document that is refused for them would have to hold hundreds more that
/// open than close.
#[must_use]
pub fn is_bottomless(text: &[u8]) -> bool {
    let mut depth = 0_usize;
    text.iter().any(|byte| {
        match byte {
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth > DEEPEST
    })
}

/// The value that `yaml` stands for.
///
/// Numbers keep their spelling, so the text is read twice: the reader says what is a number, and only when asked for a string how it is spelled.
/// # Errors
/// If the text is no YAML, holds a name twice, or what JSON has no word for: a tag, no number, several documents.
pub fn read(yaml: &str) -> Result<Value, serde_yaml::Error> {
    if is_bottomless(yaml.as_bytes()) {
        return Err(serde_yaml::Error::custom("it nests without end"));
    }
    let shape = Shape.deserialize(serde_yaml::Deserializer::from_str(yaml))?;
    Spelled(&shape).deserialize(serde_yaml::Deserializer::from_str(yaml))
}

/// Reads what kind of value stands where; numbers only nearly.
struct Shape;

impl<'de> DeserializeSeed<'de> for Shape {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Shape {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value that JSON has as well")
    }

    fn visit_bool<E>(self, b: bool) -> Result<Value, E> {
        Ok(Value::Bool(b))
    }

    fn visit_i64<E: Error>(self, n: i64) -> Result<Value, E> {
        number(&n.to_string())
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<Value, E> {
        number(&n.to_string())
    }

    fn visit_i128<E: Error>(self, n: i128) -> Result<Value, E> {
        number(&n.to_string())
    }

    fn visit_u128<E: Error>(self, n: u128) -> Result<Value, E> {
        number(&n.to_string())
    }

    fn visit_f64<E: Error>(self, n: f64) -> Result<Value, E> {
        // What JSON has no word for it has a number for: one beyond every float.
        if n.is_infinite() {
            return number(if n > 0.0 { "1e999" } else { "-1e999" });
        }
        number(&n.to_string())
    }

    fn visit_str<E>(self, text: &str) -> Result<Value, E> {
        Ok(Value::from(text))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element_seed(Shape)? {
            items.push(item);
        }
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let value = map.next_value_seed(Shape)?;
            if members.contains_key(&key) {
                return Err(A::Error::custom(format!("there are two `{key}`")));
            }
            members.insert(key, value);
        }
        Ok(Value::Map(members))
    }
}

fn number<E: Error>(text: &str) -> Result<Value, E> {
    let number = serde_json::from_str(text);
    number.map(Value::Number).map_err(|_| E::custom(format!("`{text}` is no number in JSON")))
}

/// Reads what has this shape once more, for the spelling of its numbers.
struct Spelled<'a>(&'a Value);

impl<'de> DeserializeSeed<'de> for Spelled<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        match self.0 {
            Value::Number(near) => {
                let text = String::deserialize(deserializer)?;
                // YAML has spellings that JSON has not; then the value is what counts.
                let number = serde_json::from_str::<Number>(&text).unwrap_or_else(|_| near.clone());
                Ok(Value::Number(number))
            }
            Value::List(_) => deserializer.deserialize_seq(self),
            Value::Map(_) => deserializer.deserialize_map(self),
            flat => IgnoredAny::deserialize(deserializer).map(|_| flat.clone()),
        }
    }
}

impl<'de> Visitor<'de> for Spelled<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.kind())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        for shape in self.0.as_list().unwrap_or_default() {
            items.extend(seq.next_element_seed(Spelled(shape))?);
        }
        // The reader wants to be asked until there is no more.
        let _: Option<IgnoredAny> = seq.next_element()?;
        Ok(Value::List(items))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut members = Map::new();
        while let Some(key) = map.next_key::<String>()? {
            let shape = self.0.as_map().and_then(|map| map.get(&key)).unwrap_or(&Value::Null);
            members.insert(key, map.next_value_seed(Spelled(shape))?);
        }
        Ok(Value::Map(members))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_spelled() {
        let digits = "9".repeat(60);
        for (yaml, json) in [
            ("3", "3"),
            ("1.50", "1.50"),
            ("1.0e+21", "1.0e+21"),
            (digits.as_str(), digits.as_str()),
            ("-0", "-0"),
            ("0x1F", "31"),
            ("+5", "5"),
            (".5", "0.5"),
            (".inf", "1e999"),
            ("-.inf", "-1e999"),
            ("[1, {a: 2.0}, x, ~, true]", r#"[1,{"a":2.0},"x",null,true]"#),
            ("a: &x [007]\nb: *x", r#"{"a":["007"],"b":["007"]}"#),
        ] {
            let read = read(yaml).unwrap_or_else(|e| panic!("{yaml}: {e}"));
            assert_eq!(serde_json::to_string(&read).unwrap(), json, "{yaml}");
        }
        for wrong in [".nan", "a: 1\na: 2", "!x y", "[1"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn only_what_nests_without_end_is_bottomless() {
        assert!(!is_bottomless(&b"a: [x, {b: [c]}]\n".repeat(10_000)));
        assert!(is_bottomless(&b"[".repeat(50_000)));
    }
}
