//! The document that a person edits: whatever is written reads back, and what is wrong is said with its line.

use canopy::document::Document;
use canopy::prompt::Section;
use canopy::value::{Map, Value};
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_reads_back(document in documents()) {
        let text = document.write();
        prop_assert_eq!(shown(&Document::read(&text, &document)), shown(&Ok(document)), "{}", text);
    }

    #[test]
    fn a_member_that_is_added_leaves_the_others_as_they_were(document in documents()) {
        let text = document.write();
        let added = text.replacen("\n---\n", "\u{0}", 1).replacen("\n---\n", "\n  zz-new: 0x10\n---\n", 1);
        let added = added.replacen('\u{0}', "\n---\n", 1);
        let mut wanted = document.clone();
        wanted.frontmatter.insert("zz-new".into(), Value::from(16_u64));
        prop_assert_eq!(shown(&Document::read(&added, &document)), shown(&Ok(wanted)), "{}", added);
    }

    #[test]
    fn other_line_ends_and_a_mark_in_front_are_the_editor_s(document in documents()) {
        let text = document.write();
        if !text.contains('\r') {
            let other = format!("\u{FEFF}{}", text.replace('\n', "\r\n"));
            prop_assert_eq!(shown(&Document::read(&other, &document)), shown(&Ok(document)));
        }
    }

    #[test]
    fn whatever_is_typed_is_read_or_refused_with_a_line_that_is_there(text in typed(), document in documents()) {
        match Document::read(&text, &document) {
            Ok(read) => prop_assert_eq!(shown(&Document::read(&read.write(), &read)), shown(&Ok(read))),
            Err(e) => prop_assert!((1..=text.split('\n').count() + 1).contains(&e.line), "{e:?} of\n{text}"),
        }
    }
}

#[test]
fn a_document_as_a_person_sees_it() {
    let document = sample();
    crate::support::snapshot("document", "What an editor is given.", &document.write());
}

#[test]
fn what_is_not_shown_is_kept_by_name() {
    let old = sample();
    let text = old.write();
    let text = text
        .replace("You build.\n\n```md\n\\## not a section\n```\n\\\n", "You build well.\n")
        .replace("## gates", "## doors");
    let read = Document::read(&text, &old).unwrap();
    let [role, doors] = &read.sections[..] else { panic!("{read:?}") };
    assert_eq!((role.body.as_str(), role.required, role.extra.len()), ("You build well.", Some(true), 1));
    assert_eq!((doors.name.as_str(), doors.required), ("doors", None));
    assert!(shown(&Ok(read.clone())).contains(r#""big":1e3"#));
    let text = text.replace("big: 1000", "big: 123456789012345678901234567890123456789012345678901");
    let read = Document::read(&text, &old).unwrap();
    assert!(
        shown(&Ok(read))
            .contains(r#""big":123456789012345678901234567890123456789012345678901,"list":[1.50"#)
    );
}

#[test]
fn what_is_wrong_has_its_line() {
    let old = sample();
    for (text, line, message) in [
        ("", 1, "empty"),
        ("\n \n", 1, "empty"),
        ("<!-- x\n## a\n", 1, "no end"),
        ("---\nfrontmatter:\n", 1, "no end"),
        ("\n---\nfrontmatter:\n  a: [1\n---\n", 5, "not read"),
        ("---\nfrontmatter:\n  a: 1\n  a: 2\n---\n", 3, "two `a`"),
        ("---\nmodel: x\n---\n", 2, "`model` stands beside"),
        ("---\ndescription: 3\n---\n", 2, "is a number"),
        ("---\ndescription: x\nfrontmatter: x\n---\n", 3, "is a string"),
        ("---\n- a\n---\n", 1, "is a list"),
        ("---\n---\nhello\n## a\n", 3, "before the first section"),
        ("## a\n\n## a\n", 3, "already"),
        ("x\n", 1, "before the first section"),
        ("## a\n## \n", 2, "no name"),
        ("## a\n## \"b\n", 2, "name is not read"),
    ] {
        let error = Document::read(text, &old).unwrap_err();
        assert!(error.message.contains(message), "{text:?}: {error:?}");
        assert_eq!(error.line, line, "{text:?}: {error:?}");
    }
}

#[test]
fn blank_lines_around_a_text_do_not_count() {
    let old = Document::default();
    let read = Document::read("## a\n\n\nx\n\ny\n\n\n##   b \n\\\n\\## c\n\\\\\n\n## d", &old).unwrap();
    let seen: Vec<_> =
        read.sections.iter().map(|section| (section.name.as_str(), section.body.as_str())).collect();
    assert_eq!(seen, [("a", "x\n\ny"), ("b", "\n## c\n\\"), ("d", "")]);
}

fn sample() -> Document {
    let member = |key: &str, json: &str| (key.to_owned(), serde_json::from_str(json).unwrap());
    Document {
        description: Some("Builds: well".into()),
        frontmatter: Map::from_iter([
            member("model", r#""opus""#),
            member("big", "1e3"),
            member("list", r#"[1.50, {"deep": null}]"#),
        ]),
        sections: vec![
            Section {
                name: "role".into(),
                body: "You build.\n\n```md\n## not a section\n```\n".into(),
                required: Some(true),
                extra: Map::from_iter([member("x-note", "1")]),
            },
            section("gates", ""),
        ],
    }
}

fn section(name: &str, body: &str) -> Section {
    Section { name: name.into(), body: body.into(), required: None, extra: Map::new() }
}

/// A document with all that comparing values would overlook: the order of members.
fn shown(read: &Result<Document, canopy::document::DocumentError>) -> String {
    match read {
        Err(e) => format!("{e:?}"),
        Ok(document) => {
            let map = serde_json::to_string(&Value::Map(document.frontmatter.clone())).unwrap();
            format!("{:?}\n{map}\n{:?}", document.description, document.sections)
        }
    }
}

fn documents() -> impl Strategy<Value = Document> {
    let frontmatter = prop::collection::vec((text(), value()), 0..5);
    let sections = prop::collection::vec((text(), text(), any::<Option<bool>>()), 0..5);
    (prop::option::of(text()), frontmatter, sections).prop_map(|(description, frontmatter, sections)| {
        let sections = sections.into_iter().enumerate().map(|(at, (name, body, required))| Section {
            required,
            extra: Map::from_iter([("at".to_owned(), Value::from(at))]),
            ..section(&name, &body)
        });
        Document { description, frontmatter: frontmatter.into_iter().collect(), sections: sections.collect() }
    })
}

/// Texts that come near to what the format gives a meaning.
fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "",
        "",
        "## a",
        "##",
        "##\tb",
        "\\## c",
        "\\\\## d",
        "\\",
        "\\\\",
        "```",
        "---",
        "<!--",
        "-->",
        " ",
        "\t",
        "\r",
        "x ",
        "\"q\"",
        "\u{FEFF}",
        "\u{2028}",
        "\u{85}",
        "null",
        "frontmatter:",
        "a: b # c",
        "1e3",
    ]);
    let lines = prop::collection::vec(piece, 0..6).prop_map(|lines| lines.join("\n"));
    prop_oneof![lines, any::<String>(), "[a-z]{1,6}"]
}

/// What a person may make of a document.
fn typed() -> impl Strategy<Value = String> {
    let line = prop::sample::select(vec![
        "---",
        "description: x",
        "frontmatter:",
        "  a: 1",
        "  b: [1,",
        "  c: {d: .inf}",
        "## a",
        "## \"b\"",
        "## ",
        "x",
        "",
        "\\",
        "<!--",
        "-->",
        "  - !t x",
        "\t",
        "  e: |",
        "    f",
    ]);
    prop::collection::vec(line, 0..12).prop_map(|lines| lines.join("\n"))
}

fn value() -> impl Strategy<Value = Value> {
    let number = prop::sample::select(vec![
        "0",
        "-0",
        "-0.0",
        "1.50",
        "1e3",
        "1E400",
        "1e-7",
        "18446744073709551616",
        "340282366920938463463374607431768211456",
        "-99999999999999999999999999999999999999999999999999",
        "0.1",
        "2.5E-9",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        number.prop_map(|json| serde_json::from_str(json).unwrap()),
        text().prop_map(Value::String),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::List),
            prop::collection::vec((text(), inner), 0..4)
                .prop_map(|map| Value::Map(map.into_iter().collect())),
        ]
    })
}
