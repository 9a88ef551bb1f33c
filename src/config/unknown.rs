//! Members of the configuration that mean nothing: most likely misspelt, and then a silent default.

use crate::problem::{Origin, Problem, nearest};
use crate::value::{Map, Value};
use crate::yaml;

use super::CONFIG;

const MEMBERS: [&str; 5] = ["project", "version", "targets", "emitDir", "emitDirByTag"];
const TARGET_MEMBERS: [&str; 3] = ["dir", "default", "tags"];

/// One for each member that is not known. A text that cannot be read has none.
#[must_use]
pub fn unknown(text: &[u8]) -> Vec<Problem> {
    let text = String::from_utf8_lossy(text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text));
    let Ok(Value::Map(members)) = yaml::read(&text) else { return Vec::new() };
    let targets = members.get("targets").and_then(Value::as_map);
    let targets = targets.into_iter().flat_map(Map::values).filter_map(Value::as_map);
    let of_targets = targets.flat_map(|target| strangers(target, &TARGET_MEMBERS));
    let strangers = strangers(&members, &MEMBERS).into_iter().chain(of_targets);
    strangers.map(|(name, known)| problem(name, known, &text)).collect()
}

fn strangers<'m>(
    members: &'m Map,
    known: &'static [&'static str],
) -> Vec<(&'m str, &'static [&'static str])> {
    let strange = members.keys().map(String::as_str).filter(|name| !known.contains(name));
    strange.map(|name| (name, known)).collect()
}

fn problem(name: &str, known: &[&str], text: &str) -> Problem {
    let stands_at = |line: &str| {
        let line = line.trim_start().trim_start_matches(['"', '\'']);
        line.strip_prefix(name).is_some_and(|rest| rest.trim_start_matches(['"', '\'', ' ']).starts_with(':'))
    };
    let line = text.lines().position(stands_at).map_or(1, |index| index + 1);
    let hint = match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("what is known here is {}", known.join(", ")),
    };
    Problem::new(format!("`{name}` means nothing in the configuration"))
        .at(&Origin { path: CONFIG.into(), line })
        .hint(hint)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_misspelt_is_found_with_its_line() {
        let text = b"project: t\ntarget: {}\ntargets:\n  a:\n    dir: x\n    defualt: true\n";
        let found: Vec<_> =
            unknown(text).into_iter().map(|p| (p.origin.unwrap().line, p.hint.unwrap())).collect();
        let meant = |line, word: &str| (line, format!("did you mean `{word}`?"));
        assert_eq!(found, [meant(2, "targets"), meant(6, "default")]);
        assert!(unknown(b"project: t\nemitDir: x\n").is_empty());
        assert!(unknown(b"[").is_empty());
    }
}
