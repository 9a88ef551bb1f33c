//! The workflow of the README and the action that it uses, step by step, without GitHub.

use canopy::value::{Map, Value};

use crate::place::{Place, Ran, block, path_of, ran, repository};

fn yaml(text: &str) -> Map {
    match canopy::yaml::read(text).unwrap() {
        Value::Map(map) => map,
        other => panic!("no mapping: {other:?}"),
    }
}

fn map<'v>(map: &'v Map, key: &str) -> &'v Map {
    match map.get(key) {
        Some(Value::Map(map)) => map,
        other => panic!("{key} is {other:?}"),
    }
}

fn list<'v>(map: &'v Map, key: &str) -> Vec<&'v Map> {
    let Some(Value::List(items)) = map.get(key) else { panic!("{key} is no list") };
    let map = |item: &'v Value| if let Value::Map(map) = item { map } else { panic!("{item:?}") };
    items.iter().map(map).collect()
}

fn text<'v>(map: &'v Map, key: &str) -> &'v str {
    if let Some(Value::String(text)) = map.get(key) { text } else { panic!("{key} is no text: {map:?}") }
}

/// Runs the action's steps as GitHub does: the first that fails stops all but those that come in any case.
fn action(place: &Place, with: &[(&str, &str)]) -> Ran {
    let action = yaml(&std::fs::read_to_string(repository().join("action.yml")).unwrap());
    assert!(!text(&action, "name").is_empty() && !text(&action, "description").is_empty());
    let inputs = map(&action, "inputs");
    assert!(with.iter().all(|(name, _)| inputs.contains_key(*name)), "{with:?}");
    let input = |name: &str| {
        let given = with.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
        given.unwrap_or_else(|| text(map(inputs, name), "default")).to_owned()
    };
    let runs = map(&action, "runs");
    assert_eq!(text(runs, "using"), "composite");
    let mut all = Ran { success: true, said: String::new() };
    for step in list(runs, "steps") {
        let always = step.contains_key("if");
        assert!(!always || text(step, "if") == "${{ !cancelled() }}");
        if !all.success && !always {
            continue;
        }
        assert_eq!(text(step, "shell"), "bash");
        let mut bash = place.command(&path_of("bash"));
        bash.args(["--noprofile", "--norc", "-eo", "pipefail", "-c", text(step, "run")]);
        bash.env("GITHUB_ACTION_PATH", repository()).env("CI", "true");
        if step.contains_key("env") {
            for name in map(step, "env").keys() {
                let value = text(map(step, "env"), name);
                let name_of_input = value.trim_start_matches("${{ inputs.").trim_end_matches(" }}");
                bash.env(name, input(name_of_input));
            }
        }
        let step = ran(&mut bash);
        all.success &= step.success;
        all.said += &step.said;
    }
    all
}

#[test]
fn the_workflow_of_the_readme_fails_at_the_prompts_line() {
    let workflow = yaml(&block(".github/workflows/prompts.yml"));
    let steps = list(map(map(&workflow, "jobs"), "prompts"), "steps");
    assert!(text(steps[0], "uses").starts_with("actions/checkout@"));
    assert!(text(steps[1], "uses").contains("/canopy@"));
    let with = map(steps[1], "with");
    let with: Vec<(&str, &str)> = with.keys().map(|key| (key.as_str(), text(with, key))).collect();
    let place = Place::new();
    place.ok("cn", &["emit", "--all"]);
    let ran = action(&place, &with);
    assert!(ran.success, "{}", ran.said);
    place.change("builder", 2, "You build well.");
    let ran = action(&place, &with);
    assert!(!ran.success, "{}", ran.said);
    assert!(ran.said.contains("::error file=.canopy/prompts.jsonl,line=3,title="), "{}", ran.said);
}

#[test]
fn the_action_takes_another_root_validates_and_writes_sarif() {
    let place = Place::new();
    let schema = r#"{"id":"schema-1","name":"agent","requiredSections":["verdict"]}"#;
    place.write("sub dir/.canopy/schemas.jsonl", format!("{schema}\n"));
    let store = place.read(".canopy/prompts.jsonl").replace(r#""status""#, r#""schema":"agent","status""#);
    place.write("sub dir/.canopy/prompts.jsonl", store);
    let ran = action(&place, &[("root", "sub dir"), ("sarif", "found.sarif")]);
    assert!(!ran.success, "{}", ran.said);
    for title in ["A prompt's file is missing", "A prompt is not valid"] {
        let error = format!("::error file=sub dir/.canopy/prompts.jsonl,line=1,title={title}::");
        assert!(ran.said.contains(&error), "{error} is not in {}", ran.said);
    }
    let sarif: serde_json::Value = serde_json::from_str(&place.read("found.sarif")).unwrap();
    assert_eq!(sarif["runs"][0]["results"].as_array().unwrap().len(), 2);
    place.ok("cn", &["--root", "sub dir", "emit", "--all"]);
    let ran = action(&place, &[("root", "sub dir"), ("validate", "false")]);
    assert!(ran.success, "{}", ran.said);
    assert!(!action(&place, &[("root", "sub dir")]).success);
}
