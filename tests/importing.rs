//! Markdown in: nothing is lost on the way, neither by the library nor by the command.

use canopy::import::{How, Split, read};
use proptest::prelude::*;

use crate::support::Place;

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_line_is_lost_by_splitting(text in markdown(), split in split()) {
        let imported = read(&text, &How { path: "in.md", name: "x", split }).unwrap();
        let has_intro = !begins_with_a_heading(&text);
        let mut joined = String::new();
        for (index, (name, body)) in imported.sections.iter().enumerate() {
            if split != Split::Nowhere && !(index == 0 && has_intro) {
                joined.push_str(&format!("## {name}\n"));
            }
            joined.push_str(body);
            joined.push('\n');
        }
        let (text, joined) = (lines(&text), lines(&joined));
        // Level-2 headings are compared as such: their names are the slugs' affair.
        let same = |(before, after): (&String, &String)| {
            before == after || (before.trim_start().starts_with("##") && after.starts_with("## "))
        };
        prop_assert_eq!(text.len(), joined.len(), "{:?}\n{:?}", text, joined);
        prop_assert!(text.iter().zip(&joined).all(same), "{:?}\n{:?}", text, joined);
    }

    #[test]
    fn names_are_there_once_and_none_is_empty(text in markdown(), split in split()) {
        let imported = read(&text, &How { path: "in.md", name: "x", split }).unwrap();
        let mut names: Vec<_> = imported.sections.iter().map(|(name, _)| name).collect();
        let number = names.len();
        prop_assert!(names.iter().all(|name| !name.is_empty()));
        names.sort();
        names.dedup();
        prop_assert_eq!(names.len(), number);
        let without_text = imported.sections.iter().filter(|(_, body)| body.is_empty()).count();
        let is_said = |problem: &&canopy::problem::Problem| problem.message.ends_with("has no text");
        let said = imported.warnings.iter().filter(is_said).count();
        prop_assert_eq!(said, without_text);
    }

    #[test]
    fn no_text_makes_it_fall_over(
        text in any::<String>(),
        front in "[-a-z0-9:#!&*<>|'\"{}\\[\\], \n]{0,60}",
    ) {
        for split in [Split::Nowhere, Split::Headings, Split::HeadingsAsWritten] {
            let how = How { path: "in.md", name: "x", split };
            let _ = read(&text, &how);
            let _ = read(&format!("---\n{front}\n---\n{text}"), &how);
        }
    }
}

/// Lines that are not blank, without what their ends may hide.
fn lines(text: &str) -> Vec<String> {
    let blank = |line: &&str| line.trim_matches([' ', '\t', '\r']).is_empty();
    text.lines().filter(|line| !blank(line)).map(str::to_owned).collect()
}

/// Whether the first line that is not blank is a level-2 heading.
fn begins_with_a_heading(text: &str) -> bool {
    let heading = regex::Regex::new("^ {0,3}##([ \\t]|$)").unwrap();
    lines(text).first().is_some_and(|line| heading.is_match(line))
}

fn split() -> impl Strategy<Value = Split> {
    prop::sample::select(vec![Split::Nowhere, Split::Headings, Split::HeadingsAsWritten])
}

/// Markdown out of lines that mean something to one another; it does not begin like front matter.
fn markdown() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "",
        " ",
        "## A",
        "## A",
        "##  B b ##",
        "  ## c",
        "    ## code",
        "## ",
        "##",
        "##x",
        "## `d` *e*",
        "# H",
        "### L",
        "---",
        "===",
        "```",
        "```md",
        "~~~~",
        "~~~",
        "    code",
        "\tcode",
        "> q",
        "> ## q",
        "- i",
        "  ## in",
        "1. n",
        "   ## in n",
        "<div>",
        "</div>",
        "<!--",
        "-->",
        "<pre>",
        "words",
        "words  ",
        "[a]: b",
        "\\## e",
        "***",
        "## intro",
        "## a-2",
        "\u{a0}",
        "## \u{a0}",
    ]);
    let end = prop::sample::select(vec!["\n", "\n", "\r\n"]);
    let any_line = prop_oneof![6 => line.prop_map(str::to_owned), 1 => "[-#`~> a-z*_<]{0,12}"];
    let lines = prop::collection::vec((any_line, end), 0..16);
    let text = lines.prop_map(|lines| lines.into_iter().map(|(line, end)| line + end).collect::<String>());
    text.prop_filter("front matter", |text| text.lines().next().is_none_or(|line| line.trim_end() != "---"))
}

#[test]
fn what_was_imported_is_emitted_as_it_was() {
    let body = "Preface.\n\n## Role  ##\n\n\nYou *are*.\n\n```md\n## code\n```\n";
    let front = "---\nname: i\ndescription: Does it\nmodel: opus\nmax: 123456789012345678901234567890\n\
        tools:\n  - Read\n---\n\n";
    let text = format!("{front}{body}");
    let place = Place::with_store("").write("in.md", &text).write("crlf.md", text.replace('\n', "\r\n"));
    place.ok(&["import", "in.md", "--name", "i"]);
    place.ok(&["emit", "i"]);
    assert_eq!(place.read("agents/i.md"), text);
    place.ok(&["archive", "i"]);
    let ran = place.ok(&["import", "crlf.md", "--name", "i"]);
    assert_eq!(ran.stderr, "");
    place.ok(&["emit", "i", "--force"]);
    assert_eq!(place.read("agents/i.md").replace("\r\n", "\n"), text);
}

#[test]
fn headings_that_are_kept_are_emitted_as_they_were() {
    let text = "## Quality *Gates*\n\n- a\n\n### Below\n\n## C \\#\n\nx\n";
    let place = Place::with_store("").write("in.md", text);
    let ran = place.ok(&["import", "in.md", "--name", "i", "--split", "--keep-headings"]);
    assert_eq!(ran.stderr, "");
    assert_eq!(place.ok(&["render", "i"]).stdout, text);
}

#[test]
fn an_import_is_told_in_a_line() {
    let place = Place::with_store("")
        .write("docs/in.md", "---\nname: other\nat: 2026-01-31\n---\np\n## A\n## B\nb\n");
    let ran = place.ok(&["import", "docs/in.md", "--name", "i", "--split", "--tag", "t", "--tag", "u"]);
    assert!(ran.stdout.starts_with("created i (t-"), "{ran:?}");
    assert!(ran.stdout.ends_with(") with 3 sections\n"), "{ran:?}");
    for said in ["`other`", "docs/in.md:3", "`2026-01-31`", "docs/in.md:6", "`a` has no text"] {
        assert!(ran.stderr.contains(said), "{said}: {ran:?}");
    }
    let shown = place.ok(&["show", "i", "--json"]).json();
    assert_eq!(shown["prompt"]["tags"], serde_json::json!(["t", "u"]));
    assert_eq!(shown["prompt"]["frontmatter"], serde_json::json!({"at": "2026-01-31"}));
    assert_eq!(shown["prompt"]["sections"][1], serde_json::json!({"name": "a", "body": ""}));
}

#[test]
fn what_cannot_be_imported_leaves_the_store_alone() {
    let place = Place::with_store(r#"{"name":"a"}"#)
        .write("in.md", "x\n")
        .write("yaml.md", "---\na: 1\nb: c: d\n---\nx\n")
        .write("latin.md", b"a\nb \xe9\n")
        .write("wide.md", b"\xff\xfea\0\n\0");
    let before = place.read(".canopy/prompts.jsonl");
    let commands: [(&[&str], i32, &str); 8] = [
        (&["import", "none.md", "--name", "b"], 1, "cannot read `none.md`"),
        (&["import", ".canopy", "--name", "b"], 1, "cannot read `.canopy`"),
        (&["import", "yaml.md", "--name", "b"], 1, "yaml.md:3"),
        (&["import", "latin.md", "--name", "b"], 1, "latin.md:2"),
        (&["import", "wide.md", "--name", "b"], 1, "no text in UTF-8"),
        (&["import", "in.md", "--name", "a"], 1, "a prompt called `a`"),
        (&["import", "in.md", "--name", "../b"], 1, "`../b`"),
        (&["import", "in.md", "--name", "b", "--split", "--no-split"], 2, "--no-split"),
    ];
    for (args, status, words) in commands {
        let ran = place.cn(args);
        assert_eq!(ran.status, status, "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(words), "{args:?}: {ran:?}");
        assert_eq!(place.read(".canopy/prompts.jsonl"), before, "{args:?}");
    }
}
