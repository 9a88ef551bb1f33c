//! JSON values as they stand in a record: numbers of any size, keys in their own order.

use std::borrow::Cow;

use indexmap::IndexMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};
use serde_json::value::RawValue;

/// How deeply lists and maps may nest; a record beyond it is refused rather than overflowing the stack.
const DEEPEST: usize = 128;

/// The members of an object, in the order of the record.
pub type Map = IndexMap<String, Value>;

/// A JSON value that loses nothing between reading and writing.
///
/// `serde_json::Value` would turn large whole numbers into floats, or, with its `arbitrary_precision`,
/// change how numbers behave in every other crate of a program that uses this one.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as its text.
    Number(Number),
    /// A string.
    String(String),
    /// An array.
    List(Vec<Value>),
    /// An object.
    Map(Map),
}

/// A JSON number, kept as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Number(String);

impl Number {
    /// The text of the number as it stands in the record.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is written as a whole number: digits only, after an optional minus sign.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        !self.0.contains(['.', 'e', 'E'])
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match Value::deserialize(deserializer)? {
            Value::Number(number) => Ok(number),
            other => Err(de::Error::custom(format!("invalid type: {}, expected a number", other.kind()))),
        }
    }
}

impl From<u64> for Number {
    fn from(n: u64) -> Self {
        Number(n.to_string())
    }
}

impl Value {
    /// The members, if this is an object.
    #[must_use]
    pub fn as_map(&self) -> Option<&Map> {
        match self {
            Value::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The text, if this is a string.
    #[must_use]
    pub fn as_str(&self) -> Option<&str> {
        match self {
            Value::String(text) => Some(text),
            _ => None,
        }
    }

    /// The items, if this is an array.
    #[must_use]
    pub fn as_list(&self) -> Option<&[Value]> {
        match self {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// What kind of value it is, in words that fit behind "is" in a message.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Null => "null",
            Value::Bool(_) => "a boolean",
            Value::Number(_) => "a number",
            Value::String(_) => "a string",
            Value::List(_) => "a list",
            Value::Map(_) => "an object",
        }
    }
}

impl From<bool> for Value {
    fn from(b: bool) -> Self {
        Value::Bool(b)
    }
}

impl From<u64> for Value {
    fn from(n: u64) -> Self {
        Value::Number(n.into())
    }
}

impl From<usize> for Value {
    fn from(n: usize) -> Self {
        Value::Number(Number(n.to_string()))
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::String(text.to_owned())
    }
}

impl From<String> for Value {
    fn from(text: String) -> Self {
        Value::String(text)
    }
}

impl From<Map> for Value {
    fn from(map: Map) -> Self {
        Value::Map(map)
    }
}

impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(items: I) -> Self {
        Value::List(items.into_iter().map(Into::into).collect())
    }
}

impl<'de> Deserialize<'de> for Value {
    /// Reads a value out of JSON text; other formats have no raw numbers to keep and are refused.
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        parse(raw.get(), DEEPEST).map_err(de::Error::custom)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Value::Null => serializer.serialize_unit(),
            Value::Bool(b) => serializer.serialize_bool(*b),
            Value::Number(Number(text)) => {
                RawValue::from_string(text.clone()).map_err(ser::Error::custom)?.serialize(serializer)
            }
            Value::String(text) => serializer.serialize_str(text),
            Value::List(items) => serializer.collect_seq(items),
            Value::Map(map) => serializer.collect_map(map),
        }
    }
}

/// Parses `text`, which is one whole JSON value, descending at most `depth` levels.
fn parse(text: &str, depth: usize) -> Result<Value, serde_json::Error> {
    let deeper = || -> Result<usize, serde_json::Error> {
        depth.checked_sub(1).ok_or_else(|| de::Error::custom("nested too deeply"))
    };
    Ok(match text.bytes().next() {
        Some(b'{') => {
            let depth = deeper()?;
            let members: IndexMap<Cow<'_, str>, &RawValue> = serde_json::from_str(text)?;
            let parsed = members.into_iter().map(|(k, v)| Ok((k.into_owned(), parse(v.get(), depth)?)));
            Value::Map(parsed.collect::<Result<_, serde_json::Error>>()?)
        }
        Some(b'[') => {
            let depth = deeper()?;
            let items: Vec<&RawValue> = serde_json::from_str(text)?;
            let parsed = items.into_iter().map(|item| parse(item.get(), depth));
            Value::List(parsed.collect::<Result<_, serde_json::Error>>()?)
        }
        Some(b'"') => Value::String(serde_json::from_str(text)?),
        Some(b't') => Value::Bool(true),
        Some(b'f') => Value::Bool(false),
        Some(b'n') => Value::Null,
        _ => Value::Number(Number(text.to_owned())),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(json: &str) -> Value {
        serde_json::from_str(json).unwrap()
    }

    #[test]
    fn what_is_read_is_written_back() {
        for json in [
            r#"{"b":1,"a":[true,null,"x\n"],"z":{}}"#,
            "123456789012345678901234567890",
            "-0",
            "1.50",
            "1e400",
        ] {
            assert_eq!(serde_json::to_string(&read(json)).unwrap(), json);
        }
    }

    #[test]
    fn of_two_equal_keys_the_last_wins_at_the_first_place() {
        assert_eq!(serde_json::to_string(&read(r#"{"a":1,"b":2,"a":3}"#)).unwrap(), r#"{"a":3,"b":2}"#);
    }

    #[test]
    fn nesting_beyond_the_limit_is_an_error() {
        let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
        assert!(serde_json::from_str::<Value>(&deep).is_err());
    }
}
