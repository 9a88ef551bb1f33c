//! Whether a document is a configuration in its canonical form: the published schema, and what it cannot say.

use jsonschema::error::{TypeKind, ValidationErrorKind};
use jsonschema::paths::LocationSegment;
use jsonschema::{JsonType, ValidationError};

use crate::problem::Problem;
use crate::value::{Map, Value};

use super::SCHEMA;
use super::place::spelled;

/// Refuses what is no configuration: all that is wrong, each with its place.
pub(super) fn check(document: &Map) -> Result<(), Problem> {
    let broken = |e: &dyn std::fmt::Display| Problem::new(format!("the schema cannot be used: {e}"));
    let schema = serde_json::from_str(SCHEMA).map_err(|e| broken(&e))?;
    let validator = jsonschema::validator_for(&schema).map_err(|e| broken(&e))?;
    // By way of its text: the value keeps numbers that the validator's own type does not.
    let json = serde_json::to_string(document).map_err(|e| broken(&e))?;
    let instance = serde_json::from_str(&json).map_err(|e| broken(&e))?;
    let errors: Vec<ValidationError<'_>> = validator.iter_errors(&instance).collect();
    let mut wrong: Vec<String> = errors.iter().flat_map(lines).collect();
    wrong.extend(two_defaults(document));
    if wrong.is_empty() {
        return Ok(());
    }
    let text = format!("Config validation failed:\n  {}", wrong.join("\n  "));
    Err(Problem::new(text).hint(hint(&errors)))
}

/// What an error says, with the place first: one line each.
fn lines(error: &ValidationError<'_>) -> Vec<String> {
    let here = place(error);
    let below = |name: &str| spelled(here.iter().map(String::as_str).chain([name]));
    let this = || match here.is_empty() {
        true => "the configuration".to_owned(),
        false => spelled(here.iter().map(String::as_str)),
    };
    match error.kind() {
        ValidationErrorKind::AdditionalProperties { unexpected } => {
            unexpected.iter().map(|name| format!("{}: is not known", below(name))).collect()
        }
        ValidationErrorKind::Required { property } => {
            vec![format!("{}: is required", below(property.as_str().unwrap_or_default()))]
        }
        ValidationErrorKind::MinLength { .. } => vec![format!("{}: must not be empty", this())],
        _ => match wanted(error) {
            Some(wanted) => vec![format!("{}: must be {wanted}", this())],
            None => vec![format!("{}: {error}", this())],
        },
    }
}

fn place(error: &ValidationError<'_>) -> Vec<String> {
    let name = |segment: LocationSegment<'_>| match segment {
        LocationSegment::Property(name) => name.into_owned(),
        LocationSegment::Index(index) => index.to_string(),
    };
    error.instance_path().into_iter().map(name).collect()
}

/// At most one target is the default, which the schema has no word for.
fn two_defaults(document: &Map) -> Option<String> {
    let targets = document.get("targets")?.as_map()?;
    let is_default = |value: &Value| value.as_map().and_then(|map| map.get("default")) == Some(&true.into());
    let defaults: Vec<String> = targets
        .iter()
        .filter(|(_, target)| is_default(target))
        .map(|(name, _)| format!("`{name}`"))
        .collect();
    (defaults.len() > 1).then(|| format!("targets: {} are all the default, one can be", defaults.join(", ")))
}

fn hint(errors: &[ValidationError<'_>]) -> String {
    let is_missing = |e: &ValidationError<'_>| matches!(e.kind(), ValidationErrorKind::Required { .. });
    let retyped = |e: &ValidationError<'_>| {
        let is_word = e.instance().is_number() || e.instance().is_boolean();
        (is_word && wanted(e) == Some(JsonType::String)).then(|| e.instance().to_string())
    };
    if errors.is_empty() {
        "`cn config unset targets.NAME.default` comes first".to_owned()
    } else if let Some(word) = errors.iter().find_map(retyped) {
        format!("a text that looks like something else needs quotes of its own: '\"{word}\"'")
    } else if errors.iter().any(is_missing) {
        "a whole target is set at once: cn config set targets.NAME '{dir: agents}'".to_owned()
    } else {
        "nothing was written; `cn config schema` says what may stand there".to_owned()
    }
}

/// The type that should stand where another one does.
fn wanted(error: &ValidationError<'_>) -> Option<JsonType> {
    match error.kind() {
        ValidationErrorKind::Type { kind: TypeKind::Single(wanted) } => Some(*wanted),
        _ => None,
    }
}
