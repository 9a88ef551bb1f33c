//! Findings as SARIF 2.1.0, which code scanning reads.

use canopy::value::{Map, Value};

use super::Level;
use super::finding::{Placed, Rule};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The whole document.
pub(super) fn document(found: &[Placed<'_>]) -> Map {
    let rule = |rule: Rule| map([("id", rule.id.into()), ("shortDescription", text(rule.title.to_owned()))]);
    let rules: Value = Rule::ALL.into_iter().map(rule).collect();
    let driver =
        map([("name", "canopy".into()), ("version", env!("CARGO_PKG_VERSION").into()), ("rules", rules)]);
    let run = map([
        ("tool", map([("driver", driver.into())]).into()),
        ("results", found.iter().map(result).collect()),
    ]);
    map([("$schema", SCHEMA.into()), ("version", "2.1.0".into()), ("runs", [run].into_iter().collect())])
}

fn result(found: &Placed<'_>) -> Map {
    let level = match found.level {
        Level::Error => "error",
        Level::Warning => "warning",
    };
    let mut result =
        map([("ruleId", found.rule.id.into()), ("level", level.into()), ("message", text(found.text()))]);
    if let (Some(path), Some(origin)) = (&found.path, &found.problem.origin) {
        let region = map([("startLine", origin.line.into())]);
        let place = map([("artifactLocation", artifact(path).into()), ("region", region.into())]);
        let location = map([("physicalLocation", place.into())]);
        result.insert("locations".into(), [location].into_iter().collect());
    }
    result
}

/// A file: relative to where the sources begin, or wherever it is.
fn artifact(path: &str) -> Map {
    if std::path::Path::new(path).is_absolute() {
        let slash = if path.starts_with('/') { "" } else { "/" };
        return map([("uri", format!("file://{slash}{}", uri(path)).into())]);
    }
    map([("uri", uri(path).into()), ("uriBaseId", "%SRCROOT%".into())])
}

/// A path as a part of a URI: what has a meaning in one is told by its bytes.
fn uri(path: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let byte = |byte: u8| if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.bytes().map(byte).collect()
}

fn text(text: String) -> Value {
    map([("text", text.into())]).into()
}

fn map<const N: usize>(members: [(&str, Value); N]) -> Map {
    members.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}
