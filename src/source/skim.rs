//! What a prompt's line says of itself, found without keeping the rest of it.

use std::borrow::Cow;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};

use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// What tells a record from the others.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Skimmed<'l> {
    pub(super) id: Cow<'l, str>,
    pub(super) name: Cow<'l, str>,
    pub(super) version: u64,
    /// The same for all that would be emitted to the same place.
    pub(super) route: u64,
}

/// Looks over a line; what it finds is what reading all of it would find. `None` where only reading all of it can tell:
/// that it is no record, or one of a rare shape.
pub(super) fn skim(line: &str) -> Option<Skimmed<'_>> {
    // Only a full reading can tell whether an escaped character is one.
    if memchr::memmem::find(line.as_bytes(), b"\\u").is_some() {
        return None;
    }
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let skimmed = Deserializer::deserialize_map(&mut deserializer, RecordVisitor).ok()?;
    deserializer.end().ok()?;
    Some(skimmed)
}

/// Says which members of a record are looked at, and as what.
enum Member {
    Id,
    Name,
    Version,
    Status,
    Sections,
    Tags,
    Mixins,
    Route,
    Text,
    Number,
    Object,
    Other,
}

impl Member {
    fn of(key: &str) -> Member {
        match key {
            "id" => Member::Id,
            "name" => Member::Name,
            "version" => Member::Version,
            "status" => Member::Status,
            "sections" => Member::Sections,
            "tags" => Member::Tags,
            "mixins" => Member::Mixins,
            "emitAs" | "emitDir" => Member::Route,
            "description" | "extends" | "schema" | "createdAt" | "updatedAt" => Member::Text,
            "pinned" => Member::Number,
            "frontmatter" => Member::Object,
            _ => Member::Other,
        }
    }
}

struct RecordVisitor;

impl<'de> Visitor<'de> for RecordVisitor {
    type Value = Skimmed<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Skimmed<'de>, A::Error> {
        let (mut id, mut name, mut version, mut has_sections, mut has_status) =
            (None, None, None, false, false);
        let mut route = DefaultHasher::new();
        while let Some(Key(key)) = map.next_key()? {
            match Member::of(&key) {
                Member::Id => id = Some(map.next_value::<Key>()?.0),
                Member::Name => name = Some(map.next_value::<Key>()?.0),
                Member::Version => version = Some(map.next_value()?),
                Member::Status => {
                    let Key(word) = map.next_value()?;
                    has_status = is_status(&word)?;
                    word.hash(&mut route);
                }
                Member::Sections => has_sections = map.next_value::<List<Section>>().map(|_| true)?,
                Member::Tags => map.next_value::<Words>()?.0.hash(&mut route),
                Member::Mixins => {
                    map.next_value::<List<Text>>()?;
                }
                Member::Route => (key, map.next_value::<Text>()?.0).hash(&mut route),
                Member::Text => {
                    map.next_value::<Text>()?;
                }
                Member::Number => drop(map.next_value::<u64>()?),
                Member::Object => {
                    map.next_value::<Object>()?;
                }
                Member::Other => {
                    map.next_value::<Shallow>()?;
                }
            }
        }
        name.hash(&mut route);
        let route = route.finish();
        let whole = has_sections && has_status;
        let given = |text: &Cow<'_, str>| !text.is_empty() && whole;
        match (id.filter(given), name.filter(given), version) {
            (Some(id), Some(name), Some(version)) => Ok(Skimmed { id, name, version, route }),
            _ => Err(A::Error::custom("not for certain a record")),
        }
    }
}

fn is_status<E: Error>(word: &str) -> Result<bool, E> {
    crate::prompt::Status::parse(word).map(|_| true).ok_or_else(|| E::custom("no status"))
}

/// A short text, borrowed where it has no escapes.
struct Key<'l>(Cow<'l, str>);

impl<'de> Deserialize<'de> for Key<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_str(KeyVisitor)
    }
}

struct KeyVisitor;

impl<'de> Visitor<'de> for KeyVisitor {
    type Value = Key<'de>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string")
    }

    fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Key<'de>, E> {
        Ok(Key(Cow::Borrowed(text)))
    }

    fn visit_str<E>(self, text: &str) -> Result<Key<'de>, E> {
        Ok(Key(Cow::Owned(text.to_owned())))
    }
}

/// A string as it stands in the record.
struct Text<'l>(&'l str);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        beginning_with('"', deserializer).map(Text)
    }
}

/// An object of few levels.
struct Object;

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        shallow(beginning_with('{', deserializer)?).map(|()| Object)
    }
}

/// A list of strings as it stands in the record.
struct Words<'l>(&'l str);

impl<'de> Deserialize<'de> for Words<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = beginning_with('[', deserializer)?;
        serde_json::from_str::<List<Text>>(raw).map_err(D::Error::custom)?;
        Ok(Words(raw))
    }
}

/// A value of any shape that does not nest so deeply that it might be refused.
struct Shallow;

impl<'de> Deserialize<'de> for Shallow {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        shallow(raw(deserializer)?).map(|()| Shallow)
    }
}

fn shallow<E: Error>(raw: &str) -> Result<(), E> {
    let opened = || raw.bytes().filter(|byte| matches!(byte, b'[' | b'{')).count();
    if raw.starts_with(['[', '{']) && opened() > 100 {
        return Err(E::custom("many levels, perhaps"));
    }
    Ok(())
}

fn beginning_with<'de, D: Deserializer<'de>>(first: char, deserializer: D) -> Result<&'de str, D::Error> {
    Some(raw(deserializer)?)
        .filter(|raw| raw.starts_with(first))
        .ok_or_else(|| D::Error::custom("of another kind"))
}

fn raw<'de, D: Deserializer<'de>>(deserializer: D) -> Result<&'de str, D::Error> {
    <&RawValue>::deserialize(deserializer).map(RawValue::get)
}

/// A list whose items are looked at and let go.
struct List<T>(std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for List<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_seq(ListVisitor(std::marker::PhantomData))
    }
}

struct ListVisitor<T>(std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = List<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<List<T>, A::Error> {
        while seq.next_element::<T>()?.is_some() {}
        Ok(List(std::marker::PhantomData))
    }
}

/// A section, which has a name and a body.
struct Section;

impl<'de> Deserialize<'de> for Section {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(SectionVisitor)
    }
}

struct SectionVisitor;

impl<'de> Visitor<'de> for SectionVisitor {
    type Value = Section;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Section, A::Error> {
        let (mut has_name, mut has_body) = (false, false);
        while let Some(Key(key)) = map.next_key()? {
            match key.as_ref() {
                "name" => has_name = map.next_value::<Text>().map(|_| true)?,
                "body" => has_body = map.next_value::<Text>().map(|_| true)?,
                "required" => {
                    map.next_value::<bool>()?;
                }
                _ => {
                    map.next_value::<Shallow>()?;
                }
            }
        }
        if has_name && has_body { Ok(Section) } else { Err(A::Error::custom("half a section")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Origin;
    use crate::source::record;

    const ODD: &[&str] = &[
        r#"{"id":"x-1","name":"a","version":1,"sections":[],"status":"active"}"#,
        r#"{"status":"draft","sections":[{"body":"x\n","name":"r","required":false,"more":[1]}],"version":7,"name":"b","id":"y"}"#,
        r#"{"id":"x","id":"y","name":"a","version":1,"sections":[],"status":"active","tags":["t"],"mixins":[]}"#,
        r#"{"id":"x-1","name":"a","version":1,"sections":[],"status":"active"} x"#,
        r#"{"id":"x-1","name":"a","version":1,"sections":[{"name":"r"}],"status":"active"}"#,
        r#"{"id":"x-1","name":"a","version":1,"sections":[{"name":"r","body":1}],"status":"active"}"#,
        r#"{"id":"x-1","name":"a","version":1,"sections":[{"name":"\ud800","body":""}],"status":"active"}"#,
        r#"{"id":"x-1","name":"a","version":-1,"sections":[],"status":"active"}"#,
        r#"{"id":"x-1","name":"","version":1,"sections":[],"status":"active"}"#,
        r#"{"id":"x-1","name":"a","version":1,"sections":null,"status":"active"}"#,
        r#"{"id":"x-1","name":"a","version":1,"sections":[],"status":"gone"}"#,
        r#"{"id":"x-1","name":"a","version":1,"sections":[],"status":"active","pinned":"x"}"#,
        r#"{"id":"x-1","name":"a","version":1,"sections":[],"status":"active","frontmatter":[]}"#,
        r#"{"id":"x-1","name":"a","version":1,"sections":[],"status":"active","description":null}"#,
        r#"{"id":"x-1","name":"a","version":1,"sections":[],"status":"active","tags":[1]}"#,
        r#"{"id":"x-1","name":"a","version":1,"sections":[],"status":"active""#,
        "null",
        "42",
        "[]",
        "{}",
    ];

    #[test]
    fn what_is_skimmed_is_what_reading_would_find() {
        let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
        let deep =
            format!(r#"{{"id":"x","name":"a","version":1,"sections":[],"status":"active","more":{deep}}}"#);
        for line in ODD.iter().copied().chain([deep.as_str()]) {
            let whole = record::prompt(line, Origin { path: "p".into(), line: 1 });
            match (skim(line), whole) {
                (Some(skimmed), Ok(prompt)) => {
                    let found = (skimmed.id.as_ref(), skimmed.name.as_ref(), skimmed.version);
                    assert_eq!(found, (prompt.id.as_str(), prompt.name.as_str(), prompt.version));
                }
                (Some(skimmed), Err(e)) => panic!("{line}: {skimmed:?}, but {e}"),
                (None, _) => {}
            }
        }
        assert!(ODD[..3].iter().all(|line| skim(line).is_some()), "what is plain needs no second reading");
    }
}
