//! `cn edit`: what an editor makes of a prompt, and that nothing a person wrote is lost.
#![cfg(unix)]

use crate::support::{Place, Ran, run};

const STORE: &str = r#"{"name":"base","sections":[{"name":"role","body":"You work here."}]}
{"name":"builder","extends":"base","description":"Builds","sections":[{"name":"gates","body":"Run the tests.\n\n## by hand\n","required":true,"x-note":1}],"frontmatter":{"model":"opus","big":123456789012345678901234567890123456789012345,"half":0.50,"deep":{"on":[1e3,null]}},"x-extra":[1]}"#;

/// A place with the store, and a folder for the texts that are kept.
struct Desk {
    place: Place,
}

impl Desk {
    fn new() -> Desk {
        Desk { place: Place::with_store(STORE).write("tmp/.keep", "").write("bin files/.keep", "") }
    }

    /// Runs `cn edit builder` with a script in the place of the editor.
    fn edit(&self, script: &str, more: &[&str]) -> Ran {
        let editor = self.place.path("bin files/editor");
        std::fs::write(&editor, script).unwrap();
        let editor = format!("sh '{}' --wait", editor.display());
        self.run(&[("EDITOR", &editor), ("VISUAL", "")], more)
    }

    fn run(&self, env: &[(&str, &str)], more: &[&str]) -> Ran {
        let tmp = self.place.path("tmp");
        let env: Vec<_> = env.iter().copied().chain([("TMPDIR", tmp.to_str().unwrap())]).collect();
        run(&self.place.root(), &[&["edit", "builder"], more].concat(), "", &env)
    }

    fn kept(&self) -> Vec<std::path::PathBuf> {
        let files = std::fs::read_dir(self.place.path("tmp")).unwrap().map(|entry| entry.unwrap().path());
        files.filter(|path| path.extension().is_some_and(|ext| ext == "md")).collect()
    }

    fn records(&self) -> Vec<String> {
        self.place.read(".canopy/prompts.jsonl").lines().map(str::to_owned).collect()
    }
}

#[test]
fn nothing_edited_is_no_version() {
    let desk = Desk::new();
    for script in ["exit 0", "echo >> \"$2\"", "sed -i.orig 's/$/\\r/' \"$2\"; rm \"$2.orig\""] {
        let ran = desk.edit(script, &[]);
        assert_eq!((ran.status, ran.stdout.as_str()), (0, "nothing changed\n"), "{script}: {ran:?}");
        assert_eq!((desk.records().len(), desk.kept().len()), (2, 0), "{script}");
    }
    let plain = Desk {
        place: Place::with_store(r#"{"name":"builder"}"#).write("tmp/.keep", "").write("bin files/.keep", ""),
    };
    let ran = plain.edit("sed -i.orig 's/^description:/& \"\"/' \"$2\"; rm \"$2.orig\"", &[]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "nothing changed\n"), "{ran:?}");
    let json = desk.edit("echo noise", &["--json"]).json();
    assert_eq!((&json["changed"], &json["version"]), (&false.into(), &1.into()));
}

#[test]
fn what_is_edited_is_the_next_version_and_the_rest_stays() {
    let desk = Desk::new();
    let ran = desk
        .edit("sed -i.orig 's/Run the tests/Run all tests/' \"$2\"; rm \"$2.orig\"; echo noise", &["--json"]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert_eq!((&ran.json()["changed"], &ran.json()["version"]), (&true.into(), &2.into()));
    let records = desk.records();
    let time = regex::Regex::new(r#""updatedAt":"[^"]*""#).unwrap();
    let wanted = records[1].replace("\"version\":1", "\"version\":2").replace("Run the", "Run all");
    assert_eq!(time.replace(&records[2], ""), time.replace(&in_our_order(&wanted), ""));
    assert_eq!(desk.kept().len(), 0);
}

/// A record with its members in the order in which we write them.
fn in_our_order(line: &str) -> String {
    let origin = canopy::problem::Origin { path: "p".into(), line: 1 };
    let prompt = canopy::source::record::prompt(line, origin).unwrap();
    let members = canopy::source::record::prompt_members(&prompt);
    serde_json::to_string(&canopy::value::Value::Map(members)).unwrap()
}

#[test]
fn description_order_and_sections_are_all_to_be_edited() {
    let desk = Desk::new();
    let document =
        "---\ndescription:\nfrontmatter:\n  half: 0.5\n  model: opus\n---\n\n## role\n\n## new \"one\"\nx\n";
    let ran = desk.edit(&format!("cat > \"$2\" <<'EOF'\n{document}EOF\n"), &[]);
    assert_eq!((ran.status, ran.stdout.as_str()), (0, "updated builder to v2\n"), "{ran:?}");
    let record = &desk.records()[2];
    assert!(record.contains(r#""frontmatter":{"half":0.50,"model":"opus"}"#), "{record}");
    let sections = r#""sections":[{"name":"role","body":""},{"name":"new \"one\"","body":"x"}]"#;
    assert!(record.contains(sections) && !record.contains("description"), "{record}");
    assert!(!desk.place.ok(&["render", "builder"]).stdout.contains("## role"));
    // The order alone is a change as well: it is the order in which the members are emitted.
    let swapped = document.replace("  half: 0.5\n  model: opus\n", "  model: opus\n  half: 0.5\n");
    assert_eq!(
        desk.edit(&format!("cat > \"$2\" <<'EOF'\n{swapped}EOF\n"), &[]).stdout,
        "updated builder to v3\n"
    );
}

#[test]
fn what_does_not_parse_is_kept_and_can_be_taken_over() {
    let desk = Desk::new();
    let ran = desk.edit("printf -- '---\\ndescription: [\\n---\\n\\n## gates\\nMine.\\n' > \"$2\"", &[]);
    let kept = desk.kept();
    let [kept] = &kept[..] else { panic!("{kept:?}") };
    let kept = kept.to_str().unwrap();
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.contains(&format!("kept in `{kept}`")), "{ran:?}");
    assert!(ran.stderr.contains(&format!("--> {kept}:3\n")), "{ran:?}");
    assert_eq!(desk.records().len(), 2);
    std::fs::write(kept, std::fs::read_to_string(kept).unwrap().replace('[', "Mine")).unwrap();
    let ran = desk.run(&[("EDITOR", "false"), ("VISUAL", &format!("cp {kept}"))], &[]);
    assert_eq!(ran.stdout, "updated builder to v2\n", "{ran:?}");
    assert!(desk.records()[2].contains(r#""body":"Mine.","required":true,"x-note":1"#));

    let ran = desk.edit("printf '\\377' > \"$2\"", &["--json"]);
    let path = ran.json()["kept"].as_str().unwrap().to_owned();
    assert_eq!(std::fs::read(path).unwrap(), b"\xff");
}

#[test]
fn an_editor_that_fails_leaves_the_prompt_alone() {
    let desk = Desk::new();
    let ran = desk.edit("exit 3", &[]);
    assert!(ran.status == 1 && ran.stderr.contains("failed (exit status: 3)"), "{ran:?}");
    assert_eq!((desk.records().len(), desk.kept().len()), (2, 0));
    let ran = desk.edit("echo '## more' >> \"$2\"; exit 3", &[]);
    assert!(ran.status == 1 && ran.stderr.contains("kept in `"), "{ran:?}");
    assert_eq!((desk.records().len(), desk.kept().len()), (2, 1));
    let ran = desk.run(&[("VISUAL", "/nowhere/at/all")], &[]);
    assert!(ran.status == 1 && ran.stderr.contains("`/nowhere/at/all`"), "{ran:?}");
    let ran = desk.edit("rm \"$2\"", &[]);
    assert!(ran.status == 1 && ran.stderr.contains("cannot read"), "{ran:?}");
    assert_eq!(desk.records().len(), 2);
}

#[test]
fn a_version_that_came_meanwhile_is_not_overwritten() {
    let desk = Desk::new();
    let cn = env!("CARGO_BIN_EXE_cn");
    for (meanwhile, said) in [
        ("update builder --tag t", "got version 2 while version 1"),
        ("update builder --name other", "no prompt"),
    ] {
        let records = desk.records().len();
        let ran = desk.edit(&format!("'{cn}' {meanwhile} >/dev/null; echo '## more' >> \"$2\""), &[]);
        assert_eq!(ran.status, 1, "{ran:?}");
        assert!(ran.stderr.contains(said) && ran.stderr.contains("kept in `"), "{ran:?}");
        assert_eq!(desk.records().len(), records + 1);
    }
    assert_eq!(desk.kept().len(), 2);
}

#[test]
fn the_draft_is_its_owner_s_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let desk = Desk::new();
    desk.edit("echo '## gates' >> \"$2\"", &[]);
    let mode = std::fs::metadata(&desk.kept()[0]).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let ran = desk.place.cn(&["edit", "buidler"]);
    assert!(ran.stderr.contains("did you mean `builder`?"), "{ran:?}");
}
