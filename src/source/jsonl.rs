//! The store's format: one JSON record a line, as it is found in the wild.

use std::sync::Arc;

use serde::de::IgnoredAny;

use super::Records;
use crate::problem::{Origin, Problem};

/// Turns one line into a record; the error says what is wrong with it.
pub type Parse<T> = fn(&str, Origin) -> Result<T, serde_json::Error>;

/// Reads the records of a file. Line ends, a byte order mark and blank lines make no difference.
///
/// # Errors
/// If the file holds conflict markers: which side counts is for a person to say.
pub fn read<T>(path: &str, bytes: &[u8], parse: Parse<T>) -> Result<Records<T>, Problem> {
    let path: Arc<str> = path.into();
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut found = Records { records: Vec::new(), warnings: Vec::new() };
    for (number, line) in bytes.split(|b| *b == b'\n').enumerate() {
        let origin = Origin { path: Arc::clone(&path), line: number + 1 };
        let line = line.trim_ascii();
        if line.is_empty() {
            continue;
        }
        if is_conflict_marker(line) {
            return Err(conflict(&origin));
        }
        match record(line, &origin, parse) {
            Ok(record) => found.records.push(record),
            Err(problem) => found.warnings.push(problem),
        }
    }
    Ok(found)
}

/// Reads one line, which is neither blank nor a conflict marker.
pub(super) fn record<T>(line: &[u8], origin: &Origin, parse: Parse<T>) -> Result<T, Problem> {
    let text = std::str::from_utf8(line).map_err(|e| {
        Problem::new(format!("the line is not UTF-8 (byte {})", e.valid_up_to() + 1))
            .at(origin)
            .hint("the line is left as it is and the other records are used")
    })?;
    parse(text, origin.clone()).map_err(|e| unreadable(text, &e).at(origin))
}

/// What is said of a file in which a merge stands unfinished.
pub(super) fn conflict(origin: &Origin) -> Problem {
    Problem::new(format!("`{}` holds the conflict markers of an unfinished merge", origin.path))
        .at(origin)
        .hint("keep the records of both sides, delete the marker lines, and run again")
}

/// Whether the last line of a file lacks its end, so that what is appended would run into it.
#[must_use]
pub fn ends_open(bytes: &[u8]) -> bool {
    !matches!(bytes.last(), None | Some(b'\n'))
}

pub(super) fn is_conflict_marker(line: &[u8]) -> bool {
    let (head, rest) = line.split_at(line.len().min(7));
    matches!(head, b"<<<<<<<" | b"=======" | b">>>>>>>" | b"|||||||")
        && matches!(rest.first(), None | Some(b' '))
}

/// Says what keeps `line` from being a record: that it is no JSON, or what it lacks.
fn unreadable(line: &str, error: &serde_json::Error) -> Problem {
    let message = match serde_json::from_str::<IgnoredAny>(line) {
        Err(e) => format!("the line is not valid JSON: {} (column {})", without_place(&e), e.column()),
        Ok(_) => format!("the line is JSON but no record: {}", in_plain_words(&without_place(error))),
    };
    Problem::new(message).hint("the line is left as it is and the other records are used")
}

/// The error without its place: the line is counted from the line, and the column of a member says little.
fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.rsplit_once(" at line ").map_or(text.as_str(), |(text, _)| text).to_owned()
}

/// What the parser calls by the names of a programming language.
fn in_plain_words(message: &str) -> String {
    let words =
        [("u64", "a whole number"), ("sequence", "list"), ("map", "object"), ("a boolean", "true or false")];
    let (got, wanted) = message.rsplit_once("expected ").unwrap_or((message, ""));
    let mut wanted = wanted.to_owned();
    let mut got = got.to_owned();
    for (from, to) in words {
        wanted = wanted.replace(from, to);
        got = got.replace(&format!("invalid type: {from}"), &format!("invalid type: {to}"));
    }
    let text = if wanted.is_empty() { got } else { format!("{got}expected {wanted}") };
    text.replace(" a object", " an object")
}
