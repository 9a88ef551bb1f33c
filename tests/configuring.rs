//! `cn config`: the schema, what is shown, and changes that leave a person's own lines alone.

use canopy::config::{self, Config, SCHEMA, Target, document, edit, yaml};
use canopy::value::{Map, Value};
use proptest::prelude::*;

use crate::support::Place;
use crate::yaml::read_as_yaml_1_1;

const LEGACY: &str =
    "project: t # us\nversion: \"1\"\nemitDir: prompts\nemitDirByTag:\n  slash: .claude/commands\n";

fn with_config(text: &str) -> Place {
    Place::with_store("").write(".canopy/config.yaml", text)
}

#[test]
fn the_schema_is_printed_as_it_is() {
    let place = Place::with_store("");
    let json = place.ok(&["config", "schema", "--json"]).json();
    let schema: serde_json::Value = serde_json::from_str(SCHEMA).unwrap();
    assert_eq!(json, schema);
    assert_eq!(place.ok(&["config", "schema"]).json(), schema);
    assert_eq!(schema["$schema"], "https://json-schema.org/draft/2020-12/schema");
    assert!(jsonschema::meta::is_valid(&schema));
}

#[test]
fn the_legacy_form_is_shown_converted_and_written_so_by_the_first_change() {
    let place = with_config(LEGACY);
    let shown = "project: t\nversion: \"1\"\ntargets:\n  default:\n    dir: prompts\n    default: true\n  .claude/commands:\n    dir: .claude/commands\n    tags: [slash]\n";
    assert_eq!(place.ok(&["config", "show"]).stdout, shown);
    assert_eq!(place.read(".canopy/config.yaml"), LEGACY);
    place.ok(&["config", "set", "targets.\".claude/commands\".dir", "cmds"]);
    let written = "project: t # us\nversion: \"1\"\ntargets:\n  default:\n    dir: prompts\n    default: true\n  .claude/commands:\n    dir: cmds\n    tags: [slash]\n";
    assert_eq!(place.read(".canopy/config.yaml"), written);
}

#[test]
fn one_value_is_shown_by_its_place() {
    let place = with_config("project: t\ntargets:\n  a: {dir: x, tags: [p, '1']}\n");
    let at = |path: &str| place.ok(&["config", "show", "--path", path]).stdout;
    assert_eq!(at("project"), "t\n");
    assert_eq!(at("targets.a.tags"), "[p, \"1\"]\n");
    assert_eq!(at("targets"), "a:\n  dir: x\n  tags: [p, \"1\"]\n");
    let json = place.ok(&["config", "show", "--path", "targets.a.tags", "--json"]).json();
    assert_eq!(json["value"], serde_json::json!(["p", "1"]));
    let ran = place.cn(&["config", "show", "--path", "targets.a.folder"]);
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.contains("hint: there is `dir`, `tags`"), "{ran:?}");
}

#[test]
fn a_project_without_a_configuration_gets_one() {
    let place = Place::new().prompts("");
    place.ok(&["config", "unset", "targets.a"]);
    assert!(!place.exists(".canopy/config.yaml"));
    place.ok(&["config", "set", "targets.a", "{dir: x, default: true}"]);
    let written = "project: canopy\nversion: \"1\"\ntargets:\n  a:\n    dir: x\n    default: true\n";
    assert_eq!(place.read(".canopy/config.yaml"), written);
    assert!(!place.exists(".canopy/config.yaml.lock"));
}

#[test]
fn what_is_refused_is_said_and_leaves_the_file_as_it_was() {
    let text = "project: t\r\nversion: 1 # c\r\ntargets: {a: {dir: x, default: true}}\r\n";
    let place = with_config(text);
    let refused: [(&[&str], &str); 7] = [
        (&["set", "project", "[1, 2]"], "Config validation failed:\n  project: must be string\n"),
        (&["set", "project", "1.0"], "needs quotes of its own"),
        (&["set", "bogus", "x"], "bogus: is not known"),
        (&["set", "project", "{"], "is no YAML"),
        (&["set", "targets..dir", "x"], "a name is missing"),
        (&["set", "targets.b", "{dir: x, default: true}"], "`a`, `b` are all the default"),
        (&["unset", "project"], "project: is required"),
    ];
    for (args, words) in refused {
        let ran = place.cn(&[&["config"], args].concat());
        assert_eq!(ran.status, 1, "{args:?}: {ran:?}");
        assert!(ran.stderr.contains(words), "{args:?}: {ran:?}");
        assert_eq!(place.read(".canopy/config.yaml"), text);
    }
    let json = place.cn(&["config", "set", "project", "7", "--json"]).json();
    assert_eq!(json["error"], "Config validation failed:\n  project: must be string");
    let broken = with_config("project: t\ntargets: [\n");
    let ran = broken.cn(&["config", "set", "project", "new"]);
    assert!(ran.status == 1 && ran.stderr.contains(".canopy/config.yaml:2"), "{ran:?}");
}

#[test]
fn a_value_that_is_set_already_writes_nothing() {
    let place = with_config("project:   t\n");
    let before = place.path(".canopy/config.yaml").metadata().unwrap().modified().unwrap();
    place.ok(&["config", "set", "project", "t"]);
    assert_eq!(place.path(".canopy/config.yaml").metadata().unwrap().modified().unwrap(), before);
    assert_eq!(place.ok(&["config", "unset", "version", "--json"]).json()["removed"], false);
}

/// Whether the published schema takes a document.
fn is_canonical(yaml: &str) -> bool {
    let schema = serde_json::from_str(SCHEMA).unwrap();
    let json = serde_json::to_string(&document::value(yaml).unwrap()).unwrap();
    jsonschema::is_valid(&schema, &serde_json::from_str(&json).unwrap())
}

#[test]
fn the_schema_and_the_reader_agree_on_what_is_wrong() {
    for wrong in [
        "project: [t]",
        "project: {a: b}",
        "project: t\nversion: [1]",
        "project: t\ntargets: [a]",
        "project: t\ntargets: a",
        "project: t\ntargets: {a: b}",
        "project: t\ntargets: {a: {}}",
        "project: t\ntargets: {a: {dir: ''}}",
        "project: t\ntargets: {a: {dir: [x]}}",
        "project: t\ntargets: {a: {dir: x, tags: y}}",
        "project: t\ntargets: {a: {dir: x, tags: [[y]]}}",
        "- project",
    ] {
        assert!(config::parse(wrong.as_bytes()).is_err(), "{wrong}");
        assert!(!is_canonical(wrong), "{wrong}");
    }
}

const LAYOUTS: [&str; 6] = [
    "",
    LEGACY,
    "# a\nproject: t # b\nversion: '1'\n\ntargets:\n  # c\n  a:\n    dir: x # d\n    tags:\n    - p # e\n    - q\n  # f\n  b: {dir: w, default: true} # g\n# h\n",
    "{project: t, targets: {a: {dir: x, tags: [p]}, 'b': {dir: \"w\"},}} # a\n",
    "--- # a\ntargets: # b\n    a:\n        tags: [p, # c\n          q]\n        dir: 'x' # d\n\n    \"b\":\n        dir: >- # e\n          w\nproject: t\n...\n",
    "project: t\r\ntargets:\r\n  a: {\r\n    dir: x, # a\r\n  }\r\n",
];

/// A place and a value for it; to be removed without one.
fn change() -> impl Strategy<Value = (Vec<String>, Option<Value>)> {
    let name = || prop::sample::select(vec!["a", "b", "default", "a.b", "1", "on", "ü: #", "-"]);
    let text = || {
        prop_oneof![
            prop::sample::select(vec![
                "x",
                "",
                "true",
                "1",
                "a: b",
                " #",
                "n",
                "é\n\u{2028}",
                "'\"",
                "- a",
                "]"
            ])
            .prop_map(str::to_owned),
            "[-a-z0-9 ./:#,'\"\\[\\]{}]{1,8}",
        ]
    };
    let tags = || prop::collection::vec(text(), 0..4).prop_map(|tags| tags.into_iter().collect::<Value>());
    let target = (text(), prop::option::of(any::<bool>()), prop::option::of(tags())).prop_map(
        |(dir, default, tags)| {
            let mut map = Map::from_iter([("dir".to_owned(), Value::from(dir))]);
            map.extend(default.map(|default| ("default".to_owned(), default.into())));
            map.extend(tags.map(|tags| ("tags".to_owned(), tags)));
            Value::Map(map)
        },
    );
    let place = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let something = prop_oneof![
        text().prop_map(move |text| (place(&["project"]), text.into())),
        text().prop_map(move |text| (place(&["version"]), text.into())),
        (name(), target).prop_map(move |(name, target)| (place(&["targets", name]), target)),
        (name(), text()).prop_map(move |(name, dir)| (place(&["targets", name, "dir"]), dir.into())),
        (name(), any::<bool>()).prop_map(move |(name, b)| (place(&["targets", name, "default"]), b.into())),
        (name(), tags()).prop_map(move |(name, tags)| (place(&["targets", name, "tags"]), tags)),
    ];
    (something, prop::bool::weighted(0.7)).prop_map(|((place, value), set)| (place, set.then_some(value)))
}

/// The comments of a layout that do not stand within a value that changes can write anew.
fn lasting_comments(text: &str) -> Vec<String> {
    let own_line = |line: &&str| line.starts_with('#');
    text.lines().filter(own_line).map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_changes_in_any_order_say_what_they_should(
        layout in prop::sample::select(LAYOUTS.to_vec()),
        changes in prop::collection::vec(change(), 1..8),
    ) {
        let mut text = layout.to_owned();
        for (place, value) in changes {
            let changed = match &value {
                Some(value) => edit::set(&text, &place, value).map(Some),
                None => edit::unset(&text, &place),
            };
            let said = |text: &str| document::value(text.trim_start_matches('\u{feff}')).unwrap();
            match changed {
                Ok(Some(changed)) => {
                    let says = said(&changed);
                    prop_assert_eq!(document::at(says.as_map().unwrap(), &place), value.as_ref());
                    prop_assert!(config::parse(changed.as_bytes()).is_ok() && is_canonical(&changed), "{}", changed);
                    prop_assert_eq!(&read_as_yaml_1_1(&changed), &says, "YAML 1.1 of\n{}", changed);
                    text = changed;
                }
                Ok(None) => prop_assert!(value.is_none()),
                Err(problem) => {
                    let known = ["Config validation failed"].iter().any(|w| problem.message.contains(w));
                    prop_assert!(known, "{}\n{}", problem.message, text);
                }
            }
            for comment in lasting_comments(layout) {
                prop_assert!(text.contains(&comment), "{} is gone:\n{}", comment, text);
            }
        }
    }

    #[test]
    fn a_configuration_in_its_canonical_form_satisfies_the_schema_and_reads_back(
        project in "\\PC{1,8}",
        version in "\\PC{0,4}",
        targets in prop::collection::vec(("\\PC{0,6}", "\\PC{1,8}", prop::collection::vec("\\PC{0,6}", 0..3)), 0..4),
        default in 0..6_usize,
    ) {
        let target = |(at, (name, dir, tags))| (name, Target { dir, default: at == default, tags });
        let config = Config { project, version, targets: targets.into_iter().enumerate().map(target).collect() };
        let text = yaml::document(&document::canonical(&config));
        prop_assert!(is_canonical(&text), "{}", text);
        prop_assert_eq!(config::parse(text.as_bytes()).unwrap(), config);
    }
}

#[test]
fn a_comment_that_goes_with_what_it_explained_is_said() {
    let place = Place::with_store("").write(
        ".canopy/config.yaml",
        "project: t # ours\ntargets:\n  a:\n    dir: x\n    tags:\n    - p # because\n    - q\n",
    );
    let ran = place.ok(&["config", "set", "targets.a.tags", "[r]"]);
    assert!(ran.stderr.contains("the comment `# because` stood in what was changed"), "{ran:?}");
    assert!(ran.stderr.contains(".canopy/config.yaml:6"), "{ran:?}");
    assert!(place.read(".canopy/config.yaml").contains("# ours"));
    assert_eq!(place.ok(&["config", "set", "project", "u"]).stderr, "");
}
