//! The properties that fuzzers check, thrown at by chance in every test run: noise, and what is nearly right.

use proptest::prelude::*;

use crate::properties;

/// Pieces that inputs are made of: what the formats give a meaning to.
const PIECES: [&str; 60] = [
    "{",
    "}",
    "[",
    "]",
    ":",
    ",",
    "\"",
    "\\",
    "\n",
    "\r\n",
    "\t",
    " ",
    "  ",
    "#",
    "## ",
    "---\n",
    "- ",
    "null",
    "true",
    "1",
    "-1",
    "1e400",
    "0.5",
    "\"id\":\"t-1\"",
    "\"name\":\"a\"",
    "\"name\":\"b\"",
    "\"version\":1",
    "\"version\":2",
    "\"sections\":[]",
    "\"sections\":[{\"name\":\"r\",\"body\":\"x\"}]",
    "\"status\":\"active\"",
    "\"extends\":\"a\"",
    "\"mixins\":[\"a\",\"b\"]",
    "\"frontmatter\":{\"k\":[1,{\"on\":\"yes\"}]}",
    "\"pinned\":1",
    "\"emitAs\":\"../x\"",
    "\"mulch\":{}",
    "\"extends_mulch\":true",
    "\"\\u0000\"",
    "\"\\ud83d\\ude80\"",
    "<<<<<<< HEAD",
    "=======",
    "é",
    "🚀",
    "\u{feff}",
    "\u{2028}",
    "project: t",
    "targets:",
    "  a:",
    "    dir: x",
    "    default: true",
    "    tags: [x]",
    "emitDir: y",
    "emitDirByTag:",
    "&a ",
    "*a",
    "!t ",
    "```",
    "~~~",
    "\0",
];

fn input() -> impl Strategy<Value = Vec<u8>> {
    let pieces = prop::collection::vec(prop::sample::select(PIECES.to_vec()), 0..40);
    prop_oneof![
        4 => pieces.prop_map(|pieces| pieces.concat().into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 0..200),
        1 => any::<String>().prop_map(String::into_bytes),
    ]
}

/// A whole record whose members are drawn, so that composing and rendering are reached.
fn records() -> impl Strategy<Value = Vec<u8>> {
    let name = || prop::sample::select(vec!["a", "b", "c", "d"]);
    let record = (
        name(),
        name(),
        1..4_u64,
        prop::option::of(name()),
        prop::collection::vec(name(), 0..3),
        any::<String>(),
    );
    let line = record.prop_map(|(id, name, version, extends, mixins, body)| {
        let extends = extends.map(|name| format!(r#","extends":"{name}""#)).unwrap_or_default();
        let body = serde_json::to_string(&body).unwrap();
        format!(
            r#"{{"id":"{id}","name":"{name}","version":{version},"mixins":{mixins:?}{extends},"status":"active","sections":[{{"name":"{id}","body":{body}}}]}}"#
        )
    });
    prop::collection::vec(line, 0..8).prop_map(|lines| lines.join("\n").into_bytes())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn store_lines(bytes in prop_oneof![input(), records()]) {
        properties::store_line(&bytes);
    }

    #[test]
    fn configurations(bytes in input()) {
        properties::configuration(&bytes);
    }

    #[test]
    fn edited_documents(bytes in prop_oneof![input(), records()]) {
        properties::edited_document(&bytes);
    }

    #[test]
    fn markdown_imports(bytes in input()) {
        properties::markdown_import(&bytes);
    }

    #[test]
    fn front_matter(bytes in input()) {
        properties::front_matter(&bytes);
    }
}
