//! What a build script writes and what it tells Cargo, without Cargo.
#![expect(clippy::disallowed_methods, reason = "tests make the files that they need")]

use std::path::PathBuf;
use std::time::SystemTime;

use crate::Builder;
use crate::builder::{Crate, Ending};

/// A crate with a store, in a folder whose name has a blank and a letter that is not ASCII.
struct Place {
    folder: tempfile::TempDir,
}

/// What came of a build: what Cargo was told, and what is wrong.
struct Ran {
    told: String,
    wrong: Option<String>,
}

const BASE: &str = r#"{"id":"t-1","name":"base","version":1,"sections":[{"name":"role","body":"You work."}],"status":"active"}"#;
const BUILDER: &str = r#"{"id":"t-2","name":"builder","version":3,"description":"Builds \"it\"","extends":"base","sections":[{"name":"gates","body":"Run \\all\\ tests."}],"status":"active"}"#;

impl Place {
    fn new(lines: &[&str]) -> Place {
        Place { folder: tempfile::tempdir().unwrap() }.store(lines).write("crates/Cargo.toml", "")
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("an äpp")
    }

    fn store(self, lines: &[&str]) -> Place {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        self.write(".canopy/prompts.jsonl", &text)
    }

    fn write(self, path: &str, text: &str) -> Place {
        let path = self.root().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
        self
    }

    fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
    }

    fn exists(&self, path: &str) -> bool {
        self.root().join(path).exists()
    }

    fn modified(&self, path: &str) -> SystemTime {
        self.root().join(path).metadata().unwrap().modified().unwrap()
    }

    fn run(&self, builder: &Builder, ending: Ending) -> Ran {
        let asking =
            Crate { manifest_dir: Some(self.root().join("crates")), out_dir: Some(self.root().join("out")) };
        let mut told = Vec::new();
        let wrong = builder.run(ending, &asking, &mut told).err().map(|e| e.to_string());
        let told = String::from_utf8(told).unwrap();
        Ran { told: told.replace(&*self.root().to_string_lossy(), "<root>"), wrong }
    }

    fn emit(&self) -> Ran {
        self.run(&Builder::new(), Builder::module_to)
    }
}

#[test]
fn the_module_is_plain_data_and_its_texts_lie_beside_it() {
    let place = Place::new(&[BASE, BUILDER]);
    let ran = place.emit();
    assert_eq!(ran.wrong, None);
    let module = place.read("out/prompts.rs");
    let text = "## role\n\nYou work.\n\n## gates\n\nRun \\all\\ tests.";
    assert_eq!(place.read("out/prompts/prompt_builder.md"), text);
    let constant = format!(
        r#"
#[doc = "Builds \"it\""]
pub const BUILDER: Prompt = Prompt {{
    name: "builder",
    version: 3,
    description: Some("Builds \"it\""),
    text: include_str!("prompts/prompt_builder.md"),
    sections: &[
        Section {{ name: "role", body: "You work." }},
        Section {{ name: "gates", body: "Run \\all\\ tests." }},
    ],
    hash: "{}",
}};
"#,
        blake3::hash(text.as_bytes())
    );
    assert!(module.contains(&constant), "{module}");
    assert!(module.ends_with("pub static ALL: &[Prompt] = &[BASE, BUILDER];\n"), "{module}");
}

#[test]
fn cargo_is_told_of_what_was_read_and_of_nothing_else() {
    let place = Place::new(&[BASE]).write(".canopy/cache/x", "").write(".canopy/prompts.jsonl.lock", "");
    for _ in 0..2 {
        assert_eq!(place.emit().told, "cargo::rerun-if-changed=<root>/.canopy/prompts.jsonl\n");
    }
}

#[test]
fn a_file_that_is_not_there_is_awaited_in_its_folder() {
    let place = Place::new(&[BASE]);
    std::fs::remove_file(place.root().join(".canopy/prompts.jsonl")).unwrap();
    assert_eq!(place.emit().told, "cargo::rerun-if-changed=<root>/.canopy\n");
    assert!(place.read("out/prompts.rs").ends_with("ALL: &[Prompt] = &[];\n"));
}

#[test]
fn what_does_not_differ_is_not_touched() {
    let place = Place::new(&[BASE, BUILDER]);
    place.emit();
    let files = ["out/prompts.rs", "out/prompts/prompt_base.md", "out/prompts/.canopy-build"];
    let before = files.map(|file| place.modified(file));
    let respelled = BASE.replace(r#""version":1"#, r#""version" : 1, "tags": ["x"], "updatedAt": "2026""#);
    let place = place.store(&[&respelled, BUILDER]);
    assert_eq!(place.emit().wrong, None);
    assert_eq!(files.map(|file| place.modified(file)), before);
}

#[test]
fn what_an_earlier_build_wrote_goes_and_what_others_wrote_stays() {
    let place = Place::new(&[BASE, BUILDER]);
    place.emit();
    let place = place.write("out/prompts/theirs.md", "").store(&[BASE]);
    place.emit();
    assert!(!place.exists("out/prompts/prompt_builder.md"));
    assert!(place.exists("out/prompts/prompt_base.md") && place.exists("out/prompts/theirs.md"));
}

#[test]
fn what_is_wrong_goes_to_cargo_with_file_and_line() {
    let orphan = r#"{"id":"t-3","name":"x","version":1,"extends":"bsae","sections":[],"status":"active"}"#;
    let place = Place::new(&[BASE, "{\"id\":", orphan]);
    let ran = place.emit();
    let error = ran.told.lines().find_map(|line| line.strip_prefix("cargo::error=")).unwrap();
    assert!(error.starts_with("<root>/.canopy/prompts.jsonl:3: `x` extends `bsae`"), "{error}");
    assert!(error.ends_with("(did you mean `base`?)"), "{error}");
    assert!(ran.told.contains("cargo::warning=<root>/.canopy/prompts.jsonl:2: the line is not valid JSON"));
    assert!(ran.told.starts_with("cargo::rerun-if-changed="), "{}", ran.told);
    assert!(ran.wrong.unwrap().contains("prompts.jsonl:3: `x` extends"));
    assert!(!place.exists("out"));
}

#[test]
fn a_conflict_is_an_error_and_so_is_no_store_at_all() {
    let ran = Place::new(&[BASE, "<<<<<<< ours"]).emit();
    assert!(ran.told.contains("cargo::error=<root>/.canopy/prompts.jsonl:2: "), "{}", ran.told);
    let place = Place::new(&[]);
    let ran = place.run(&Builder::new().root("elsewhere"), Builder::module_to);
    assert!(ran.told.starts_with("cargo::error=there is no `.canopy` in `<root>/crates/elsewhere`"));
    let mut told = Vec::new();
    let nowhere = Crate { manifest_dir: None, out_dir: None };
    assert!(Builder::new().run(Builder::module_to, &nowhere, &mut told).is_err());
    assert!(String::from_utf8(told).unwrap().starts_with("cargo::error=`CARGO_MANIFEST_DIR` is not set"));
}

#[test]
fn selection_and_places_are_what_was_asked_for() {
    let place = Place::new(&[BASE, BUILDER]);
    let builder = Builder::new().root("..").select("b*r").out_dir("gen").module("review.rs");
    assert_eq!(place.run(&builder, Builder::module_to).wrong, None);
    assert!(place.read("crates/gen/review.rs").contains("include_str!(\"review/prompt_builder.md\")"));
    assert!(!place.read("crates/gen/review.rs").contains("BASE"));
    let ran = place.run(&Builder::new().select("bulider"), Builder::module_to);
    assert!(ran.told.contains("no prompt is called `bulider`"), "{}", ran.told);
    for module in ["prompts", "../x.rs", ".rs"] {
        let ran = place.run(&Builder::new().module(module), Builder::module_to);
        assert!(ran.wrong.unwrap().contains("is no name for a module's file"), "{module}");
    }
}

#[test]
fn names_become_constants_and_two_of_a_kind_are_refused() {
    let named = |name: &str| BASE.replace("base", name).replace("t-1", &format!("t-{name}"));
    let names = ["all", "9-lives", "é-名", "con"];
    let lines = names.map(named);
    let place = Place::new(&lines.each_ref().map(String::as_str));
    assert_eq!(place.emit().wrong, None);
    let module = place.read("out/prompts.rs");
    for constant in ["ALL_:", "_9_LIVES:", "U00E9_U002D_U540D:", "CON:"] {
        assert!(module.contains(&format!("pub const {constant}")), "{constant}: {module}");
    }
    let place = Place::new(&[&named("a-b"), &named("a.b")]);
    let wrong = place.emit().wrong.unwrap();
    assert!(wrong.contains("`a-b` (.canopy/prompts.jsonl:1) and `a.b` would both be"), "{wrong}");
}

#[test]
fn a_check_lists_what_is_stale_and_writes_nothing() {
    let place = Place::new(&[BASE, BUILDER]).write("agents/base.md", "old\n");
    let ran = place.run(&Builder::new(), Builder::check_tree);
    let told: Vec<&str> = ran.told.lines().collect();
    // The configuration is not there, so that its folder is watched; the file that is compared is.
    assert_eq!(
        told,
        [
            "cargo::rerun-if-changed=<root>/.canopy",
            "cargo::rerun-if-changed=<root>/.canopy/prompts.jsonl",
            "cargo::rerun-if-changed=<root>/agents/base.md",
            "cargo::error=<root>/.canopy/prompts.jsonl:1: `agents/base.md` was edited (`cn emit base --diff` shows what was edited, `cn emit base --force` overwrites it)",
            "cargo::error=<root>/.canopy/prompts.jsonl:2: `agents/builder.md` is missing (`cn emit builder` writes it)",
        ]
    );
    assert!(!place.exists("out") && !place.exists("agents/builder.md"));
    let only = Builder::new().select("base");
    assert!(place.run(&only, Builder::check_tree).wrong.unwrap().lines().count() == 1);
    assert_eq!(place.read("agents/base.md"), "old\n");
}

#[test]
fn the_source_tree_is_written_only_when_asked_for() {
    let place = Place::new(&[BASE]).write(".canopy/config.yaml", "project: t\n");
    let ran = place.run(&Builder::new(), Builder::write_tree);
    assert_eq!(ran.wrong, None);
    assert!(!ran.told.contains("agents"), "{}", ran.told);
    let edited = place.read("agents/base.md") + "mine\n";
    let place = place.write("agents/base.md", &edited);
    let ran = place.run(&Builder::new(), Builder::write_tree);
    assert!(ran.wrong.unwrap().contains("`agents/base.md` was edited"));
    assert_eq!(place.read("agents/base.md"), edited);
    std::fs::remove_file(place.root().join("agents/base.md")).unwrap();
    assert_eq!(place.run(&Builder::new(), Builder::write_tree).wrong, None);
    assert_eq!(place.read("agents/base.md"), "---\nname: base\n---\n\nYou work.\n");
    assert!(!place.exists("out"));
    assert_eq!(place.run(&Builder::new(), Builder::check_tree).wrong, None);
}
