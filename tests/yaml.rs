//! Two independent readers of YAML, one for each version that people's tools read.

use std::sync::LazyLock;

use canopy::value::{Map, Value};
use regex::RegexSet;
use saphyr_parser::{Event, Parser, ScalarStyle};
use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};

/// A value in which numbers that mean the same are written the same.
pub(crate) fn comparable(value: &Value) -> Value {
    match value {
        Value::Number(number) if number.is_whole() && number.as_str() != "-0" => value.clone(),
        Value::Number(number) => {
            let float: f64 = number.as_str().parse().unwrap();
            if !float.is_finite() {
                return Value::from(format!("number {float:?}"));
            }
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
pub(crate) fn as_floats(value: &Value) -> Value {
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
pub(crate) fn read_as_yaml_1_2(yaml: &str) -> Value {
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
            r"[0-9]{4}-[0-9]{2}-[0-9]{2}",
            r"[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt]|[ \t]+)[0-9]{1,2}:.*",
            "=|<<",
        ];
        RegexSet::new(types.map(|pattern| format!("^(?:{pattern})$"))).unwrap()
    });
    match TYPES.matches(word).iter().next() {
        None => Value::from(word),
        Some(0) => Value::Null,
        Some(1) => Value::Bool(true),
        Some(2) => Value::Bool(false),
        Some(11) if word.ends_with("inf") => Value::from(format!("number {}", word.replace('.', ""))),
        Some(3 | 4) => {
            serde_json::from_str(word).unwrap_or_else(|_| Value::from(format!("<odd number {word}>")))
        }
        Some(_) => Value::from(format!("<retyped: {word}>")),
    }
}
