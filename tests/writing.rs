//! What the writing commands write: one more line, the old ones to the byte.

use crate::support::{Place, record, run, snapshot, store};

const FAMILY: &str = r#"{"name":"base","sections":[{"name":"role","body":"b","required":true},{"name":"flow","body":"f"}]}
{"name":"child","extends":"base","sections":{"own":"o"},"tags":["x"]}
{"name":"trait","sections":{"t":"t"}}"#;

impl Place {
    fn prompt(&self, name: &str) -> serde_json::Value {
        self.ok(&["show", name, "--json"]).json()["prompt"].clone()
    }

    /// Runs a command that must be refused, and insists that the store is as it was.
    fn refused(&self, status: i32, args: &[&str]) -> String {
        let before = self.read(".canopy/prompts.jsonl");
        let ran = self.cn(args);
        assert_eq!(ran.status, status, "cn {args:?}: {ran:?}");
        assert_eq!(self.read(".canopy/prompts.jsonl"), before, "cn {args:?}");
        ran.stderr
    }
}

#[test]
fn what_people_see_when_they_write() {
    let place = Place::with_store(FAMILY);
    let commands: [&[&str]; 14] = [
        &["update", "child", "--section", "own=other", "--tag", "y"],
        &["update", "child", "--tag", "y"],
        &["update", "child"],
        &["update", "child", "--section", "own"],
        &["update", "child", "--remove-section", "nothing"],
        &["update", "child", "--extends", "ghost"],
        &["update", "base", "--extends", "child"],
        &["update", "base", "--name", "root"],
        &["create", "--name", "base", "--extends", "root"],
        &["create", "--name", "a/b"],
        &["pin", "child@1"],
        &["pin", "child"],
        &["unpin", "child"],
        &["archive", "trait"],
    ];
    let text: String = commands.iter().map(|args| place.transcript(args) + "\n").collect();
    let text = regex::Regex::new(r"t-[0-9a-f]{4}").unwrap().replace_all(&text, "t-<id>").into_owned();
    snapshot("seen-writing", "What a person sees who writes.", &text);
    for line in text.lines() {
        assert!(line.chars().count() <= 100, "{line}");
    }
}

#[test]
fn old_lines_stay_to_the_byte_and_a_missing_line_end_is_added() {
    let odd =
        format!("\u{feff}{}\r\n\r\n  {}\n{{\"broken", record(r#"{"name":"a"}"#), record(r#"{"name":"b"}"#));
    let place = Place::with_store("").prompts(&odd);
    place.ok(&["update", "a", "--description", "d"]);
    let after = place.read(".canopy/prompts.jsonl");
    let new = after.strip_prefix(&format!("{odd}\n")).unwrap();
    assert_eq!(new.lines().count(), 1);
    assert!(new.ends_with('\n'));
}

#[test]
fn members_that_we_do_not_know_survive() {
    let place = Place::with_store("").prompts(&store(
        r#"{"name":"a","future":{"n":123456789012345678901},"sections":[{"name":"r","body":"1","note":"keep","required":true}]}"#,
    ));
    place.ok(&["update", "a", "--section", "r=2"]);
    let text = place.read(".canopy/prompts.jsonl");
    let last = text.lines().last().unwrap();
    assert!(last.contains(r#""future":{"n":123456789012345678901}"#), "{last}");
    assert!(last.contains(r#"{"name":"r","body":"2","required":true,"note":"keep"}"#), "{last}");
}

#[test]
fn removing_a_section_depends_on_whether_it_is_inherited() {
    let place = Place::with_store(FAMILY);
    place.ok(&["update", "child", "--remove-section", "flow", "--remove-section", "own"]);
    assert_eq!(place.prompt("child")["sections"], serde_json::json!([{"name": "flow", "body": ""}]));
    assert_eq!(place.ok(&["render", "child"]).stdout, "b\n");
    let why = place.refused(1, &["update", "child", "--remove-section", "role"]);
    assert!(why.contains("`base` requires"), "{why}");
}

#[test]
fn an_edit_that_breaks_the_prompt_is_refused_and_one_that_breaks_others_is_said() {
    let place = Place::with_store(FAMILY);
    place.refused(1, &["update", "base", "--extends", "base"]);
    place.refused(1, &["update", "base", "--mixin", "child"]);
    place.refused(1, &["update", "child", "--mixin", "ghost"]);
    place.refused(1, &["create", "--name", "n", "--mixin", "ghost"]);
    let ran = place.ok(&["update", "base", "--name", "root"]);
    assert!(ran.stderr.contains("`child` extends `base`, which is now called `root`"), "{ran:?}");
    // What was broken before may still be described, and mended.
    place.ok(&["update", "child", "--description", "d"]);
    place.ok(&["update", "child", "--extends", "root"]);
    assert_eq!(place.ok(&["render", "child"]).stderr, "");
}

#[test]
fn names_in_use_are_not_given_away() {
    let place = Place::with_store(FAMILY);
    place.ok(&["archive", "trait"]);
    place.ok(&["create", "--name", "trait", "--section", "t=new"]);
    let archived = r#"{"id":"t-old","name":"child","version":1,"status":"archived"}"#;
    let text = place.read(".canopy/prompts.jsonl") + &record(archived) + "\n";
    let place = place.prompts(&text);
    place.refused(1, &["create", "--name", "child"]);
    place.refused(1, &["update", "base", "--name", "child"]);
    place.refused(1, &["update", "base", "--name", "a@b"]);
    place.refused(1, &["create", "--name", "nul"]);
    place.ok(&["create", "--name", "nul", "--emit-as", "null.md"]);
}

#[test]
fn texts_come_from_files_and_standard_input() {
    let place = Place::with_store(FAMILY).write("text.md", "from a file\nof two lines\n");
    place.ok(&["update", "trait", "--section-file", "t=text.md"]);
    assert_eq!(place.prompt("trait")["sections"][0]["body"], "from a file\nof two lines");
    let ran =
        run(&place.root(), &["update", "trait", "--section", "t", "--body-file", "-"], "typed\n\n", &[]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!(place.prompt("trait")["sections"][0]["body"], "typed\n");
    let why = place.refused(1, &["update", "trait", "--section-file", "t=nothing.md"]);
    assert!(why.contains("cannot read `nothing.md`"), "{why}");
}

#[test]
fn what_cannot_be_meant_is_refused() {
    let place = Place::with_store(FAMILY);
    for args in [
        &["update", "child", "--remove-section", "own", "--section", "own=x"][..],
        &["update", "child", "--untag", "x", "--tag", "x"],
        &["update", "child", "--fm", "k=v", "--remove-fm", "k"],
        &["update", "child", "--section", "a", "--body-file", "-", "--section-file", "b=-"],
        &["update", "child", "--section", "two\nlines=x"],
        &["update", "child", "--tag", ""],
        &["update", "child", "--mulch", "[]"],
        &["create", "--name", "n", "--section-file", "a=-", "--section-file", "b=-"],
        &["emit", "base", "child", "--out", "x.md"],
    ] {
        place.refused(2, args);
    }
    for args in [
        &["update", "child", "--emit-as", "/x.md"][..],
        &["update", "child", "--emit-dir", "../out"],
        &["create", "--name", "n", "--emit-as", "con.md"],
    ] {
        place.refused(1, args);
    }
}

#[test]
fn a_byte_order_mark_of_a_file_is_no_part_of_the_text() {
    let place = Place::with_store(FAMILY).write("text.md", "\u{feff}line\r\n");
    place.ok(&["update", "trait", "--section-file", "t=text.md"]);
    assert_eq!(place.prompt("trait")["sections"][0]["body"], "line");
}

#[test]
fn an_edit_that_breaks_who_is_pinned_below_is_said() {
    let place = Place::with_store(FAMILY);
    place.ok(&["update", "child", "--no-extends"]);
    place.ok(&["pin", "child@1"]);
    let ran = place.ok(&["update", "base", "--name", "root"]);
    assert!(ran.stderr.contains("`child` extends `base`, which is now called `root`"), "{ran:?}");
    // It was broken before: nothing gets worse by archiving it.
    place.ok(&["archive", "child"]);
}

#[test]
fn a_pin_stays_when_the_latest_version_is_edited() {
    let place = Place::with_store(FAMILY);
    place.ok(&["update", "trait", "--section", "t=two"]);
    place.ok(&["pin", "trait@1"]);
    place.ok(&["update", "trait", "--section", "t=three"]);
    assert_eq!(place.ok(&["render", "trait"]).stdout, "t\n");
    assert_eq!(place.prompt("trait")["pinned"], 1);
    place.ok(&["unpin", "trait"]);
    assert_eq!(place.ok(&["render", "trait"]).stdout, "three\n");
}

#[test]
fn expertise_is_declared_merged_and_taken_back() {
    let place = Place::with_store(FAMILY);
    place.ok(&["update", "base", "--mulch", r#"{"prime":{"domains":["a"]}}"#]);
    place.ok(&["update", "child", "--mulch", r#"{"prime":{"domains":["b"]}}"#, "--extends-mulch", "true"]);
    let mulch = |name: &str| place.ok(&["render", name, "--json"]).json()["mulch"].clone();
    assert_eq!(mulch("child"), serde_json::json!({"prime": {"domains": ["a", "b"]}}));
    place.ok(&["update", "child", "--extends-mulch", "false"]);
    assert_eq!(mulch("child"), serde_json::json!({"prime": {"domains": ["b"]}}));
    place.ok(&["update", "child", "--no-mulch"]);
    assert!(mulch("child").is_null());
    place.refused(2, &["update", "child", "--mulch", "{"]);
}

#[test]
fn a_schema_that_does_not_exist_yet_is_said() {
    let place = Place::with_store(FAMILY);
    let ran = place.ok(&["update", "child", "--schema", "agent"]);
    assert!(ran.stderr.contains("no schema is called `agent`"), "{ran:?}");
    place.ok(&["schema", "create", "--name", "agent", "--required", "role, own"]);
    place.ok(&["validate", "child"]);
    let ran =
        place.ok(&["schema", "rule", "add", "agent", "--section", "own", "--pattern", "(", "--message", "m"]);
    assert!(ran.stderr.contains("no regular expression"), "{ran:?}");
}
