//! A record of the store as a JSON object: what makes a prompt or a schema, and back again.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::problem::Origin;
use crate::prompt::{Prompt, Section, Status};
use crate::schema::{Rule, Schema};
use crate::value::{Map, Value};

/// Parses a line of `prompts.jsonl`.
///
/// # Errors
/// If it is no JSON, no object, or lacks what makes a prompt.
pub fn prompt(line: &str, origin: Origin) -> Result<Prompt, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let prompt = Deserializer::deserialize_map(&mut deserializer, PromptVisitor { origin })?;
    deserializer.end()?;
    Ok(prompt)
}

/// Parses a line of `schemas.jsonl`.
///
/// # Errors
/// If it is no JSON, no object, or lacks what makes a schema.
pub fn schema(line: &str, origin: Origin) -> Result<Schema, serde_json::Error> {
    let mut deserializer = serde_json::Deserializer::from_str(line);
    let schema = Deserializer::deserialize_map(&mut deserializer, SchemaVisitor { origin })?;
    deserializer.end()?;
    Ok(schema)
}

/// The members of a prompt's record; what it does not have is left out.
#[must_use]
pub fn prompt_members(prompt: &Prompt) -> Map {
    let mut map = Map::new();
    map.insert("id".into(), prompt.id.as_str().into());
    map.insert("name".into(), prompt.name.as_str().into());
    map.insert("version".into(), prompt.version.into());
    put(&mut map, "description", prompt.description.as_deref());
    map.insert("sections".into(), prompt.sections.iter().map(section_members).collect());
    put(&mut map, "extends", prompt.extends.as_deref());
    put(&mut map, "mixins", list(&prompt.mixins));
    put(&mut map, "tags", list(&prompt.tags));
    put(&mut map, "schema", prompt.schema.as_deref());
    put(&mut map, "emitAs", prompt.emit_as.as_deref());
    put(&mut map, "emitDir", prompt.emit_dir.as_deref());
    put(&mut map, "pinned", prompt.pinned);
    if !prompt.frontmatter.is_empty() {
        map.insert("frontmatter".into(), prompt.frontmatter.clone().into());
    }
    put(&mut map, "mulch", prompt.mulch.clone());
    put(&mut map, "extends_mulch", prompt.extends_mulch.clone());
    map.extend(prompt.extra.clone());
    map.insert("status".into(), prompt.status.as_str().into());
    put(&mut map, "createdAt", prompt.created_at.as_deref());
    put(&mut map, "updatedAt", prompt.updated_at.as_deref());
    map
}

/// The members of a schema's record; what it does not have is left out.
#[must_use]
pub fn schema_members(schema: &Schema) -> Map {
    let mut map = Map::new();
    map.insert("id".into(), schema.id.as_str().into());
    map.insert("name".into(), schema.name.as_str().into());
    let strings = |words: &[String]| words.iter().map(String::as_str).collect::<Value>();
    map.insert("requiredSections".into(), strings(&schema.required_sections));
    put(&mut map, "optionalSections", schema.optional_sections.as_deref().map(strings));
    let rules = schema.rules.as_deref().map(|rules| rules.iter().map(rule_members).collect::<Value>());
    put(&mut map, "rules", rules);
    map.extend(schema.extra.clone());
    put(&mut map, "createdAt", schema.created_at.as_deref());
    put(&mut map, "updatedAt", schema.updated_at.as_deref());
    map
}

fn section_members(section: &Section) -> Map {
    let mut map = Map::new();
    map.insert("name".into(), section.name.as_str().into());
    map.insert("body".into(), section.body.as_str().into());
    put(&mut map, "required", section.required);
    map.extend(section.extra.clone());
    map
}

/// The members of a rule of a schema.
#[must_use]
pub fn rule_members(rule: &Rule) -> Map {
    let mut map = Map::new();
    map.insert("section".into(), rule.section.as_str().into());
    map.insert("pattern".into(), rule.pattern.as_str().into());
    map.insert("message".into(), rule.message.as_str().into());
    map.extend(rule.extra.clone());
    map
}

fn list(words: &[String]) -> Option<Value> {
    (!words.is_empty()).then(|| words.iter().map(String::as_str).collect())
}

fn put(map: &mut Map, key: &str, value: Option<impl Into<Value>>) {
    if let Some(value) = value {
        map.insert(key.to_owned(), value.into());
    }
}

/// One member's value; the error names the member.
fn member<'de, T: Deserialize<'de>, A: MapAccess<'de>>(map: &mut A, key: &str) -> Result<T, A::Error> {
    map.next_value().map_err(|e| A::Error::custom(format!("`{key}`: {e}")))
}

fn demand<T, E: Error>(value: Option<T>, whose: &str, key: &str) -> Result<T, E> {
    value.ok_or_else(|| E::custom(format!("{whose} has no `{key}`")))
}

fn not_empty<E: Error>(value: String, key: &str) -> Result<String, E> {
    if value.is_empty() { Err(E::custom(format!("its `{key}` is empty"))) } else { Ok(value) }
}

struct PromptVisitor {
    origin: Origin,
}

impl<'de> Visitor<'de> for PromptVisitor {
    type Value = Prompt;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Prompt, A::Error> {
        let (mut id, mut name, mut version, mut sections, mut status) = (None, None, None, None, None);
        let mut rest = Rest::default();
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "id" => id = member(&mut map, &key)?,
                "name" => name = member(&mut map, &key)?,
                "version" => version = member(&mut map, &key)?,
                "sections" => sections = member::<Option<Vec<Object<Section>>>, _>(&mut map, &key)?,
                "status" => status = member::<Option<StatusWord>, _>(&mut map, &key)?,
                _ => rest.take(key, &mut map)?,
            }
        }
        Ok(Prompt {
            id: not_empty(demand(id, "the prompt", "id")?, "id")?,
            name: not_empty(demand(name, "the prompt", "name")?, "name")?,
            version: demand(version, "the prompt", "version")?,
            sections: demand(sections, "the prompt", "sections")?.into_iter().map(|s| s.0).collect(),
            status: demand(status, "the prompt", "status")?.0,
            description: rest.description,
            extends: rest.extends.filter(|name| !name.is_empty()),
            mixins: rest.mixins,
            tags: rest.tags,
            schema: rest.schema.filter(|name| !name.is_empty()),
            emit_as: rest.emit_as,
            emit_dir: rest.emit_dir,
            pinned: rest.pinned,
            frontmatter: rest.frontmatter,
            mulch: rest.mulch,
            extends_mulch: rest.extends_mulch,
            created_at: rest.created_at,
            updated_at: rest.updated_at,
            extra: rest.extra,
            origin: self.origin,
        })
    }
}

/// The members of a prompt that it can do without.
#[derive(Default)]
struct Rest {
    description: Option<String>,
    extends: Option<String>,
    mixins: Vec<String>,
    tags: Vec<String>,
    schema: Option<String>,
    emit_as: Option<String>,
    emit_dir: Option<String>,
    pinned: Option<u64>,
    frontmatter: Map,
    mulch: Option<Value>,
    extends_mulch: Option<Value>,
    created_at: Option<String>,
    updated_at: Option<String>,
    extra: Map,
}

impl Rest {
    fn take<'de, A: MapAccess<'de>>(&mut self, key: String, map: &mut A) -> Result<(), A::Error> {
        match key.as_str() {
            "description" => self.description = member(map, &key)?,
            "extends" => self.extends = member(map, &key)?,
            "mixins" => self.mixins = member::<Option<_>, _>(map, &key)?.unwrap_or_default(),
            "tags" => self.tags = member::<Option<_>, _>(map, &key)?.unwrap_or_default(),
            "schema" => self.schema = member(map, &key)?,
            "emitAs" => self.emit_as = member(map, &key)?,
            "emitDir" => self.emit_dir = member(map, &key)?,
            "pinned" => self.pinned = member(map, &key)?,
            "frontmatter" => self.frontmatter = member::<Option<Map>, _>(map, &key)?.unwrap_or_default(),
            "mulch" => self.mulch = member(map, &key)?,
            "extends_mulch" => self.extends_mulch = member(map, &key)?,
            "createdAt" => self.created_at = member(map, &key)?,
            "updatedAt" => self.updated_at = member(map, &key)?,
            _ => {
                let value = map.next_value()?;
                self.extra.insert(key, value);
            }
        }
        Ok(())
    }
}

/// The word of a status, refused if it is none.
struct StatusWord(Status);

impl<'de> Deserialize<'de> for StatusWord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        let words = Status::ALL.map(Status::as_str).join(", ");
        let status = Status::parse(&word);
        status.map(StatusWord).ok_or_else(|| D::Error::custom(format!("`{word}` is none of {words}")))
    }
}

/// What is read from the members of an object one by one, so that an error can name the member.
trait FromObject: Sized {
    fn from_object<'de, A: MapAccess<'de>>(map: A) -> Result<Self, A::Error>;
}

struct Object<T>(T);

impl<'de, T: FromObject> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(ObjectVisitor(PhantomData))
    }
}

struct ObjectVisitor<T>(PhantomData<T>);

impl<'de, T: FromObject> Visitor<'de> for ObjectVisitor<T> {
    type Value = Object<T>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
        T::from_object(map).map(Object)
    }
}

impl FromObject for Section {
    fn from_object<'de, A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let (mut name, mut body, mut required, mut extra) = (None, None, None, Map::new());
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "name" => name = member(&mut map, &key)?,
                "body" => body = member(&mut map, &key)?,
                "required" => required = member(&mut map, &key)?,
                _ => drop(extra.insert(key, map.next_value()?)),
            }
        }
        let name: String = demand(name, "a section", "name")?;
        let body = demand(body, &format!("section `{name}`"), "body")?;
        Ok(Section { name, body, required, extra })
    }
}

impl FromObject for Rule {
    fn from_object<'de, A: MapAccess<'de>>(mut map: A) -> Result<Self, A::Error> {
        let (mut section, mut pattern, mut message, mut extra) = (None, None, None, Map::new());
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "section" => section = member(&mut map, &key)?,
                "pattern" => pattern = member(&mut map, &key)?,
                "message" => message = member(&mut map, &key)?,
                _ => drop(extra.insert(key, map.next_value()?)),
            }
        }
        Ok(Rule {
            section: demand(section, "a rule", "section")?,
            pattern: demand(pattern, "a rule", "pattern")?,
            message: demand(message, "a rule", "message")?,
            extra,
        })
    }
}

struct SchemaVisitor {
    origin: Origin,
}

impl<'de> Visitor<'de> for SchemaVisitor {
    type Value = Schema;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Schema, A::Error> {
        let (mut id, mut name, mut required, mut optional, mut rules) = (None, None, None, None, None);
        let (mut created_at, mut updated_at, mut extra) = (None, None, Map::new());
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "id" => id = member(&mut map, &key)?,
                "name" => name = member(&mut map, &key)?,
                "requiredSections" => required = member(&mut map, &key)?,
                "optionalSections" => optional = member(&mut map, &key)?,
                "rules" => rules = member::<Option<Vec<Object<Rule>>>, _>(&mut map, &key)?,
                "createdAt" => created_at = member(&mut map, &key)?,
                "updatedAt" => updated_at = member(&mut map, &key)?,
                _ => drop(extra.insert(key, map.next_value()?)),
            }
        }
        Ok(Schema {
            id: not_empty(demand(id, "the schema", "id")?, "id")?,
            name: not_empty(demand(name, "the schema", "name")?, "name")?,
            required_sections: demand(required, "the schema", "requiredSections")?,
            optional_sections: optional,
            rules: rules.map(|rules| rules.into_iter().map(|rule| rule.0).collect()),
            created_at,
            updated_at,
            extra,
            origin: self.origin,
        })
    }
}
