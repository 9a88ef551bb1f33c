//! Why a file is what it is: what `cn explain` says of every kind of file.

use serde_json::json;

use crate::owning::every_state;
use crate::support::{Place, run, snapshot};

#[test]
fn what_people_see_explained() {
    let place = every_state().write("agents/mine.md", "mine").write(
        ".canopy/prompts.jsonl",
        every_state().read(".canopy/prompts.jsonl")
            + &crate::support::store(
                r#"{"name":"mine","status":"archived"}
                {"name":"later","status":"draft","tags":["x"],"emitAs":"deep/later.ts","sections":{"r":"r"}}"#,
            ),
    );
    let files = [
        "agents/builder.md",
        "agents/fine.md",
        "agents/new.md",
        "agents/scout.md",
        "agents/gone.md",
        "agents/mine.md",
        "later",
        "agents/bilder.md",
        "/nowhere",
    ];
    let text: String = files.iter().map(|file| place.transcript(&["explain", file]) + "\n").collect();
    snapshot("seen-explain", "Why files in every state are what they are.", &text);
}

/// A prompt whose text comes from everywhere.
const MADE_OF_MUCH: &str = r#"{"name":"base","sections":{"rules":"One.\nTwo."},"frontmatter":{"model":"opus","color":"red"}}
{"name":"careful","extends":"base","sections":{"care":"Look twice."},"frontmatter":{"tools":["Read"]}}
{"name":"child","extends":"base","mixins":["careful"],"description":"Does it","sections":{"role":"You are.\n\n- x"},"frontmatter":{"effort":1},"tags":["a"]}
{"name":"child","version":2,"extends":"base","mixins":["careful"],"description":"Does it","sections":{"role":"You are.\n\n- x"},"frontmatter":{"effort":1},"tags":["b"]}
{"name":"careful","version":2,"extends":"base","sections":{"care":"Look thrice."},"frontmatter":{"tools":["Read"]}}
{"name":"base","version":2,"sections":{"rules":"One.\nTwo."},"frontmatter":{"model":"opus","color":"blue"},"updatedAt":"2026-03-01T00:00:00.000Z"}"#;

#[test]
fn every_line_has_its_giver_and_every_change_its_record() {
    let lines: Vec<&str> = MADE_OF_MUCH.lines().collect();
    let place = Place::with_store(&lines[..3].join("\n"));
    place.ok(&["emit", "--all"]);
    let place = place.prompts(&crate::support::store(MADE_OF_MUCH)).write("sub/.keep", "");
    let ran = run(&place.path("sub"), &["explain", "../agents/child.md", "--json"], "", &[]);
    let json = ran.json();
    assert_eq!((&json["path"], &json["status"]), (&json!("agents/child.md"), &json!("stale")));
    assert_eq!(json["holds"]["line"], 4, "a version of other tags renders the same: {json}");
    let since = json["since"].as_array().unwrap();
    let since: Vec<_> =
        since.iter().map(|change| (change["name"].as_str(), change["line"].as_u64())).collect();
    assert_eq!(since, [(Some("careful"), Some(5)), (Some("base"), Some(6))]);
    place.ok(&["emit", "--all"]);
    let json = place.ok(&["explain", "child", "--json"]).json();
    let text = place.read("agents/child.md");
    let text: Vec<&str> = text.lines().collect();
    for section in json["sections"].as_array().unwrap() {
        let (first, last) = (&section["lines"][0], &section["lines"][1]);
        let name = section["section"].as_str().unwrap();
        assert_eq!(text[first.as_u64().unwrap() as usize - 1], format!("## {name}"));
        let next = text.get(last.as_u64().unwrap() as usize).copied().unwrap_or_default();
        assert_eq!(next, "", "behind {name}");
    }
    let from = |list: &str, key: &str| -> Vec<String> {
        let item = |item: &serde_json::Value| {
            format!("{} {}@{}", item[key].as_str().unwrap(), item["name"].as_str().unwrap(), item["version"])
        };
        json[list].as_array().unwrap().iter().map(item).collect()
    };
    assert_eq!(from("sections", "section"), ["rules base@2", "care careful@2", "role child@2"]);
    assert_eq!(
        from("frontmatter", "key"),
        [
            "name child@2",
            "description child@2",
            "model base@2",
            "color base@2",
            "tools careful@2",
            "effort child@2"
        ]
    );
}

#[test]
fn what_became_of_an_orphans_prompt_is_said() {
    let place = Place::with_store(r#"{"name":"a"}"#);
    place.ok(&["emit", "--all"]);
    let place = place.prompts(&crate::support::store(
        r#"{"name":"a"}
        {"id":"t-a","name":"z","version":2,"emitDir":"else"}"#,
    ));
    let json = place.ok(&["explain", "agents/a.md", "--json"]).json();
    assert_eq!((&json["status"], &json["emittedTo"]), (&json!("orphan"), &json!("else/z.md")));
    std::fs::remove_file(place.path("agents/a.md")).unwrap();
    let ran = place.cn(&["explain", "agents/a.md"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(ran.stderr.contains("`z` is emitted to `else/z.md` now"), "{ran:?}");
}
