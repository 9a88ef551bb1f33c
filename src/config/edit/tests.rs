//! What a change leaves of a text, for the many ways in which YAML may be laid out.

use super::*;

const USUAL: &str = "# who we are\nproject: t # ours\n\nversion: \"1\"\ntargets:\n  # the first\n  a:\n    dir: x # here\n    default: true\n\n  # the second\n  b:\n    dir: w\n    tags:\n    - p # why\n    - q\n# the end\n";

/// The text after `set PLACE VALUE`, or `unset PLACE` if there is no value.
fn after(text: &str, place: &str, value: &str) -> Result<String, String> {
    let place = crate::config::place(place).unwrap();
    let changed = match value {
        "UNSET" => unset(text, &place).map(|changed| changed.unwrap_or_else(|| "ABSENT".to_owned())),
        value => set(text, &place, &document::value(value).unwrap()),
    };
    changed.map_err(|problem| problem.message)
}

fn table(cases: &[(&str, &str, &str, &str)]) {
    for (text, place, value, wanted) in cases {
        assert_eq!(after(text, place, value).as_deref(), Ok(*wanted), "{place} = {value} in\n{text}");
        // Line ends and a byte order mark change nothing.
        let foreign = |text: &str| format!("\u{feff}{}", text.replace('\n', "\r\n"));
        if *wanted != "ABSENT" && text.contains('\n') {
            let changed = after(&foreign(text), place, value);
            assert_eq!(changed, Ok(foreign(wanted)), "CRLF: {place} = {value} in\n{text}");
        }
    }
}

#[test]
fn only_the_value_changes() {
    let changed = |from: &str, to: &str| -> String {
        assert_eq!(USUAL.matches(from).count(), 1, "{from}");
        USUAL.replace(from, to)
    };
    for (place, value, from, to) in [
        ("project", "new", "project: t", "project: new"),
        ("project", "'1.0'", "project: t", "project: \"1.0\""),
        ("targets.a.dir", "new/dir", "dir: x", "dir: new/dir"),
        ("targets.a.default", "false", "default: true", "default: false"),
        ("targets.a.tags", "[r]", "default: true\n", "default: true\n    tags: [r]\n"),
        ("targets.b.tags", "[r, s]", "    - p # why\n    - q\n", "    - r\n    - s\n"),
        ("targets.b.tags", "[]", "tags:\n    - p # why\n    - q\n", "tags: []\n"),
        ("targets.b", "{dir: z, tags: [p, q]}", "dir: w", "dir: z"),
        ("targets.c.dir", "z", "    - q\n", "    - q\n  c:\n    dir: z\n"),
        ("targets.a", "UNSET", "  a:\n    dir: x # here\n    default: true\n", ""),
        ("targets.b", "UNSET", "  b:\n    dir: w\n    tags:\n    - p # why\n    - q\n", ""),
        ("targets.a.default", "UNSET", "    default: true\n", ""),
        ("version", "UNSET", "version: \"1\"\n", ""),
    ] {
        table(&[(USUAL, place, value, &changed(from, to))]);
    }
}

#[test]
fn of_a_text_with_nothing_in_it_yet() {
    table(&[
        ("", "project", "new", "project: new\nversion: \"1\"\n"),
        ("# only this\n", "project", "new", "# only this\nproject: new\nversion: \"1\"\n"),
        ("# only this", "project", "new", "# only this\nproject: new\nversion: \"1\"\n"),
        ("---\n", "project", "new", "---\nproject: new\nversion: \"1\"\n"),
        ("---\n...\n", "project", "new", "---\nproject: new\nversion: \"1\"\n...\n"),
        ("{}\n", "project", "new", "project: new\nversion: \"1\"\n"),
        ("targets:\n", "targets.a.dir", "x", "targets:\n  a:\n    dir: x\nproject: canopy\n"),
    ]);
}

#[test]
fn of_documents_with_marks_and_of_open_ends() {
    table(&[
        ("---\nproject: t\n...\n", "version", "'2'", "---\nproject: t\nversion: \"2\"\n...\n"),
        ("%YAML 1.2\n---\nproject: t\n", "project", "new", "%YAML 1.2\n---\nproject: new\n"),
        (
            "--- # c\nproject: t\n# d\n",
            "targets.a.dir",
            "x",
            "--- # c\nproject: t\n# d\ntargets:\n  a:\n    dir: x\n",
        ),
        // No line end at the end.
        ("project: t", "project", "new", "project: new"),
        ("project: t", "version", "'2'", "project: t\nversion: \"2\"\n"),
        ("project: t # c", "version", "'2'", "project: t # c\nversion: \"2\"\n"),
        (
            "project: t\ntargets: {} # none",
            "targets.a.dir",
            "x",
            "project: t\ntargets: # none\n  a:\n    dir: x\n",
        ),
    ]);
}

#[test]
fn of_quotes_and_of_texts_over_several_lines() {
    table(&[
        ("\"project\": 't' # c\n", "project", "new", "\"project\": new # c\n"),
        ("'project' : \"t # t\"\n", "project", "new", "'project' : new\n"),
        ("project:\n  t\nversion: '1'\n", "project", "new", "project:\n  new\nversion: '1'\n"),
        ("project: # c\n  t # d\n", "project", "new", "project: # c\n  new # d\n"),
        ("project: a\n  b\n  c # d\nversion: '1'\n", "project", "new", "project: new # d\nversion: '1'\n"),
        ("project: \"a\n\n  b\"\n", "project", "new", "project: new\n"),
        (
            "project: |\n  a\n  # no comment\n\nversion: '1'\n",
            "project",
            "new",
            "project: new\n\nversion: '1'\n",
        ),
        ("project: >-\n  a\n\n# c\n", "version", "'2'", "project: >-\n  a\n\n# c\nversion: \"2\"\n"),
        ("project: ü # ö\nversion: '1' # 😀\n", "version", "é", "project: ü # ö\nversion: \"é\" # 😀\n"),
        ("project: &p t\n", "project", "new", "project: new\n"),
    ]);
}

#[test]
fn of_flow_maps() {
    table(&[
        ("{project: t, version: '1'} # c\n", "project", "new", "{project: new, version: '1'} # c\n"),
        ("{project: t,}\n", "version", "'2'", "{project: t, version: \"2\",}\n"),
        ("{project: t, version: '1',}\n", "version", "UNSET", "{project: t,}\n"),
        ("{version: '1', project: t}\n", "version", "UNSET", "{project: t}\n"),
        (
            "project: t\ntargets: {a: {dir: x}, b: {dir: w}} # c\n",
            "targets.b",
            "UNSET",
            "project: t\ntargets: {a: {dir: x}} # c\n",
        ),
        (
            "project: t\ntargets: {a: {dir: x}} # c\n",
            "targets.b",
            "{dir: w, tags: [p]}",
            "project: t\ntargets: {a: {dir: x}, b: {dir: w, tags: [p]}} # c\n",
        ),
        ("project: t\ntargets: {a: {dir: x}} # c\n", "targets.a", "UNSET", "project: t\ntargets: {} # c\n"),
        (
            "project: t\ntargets: {\n  a: {dir: x}, # c\n  b: {dir: w} # d\n}\n",
            "targets.a.dir",
            "z",
            "project: t\ntargets: {\n  a: {dir: z}, # c\n  b: {dir: w} # d\n}\n",
        ),
        ("{\"project\":\"t\"}\n", "targets.a.dir", "x", "{\"project\":\"t\", targets: {a: {dir: x}}}\n"),
    ]);
}

#[test]
fn of_lists_in_every_form_and_brackets_anywhere() {
    table(&[
        (
            "project: t\ntargets:\n  a: {\n    dir: x, # c\n    tags: [\n      p # d\n    ],\n  } # e\n",
            "targets.a.dir",
            "new",
            "project: t\ntargets:\n  a: {\n    dir: new, # c\n    tags: [\n      p # d\n    ],\n  } # e\n",
        ),
        // Lists in every form.
        (
            "project: t\ntargets:\n  a:\n    dir: x\n    tags: [p,\n      q] # c\n    default: true\n",
            "targets.a.tags",
            "[r]",
            "project: t\ntargets:\n  a:\n    dir: x\n    tags: [r] # c\n    default: true\n",
        ),
        (
            "project: t\ntargets:\n  a:\n    tags:\n    - p\n    - q\n    dir: x\n",
            "targets.a.tags",
            "UNSET",
            "project: t\ntargets:\n  a:\n    dir: x\n",
        ),
        (
            "project: t\ntargets:\n  a:\n    tags: # c\n      -   p\n    dir: x\n",
            "targets.a.tags",
            "[q, '1']",
            "project: t\ntargets:\n  a:\n    tags: # c\n      - q\n      - \"1\"\n    dir: x\n",
        ),
    ]);
}

#[test]
fn of_other_indentations_and_comments_that_belong_to_what_is_above() {
    table(&[
        (
            "project: t\ntargets:\n    a:\n        dir: x\n        # deep\n    # less\n# not\nversion: '1'\n",
            "targets.b.dir",
            "w",
            "project: t\ntargets:\n    a:\n        dir: x\n        # deep\n    # less\n    b:\n        dir: w\n# not\nversion: '1'\n",
        ),
        (
            "targets:\n a:\n  # c\n  dir: x\nproject: t\n",
            "targets.a.default",
            "true",
            "targets:\n a:\n  # c\n  dir: x\n  default: true\nproject: t\n",
        ),
        // The last target goes, the comments stay.
        (
            "project: t\ntargets: # c\n  # d\n  a:\n    dir: x\n  # e\n# f\n",
            "targets.a",
            "UNSET",
            "project: t\ntargets: {} # c\n  # d\n  # e\n# f\n",
        ),
        ("project: t\ntargets: # c\n", "targets.a.dir", "x", "project: t\ntargets: # c\n  a:\n    dir: x\n"),
        ("project: t\n", "targets.a", "UNSET", "ABSENT"),
        ("project: t\n", "project.x.y", "UNSET", "ABSENT"),
    ]);
}

#[test]
fn of_names_that_need_quotes() {
    table(&[
        ("project: t\n", "targets.'1'.dir", "x", "project: t\ntargets:\n  \"1\":\n    dir: x\n"),
        ("project: t\n", "targets.\"a.b\".dir", "x", "project: t\ntargets:\n  a.b:\n    dir: x\n"),
        (
            "project: t\ntargets: {1: {dir: x}}\n",
            "targets.1.dir",
            "w",
            "project: t\ntargets: {1: {dir: w}}\n",
        ),
    ]);
}

#[test]
fn what_is_spelled_freely_becomes_canonical() {
    table(&[
        (
            "project: t # a\nversion: 1 # b\nemitDir: prompts # c\n# d\nemitDirByTag:\n  slash: cmds\n  /x: cmds\n# e\n",
            "project",
            "new",
            "project: new # a\nversion: \"1\" # b\n# d\n# e\ntargets:\n  default:\n    dir: prompts\n    default: true\n  cmds:\n    dir: cmds\n    tags: [slash, \"/x\"]\n",
        ),
        ("project: 1\n", "version", "'2'", "project: \"1\"\nversion: \"2\"\n"),
        (
            "project: t\ntargets:\n  a:\n    dir: x\n    tags: [1, p] # c\n    default: 'true'\n  b: {dir: w, tags: }\n",
            "project",
            "new",
            "project: new\ntargets:\n  a:\n    dir: x\n    tags: [\"1\", p] # c\n    default: true\n  b: {dir: w }\n",
        ),
        ("version: '1'\n", "version", "'2'", "version: \"2\"\nproject: canopy\n"),
        ("project: t\nversion:\n", "project", "new", "project: new\n"),
    ]);
    assert!(after("emitDir: x\n", "emitDir", "UNSET").unwrap_err().contains("legacy"));
}

#[test]
fn the_smallest_block_around_is_written_anew_where_there_is_no_other_way() {
    table(&[(
        "# a\nproject: t\ntargets:\n  ? a\n  : dir: x\n# b\n",
        "targets.c.dir",
        "w",
        "# a\nproject: t\ntargets:\n  a:\n    dir: x\n  c:\n    dir: w\n# b\n",
    )]);
}

#[test]
fn what_would_be_no_configuration_is_refused() {
    for (text, place, value, words) in [
        (USUAL, "project", "[1, 2]", "Config validation failed:\n  project: must be string"),
        (USUAL, "project", "42", "project: must be string"),
        (USUAL, "project", "''", "project: must not be empty"),
        (USUAL, "project", "UNSET", "project: is required"),
        (USUAL, "project.x", "a", "project: must be string"),
        (USUAL, "bogus", "x", "bogus: is not known"),
        (USUAL, "targets", "[a]", "targets: must be object"),
        (USUAL, "targets.a.bogus", "1", "targets.a.bogus: is not known"),
        (USUAL, "targets.'a.b'.tags", "[x]", "targets.\"a.b\".dir: is required"),
        (USUAL, "targets.a.dir", "UNSET", "targets.a.dir: is required"),
        (USUAL, "targets.a.tags", "[x, 1]", "targets.a.tags.1: must be string"),
        (USUAL, "targets.b.default", "true", "`a`, `b` are all the default"),
        ("project: t\nextra: 1\n", "project", "new", "extra: is not known"),
        ("project: [t\n", "project", "new", "the configuration cannot be used"),
        ("project: t\n\tversion: 1\n", "project", "new", "the configuration cannot be used"),
        ("project: t\nproject: u\n", "project", "new", "the configuration cannot be used"),
        ("project: t\n---\nproject: u\n", "project", "new", "the configuration cannot be used"),
    ] {
        let message = after(text, place, value).unwrap_err();
        assert!(message.contains(words), "{place} = {value}: {message}");
    }
    assert_eq!(after("project: t\nextra: 1\n", "extra", "UNSET").unwrap(), "project: t\n");
}
