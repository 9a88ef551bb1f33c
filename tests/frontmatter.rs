//! The front matter writer, by property: whatever is written reads back, in YAML 1.1 and in YAML 1.2.

use canopy::render::frontmatter::block;
use canopy::value::{Map, Value};
use indexmap::IndexMap;
use proptest::prelude::*;

use crate::yaml::{as_floats, comparable, read_as_yaml_1_1, read_as_yaml_1_2};

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_reads_back(members in prop::collection::vec((text(), value()), 0..5)) {
        // Wrapped, so that every key is subject to the general rule.
        let inner: Map = members.into_iter().collect();
        let value = Value::Map(inner);
        let text = block(&IndexMap::from([("top", &value)]));
        let yaml = inside(&text);

        let wanted = comparable(&Value::Map(Map::from_iter([("top".to_owned(), value.clone())])));
        prop_assert_eq!(&comparable(&read_as_yaml_1_1(yaml)), &wanted, "YAML 1.1 of\n{}", yaml);
        let wanted = as_floats(&wanted);
        prop_assert_eq!(&read_as_yaml_1_2(yaml), &wanted, "YAML 1.2 of\n{}", yaml);
    }

    #[test]
    fn no_line_ends_the_block_early(text in text()) {
        let value = Value::from(text.as_str());
        let written = block(&IndexMap::from([(text.as_str(), &value)]));
        prop_assert_eq!(written.lines().filter(|line| *line == "---").count(), 2);
        prop_assert!(written.ends_with("\n---\n"));
    }
}

#[test]
#[cfg(all(feature = "import", feature = "store"))]
fn what_fuzzers_found_reads_back() {
    for json in ["1e400", "[-1e999]", r#"{"1:0":null}"#, r#""._""#] {
        crate::properties::front_matter(json.as_bytes());
    }
}

#[test]
fn words_that_some_reader_retypes_are_quoted() {
    for word in [
        "",
        "~",
        "null",
        "NULL",
        "true",
        "Yes",
        "no",
        "on",
        "OFF",
        "y",
        "N",
        "0",
        "-1",
        "+1",
        "007",
        "0o7",
        "0b1",
        "0x1F",
        "1_000",
        "1.",
        ".5",
        "1e3",
        "1E+3",
        "-.inf",
        ".NaN",
        "2026-01-01",
        "=",
        "<<",
        "- a",
        "-",
        "?",
        "? a",
        ": a",
        "@a",
        "`a",
        "%a",
        "&a",
        "*a",
        "!a",
        "|",
        ">",
        "[a",
        "]a",
        "{a",
        "}a",
        ",a",
        " a",
        "a ",
        "\ta",
        "a\t",
        "a\tb",
        "\u{85}",
        "\u{2028}",
        "\u{feff}a",
        "\u{7f}",
        "\u{1}",
    ] {
        assert!(written(word).starts_with('"'), "{word:?}");
    }
}

#[test]
fn what_the_reference_writes_bare_stays_bare() {
    for word in [
        "a", "opus", "— dash", "é 🚀", "a b", "a-b", "-a", "?a", "C\\dir", "...", "---", "1.2.3", "1e", "0x",
        "08a", "2026-1-1", "v1", "yes sir", "a, b", "a]b", "a & b", "(a)", "/a/b", "a=b", ".", "+", "..",
        "_1", "$a", "^a",
    ] {
        assert_eq!(written(word), word);
    }
}

#[test]
fn the_form_is_the_references_where_that_reads_back() {
    let text = r##"{"a":"x: y","b":["p",null,{"k":1,"n":null,"d":{"e":null}}],"c":{"d":null},"e":[],"f":{},
        "g":[["x"],[]],"on":true,"true":1,"h":"","i":"# x"}"##;
    let value: Value = serde_json::from_str(text).unwrap();
    let members: IndexMap<&str, &Value> =
        value.as_map().unwrap().iter().map(|(key, value)| (key.as_str(), value)).collect();
    crate::support::snapshot("front-matter-forms", "Every form that the writer knows.", &block(&members));
}

/// The text of one string as a value.
fn written(word: &str) -> String {
    let value = Value::from(word);
    let text = block(&IndexMap::from([("k", &value)]));
    text.strip_prefix("---\nk: ").unwrap().strip_suffix("\n---\n").unwrap().to_owned()
}

fn inside(block: &str) -> &str {
    block.strip_prefix("---\n").unwrap().strip_suffix("---\n").unwrap()
}

/// Strings of all kinds: any characters, and those that mean something in YAML.
fn text() -> impl Strategy<Value = String> {
    let words = prop::sample::select(vec![
        "",
        "on",
        "yes",
        "null",
        "~",
        "1",
        "1e3",
        "0x1f",
        "1_0",
        "2026-01-01",
        "- a",
        "a: b",
        "a #b",
        "---",
        "...",
        "=",
        "<<",
        "[",
        "{",
        "? a",
        "\u{2028}",
        "\u{85}",
        "a\tb",
        "'",
        "\"",
        "\\",
        "\r\n",
    ]);
    prop_oneof![
        3 => prop::collection::vec(any::<char>(), 0..12).prop_map(String::from_iter),
        3 => "[-a-zA-Z0-9 _.:#,?!&*|>%@`'\"\\\\\\[\\]{}~=<\t\n]{0,10}",
        1 => words.prop_map(str::to_owned),
        1 => "[a-z]{990,1100}",
    ]
}

fn value() -> impl Strategy<Value = Value> {
    let numbers = prop_oneof![
        any::<i64>().prop_map(|n| n.to_string()),
        any::<f64>().prop_filter("JSON has no others", |n| n.is_finite()).prop_map(|n| format!("{n:?}")),
        "-?[1-9][0-9]{20,40}",
        "-?[1-9]\\.[0-9]{1,5}[eE][-+]?[0-9]{1,2}",
    ];
    let flat = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        numbers.prop_map(|text| serde_json::from_str(&text).unwrap()),
        text().prop_map(Value::String),
    ];
    flat.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            prop::collection::vec((text(), inner), 0..4)
                .prop_map(|members| Value::Map(members.into_iter().collect())),
        ]
    })
}
