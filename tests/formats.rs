//! What other programs read: annotations, code scanning, depfiles and lists of outputs.

use crate::support::{Place, run, store};

const TEAM: &str = r#"{"name":"a","sections":{"r":"one"}}
{"name":"b","extends":"a","schema":"agent","sections":{"s":"two"}}"#;

const LATER: &str = r#"{"name":"b","version":2,"extends":"a","sections":{"s":"three"}}"#;

/// A project in a folder of the one that commands are called in, one file stale and one missing.
fn stale() -> Place {
    let schema = r#"{"id":"schema-1","name":"agent","requiredSections":["role"]}"#;
    Place::new()
        .write("pro ject/.canopy/prompts.jsonl", store(TEAM) + "{\"id\n")
        .write("pro ject/.canopy/schemas.jsonl", format!("{schema}\n"))
        .write("pro ject/agents/a.md", "old\n")
}

#[test]
fn github_shows_each_file_at_the_record_that_asks_for_it() {
    let place = stale();
    let ran = place.cn(&["--root", "pro ject", "emit", "--check", "--format", "github"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(
        lines[..4],
        [
            "edited   agents/a.md",
            "missing  agents/b.md",
            "::error file=pro ject/.canopy/prompts.jsonl,line=1,title=A prompt's file was edited::`agents/a.md` was edited%0Ahint: `cn emit --all --diff` shows what was edited, `--force` overwrites it",
            "::error file=pro ject/.canopy/prompts.jsonl,line=2,title=A prompt's file is missing::`agents/b.md` is missing%0Ahint: `cn emit --all` writes it",
        ]
    );
    assert!(lines[4].starts_with("::warning file=pro ject/.canopy/prompts.jsonl,line=3,title="), "{ran:?}");
    assert!(ran.stderr.contains("error: 2 of 2 files not up to date"), "{ran:?}");
    place.ok(&["--root", "pro ject", "emit", "--all", "--force", "--format", "github"]);
    let place = place.write("pro ject/.canopy/prompts.jsonl", store(&format!("{TEAM}\n{LATER}")));
    let ran = place.cn(&["--root", "pro ject", "emit", "--check", "--format", "github"]);
    let stale =
        "line=3,title=A prompt's file is not up to date::`agents/b.md` is not what its prompt renders to%0A";
    assert!(ran.stdout.contains(stale), "{ran:?}");
    let place = place.write("pro ject/.canopy/prompts.jsonl", store(TEAM));
    let ran = place.ok(&["--root", "pro ject", "emit", "--check", "--format", "github"]);
    assert!(!ran.stdout.contains("::error"), "{ran:?}");
}

#[test]
fn github_shows_what_keeps_a_project_from_being_built_and_what_is_not_valid() {
    let place = stale();
    let ran = place.cn(&["--root", "pro ject", "validate", "--all", "--format", "github"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    let error = "::error file=pro ject/.canopy/prompts.jsonl,line=2,title=A prompt is not valid::`b`: ";
    assert!(ran.stdout.contains(error), "{ran:?}");
    let place = Place::with_store(r#"{"name":"c","extends":"ghost"}"#);
    let ran = place.cn(&["emit", "--all", "--format", "github"]);
    assert_eq!(
        ran.stdout,
        "::error file=.canopy/prompts.jsonl,line=1,title=The project needs care::`c` extends `ghost`, which does not exist%0Ahint: `cn list` shows the names that there are\n"
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""));
    let nowhere = Place::new();
    let ran = nowhere.cn(&["emit", "--check", "--format", "github"]);
    assert!(ran.stdout.starts_with("::error title=The project needs care::there is no `.canopy`"), "{ran:?}");
}

#[test]
fn json_is_json_by_whichever_name() {
    let place = stale();
    let by = |form: &[&str]| place.cn(&[&["--root", "pro ject", "emit", "--check"], form].concat()).stdout;
    assert_eq!(by(&["--format", "json"]), by(&["--json"]));
    assert_eq!(by(&["--format", "text"]), by(&[]));
}

#[test]
fn sarif_is_one_document_with_what_code_scanning_asks_for() {
    let place = stale();
    for (command, results) in [
        (
            &["emit", "--check"][..],
            &[("edited", "error", 1), ("missing", "error", 2), ("project", "warning", 3)],
        ),
        (&["validate", "--all"], &[("schema", "error", 2), ("project", "warning", 3), ("", "", 0)]),
    ] {
        let ran = place.cn(&[command, &["--root", "pro ject", "--format", "sarif"]].concat());
        assert_eq!(ran.status, 1, "{ran:?}");
        let document = ran.json();
        assert_eq!(document["version"], "2.1.0");
        assert!(document["$schema"].as_str().unwrap().ends_with("sarif-2.1.0.json"));
        let run = &document["runs"][0];
        let driver = &run["tool"]["driver"];
        assert_eq!(
            (&driver["name"], &driver["version"]),
            (&"canopy".into(), &env!("CARGO_PKG_VERSION").into())
        );
        let rules: Vec<&str> =
            driver["rules"].as_array().unwrap().iter().map(|rule| rule["id"].as_str().unwrap()).collect();
        let found = run["results"].as_array().unwrap();
        let wanted: Vec<_> = results.iter().filter(|(rule, ..)| !rule.is_empty()).collect();
        assert_eq!(found.len(), wanted.len(), "{ran:?}");
        for (result, (rule, level, line)) in found.iter().zip(wanted) {
            assert!(rules.contains(rule));
            assert_eq!((&result["ruleId"], &result["level"]), (&(*rule).into(), &(*level).into()));
            assert!(!result["message"]["text"].as_str().unwrap().is_empty());
            let place = &result["locations"][0]["physicalLocation"];
            assert_eq!(place["artifactLocation"]["uri"], "pro%20ject/.canopy/prompts.jsonl");
            assert_eq!(place["artifactLocation"]["uriBaseId"], "%SRCROOT%");
            assert_eq!(place["region"]["startLine"], *line);
        }
    }
    place.ok(&["--root", "pro ject", "emit", "--all", "--force"]);
    std::fs::remove_file(place.path("pro ject/.canopy/schemas.jsonl")).unwrap();
    let place = place.write("pro ject/.canopy/prompts.jsonl", store(TEAM));
    let ran = place.ok(&["--root", "pro ject", "emit", "--check", "--format", "sarif"]);
    assert_eq!(ran.json()["runs"][0]["results"], serde_json::json!([]));
}

#[test]
fn a_depfile_tells_what_was_read_and_a_list_what_there_is() {
    let place = Place::with_store(TEAM);
    place.ok(&["emit", "--all", "--depfile", "p.d"]);
    assert_eq!(
        place.read("p.d"),
        "agents/a.md \\\n  agents/b.md: \\\n  .canopy/config.yaml \\\n  .canopy/prompts.jsonl\n\n.canopy/config.yaml:\n\n.canopy/prompts.jsonl:\n"
    );
    std::fs::remove_file(place.path(".canopy/config.yaml")).unwrap();
    place.ok(&["emit", "--all", "--depfile", "p.d", "--out-list", "p.list"]);
    assert_eq!(place.read("p.d"), "p.list: \\\n  .canopy/prompts.jsonl\n\n.canopy/prompts.jsonl:\n");
    assert_eq!(place.read("p.list"), "agents/a.md\nagents/b.md\n");
    // From another folder, paths that are not below it are whole.
    let below = place.path("sub folder");
    std::fs::create_dir_all(&below).unwrap();
    let ran = run(&below, &["emit", "a", "--out", "./x y.md", "--depfile", "x.d"], "", &[]);
    assert_eq!(ran.status, 0, "{ran:?}");
    let path = place.path(".canopy/prompts.jsonl");
    let path = path.to_str().unwrap().replace('\\', "/");
    assert!(place.read("sub folder/x.d").starts_with(&format!("./x\\ y.md: \\\n  {path}\n")));
}

#[test]
fn a_depfile_is_written_when_all_is_well_and_never_over_a_store() {
    let place = Place::with_store(r#"{"name":"c","extends":"ghost"}"#);
    assert_eq!(place.cn(&["emit", "--all", "--depfile", "p.d"]).status, 1);
    assert!(!place.exists("p.d"));
    let place = Place::with_store(TEAM);
    let before = place.read(".canopy/prompts.jsonl");
    for option in ["--depfile", "--out-list"] {
        let ran = place.cn(&["emit", "--all", option, ".canopy/prompts.jsonl"]);
        assert_eq!(ran.status, 1, "{ran:?}");
        assert!(ran.stderr.contains("lies in `.canopy`, which holds no outputs"), "{ran:?}");
        assert_eq!(place.read(".canopy/prompts.jsonl"), before);
        assert_eq!(place.cn(&["emit", "--check", option, "x"]).status, 2);
    }
}

#[test]
fn two_forms_at_once_are_refused() {
    let place = Place::with_store(r#"{"name":"a"}"#);
    let ran = place.cn(&["emit", "--check", "--json", "--format", "sarif"]);
    assert_eq!(ran.status, 2, "{ran:?}");
}
