//! What a person left alone in a document stays as it was in the record.

use crate::value::{Map, Value};

/// `new`, in which each member that reads as it was `written` has its `old` value.
pub(super) fn keep_members(new: Map, written: &Map, old: &Map) -> Map {
    let keep_one = |(key, value): (String, Value)| match (written.get(&key), old.get(&key)) {
        (Some(written), Some(old)) => {
            let value = keep(value, written, old);
            (key, value)
        }
        _ => (key, value),
    };
    new.into_iter().map(keep_one).collect()
}

fn keep(new: Value, written: &Value, old: &Value) -> Value {
    if is_same(&new, written) {
        return old.clone();
    }
    match (new, written, old) {
        (Value::Map(new), Value::Map(written), Value::Map(old)) => {
            Value::Map(keep_members(new, written, old))
        }
        (Value::List(new), Value::List(written), Value::List(old)) => {
            let kept = new.into_iter().enumerate().map(|(at, item)| keep_item(at, item, written, old));
            Value::List(kept.collect())
        }
        (new, ..) => new,
    }
}

/// An item as it was, wherever in the list that was.
fn keep_item(at: usize, item: Value, written: &[Value], old: &[Value]) -> Value {
    let pairs = || written.iter().zip(old);
    let here = pairs().nth(at);
    let same = here.into_iter().chain(pairs()).find(|(written, _)| is_same(&item, written));
    match (same, here) {
        (Some((_, old)), _) => old.clone(),
        (None, Some((written, old))) => keep(item, written, old),
        (None, None) => item,
    }
}

/// Whether two values are equal, the order of their members too.
fn is_same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|((k, v), (l, w))| k == l && is_same(v, w))
        }
        (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(v, w)| is_same(v, w)),
        _ => a == b,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_left_alone_stays_as_it_was() {
        let map = |json: &str| match serde_json::from_str::<Value>(json).unwrap() {
            Value::Map(map) => map,
            other => panic!("{other:?}"),
        };
        let kept = |new: &str| {
            let (written, old) = (
                map(r#"{"a":1000,"b":{"c":1.5,"d":[2.5,"x"]}}"#),
                map(r#"{"a":1e3,"b":{"c":1.50,"d":[2.50,"x"]}}"#),
            );
            serde_json::to_string(&Value::Map(keep_members(map(new), &written, &old))).unwrap()
        };
        assert_eq!(
            kept(r#"{"z":1,"b":{"d":[9,2.5],"c":1.5},"a":1000}"#),
            r#"{"z":1,"b":{"d":[9,2.50],"c":1.50},"a":1e3}"#
        );
        assert_eq!(kept(r#"{"a":1001}"#), r#"{"a":1001}"#);
    }
}
