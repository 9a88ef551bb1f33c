//! YAML as JSON values: numbers as they are spelled, and what a person left alone as it was.

use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::value::{Map, Number, Value};

/// The value that `yaml` stands for.
///
/// It is read twice: the reader says what is a number, and only when asked for a string how it is spelled.
pub(super) fn read(yaml: &str) -> Result<Value, serde_yaml::Error> {
    let shape = Shape.deserialize(serde_yaml::Deserializer::from_str(yaml))?;
    Spelled(&shape).deserialize(serde_yaml::Deserializer::from_str(yaml))
}

/// `new`, in which each member that reads as it was `written` has its `old` value.
pub(super) fn keep_members(new: Map, written: &Map, old: &Map) -> Map {
    let keep_one = |(key, value): (String, Value)| match (written.get(&key), old.get(&key)) {
        (Some(written), Some(old)) => {
            let value = keep(value, written, old);
            (key, value)
        }
        _ => (key, value),
    };
    new.into_iter().map(keep_one).collect()
}

fn keep(new: Value, written: &Value, old: &Value) -> Value {
    if is_same(&new, written) {
        return old.clone();
    }
    match (new, written, old) {
        (Value::Map(new), Value::Map(written), Value::Map(old)) => {
            Value::Map(keep_members(new, written, old))
        }
        (Value::List(new), Value::List(written), Value::List(old)) => {
            let kept = new.into_iter().enumerate().map(|(at, item)| keep_item(at, item, written, old));
            Value::List(kept.collect())
        }
        (new, ..) => new,
    }
}

/// An item as it was, wherever in the list that was.
fn keep_item(at: usize, item: Value, written: &[Value], old: &[Value]) -> Value {
    let pairs = || written.iter().zip(old);
    let here = pairs().nth(at);
    let same = here.into_iter().chain(pairs()).find(|(written, _)| is_same(&item, written));
    match (same, here) {
        (Some((_, old)), _) => old.clone(),
        (None, Some((written, old))) => keep(item, written, old),
        (None, None) => item,
    }
}

/// Whether two values are equal, the order of their members too.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, v), (l, w))| k == l && is_same(v, w))
        }
        (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(v, w)| is_same(v, w)),
        _ => a == b,
    }
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
            ("[1, {a: 2.0}, x, ~, true]", r#"[1,{"a":2.0},"x",null,true]"#),
            ("a: &x [007]\nb: *x", r#"{"a":["007"],"b":["007"]}"#),
        ] {
            let read = read(yaml).unwrap_or_else(|e| panic!("{yaml}: {e}"));
            assert_eq!(serde_json::to_string(&read).unwrap(), json, "{yaml}");
        }
        for wrong in [".inf", ".nan", "a: 1\na: 2", "!x y", "[1"] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_was_left_alone_stays_as_it_was() {
        let map = |json: &str| match serde_json::from_str::<Value>(json).unwrap() {
            Value::Map(map) => map,
            other => panic!("{other:?}"),
        };
        let kept = |new: &str| {
            let (written, old) = (
                map(r#"{"a":1000,"b":{"c":1.5,"d":[2.5,"x"]}}"#),
                map(r#"{"a":1e3,"b":{"c":1.50,"d":[2.50,"x"]}}"#),
            );
            serde_json::to_string(&Value::Map(keep_members(map(new), &written, &old))).unwrap()
        };
        assert_eq!(
            kept(r#"{"z":1,"b":{"d":[9,2.5],"c":1.5},"a":1000}"#),
            r#"{"z":1,"b":{"d":[9,2.50],"c":1.50},"a":1e3}"#
        );
        assert_eq!(kept(r#"{"a":1001}"#), r#"{"a":1001}"#);
    }
}
