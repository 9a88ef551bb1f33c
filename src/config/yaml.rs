//! Writes values of the configuration, so that YAML 1.1 and YAML 1.2 readers read back the same.

use crate::value::{Map, Value};

/// Words that some reader takes for something else than a text.
const TAKEN: [&str; 12] = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", ".nan", ".inf", ".e"];

/// Members as lines, each beginning with `indent` blanks; maps that are not empty go deeper by `step`.
pub(super) fn lines(map: &Map, indent: usize, step: usize) -> String {
    let mut text = String::new();
    push_lines(&mut text, map, indent, step);
    text
}

fn push_lines(text: &mut String, map: &Map, indent: usize, step: usize) {
    for (name, value) in map {
        text.push_str(&format!("{:indent$}{}:", "", scalar(name)));
        match value {
            Value::Map(map) if !map.is_empty() => {
                text.push('\n');
                push_lines(text, map, indent + step, step);
            }
            flat => text.push_str(&format!(" {}\n", inline(flat))),
        }
    }
}

/// A document of these members.
#[must_use]
pub fn document(map: &Map) -> String {
    lines(map, 0, 2)
}

/// A value on one line.
#[must_use]
pub fn inline(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(b) => b.to_string(),
        Value::Number(number) => number.as_str().to_owned(),
        Value::String(text) => scalar(text),
        Value::List(items) => format!("[{}]", items.iter().map(inline).collect::<Vec<_>>().join(", ")),
        Value::Map(map) => {
            let member = |(name, value): (&String, &Value)| format!("{}: {}", scalar(name), inline(value));
            format!("{{{}}}", map.iter().map(member).collect::<Vec<_>>().join(", "))
        }
    }
}

/// A text: bare if it is made of what means nothing to YAML anywhere, in double quotes otherwise.
pub(super) fn scalar(text: &str) -> String {
    if is_bare(text) { text.to_owned() } else { quoted(text) }
}

/// Begins with a letter, or with a point or underscore and a letter; goes on with letters, digits and `_ - . /`,
/// single blanks between them; and is no word that is taken.
fn is_bare(text: &str) -> bool {
    let unmarked = text.strip_prefix(['.', '_']).unwrap_or(text);
    let lower = text.to_ascii_lowercase();
    unmarked.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.split(' ').all(|word| {
            !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || "_-./".contains(c))
        })
        && !TAKEN.iter().any(|taken| lower == *taken)
        // `.e-5` is a float to YAML 1.1.
        && !lower.starts_with(".e-")
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '\\' | '"' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            '\r' => quoted.push_str("\\r"),
            '\t' => quoted.push_str("\\t"),
            ' '..='~' => quoted.push(c),
            c if c.is_alphanumeric() && u32::from(c) > 0xA0 => quoted.push(c),
            c if u32::from(c) <= 0xFF => quoted.push_str(&format!("\\x{:02X}", u32::from(c))),
            c if u32::from(c) <= 0xFFFF => quoted.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => quoted.push_str(&format!("\\U{:08X}", u32::from(c))),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_bare_only_where_no_reader_retypes_it() {
        for bare in ["agents", ".claude/commands", "my shop", "_x", "a-b_c.d/e1", "v1"] {
            assert_eq!(scalar(bare), bare);
        }
        for other in [
            "",
            "1",
            "-",
            "- a",
            "yes",
            "No",
            "ON",
            "null",
            "~",
            ".5",
            ".inf",
            ".NaN",
            ".e-5",
            "a: b",
            "a #b",
            "a  b",
            " a",
            "a ",
            "2026-01-01",
            "[a]",
            "{",
            "a,b",
            "...",
            "---",
            "'",
            "@x",
            "..",
            "<<",
            "=",
        ] {
            assert_eq!(scalar(other), format!("\"{other}\""));
        }
        assert_eq!(scalar("a\"\\\n\u{1}ü\u{2028}😀"), "\"a\\\"\\\\\\n\\x01ü\\u2028\\U0001F600\"");
    }
}
