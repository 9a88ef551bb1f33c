//! The shape of a prompt's declaration of expertise.

use crate::prompt::Prompt;
use crate::value::{Map, Value};

use super::Finding;

/// What is wrong with the block and its flag, whether or not the prompt has a schema.
pub(super) fn check(prompt: &Prompt) -> Vec<Finding> {
    let mut findings = Vec::new();
    if let Some(flag) = prompt.extends_mulch.as_ref().filter(|flag| !matches!(flag, Value::Bool(_))) {
        findings.push(wrong_type("extends_mulch", "a boolean", flag));
    }
    match &prompt.mulch {
        None => {}
        Some(Value::Map(block)) => check_block(block, &mut findings),
        Some(other) => findings.push(wrong_type("mulch", "an object", other)),
    }
    findings
}

fn check_block(block: &Map, findings: &mut Vec<Finding>) {
    for (key, value) in block {
        match (key.as_str(), value) {
            ("prime", Value::Map(prime)) => check_prime(prime, findings),
            ("prime", other) => findings.push(wrong_type("mulch.prime", "an object", other)),
            ("budget", Value::Number(n)) if is_budget(n.as_str()) => {}
            ("budget", other) => {
                findings.push(wrong_type("mulch.budget", "a number that is not negative", other));
            }
            ("on_empty", Value::String(word)) if ["skip", "warn", "error"].contains(&word.as_str()) => {}
            ("on_empty", _) => {
                let message = "`mulch.on_empty` is none of `skip`, `warn`, `error`";
                findings.push(Finding::new("mulch.on_empty", "enum", message));
            }
            _ => findings.push(unknown_key("mulch", key, "prime, budget, on_empty")),
        }
    }
}

fn check_prime(prime: &Map, findings: &mut Vec<Finding>) {
    for (key, value) in prime {
        match (key.as_str(), value.as_list()) {
            ("domains" | "files", Some(items)) if items.iter().all(|item| item.as_str().is_some()) => {}
            ("domains" | "files", Some(_)) => {
                let place = format!("mulch.prime.{key}");
                let message = format!("`{place}` holds something else than strings");
                findings.push(Finding::new(&place, "type", message));
            }
            ("domains" | "files", None) => {
                findings.push(wrong_type(&format!("mulch.prime.{key}"), "a list of strings", value));
            }
            _ => findings.push(unknown_key("mulch.prime", key, "domains, files")),
        }
    }
}

fn is_budget(number: &str) -> bool {
    number.parse::<f64>().is_ok_and(|budget| budget.is_finite() && budget >= 0.0)
}

fn wrong_type(place: &str, wanted: &str, got: &Value) -> Finding {
    Finding::new(place, "type", format!("`{place}` is {}, not {wanted}", got.kind()))
}

fn unknown_key(place: &str, key: &str, allowed: &str) -> Finding {
    Finding::new(place, "unknown-key", format!("`{place}` has no member `{key}` (it may have {allowed})"))
}
