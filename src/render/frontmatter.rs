//! The front matter block, written so that YAML 1.1 and YAML 1.2 readers read back the same values.

mod number;
mod scalar;

use indexmap::IndexMap;

use crate::value::{Map, Value};
use number::number;
use scalar::{is_plain_key, quoted, string};

/// Longer than this, a key is written in YAML's explicit form: readers need not look further for its colon.
const LONGEST_IMPLICIT_KEY: usize = 1000;

/// The block with its two `---` lines and a final newline.
#[must_use]
pub fn block(members: &IndexMap<&str, &Value>) -> String {
    let mut text = String::from("---\n");
    for (key, value) in members {
        push_member(&mut text, &top_level_key(key), value, 0);
    }
    text.push_str("---\n");
    text
}

/// Words that YAML 1.1 takes for booleans are left bare where tools look members up by their names.
///
/// The reference writes them so, and what reads front matter finds `on:` by that spelling.
fn top_level_key(name: &str) -> String {
    match name {
        "on" | "On" | "ON" | "off" | "Off" | "OFF" | "y" | "Y" | "n" | "N" => name.to_owned(),
        _ => key(name, 0),
    }
}

fn key(name: &str, indent: usize) -> String {
    if is_plain_key(name) && name.len() <= LONGEST_IMPLICIT_KEY {
        return name.to_owned();
    }
    let quoted = quoted(name);
    match quoted.len() <= LONGEST_IMPLICIT_KEY {
        true => quoted,
        false => format!("? {quoted}\n{:indent$}", ""),
    }
}

/// Writes `key: value`; the text already stands at column `indent`.
fn push_member(text: &mut String, key: &str, value: &Value, indent: usize) {
    text.extend([key, ":"]);
    match value {
        Value::Null => text.push('\n'),
        Value::List(items) if !items.is_empty() => {
            text.push('\n');
            push_items(text, items, indent + 2);
        }
        Value::Map(map) if !map.is_empty() => {
            text.push('\n');
            push_members(text, map, indent + 2);
        }
        flat => text.extend([" ", &flat_text(flat), "\n"]),
    }
}

fn push_members(text: &mut String, map: &Map, indent: usize) {
    for (name, value) in map {
        push_indent(text, indent);
        push_member(text, &key(name, indent), value, indent);
    }
}

/// Writes the items of a list, each on a line that begins at column `indent`.
fn push_items(text: &mut String, items: &[Value], indent: usize) {
    for item in items {
        push_indent(text, indent);
        push_item(text, item, indent);
    }
}

/// Writes one item behind its dash; the text already stands at column `indent`.
fn push_item(text: &mut String, item: &Value, indent: usize) {
    text.push_str("- ");
    let indent = indent + 2;
    match item {
        Value::List(items) if !items.is_empty() => {
            for (index, item) in items.iter().enumerate() {
                if index > 0 {
                    push_indent(text, indent);
                }
                push_item(text, item, indent);
            }
        }
        Value::Map(map) if !map.is_empty() => {
            for (index, (name, value)) in map.iter().enumerate() {
                if index > 0 {
                    push_indent(text, indent);
                }
                match value {
                    // A null among the members of an item keeps its blank, as the reference writes it.
                    Value::Null => text.extend([&key(name, indent), ": \n"]),
                    value => push_member(text, &key(name, indent), value, indent),
                }
            }
        }
        flat => text.extend([&flat_text(flat), "\n"]),
    }
}

fn push_indent(text: &mut String, indent: usize) {
    text.extend(std::iter::repeat_n(' ', indent));
}

/// The text of a value that takes no lines of its own.
fn flat_text(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(b) => b.to_string(),
        Value::Number(n) => number(n),
        Value::String(text) => string(text),
        Value::List(_) => "[]".to_owned(),
        Value::Map(_) => "{}".to_owned(),
    }
}
