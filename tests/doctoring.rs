//! `cn doctor`: each check, each thing that is mended, and that nothing else is touched.

use serde_json::Value;

use crate::support::{Place, record, snapshot, store};

const GIT: &str = ".canopy/prompts.jsonl merge=union\n.canopy/schemas.jsonl merge=union\n";

/// A project with nothing wrong, its files emitted.
fn healthy(short: &str) -> Place {
    let place = Place::with_store(short).write(".gitattributes", GIT).write(".canopy/.gitignore", "*.lock\n");
    place.cn(&["emit", "--all"]);
    place
}

/// The check of that name in what `cn doctor` answers.
fn check(place: &Place, name: &str) -> Value {
    let json = place.cn(&["doctor", "--json"]).json();
    let checks = json["checks"].as_array().unwrap();
    checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("{json}")).clone()
}

/// Status, message, details and whether it can be mended, of one check.
fn found(place: &Place, name: &str) -> (String, String, String, bool) {
    let check = check(place, name);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let details: Vec<String> = check["details"].as_array().unwrap().iter().map(text).collect();
    let fixable = check["fixable"].as_bool().unwrap();
    (text(&check["status"]), text(&check["message"]), details.join("\n"), fixable)
}

fn status(place: &Place, name: &str) -> String {
    found(place, name).0
}

#[test]
fn a_healthy_project_passes_every_check_in_their_order() {
    let place = healthy(r#"{"name":"a","sections":{"r":"1"}}"#);
    let ran = place.ok(&["doctor", "--json"]);
    let json = ran.json();
    let names: Vec<&str> =
        json["checks"].as_array().unwrap().iter().map(|check| check["name"].as_str().unwrap()).collect();
    assert_eq!(
        names,
        [
            "config",
            "prompts-integrity",
            "schemas-integrity",
            "schema-validation",
            "inheritance",
            "emit-staleness",
            "twins",
            "stale-locks",
            "mulch-domains",
            "gitattributes"
        ]
    );
    assert_eq!(json["summary"], serde_json::json!({"pass": 10, "warn": 0, "fail": 0}));
    assert_eq!(json["success"], true);
    assert!(json.get("fixed").is_none(), "{json}");
    assert_eq!(check(&place, "mulch-domains")["message"], "no .mulch/mulch.config.yaml found (skipped)");
    assert_eq!(place.ok(&["doctor", "--fix", "--json"]).json()["fixed"], serde_json::json!([]));
}

#[test]
fn what_people_see() {
    let (one, two) = (
        record(r#"{"name":"builder","version":2,"sections":{"r":"left"}}"#),
        record(r#"{"name":"builder","version":2,"sections":{"r":"right"}}"#),
    );
    let child = record(r#"{"name":"child","extends":"bilder"}"#);
    let expert = record(r#"{"name":"expert","mulch":{"prime":{"domains":["cli","tset"]}}}"#);
    let place = Place::with_store("")
        .prompts(&format!("{one}\n{two}\n{{\"id\":\"broken\",\"na\n{child}\n{expert}"))
        .write(".mulch/mulch.config.yaml", "domains: [cli, test]\n");
    let text = place.transcript(&["doctor"]);
    snapshot("doctor", "A project with much wrong, as a person sees it.", &text);
    for line in text.lines().filter(|line| !line.starts_with("hint")) {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let healthy = healthy(r#"{"name":"a","sections":{"r":"1"}}"#);
    snapshot("doctor-healthy", "Nothing is wrong.", &healthy.transcript(&["doctor"]));
    let mended = place.transcript(&["doctor", "--fix"]);
    snapshot("doctor-fix", "What could be mended was, the rest is said.", &mended);
}

#[test]
fn one_failing_check_hides_none_of_the_others() {
    let place = healthy(r#"{"name":"a","sections":{"r":"1"}}"#)
        .write(".canopy/prompts.jsonl", format!("<<<<<<< HEAD\n{}=======\n", store(r#"{"name":"a"}"#)))
        .write(".canopy/config.yaml", "targets: 7\n")
        .write(".canopy/schemas.jsonl", "{\"id\"\n");
    let ran = place.cn(&["doctor", "--json"]);
    assert_eq!(ran.status, 1);
    assert_eq!(ran.json()["checks"].as_array().unwrap().len(), 10);
    for failing in ["config", "prompts-integrity", "schemas-integrity"] {
        assert_eq!(status(&place, failing), "fail", "{failing}");
    }
    for dependent in ["schema-validation", "inheritance", "emit-staleness", "twins"] {
        let (status, message, ..) = found(&place, dependent);
        assert_eq!(status, "warn", "{dependent}");
        assert!(message.contains("skipped"), "{dependent}: {message}");
    }
    let (_, _, details, fixable) = found(&place, "prompts-integrity");
    assert!(details.contains(".canopy/prompts.jsonl:1: "), "{details}");
    assert!(!fixable);
}

#[test]
fn a_store_in_the_middle_of_a_merge_is_not_touched() {
    let line = record(r#"{"name":"a"}"#);
    let text = format!("{line}\n{line}\n<<<<<<< HEAD\n{line}\n=======\n>>>>>>> x");
    let place = healthy("").prompts(&text);
    assert_eq!(place.cn(&["doctor", "--fix"]).status, 1);
    assert_eq!(place.read(".canopy/prompts.jsonl"), text);
}

#[test]
fn a_configuration_that_is_not_there_is_said() {
    let place = healthy(r#"{"name":"a"}"#);
    std::fs::remove_file(place.path(".canopy/config.yaml")).unwrap();
    assert_eq!(status(&place, "config"), "warn");
    place.ok(&["doctor"]);
    let place = place.write(".canopy/config.yaml", "targets:\n  a:\n    default: true\n");
    let (status, _, details, _) = found(&place, "config");
    assert_eq!(status, "fail");
    assert!(details.contains(".canopy/config.yaml:"), "{details}");
    let place = Place::new().write(".canopy/prompts.jsonl/not-a-file", "");
    let (status, _, details, _) = found(&place, "prompts-integrity");
    assert_eq!(status, "fail");
    assert!(details.contains("cannot read"), "{details}");
}

#[test]
fn an_open_last_line_is_ended_and_what_is_no_record_stays() {
    let text = format!("\u{feff}{}\r\n\r\n{{\"id\":\"broken\",\"na\r\n42", record(r#"{"name":"a"}"#));
    let schemas = r#"{"id":"schema-1","name":"s","requiredSections":[]}"#;
    let place = healthy("").prompts(&text).write(".canopy/schemas.jsonl", schemas);
    let (status, message, details, fixable) = found(&place, "prompts-integrity");
    assert_eq!((status.as_str(), message.as_str(), fixable), ("fail", "2 lines are no records", true));
    assert!(details.contains(".canopy/prompts.jsonl:3: ") && details.contains("no newline"), "{details}");
    assert_eq!(found(&place, "schemas-integrity").0, "warn");
    let ran = place.cn(&["doctor", "--fix", "--json"]);
    assert_eq!(ran.status, 1);
    assert_eq!(ran.json()["fixed"].as_array().unwrap().len(), 2, "{ran:?}");
    assert_eq!(place.read(".canopy/prompts.jsonl"), text + "\n");
    assert_eq!(place.read(".canopy/schemas.jsonl"), format!("{schemas}\n"));
    assert!(!found(&place, "prompts-integrity").3);
    assert_eq!(found(&place, "schemas-integrity").0, "pass");
}

#[test]
fn validation_and_inheritance_are_looked_at_for_all_in_use() {
    let schema = r#"{"id":"schema-1","name":"s","requiredSections":["role"],"rules":[{"section":"r","pattern":"(","message":"m"}]}"#;
    let place = healthy(
        r#"{"name":"invalid","schema":"s","sections":{"r":"1"}}
        {"name":"gone","schema":"s","status":"archived","extends":"nobody"}
        {"name":"idea","status":"draft","extends":"nobody"}"#,
    )
    .write(".canopy/schemas.jsonl", format!("{schema}\n"));
    let (status, message, details, _) = found(&place, "schema-validation");
    assert_eq!((status.as_str(), message.as_str()), ("fail", "1 of 1 prompt invalid"));
    assert!(details.contains("`invalid`: [role] the section `role` is missing"), "{details}");
    let (status, message, details, _) = found(&place, "inheritance");
    assert_eq!((status.as_str(), message.as_str()), ("fail", "1 of 2 prompts cannot be composed"));
    assert!(details.contains("`idea`") && !details.contains("gone"), "{details}");
    let place = healthy(r#"{"name":"a","schema":"s","sections":{"r":"1","role":"2"}}"#)
        .write(".canopy/schemas.jsonl", format!("{schema}\n"));
    assert_eq!(found(&place, "schema-validation").0, "warn");
    place.ok(&["doctor"]);
}

#[test]
fn staleness_is_what_emit_check_says() {
    let short = r#"{"name":"a","sections":{"r":"1"}}
        {"name":"b","sections":{"r":"1"}}
        {"name":"c","sections":{"r":"1"}}"#;
    let place = healthy(short).write("agents/b.md", "by hand");
    std::fs::remove_file(place.path("agents/c.md")).unwrap();
    assert_eq!(place.cn(&["emit", "--check"]).status, 1);
    let (status, message, details, fixable) = found(&place, "emit-staleness");
    assert_eq!((status.as_str(), fixable), ("warn", false));
    assert!(message.starts_with("2 of 3 files not up to date"), "{message}");
    assert!(message.contains("`cn emit --check`"), "{message}");
    assert!(details.contains("edited: agents/b.md") && details.contains("missing: agents/c.md"), "{details}");
    place.ok(&["doctor", "--fix"]);
    assert_eq!(place.read("agents/b.md"), "by hand");

    let place = healthy(
        r#"{"name":"a","emitAs":"x.md"} {"name":"b","emitAs":"X.md"}"#.replace("} {", "}\n{").as_str(),
    );
    let (status, message, details, _) = found(&place, "emit-staleness");
    assert_eq!((status.as_str(), message.as_str()), ("fail", "nothing can be emitted"));
    assert!(details.contains("`a`") && details.contains("`b`"), "{details}");
}

#[test]
fn equal_twins_are_removed_and_nothing_else_is() {
    let a1 = record(r#"{"name":"a","version":1,"sections":{"r":"1"}}"#);
    let b = record(r#"{"name":"b"}"#);
    let a1_spelled = a1.replace("\":", "\" : ");
    let broken = "{\"id\":\"broken\",\"na";
    let text = format!("\u{feff}{a1}\r\n{b}  \n\n{broken}\n{broken}\n{a1_spelled}\n{b}");
    let place = healthy("").prompts(&text);
    let (status, message, details, fixable) = found(&place, "twins");
    assert_eq!((status.as_str(), fixable), ("warn", true));
    assert_eq!(message, "2 versions have several lines, all equal");
    assert!(details.contains("`a` version 1 (t-a): lines 1 and 6 are equal"), "{details}");
    place.cn(&["doctor", "--fix"]);
    let rest = format!("\u{feff}\n{broken}\n{broken}\n{a1_spelled}\n{b}\n");
    assert_eq!(place.read(".canopy/prompts.jsonl"), rest);
    assert_eq!(found(&place, "twins").0, "pass");
    assert_eq!(found(&place, "prompts-integrity").0, "fail");
    assert!(!place.exists(".canopy/prompts.jsonl.lock"));
}

#[test]
fn twins_that_differ_are_named_and_left() {
    let left = record(r#"{"name":"a","version":3,"sections":{"r":"left"}}"#);
    let right = record(r#"{"name":"a","version":3,"sections":{"r":"right"}}"#);
    let place = healthy("").prompts(&format!("{left}\n{right}\n{left}\n"));
    let (status, _, details, fixable) = found(&place, "twins");
    assert_eq!((status.as_str(), fixable), ("fail", true));
    assert!(details.contains("`a` version 3 (t-a): lines 1, 2 and 3"), "{details}");
    assert!(details.contains("line 3 counts; delete those"), "{details}");
    let ran = place.cn(&["doctor", "--fix"]);
    assert_eq!(ran.status, 1);
    // Only what a later line repeats is gone; which of the others is right is for a person to say.
    assert_eq!(place.read(".canopy/prompts.jsonl"), format!("{right}\n{left}\n"));
    let (_, _, details, fixable) = found(&place, "twins");
    assert!(details.contains("to keep both, give line 2 the `version` 4"), "{details}");
    assert!(!fixable);
}

#[test]
fn an_old_twin_is_never_told_to_become_the_current_version() {
    let place = healthy(
        r#"{"name":"a","sections":{"r":"left"}}
        {"name":"a","version":2}
        {"name":"a","sections":{"r":"right"}}"#,
    );
    let (status, _, details, _) = found(&place, "twins");
    assert_eq!(status, "fail");
    assert!(!details.contains("give line"), "{details}");
}

#[test]
fn two_active_prompts_of_one_name_fail() {
    let place = healthy(
        r#"{"id":"t-1","name":"a","version":2}
        {"id":"t-2","name":"a"}
        {"id":"t-3","name":"b"}
        {"id":"t-4","name":"b","status":"archived"}"#,
    );
    let (status, message, details, fixable) = found(&place, "twins");
    assert_eq!((status.as_str(), fixable), ("fail", false));
    assert_eq!(message, "1 name is used by several active prompts");
    assert!(details.contains("t-1 version 2 (.canopy/prompts.jsonl:1) and t-2 version 1"), "{details}");
    assert!(!details.contains("`b`"), "{details}");
}

#[test]
fn locks_of_the_dead_are_removed() {
    let place = healthy(r#"{"name":"a"}"#)
        .write(".canopy/prompts.jsonl.lock", "canopy-lock pid=1 since=2026-01-01T00:00:00.000Z\n")
        .write(".canopy/schemas.jsonl.lock", "another tool's, and young")
        .write(".canopy/config.yaml.lock", "another tool's, and old");
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(60);
    let file = std::fs::File::options().write(true).open(place.path(".canopy/config.yaml.lock")).unwrap();
    file.set_modified(old).unwrap();
    let (status, message, details, fixable) = found(&place, "stale-locks");
    assert_eq!((status.as_str(), message.as_str(), fixable), ("warn", "2 locks left behind", true));
    assert!(details.contains(".canopy/prompts.jsonl.lock") && !details.contains("schemas"), "{details}");
    let ran = place.ok(&["doctor", "--fix", "--json"]);
    assert_eq!(ran.json()["fixed"].as_array().unwrap().len(), 2, "{ran:?}");
    assert!(!place.exists(".canopy/prompts.jsonl.lock") && !place.exists(".canopy/config.yaml.lock"));
    assert_eq!(place.read(".canopy/schemas.jsonl.lock"), "another tool's, and young");
    assert_eq!(found(&place, "stale-locks").0, "pass");
}

#[test]
fn domains_that_the_project_does_not_have_are_a_warning() {
    let place = healthy(
        r#"{"name":"a","mulch":{"prime":{"domains":["cli","tset"]}}}
        {"name":"gone","status":"archived","mulch":{"prime":{"domains":["zzz"]}}}"#,
    );
    for config in ["domains:\n- cli\n- test\n", "domains:\n  cli: {}\n  test:\n", "domains: [cli, test]"] {
        std::fs::create_dir_all(place.path(".mulch")).unwrap();
        std::fs::write(place.path(".mulch/mulch.config.yaml"), config).unwrap();
        let (status, _, details, _) = found(&place, "mulch-domains");
        assert_eq!(status, "warn", "{config}");
        for said in ["`a`", "`tset`", ".mulch/mulch.config.yaml", "did you mean `test`?"] {
            assert!(details.contains(said), "{config}: {details}");
        }
        assert!(!details.contains("zzz") && !details.contains("`cli`"), "{details}");
        place.ok(&["doctor"]);
    }
    for config in ["domains: [cli, tset]", "domains: {cli: , tset: }"] {
        std::fs::write(place.path(".mulch/mulch.config.yaml"), config).unwrap();
        assert_eq!(status(&place, "mulch-domains"), "pass", "{config}");
    }
    for config in ["domains: cli", "domains: [", "7"] {
        std::fs::write(place.path(".mulch/mulch.config.yaml"), config).unwrap();
        assert_eq!(status(&place, "mulch-domains"), "warn", "{config}");
    }
}

#[test]
fn git_is_told_what_it_was_not_told() {
    let place = healthy(r#"{"name":"a"}"#)
        .write(".gitattributes", "*.md text\n/.canopy/prompts.jsonl  text merge=union")
        .write(".canopy/.gitignore", "mine");
    let (status, _, details, fixable) = found(&place, "gitattributes");
    assert_eq!((status.as_str(), fixable), ("warn", true));
    assert_eq!(
        details,
        ".gitattributes lacks `.canopy/schemas.jsonl merge=union`\n.canopy/.gitignore lacks `*.lock`"
    );
    place.ok(&["doctor", "--fix"]);
    assert_eq!(
        place.read(".gitattributes"),
        "*.md text\n/.canopy/prompts.jsonl  text merge=union\n.canopy/schemas.jsonl merge=union\n"
    );
    assert_eq!(place.read(".canopy/.gitignore"), "mine\n*.lock\n");
    let place = Place::with_store("");
    place.ok(&["doctor", "--fix"]);
    assert_eq!(place.read(".gitattributes"), GIT);
    assert_eq!(place.read(".canopy/.gitignore"), "*.lock\n");
}

#[test]
fn without_fix_nothing_is_written() {
    let line = record(r#"{"name":"a"}"#);
    let text = format!("{line}\n{line}");
    let place = Place::with_store("").prompts(&text).write(".canopy/prompts.jsonl.lock", "canopy-lock\n");
    place.ok(&["doctor"]);
    assert_eq!(place.read(".canopy/prompts.jsonl"), text);
    assert!(place.exists(".canopy/prompts.jsonl.lock"));
    assert!(!place.exists(".gitattributes") && !place.exists(".canopy/.gitignore"));
}

#[test]
fn what_cannot_be_mended_is_an_error_beside_the_checks() {
    let line = record(r#"{"name":"a"}"#);
    let place = healthy("").prompts(&line).write(".gitattributes", "");
    // Git's file cannot be read, since a folder stands there.
    std::fs::remove_file(place.path(".gitattributes")).unwrap();
    let place = place.write(".gitattributes/x", "");
    let ran = place.ok(&["doctor", "--fix", "--json"]);
    assert_eq!(ran.json()["fixed"].as_array().unwrap().len(), 1, "{ran:?}");
    assert_eq!(found(&place, "gitattributes").0, "warn");
}
