//! Which expertise a composed prompt declares: its own block, or that merged with the inherited ones.

use indexmap::IndexSet;

use crate::prompt::Prompt;
use crate::value::{Map, Value};

/// The declaration of `prompt`, given those of all that it inherits, lowest first.
///
/// Without `extends_mulch` only its own block counts: expertise is not to be inherited unasked.
pub(super) fn merged<'v>(
    prompt: &'v Prompt,
    inherited: impl Iterator<Item = Option<&'v Value>>,
) -> Option<Value> {
    if prompt.extends_mulch != Some(Value::Bool(true)) {
        return prompt.mulch.clone();
    }
    inherited.flatten().chain(prompt.mulch.as_ref()).fold(None, |below, above| match below {
        Some(below) => Some(over(&below, above)),
        None => Some(above.clone()),
    })
}

/// `above` laid over `below`: lists are united, single values replaced.
///
/// A block that is no object replaces all; that it is wrong is for validation to say.
fn over(below: &Value, above: &Value) -> Value {
    let (Value::Map(below), Value::Map(above)) = (below, above) else { return above.clone() };
    let mut merged = Map::new();
    let mut prime = Map::new();
    for key in ["domains", "files"] {
        let lists =
            [below, above].map(|block| block.get("prime").and_then(Value::as_map)?.get(key)?.as_list());
        if lists.iter().any(Option::is_some) {
            let united: IndexSet<_> =
                lists.into_iter().flatten().flatten().filter_map(Value::as_str).collect();
            prime.insert(key.to_owned(), united.into_iter().collect());
        }
    }
    if !prime.is_empty() {
        merged.insert("prime".to_owned(), prime.into());
    }
    for key in ["budget", "on_empty"] {
        if let Some(value) = above.get(key).or_else(|| below.get(key)) {
            merged.insert(key.to_owned(), value.clone());
        }
    }
    Value::Map(merged)
}
