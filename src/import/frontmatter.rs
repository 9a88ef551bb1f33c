//! Front matter, read with a YAML reader; what its values lose on the way is said.

use crate::problem::{Origin, Problem};
use crate::value::{Map, Value};

use super::yaml::{Note, parse};

/// How many places are tried when a remark or an alias is looked for.
const MOST_TRIES: usize = 100;

/// A text in its two parts.
pub(super) enum Parts<'t> {
    /// It has no front matter.
    None,
    /// It begins like front matter, which has no end.
    Open,
    /// It has both.
    Closed {
        /// What stands between the lines `---`.
        yaml: &'t str,
        /// What stands behind them.
        body: &'t str,
    },
}

/// Tells front matter and text apart.
pub(super) fn split(text: &str) -> Parts<'_> {
    let is_fence = |line: &str| line.trim_end() == "---";
    let mut lines = text.split_inclusive('\n');
    let Some(first) = lines.next().filter(|line| is_fence(line)) else { return Parts::None };
    let start = first.len();
    let mut end = start;
    for line in lines {
        if is_fence(line) {
            let yaml = text.get(start..end).unwrap_or_default();
            return Parts::Closed { yaml, body: text.get(end + line.len()..).unwrap_or_default() };
        }
        end += line.len();
    }
    Parts::Open
}

/// Reads the members of a front matter whose first line is the second of the file at `path`.
pub(super) fn read(yaml: &str, path: &str) -> Result<(Map, Vec<Problem>), Problem> {
    let at = |line: usize| Origin { path: path.into(), line: line + 1 };
    if crate::yaml::is_bottomless(yaml.as_bytes()) {
        return Err(Problem::new("the front matter nests without end")
            .at(&at(1))
            .hint("nothing was imported"));
    }
    let (value, notes) = parse(yaml).map_err(|e| {
        let place = e.location();
        // The reader counts lines from where the front matter begins, so what it says of them is cut off.
        let message = e.to_string();
        let message = message.split(" at line ").next().unwrap_or_default();
        Problem::new(format!("the front matter cannot be read: {message}"))
            .at(&at(place.map_or(1, |place| place.line())))
            .hint("nothing was imported; text that has `:` or `#` in it goes in quotes")
    })?;
    let mut warnings: Vec<_> = notes.iter().map(|note| said(note, yaml, &at)).collect();
    warnings.extend(other_tags(yaml, &notes).iter().map(|note| said(note, yaml, &at)));
    if let Some(line) = alias(yaml) {
        warnings.push(Problem::new("an alias is replaced by what it stands for").at(&at(line)));
    }
    if let Some(line) = remark(yaml, &value) {
        warnings.push(Problem::new("remarks in the front matter are not kept").at(&at(line)));
    }
    match value {
        Value::Map(map) => Ok((map, warnings)),
        Value::Null => Ok((Map::new(), warnings)),
        other => {
            Err(Problem::new(format!("the front matter is {}, no members by their names", other.kind()))
                .at(&at(1))
                .hint("nothing was imported; a line across the page may be written `***`"))
        }
    }
}

/// The note as a message at the line on which the outermost name on the way to its value stands.
fn said(note: &Note, yaml: &str, at: &impl Fn(usize) -> Origin) -> Problem {
    let is_there = |line: &str| line.trim_start_matches(['"', '\'']).starts_with(note.outermost());
    let line = yaml.lines().position(is_there).map_or(1, |index| index + 1);
    Problem::new(note.to_string()).at(&at(line))
}

/// Notes on tags that the reader passes over: with one sign less they are a person's own, which it hands on.
fn other_tags(yaml: &str, notes: &[Note]) -> Vec<Note> {
    if !yaml.contains("!!") {
        return Vec::new();
    }
    let own = parse(&yaml.replace("!!", "!")).map(|(_, notes)| notes).unwrap_or_default();
    let is_new = |note: &Note| note.tag().is_some() && !notes.contains(note);
    // These say what kind a value is, which it still is when they are gone.
    let is_kind = |tag: &str| ["str", "int", "float", "bool", "null", "map", "seq"].contains(&tag);
    own.into_iter().filter(|note| is_new(note) && !note.tag().is_some_and(is_kind)).collect()
}

/// The line of an alias. Only where a word is one, another word in its place cannot be read.
fn alias(yaml: &str) -> Option<usize> {
    let starts = yaml.match_indices('*').map(|(start, _)| start).filter(|start| {
        let before = yaml.get(..*start).unwrap_or_default();
        before.is_empty() || before.ends_with([' ', '\t', '\n', '[', '{', ','])
    });
    let mut starts = starts.take(MOST_TRIES);
    let found = starts.find(|start| {
        let (before, behind) = yaml.split_at_checked(start + 1).unwrap_or_default();
        parse(&format!("{before}not-an-anchor-{behind}")).is_err()
    })?;
    Some(line_of(yaml, found))
}

/// The line of a remark. Only where it is one, the same is read without it.
fn remark(yaml: &str, value: &Value) -> Option<usize> {
    let starts = yaml.match_indices('#').map(|(start, _)| start).filter(|start| {
        let before = yaml.get(..*start).unwrap_or_default();
        before.is_empty() || before.ends_with([' ', '\t', '\n'])
    });
    let mut starts = starts.take(MOST_TRIES);
    let found = starts.find(|start| {
        let (before, behind) = yaml.split_at_checked(*start).unwrap_or_default();
        let behind = behind.find('\n').and_then(|end| behind.get(end..)).unwrap_or_default();
        parse(&format!("{before}{behind}")).is_ok_and(|(read, _)| read == *value)
    })?;
    Some(line_of(yaml, found))
}

fn line_of(yaml: &str, place: usize) -> usize {
    yaml.get(..place).unwrap_or_default().matches('\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn json(yaml: &str) -> String {
        let (map, _) = read(yaml, "in.md").unwrap_or_else(|e| panic!("{yaml:?}: {e:?}"));
        serde_json::to_string(&map).unwrap()
    }

    #[test]
    fn values_are_what_the_yaml_means() {
        for (yaml, wanted) in [
            ("", "{}"),
            ("z: 1\na: 2\nm: 3\n", r#"{"z":1,"a":2,"m":3}"#),
            (
                "a: 18446744073709551616\nb: -9223372036854775809\n",
                r#"{"a":18446744073709551616,"b":-9223372036854775809}"#,
            ),
            ("a: 0x1F\nb: 1.5\nc: 1e3\nd: 007\n", r#"{"a":31,"b":1.5,"c":1000.0,"d":"007"}"#),
            ("a: ~\nb:\nc: null\nd: ''\n", r#"{"a":null,"b":null,"c":null,"d":""}"#),
            ("a: true\nb: yes\nc: 'true'\n", r#"{"a":true,"b":"yes","c":"true"}"#),
            ("a: [1, {b: c}]\nd: {}\ne: []\n", r#"{"a":[1,{"b":"c"}],"d":{},"e":[]}"#),
            ("a:\n- b\n- c\n", r#"{"a":["b","c"]}"#),
            ("a: |\n  x\n  # y\nb: >-\n  p\n  q\n", r#"{"a":"x\n# y\n","b":"p q"}"#),
            ("a: \"x\\ty\"\nb: 'it''s'\n", r#"{"a":"x\ty","b":"it's"}"#),
            ("a: &x [1]\nb: *x\n", r#"{"a":[1],"b":[1]}"#),
            ("a: &x {p: 1, q: 2}\nb:\n  <<: *x\n  q: 3\n", r#"{"a":{"p":1,"q":2},"b":{"q":3,"p":1}}"#),
            ("a: 2026-01-31\n1: x\ntrue: y\n", r#"{"a":"2026-01-31","1":"x","true":"y"}"#),
            ("a: .inf\nb: -.inf\nc: .nan\n", r#"{"a":".inf","b":"-.inf","c":".nan"}"#),
            ("a: !env HOME\nb: !!str 1\nc: !x {d: 1}\n", r#"{"a":"HOME","b":"1","c":{"d":1}}"#),
        ] {
            assert_eq!(json(yaml), wanted, "{yaml:?}");
        }
    }

    #[test]
    fn what_values_lose_is_said() {
        let cases: [(&str, &[&str]); 20] = [
            ("a: b\nc: ['#x', \"*y\", x#y, 'a #b', '2026-01-31', 'yes']\n", &[]),
            ("a: |\n  # text\n  *text*\n", &[]),
            ("a: b # why\n", &["2: remarks in the front matter are not kept"]),
            ("a: b\n# why\n", &["3: remarks in the front matter are not kept"]),
            ("# why\n", &["2: remarks in the front matter are not kept"]),
            ("a: &x 1\nb: *x\n", &["3: an alias is replaced by what it stands for"]),
            ("a: &x 1\nb: [*x]\n", &["3: an alias is replaced by what it stands for"]),
            ("b: 1\na:\n  c: !env HOME\n", &["3: `a.c`: the tag `!env` is not kept"]),
            ("a: !!binary aGk=\n", &["2: `a`: the tag `!binary` is not kept"]),
            ("a: !!str 1\n", &[]),
            ("a: wow!!\n", &[]),
            ("a: 2026-01-31\n", &["2: `a`: the date `2026-01-31` is kept as text"]),
            ("a: [2026-01-31T10:00:00Z]\n", &["2: `a.0`: the date `2026-01-31T10:00:00Z` is kept as text"]),
            ("a: -.inf\n", &["2: `a`: `-.inf` is kept as text, since a record has no such number"]),
            ("a: .nan\n", &["2: `a`: `.nan` is kept as text, since a record has no such number"]),
            ("b: 1\n1: x\n", &["3: `1`: the key is kept as text"]),
            ("'1': x\n", &[]),
            ("on: x\n", &[]),
            ("a: No\n", &["2: `a`: `No` is kept as text, though some readers take it for true or false"]),
            (
                "a: 1000000000000000000000000000000000000000000\n",
                &["2: `a`: the number is kept as `1e42`, which may not be all of its digits"],
            ),
        ];
        for (yaml, wanted) in cases {
            let (_, warnings) = read(yaml, "in.md").unwrap_or_else(|e| panic!("{yaml:?}: {e:?}"));
            let line = |p: &Problem| p.origin.as_ref().map_or(0, |origin| origin.line);
            let found: Vec<_> = warnings.iter().map(|p| format!("{}: {}", line(p), p.message)).collect();
            assert_eq!(found, wanted, "{yaml:?}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_an_error_with_its_line() {
        let bomb: String = (1..30).fold("a0: &a0 [x, x, x, x, x, x, x, x, x]\n".to_owned(), |text, n| {
            let before = format!("*a{}, ", n - 1).repeat(9);
            format!("{text}a{n}: &a{n} [{}]\n", before.trim_end_matches(", "))
        });
        let deep = format!("a: {}{}\n", "[".repeat(110), "]".repeat(110));
        let deeper = format!("a: {}{}\n", "[".repeat(2_000), "]".repeat(2_000));
        for (yaml, line, words) in [
            ("a: b: c\n", 2, "mapping values are not allowed"),
            ("a: b\n\tc: d\n", 3, ""),
            ("a: [\n", 3, ""),
            ("a: 1\nb: 2\na: 3\n", 4, "the key `a` is there twice"),
            ("a:\n  b: 1\n  b: 2\n", 4, "the key `b` is there twice"),
            ("a: 1\n[b]: 2\n", 3, "a key that is text"),
            ("just words\n", 2, "the front matter is a string"),
            ("- a\n", 2, "the front matter is a list"),
            ("a: *b\n", 2, "unknown anchor"),
            ("a: 1\n...\nb: 2\n", 2, ""),
            (&bomb, 2, ""),
            (&deep, 2, "nested too deeply"),
            (&deeper, 2, ""),
        ] {
            let problem = read(yaml, "in.md").unwrap_err();
            assert!(problem.message.contains(words), "{:.60?}: {}", yaml, problem.message);
            assert!(!problem.message.contains(" at line "), "{}", problem.message);
            assert_eq!(problem.origin.unwrap().line, line, "{:.60?}: {}", yaml, problem.message);
        }
    }
}
