//! What may be changed in a prompt: pure functions from one version to the next.

use std::collections::HashSet;

use crate::problem::Problem;
use crate::prompt::{Prompt, Section, Status};
use crate::value::Value;

/// One change of a prompt.
#[derive(Debug, Clone, PartialEq)]
pub enum Edit {
    /// Another name.
    Name(String),
    /// Another description.
    Description(String),
    /// Another text for a section, which is added if it is not there.
    Section {
        /// Its name.
        name: String,
        /// Its text.
        body: String,
    },
    /// No such section: own ones go, inherited ones are overridden by nothing.
    RemoveSection(String),
    /// One more tag.
    Tag(String),
    /// One tag less.
    Untag(String),
    /// Another schema.
    Schema(String),
    /// Another parent.
    Extends(String),
    /// No parent.
    NoExtends,
    /// One more mixin, above those that are there.
    Mixin(String),
    /// One mixin less.
    RemoveMixin(String),
    /// Another file name.
    EmitAs(String),
    /// Another folder.
    EmitDir(String),
    /// Another place in its life.
    Status(Status),
    /// A member of the front matter.
    Frontmatter {
        /// Its name.
        key: String,
        /// Its value.
        value: Value,
    },
    /// No such member of the front matter.
    RemoveFrontmatter(String),
    /// Another declaration of expertise.
    Mulch(Value),
    /// No declaration of expertise.
    NoMulch,
    /// Whether the declaration is merged with the inherited ones.
    ExtendsMulch(bool),
    /// A pin.
    Pin(u64),
    /// No pin.
    Unpin,
    /// All own sections, as a document has them.
    Sections(Vec<Section>),
    /// The whole front matter, as a document has it.
    WholeFrontmatter(crate::value::Map),
}

/// The next version of `prompt`, made at `now`; `inherited` names the sections it would have without its own.
///
/// # Errors
/// If an edit has nothing to work on. One that sets what is set already makes a version all the same: that it was
/// said again may be what the history is to show.
///
/// ```
/// # use canopy::{problem::Origin, source::record};
/// # let origin = Origin { path: "p".into(), line: 1 };
/// # let line = r#"{"id":"t-1","name":"a","version":1,"sections":[],"status":"active"}"#;
/// # let prompt = record::prompt(line, origin)?;
/// use canopy::store::edit::{Edit, apply};
///
/// let next = apply(&prompt, &[Edit::Tag("agent".into())], &Default::default(), "2026-01-02T00:00:00.000Z")?;
/// assert_eq!((next.version, next.tags), (2, vec!["agent".to_owned()]));
/// assert!(apply(&prompt, &[Edit::Untag("agent".into())], &Default::default(), "").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn apply(
    prompt: &Prompt,
    edits: &[Edit],
    inherited: &HashSet<String>,
    now: &str,
) -> Result<Prompt, EditError> {
    let mut next = prompt.clone();
    for edit in edits {
        apply_one(&mut next, edit, inherited)?;
    }
    next.version =
        prompt.version.checked_add(1).ok_or_else(|| EditError::LastVersion(prompt.name.clone()))?;
    next.updated_at = Some(now.to_owned());
    Ok(next)
}

/// The first version of a prompt that is nothing yet but its name and id.
///
/// # Errors
/// As for [`apply`], but that it needs no edit.
pub fn first(empty: &Prompt, edits: &[Edit], now: &str) -> Result<Prompt, EditError> {
    let mut first = empty.clone();
    edits.iter().try_for_each(|edit| apply_one(&mut first, edit, &HashSet::new()))?;
    first.version = 1;
    first.updated_at = Some(now.to_owned());
    Ok(first)
}

/// Why an edit is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// It has not what is to be taken from it.
    #[error("`{name}` has no {what} `{missing}`")]
    Missing {
        /// The prompt.
        name: String,
        /// What kind of thing.
        what: &'static str,
        /// Which one.
        missing: String,
    },
    /// There is no number left.
    #[error("`{0}` has the last version that there can be")]
    LastVersion(String),
}

impl From<EditError> for Problem {
    fn from(error: EditError) -> Self {
        let hint = match &error {
            EditError::Missing { name, .. } => Some(format!("`cn show {name}` shows what it has")),
            EditError::LastVersion(_) => None,
        };
        Problem::new(error.to_string()).maybe_hint(hint)
    }
}

fn apply_one(prompt: &mut Prompt, edit: &Edit, inherited: &HashSet<String>) -> Result<(), EditError> {
    let some = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
    match edit {
        Edit::Name(name) => name.clone_into(&mut prompt.name),
        Edit::Description(text) => prompt.description = some(text),
        Edit::Section { name, body } => set_section(prompt, name, body),
        Edit::RemoveSection(name) => remove_section(prompt, name, inherited)?,
        Edit::Tag(tag) => add(&mut prompt.tags, tag),
        Edit::Untag(tag) => remove(&mut prompt.tags, tag, &prompt.name, "tag")?,
        Edit::Schema(name) => prompt.schema = some(name),
        Edit::Extends(name) => prompt.extends = some(name),
        Edit::NoExtends => prompt.extends = None,
        Edit::Mixin(name) => add(&mut prompt.mixins, name),
        Edit::RemoveMixin(name) => remove(&mut prompt.mixins, name, &prompt.name, "mixin")?,
        Edit::EmitAs(file) => prompt.emit_as = some(file),
        Edit::EmitDir(dir) => prompt.emit_dir = some(dir),
        Edit::Status(status) => prompt.status = *status,
        Edit::Frontmatter { key, value } => drop(prompt.frontmatter.insert(key.clone(), value.clone())),
        Edit::RemoveFrontmatter(key) => {
            let gone = prompt.frontmatter.shift_remove(key);
            gone.ok_or_else(|| missing(&prompt.name, "front matter member", key))?;
        }
        Edit::Mulch(block) => prompt.mulch = Some(block.clone()),
        Edit::NoMulch => prompt.mulch = None,
        Edit::ExtendsMulch(flag) => prompt.extends_mulch = Some(Value::Bool(*flag)),
        Edit::Pin(version) => prompt.pinned = Some(*version),
        Edit::Unpin => prompt.pinned = None,
        Edit::Sections(sections) => sections.clone_into(&mut prompt.sections),
        Edit::WholeFrontmatter(map) => map.clone_into(&mut prompt.frontmatter),
    }
    Ok(())
}

fn set_section(prompt: &mut Prompt, name: &str, body: &str) {
    match prompt.sections.iter_mut().find(|section| section.name == name) {
        Some(section) => body.clone_into(&mut section.body),
        None => prompt.sections.push(Section {
            name: name.to_owned(),
            body: body.to_owned(),
            required: None,
            extra: crate::value::Map::new(),
        }),
    }
}

/// Takes out an own section; one that is inherited as well is overridden by an empty one.
fn remove_section(prompt: &mut Prompt, name: &str, inherited: &HashSet<String>) -> Result<(), EditError> {
    if inherited.contains(name) {
        set_section(prompt, name, "");
        return Ok(());
    }
    let own = prompt.sections.iter().position(|section| section.name == name);
    let own = own.ok_or_else(|| missing(&prompt.name, "section", name))?;
    prompt.sections.remove(own);
    Ok(())
}

fn add(words: &mut Vec<String>, word: &str) {
    if !words.iter().any(|there| there == word) {
        words.push(word.to_owned());
    }
}

fn remove(words: &mut Vec<String>, word: &str, name: &str, what: &'static str) -> Result<(), EditError> {
    let place = words.iter().position(|there| there == word).ok_or_else(|| missing(name, what, word))?;
    words.remove(place);
    Ok(())
}

fn missing(name: &str, what: &'static str, missing: &str) -> EditError {
    EditError::Missing { name: name.to_owned(), what, missing: missing.to_owned() }
}
