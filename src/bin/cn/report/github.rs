//! Findings as GitHub reads them: one workflow command a line, shown beside the line of a file.

use super::Level;
use super::finding::Placed;

/// All findings, one a line.
pub(super) fn lines(found: &[Placed<'_>]) -> String {
    found.iter().map(line).collect()
}

fn line(found: &Placed<'_>) -> String {
    let word = match found.level {
        Level::Error => "error",
        Level::Warning => "warning",
    };
    let place = match (&found.path, &found.problem.origin) {
        (Some(path), Some(origin)) => format!("file={},line={},", property(path), origin.line),
        _ => String::new(),
    };
    format!("::{word} {place}title={}::{}\n", property(found.rule.title), message(&found.text()))
}

/// A text as the command's message: a line end would end the command.
fn message(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A text as a value among others.
fn property(text: &str) -> String {
    message(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use canopy::problem::{Origin, Problem};

    use super::super::finding::Rule;
    use super::*;

    #[test]
    fn what_would_end_a_command_or_a_value_is_escaped() {
        let problem = Problem::new("50% a,b::c\r\nd").at(&Origin { path: "x".into(), line: 7 }).hint("try");
        let path = Some("a,b:c%/p.jsonl".to_owned());
        let rule = Rule { id: "x", title: "stale: x" };
        let found = Placed { level: Level::Error, rule, path, problem: &problem };
        assert_eq!(
            lines(&[found]),
            "::error file=a%2Cb%3Ac%25/p.jsonl,line=7,title=stale%3A x::50%25 a,b::c%0D%0Ad%0Ahint: try\n"
        );
        let nowhere = Problem::new("no store");
        let rule = Rule { id: "x", title: "canopy" };
        let found = Placed { level: Level::Warning, rule, path: None, problem: &nowhere };
        assert_eq!(lines(&[found]), "::warning title=canopy::no store\n");
    }
}
