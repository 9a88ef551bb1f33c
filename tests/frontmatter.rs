//! The front matter writer, by property: whatever is written reads back, in YAML 1.1 and in YAML 1.2.

use std::sync::LazyLock;

use canopy::render::frontmatter::block;
use canopy::value::{Map, Value};
use indexmap::IndexMap;
use proptest::prelude::*;
use regex::RegexSet;
use saphyr_parser::{Event, Parser, ScalarStyle};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

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

/// A value in which numbers that mean the same are written the same.
fn comparable(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.is_whole() && number.as_str() != "-0" => value.clone(),
        Value::Number(number) => {
            let float: f64 = number.as_str().parse().unwrap();
            // Without an exponent, as a whole number is written.
            serde_json::from_str(&float.abs().to_string()).map(|value| signed(value, float < 0.0)).unwrap()
        }
        Value::List(items) => Value::List(items.iter().map(comparable).collect()),
        Value::Map(map) => Value::Map(map.iter().map(|(k, v)| (k.clone(), comparable(v))).collect()),
        other => other.clone(),
    }
}

fn signed(value: Value, negative: bool) -> Value {
    match value {
        Value::Number(number) if negative => serde_json::from_str(&format!("-{}", number.as_str())).unwrap(),
        value => value,
    }
}

/// The same, with numbers only as exact as a float: what readers of version 1.2 promise.
fn as_floats(value: &Value) -> Value {
    match value {
        Value::Number(number) => {
            let float: f64 = number.as_str().parse().unwrap();
            Value::from(format!("number {float:?}"))
        }
        Value::List(items) => Value::List(items.iter().map(as_floats).collect()),
        Value::Map(map) => Value::Map(map.iter().map(|(k, v)| (k.clone(), as_floats(v))).collect()),
        other => other.clone(),
    }
}

/// Reads YAML with a reader of version 1.2, numbers as floats.
fn read_as_yaml_1_2(yaml: &str) -> Value {
    struct Any(Value);

    impl<'de> Deserialize<'de> for Any {
        fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
            deserializer.deserialize_any(AnyVisitor).map(Any)
        }
    }

    struct AnyVisitor;

    impl<'de> Visitor<'de> for AnyVisitor {
        type Value = Value;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("YAML")
        }

        fn visit_unit<E>(self) -> Result<Value, E> {
            Ok(Value::Null)
        }

        fn visit_bool<E>(self, b: bool) -> Result<Value, E> {
            Ok(Value::Bool(b))
        }

        fn visit_u64<E>(self, n: u64) -> Result<Value, E> {
            Ok(Value::from(format!("number {:?}", n as f64)))
        }

        fn visit_i64<E>(self, n: i64) -> Result<Value, E> {
            Ok(Value::from(format!("number {:?}", n as f64)))
        }

        fn visit_u128<E>(self, n: u128) -> Result<Value, E> {
            Ok(Value::from(format!("number {:?}", n as f64)))
        }

        fn visit_i128<E>(self, n: i128) -> Result<Value, E> {
            Ok(Value::from(format!("number {:?}", n as f64)))
        }

        fn visit_f64<E>(self, n: f64) -> Result<Value, E> {
            Ok(Value::from(format!("number {n:?}")))
        }

        fn visit_str<E>(self, text: &str) -> Result<Value, E> {
            Ok(Value::from(text))
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Value, A::Error> {
            let mut list = Vec::new();
            while let Some(Any(item)) = items.next_element()? {
                list.push(item);
            }
            Ok(Value::List(list))
        }

        fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Value, A::Error> {
            let mut map = Map::new();
            while let Some((Any(key), Any(value))) = members.next_entry()? {
                map.insert(
                    key.as_str().map_or_else(|| format!("<no string: {key:?}>"), str::to_owned),
                    value,
                );
            }
            Ok(Value::Map(map))
        }
    }

    let Any(value) = serde_yaml::from_str(yaml).unwrap_or_else(|e| panic!("{e} in\n{yaml}"));
    value
}

/// Reads YAML by the events of an independent parser, bare words by the types of version 1.1.
pub(crate) fn read_as_yaml_1_1(yaml: &str) -> Value {
    let events: Vec<Event<'_>> = Parser::new_from_str(yaml)
        .map(|event| event.unwrap_or_else(|e| panic!("{e} in\n{yaml}")).0)
        .filter(|event| {
            !matches!(
                event,
                Event::StreamStart
                    | Event::StreamEnd
                    | Event::DocumentStart(_)
                    | Event::DocumentEnd
                    | Event::Nothing
            )
        })
        .collect();
    let mut events = events.into_iter();
    node(&mut events).unwrap_or(Value::Null)
}

fn node<'e>(events: &mut impl Iterator<Item = Event<'e>>) -> Option<Value> {
    match events.next()? {
        Event::Scalar(text, ScalarStyle::Plain, ..) => Some(bare(&text)),
        Event::Scalar(text, ..) => Some(Value::String(text.into_owned())),
        Event::SequenceStart(..) => Some(Value::List(std::iter::from_fn(|| node(events)).collect())),
        Event::MappingStart(..) => {
            let mut map = Map::new();
            while let Some(key) = node(events) {
                let key = key.as_str().map_or_else(|| format!("<no string: {key:?}>"), str::to_owned);
                map.insert(key, node(events).unwrap());
            }
            Some(Value::Map(map))
        }
        Event::SequenceEnd | Event::MappingEnd => None,
        other => panic!("{other:?}"),
    }
}

/// What a bare word means by the type repository of YAML 1.1.
fn bare(word: &str) -> Value {
    static TYPES: LazyLock<RegexSet> = LazyLock::new(|| {
        let types = [
            "~|null|Null|NULL|",
            "y|Y|yes|Yes|YES|true|True|TRUE|on|On|ON",
            "n|N|no|No|NO|false|False|FALSE|off|Off|OFF",
            r"[-+]?(0|[1-9][0-9]*)",
            r"[-+]?([0-9][0-9_]*)\.[0-9]*([eE][-+][0-9]+)?",
            r"[-+]?0b[0-1_]+",
            r"[-+]?0[0-7_]+",
            r"[-+]?[0-9][0-9_]*",
            r"[-+]?0x[0-9a-fA-F_]+",
            r"[-+]?[1-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?",
            r"[-+]?([0-9][0-9_]*)?\.[0-9_]+([eE][-+][0-9]+)?",
            r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)",
            r"[0-9]{4}-[0-9]{2}-[0-9]{2}.*",
            "=|<<",
        ];
        RegexSet::new(types.map(|pattern| format!("^(?:{pattern})$"))).unwrap()
    });
    match TYPES.matches(word).iter().next() {
        None => Value::from(word),
        Some(0) => Value::Null,
        Some(1) => Value::Bool(true),
        Some(2) => Value::Bool(false),
        Some(3 | 4) => {
            serde_json::from_str(word).unwrap_or_else(|_| Value::from(format!("<odd number {word}>")))
        }
        Some(_) => Value::from(format!("<retyped: {word}>")),
    }
}
