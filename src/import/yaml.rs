//! One YAML value as a record holds values, with notes on what it loses.

use std::fmt;

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use crate::value::{Map, Value};

/// How deeply values may nest: a record that holds the front matter must stay one that can be read.
const DEEPEST: usize = 100;

/// What a value loses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Note {
    /// The names on the way to it.
    path: Vec<String>,
    loss: Loss,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Loss {
    Tag(String),
    Other(String),
}

impl Note {
    /// The outermost name on the way to the value.
    pub(super) fn outermost(&self) -> &str {
        self.path.first().map(String::as_str).unwrap_or_default()
    }

    /// The tag, if it is one that is lost.
    pub(super) fn tag(&self) -> Option<&str> {
        match &self.loss {
            Loss::Tag(tag) => Some(tag),
            Loss::Other(_) => None,
        }
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            write!(f, "`{}`: ", self.path.join("."))?;
        }
        match &self.loss {
            Loss::Tag(tag) => write!(f, "the tag `!{tag}` is not kept"),
            Loss::Other(words) => f.write_str(words),
        }
    }
}

/// Reads a document.
pub(super) fn parse(yaml: &str) -> Result<(Value, Vec<Note>), serde_yaml::Error> {
    let mut notes = Vec::new();
    let node = Node { yaml, notes: &mut notes, path: Vec::new() };
    // Whatever holds nothing but blanks and remarks is no document to the reader.
    if yaml.lines().all(|line| line.trim_start().is_empty() || line.trim_start().starts_with('#')) {
        return Ok((Value::Null, notes));
    }
    let value = node.deserialize(serde_yaml::Deserializer::from_str(yaml))?;
    Ok((value, notes))
}

/// Reads one value and notes what it loses.
struct Node<'n> {
    yaml: &'n str,
    notes: &'n mut Vec<Note>,
    path: Vec<String>,
}

impl Node<'_> {
    fn note(&mut self, words: String) {
        self.notes.push(Note { path: self.path.clone(), loss: Loss::Other(words) });
    }

    fn below<E: Error>(&mut self, step: &str) -> Result<Node<'_>, E> {
        if self.path.len() >= DEEPEST {
            return Err(E::custom("nested too deeply"));
        }
        let path = self.path.iter().cloned().chain([step.to_owned()]).collect();
        Ok(Node { yaml: self.yaml, notes: &mut *self.notes, path })
    }

    /// A text, which some readers may have taken for something else.
    fn text(&mut self, text: &str) {
        if is_date(text) && is_bare(self.yaml, text) {
            self.note(format!("the date `{text}` is kept as text"));
        }
        if ["yes", "no", "on", "off"].iter().any(|word| word.eq_ignore_ascii_case(text))
            && is_bare(self.yaml, text)
        {
            self.note(format!("`{text}` is kept as text, though some readers take it for true or false"));
        }
    }
}

impl<'de> DeserializeSeed<'de> for Node<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Node<'_> {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, b: bool) -> Result<Value, E> {
        Ok(Value::Bool(b))
    }

    fn visit_u64<E: Error>(self, n: u64) -> Result<Value, E> {
        number(&n.to_string())
    }

    fn visit_i64<E: Error>(self, n: i64) -> Result<Value, E> {
        number(&n.to_string())
    }

    fn visit_u128<E: Error>(self, n: u128) -> Result<Value, E> {
        number(&n.to_string())
    }

    fn visit_i128<E: Error>(self, n: i128) -> Result<Value, E> {
        number(&n.to_string())
    }

    fn visit_f64<E: Error>(mut self, n: f64) -> Result<Value, E> {
        if !n.is_finite() {
            let text = match n {
                n if n.is_nan() => ".nan",
                n if n > 0.0 => ".inf",
                _ => "-.inf",
            };
            self.note(format!("`{text}` is kept as text, since a record has no such number"));
            return Ok(text.into());
        }
        // Whole numbers come in here only if they have more digits than are read exactly.
        if n.abs() >= 1e38 {
            self.note(format!("the number is kept as `{n:?}`, which may not be all of its digits"));
        }
        number(&format!("{n:?}"))
    }

    fn visit_str<E: Error>(mut self, text: &str) -> Result<Value, E> {
        self.text(text);
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(mut self, mut items: A) -> Result<Value, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element_seed(self.below(&list.len().to_string())?)? {
            list.push(item);
        }
        Ok(Value::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(mut self, mut members: A) -> Result<Value, A::Error> {
        let mut map = Map::new();
        while let Some(key) = members.next_key_seed(Key { taken: &map })? {
            let mut below = self.below(&key)?;
            if is_retyped(&key) && is_bare(below.yaml, &key) {
                below.note("the key is kept as text".to_owned());
            }
            let value = members.next_value_seed(below)?;
            map.insert(key, value);
        }
        if let Some(merged) = map.shift_remove("<<") {
            self.note("the members that `<<` merges are written out".to_owned());
            merge(&mut map, merged);
        }
        Ok(Value::Map(map))
    }

    fn visit_enum<A: EnumAccess<'de>>(self, tagged: A) -> Result<Value, A::Error> {
        let (tag, value) = tagged.variant::<String>()?;
        self.notes.push(Note { path: self.path.clone(), loss: Loss::Tag(tag) });
        value.newtype_variant_seed(self)
    }
}

/// Reads a key as it is written and refuses it if it is there already, so that the error stands at its line.
struct Key<'m> {
    taken: &'m Map,
}

impl<'de> DeserializeSeed<'de> for Key<'_> {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl Visitor<'_> for Key<'_> {
    type Value = String;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a key that is text")
    }

    fn visit_str<E: Error>(self, key: &str) -> Result<String, E> {
        match self.taken.contains_key(key) {
            true => Err(E::custom(format!("the key `{key}` is there twice"))),
            false => Ok(key.to_owned()),
        }
    }
}

fn number<E: Error>(text: &str) -> Result<Value, E> {
    serde_json::from_str(text).map(Value::Number).map_err(E::custom)
}

/// Adds the members of a map, or of each map of a list, that are not there; anything else stays a member.
fn merge(map: &mut Map, merged: Value) {
    match merged {
        Value::Map(members) => {
            for (key, value) in members {
                map.entry(key).or_insert(value);
            }
        }
        Value::List(maps) if maps.iter().all(|item| item.as_map().is_some()) => {
            maps.into_iter().for_each(|item| merge(map, item));
        }
        other => drop(map.insert("<<".to_owned(), other)),
    }
}

/// Whether a bare word would be something else than text.
fn is_retyped(word: &str) -> bool {
    serde_yaml::from_str::<serde_yaml::Value>(word)
        .is_ok_and(|value| value.is_null() || value.is_bool() || value.is_number())
}

/// Whether a word stands somewhere without quotes.
fn is_bare(yaml: &str, word: &str) -> bool {
    yaml.match_indices(word).any(|(start, _)| {
        let before = yaml.get(..start).unwrap_or_default();
        let behind = yaml.get(start + word.len()..).unwrap_or_default();
        (before.is_empty() || before.ends_with([' ', '\t', '\n', '[', '{', ',']))
            && (behind.is_empty() || behind.starts_with([' ', '\t', '\n', ']', '}', ',', ':']))
    })
}

/// `2026-01-31`, with or without a time behind it.
fn is_date(text: &str) -> bool {
    let is_digit_place = |at: usize, byte: u8| match at {
        4 | 7 => byte == b'-',
        _ => byte.is_ascii_digit(),
    };
    text.len() >= 10
        && text.bytes().take(10).enumerate().all(|(at, byte)| is_digit_place(at, byte))
        && text.as_bytes().get(10).is_none_or(|next| matches!(next, b'T' | b't' | b' '))
}
