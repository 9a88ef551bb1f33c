//! The Rust module of a build's prompts: plain data, one constant a prompt.

use std::collections::HashMap;
use std::fmt::Write as _;

use canopy::problem::Problem;
use canopy::render::{markdown, typescript};
use canopy::resolve::Resolved;

/// A prompt as the module tells of it.
pub(crate) struct Entry<'a> {
    /// What its constant is called.
    pub(crate) constant: String,
    /// What it renders to, without front matter.
    pub(crate) text: String,
    resolved: Resolved<'a>,
}

impl<'a> Entry<'a> {
    pub(crate) fn new(resolved: Resolved<'a>) -> Entry<'a> {
        Entry { constant: constant(resolved.name), text: markdown::body(&resolved), resolved }
    }

    /// The name of the file that holds the text. Constants are told apart by their letters alone, so that files are
    /// on every system; none is called like a device.
    pub(crate) fn file(&self) -> String {
        format!("prompt_{}.md", self.constant.to_ascii_lowercase())
    }
}

/// What the constant of a prompt is called.
fn constant(name: &str) -> String {
    let constant = typescript::constant(name);
    if constant == "ALL" {
        return "ALL_".to_owned();
    }
    if constant.trim_matches('_').is_empty() {
        // Nothing is left of a name in another script: its characters are told by their numbers.
        return name.chars().map(|c| format!("U{:04X}", u32::from(c))).collect::<Vec<_>>().join("_");
    }
    constant
}

/// One problem for each prompt whose constant is taken.
pub(crate) fn clashes(entries: &[Entry<'_>]) -> Vec<Problem> {
    let mut taken: HashMap<&str, &Entry<'_>> = HashMap::new();
    let mut problems = Vec::new();
    for entry in entries {
        match taken.get(entry.constant.as_str()) {
            None => drop(taken.insert(&entry.constant, entry)),
            Some(first) => {
                let message = format!(
                    "`{}` ({}) and `{}` would both be the constant `{}`",
                    first.resolved.name, first.resolved.prompt.origin, entry.resolved.name, entry.constant
                );
                let hint = "give one of them another name, or leave it out with `Builder::select`";
                problems.push(Problem::new(message).at(&entry.resolved.prompt.origin).hint(hint));
            }
        }
    }
    problems
}

/// The module, which reads the texts from `folder` beside it.
pub(crate) fn module(entries: &[Entry<'_>], folder: &str) -> String {
    let mut text = String::from(HEAD);
    for entry in entries {
        push_constant(&mut text, entry, folder);
    }
    let constants: Vec<&str> = entries.iter().map(|entry| entry.constant.as_str()).collect();
    let all = constants.join(", ");
    push(
        &mut text,
        format_args!(
            "\n/// Every prompt of this module, in the order of the store.\npub static ALL: &[Prompt] = &[{all}];\n"
        ),
    );
    text
}

fn push_constant(text: &mut String, entry: &Entry<'_>, folder: &str) {
    let Resolved { name, prompt, sections, .. } = &entry.resolved;
    let description = prompt.description.as_deref().filter(|text| !text.is_empty());
    let doc = description.map_or_else(|| format!("The prompt `{name}`."), str::to_owned);
    let file = format!("{folder}/{}", entry.file());
    push(text, format_args!("\n#[doc = {doc:?}]\npub const {}: Prompt = Prompt {{\n", entry.constant));
    push(text, format_args!("    name: {name:?},\n    version: {},\n", prompt.version));
    push(text, format_args!("    description: {description:?},\n    text: include_str!({file:?}),\n"));
    text.push_str("    sections: &[\n");
    for part in sections {
        push(text, format_args!("        Section {{ name: {:?}, body: {:?} }},\n", part.name, part.body));
    }
    let hash = blake3::hash(entry.text.as_bytes());
    push(text, format_args!("    ],\n    hash: \"{hash}\",\n}};\n"));
}

fn push(text: &mut String, more: std::fmt::Arguments<'_>) {
    // Writing to a string cannot fail.
    let _ = text.write_fmt(more);
}

const HEAD: &str = "\
// Made by canopy-build from the prompts in `.canopy`: change them, not this.

/// A prompt with all that it inherits and mixes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Prompt {
    /// What it is called in the store.
    pub name: &'static str,
    /// The version that this is.
    pub version: u64,
    /// One line on what it does.
    pub description: Option<&'static str>,
    /// What it renders to, without front matter.
    pub text: &'static str,
    /// Its sections, in the order in which the text has them.
    pub sections: &'static [Section],
    /// The BLAKE3 hash of the text, in hexadecimal digits.
    pub hash: &'static str,
}

/// A named piece of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Section {
    /// Its name, which is its heading where there are several.
    pub name: &'static str,
    /// Its text.
    pub body: &'static str,
}
";
