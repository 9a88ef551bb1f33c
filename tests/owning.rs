//! Whose file it is: what somebody edited is never lost, and what is ours is known without a record of it.

use std::collections::BTreeMap;

use canopy::plan::Change;
use canopy::project::{self, Request};
use canopy::write;
use proptest::prelude::{ProptestConfig, prop_assert, prop_assert_eq, proptest};
use serde_json::{Value, json};

use crate::support::{Place, Ran, record, run, snapshot, store};

const A: &str = r#"{"name":"a","sections":{"r":"one"}}"#;
const A2: &str = r#"{"name":"a","version":2,"sections":{"r":"two"}}"#;
const BY_HAND: &str = "---\nname: a\n---\n\none, and what I know better\n";

/// What a prompt of one section is emitted as.
fn text(name: &str, body: &str) -> String {
    format!("---\nname: {name}\n---\n\n{body}\n")
}

/// A store of these records, emitted when it had the first `emit_after` of them, if it could be.
fn history(lines: &[&str], emit_after: usize) -> Place {
    let place = Place::with_store(&lines[..emit_after].join("\n"));
    place.cn(&["emit", "--all"]);
    place.prompts(&store(&lines.join("\n")))
}

impl Place {
    fn check(&self) -> Value {
        self.cn(&["emit", "--check", "--json"]).json()
    }

    /// Emits everything as often as somebody may who does not read what is said.
    fn emit_all_again(&self) -> Vec<Ran> {
        let ways: [&[&str]; 5] = [
            &["emit", "--all"],
            &["emit", "--all", "--prune"],
            &["emit", "--all"],
            &["emit", "--prune", "--json"],
            &["emit", "*"],
        ];
        ways.map(|args| self.cn(args)).into_iter().collect()
    }
}

#[test]
fn a_hand_edit_survives_all_that_emits() {
    let place = history(&[A, r#"{"name":"b"}"#], 1).write("agents/a.md", BY_HAND);
    for ran in place.emit_all_again() {
        assert_eq!(ran.status, 1, "{ran:?}");
        assert_eq!(place.read("agents/a.md"), BY_HAND);
    }
    assert!(place.exists("agents/b.md"));
    let place = place.prompts(&store(&format!("{A}\n{A2}")));
    assert_eq!(place.cn(&["emit", "a"]).status, 1);
    assert_eq!(place.read("agents/a.md"), BY_HAND);
    let json = place.check();
    assert_eq!((&json["stale"], &json["edited"]), (&json!(["a"]), &json!(["a"])));
}

#[test]
fn a_hand_edit_survives_that_its_prompt_goes_elsewhere() {
    for later in [
        r#"{"id":"t-a","name":"z","version":2,"sections":{"r":"one"}}"#,
        r#"{"name":"a","version":2,"sections":{"r":"one"},"emitAs":"z.md"}"#,
        r#"{"name":"a","version":2,"sections":{"r":"one"},"emitDir":"else"}"#,
        r#"{"name":"a","version":2,"sections":{"r":"one"},"status":"archived"}"#,
    ] {
        let place = history(&[A, later], 1).write("agents/a.md", BY_HAND);
        for ran in place.emit_all_again().into_iter().take(4) {
            assert_eq!(ran.status, 0, "{later}: {ran:?}");
            assert_eq!(place.read("agents/a.md"), BY_HAND, "{later}");
        }
        assert_eq!(place.check()["orphans"], json!([]), "what is not ours is no orphan");
    }
}

#[test]
fn what_is_there_and_was_never_ours_stays() {
    let place = Place::with_store(A).write("agents/a.md", "# mine\n").write("x.md", "# mine\n");
    assert_eq!(place.cn(&["emit", "--all"]).status, 1);
    assert_eq!(place.cn(&["emit", "a", "--out", "x.md"]).status, 1);
    assert_eq!(place.cn(&["emit", "a", "--out-dir", "agents"]).status, 1);
    assert_eq!((place.read("agents/a.md"), place.read("x.md")), ("# mine\n".into(), "# mine\n".into()));
    place.ok(&["emit", "a", "--out", "x.md", "--force"]);
    place.ok(&["emit", "--all", "--force"]);
    assert_eq!((place.read("agents/a.md"), place.read("x.md")), (text("a", "one"), text("a", "one")));
}

#[test]
fn what_any_state_of_the_history_rendered_is_ours_with_nothing_recorded() {
    let parent = r#"{"name":"p","status":"draft","sections":{"p":"old"}}"#;
    let parent2 = r#"{"name":"p","version":2,"status":"draft","sections":{"p":"new"}}"#;
    let child = r#"{"name":"c","extends":"p","sections":{"c":"c"}}"#;
    let mixing = r#"{"name":"c","mixins":["p"],"sections":{"c":"c"}}"#;
    for lines in [
        // Its own text, its parent's, its mixin's.
        vec![A, A2],
        vec![A, A2, r#"{"name":"a","version":3,"sections":{"r":"three"}}"#],
        vec![parent, child, parent2],
        vec![parent, mixing, parent2],
        // A pin set, moved and taken away; a pinned parent.
        vec![A, A2, r#"{"name":"a","version":3,"sections":{"r":"two"},"pinned":1}"#],
        vec![
            parent,
            parent2,
            child,
            r#"{"name":"p","version":3,"status":"draft","sections":{"p":"x"},"pinned":1}"#,
        ],
        // A parent that was renamed, and one that it has no more.
        vec![
            parent,
            child,
            r#"{"id":"t-p","name":"q","version":2,"status":"draft","sections":{"p":"new"}}"#,
            r#"{"name":"c","version":2,"extends":"q","sections":{"c":"c"}}"#,
        ],
        vec![parent, child, r#"{"name":"c","version":2,"sections":{"c":"c"}}"#, parent2],
        // A state whose version another branch made as well.
        vec![A, A2, r#"{"name":"a","version":2,"sections":{"r":"theirs"}}"#],
        // Another prompt's file, which is this one's now.
        vec![
            r#"{"id":"t-x","name":"a","sections":{"r":"theirs"}}"#,
            r#"{"id":"t-x","name":"y","version":2,"sections":{"r":"theirs"}}"#,
            A,
        ],
    ] {
        for emit_after in 1..lines.len() {
            let place = history(&lines, emit_after);
            let json = place.check();
            assert_eq!(json["edited"], json!([]), "{lines:?} after {emit_after}");
            let ran = place.cn(&["emit", "--all"]);
            assert_eq!(ran.status, 0, "{lines:?} after {emit_after}: {ran:?}");
            place.ok(&["emit", "--all", "--prune"]);
            place.ok(&["emit", "--check"]);
        }
    }
}

#[test]
fn the_forms_of_early_releases_and_other_line_ends_are_ours() {
    for old in [
        "## r\n\none\n",
        "---\nname: a\n---\n\n## r\n\none\n",
        "---\r\nname: a\r\n---\r\n\r\none\r\n",
        "## r\r\n\r\none\r\n",
    ] {
        let place = Place::with_store(&format!("{A}\n{A2}")).write("agents/a.md", old);
        assert_eq!(place.check()["edited"], json!([]), "{old:?}");
        place.ok(&["emit", "--all"]);
        let now = place.read("agents/a.md");
        assert_eq!(now.replace("\r\n", "\n"), text("a", "two"));
        assert_eq!(now.contains('\r'), old.contains('\r'), "{old:?}");
    }
    for foreign in ["one\n", "", "## r\n\none\n\n", "---\nname: a\n---\n\none", "# r\n\none\n"] {
        let place = Place::with_store(&format!("{A}\n{A2}")).write("agents/a.md", foreign);
        assert_eq!(place.check()["edited"], json!(["a"]), "{foreign:?}");
    }
}

const TARGETS: &str = "project: t\nversion: \"1\"\ntargets:\n  agents:\n    dir: ./agents/\n    default: true\n  commands:\n    dir: .claude/commands\n    tags: [command]\n";

#[test]
fn what_no_prompt_is_emitted_to_any_more_is_named_and_pruned() {
    let b = r#"{"name":"b"}"#;
    for (first, then, orphan, leaves) in [
        (A, r#"{"id":"t-a","name":"z","version":2,"sections":{"r":"one"}}"#, "agents/a.md", "agents"),
        (A, r#"{"name":"a","version":2,"status":"archived"}"#, "agents/a.md", "agents"),
        (A, r#"{"name":"a","version":2,"emitAs":"x.md"}"#, "agents/a.md", "agents"),
        (A, r#"{"name":"a","version":2,"emitDir":"new"}"#, "agents/a.md", "agents"),
        (A, r#"{"name":"a","version":2,"tags":["command"]}"#, "agents/a.md", "agents"),
        (
            r#"{"name":"a","emitAs":"deep/er/a.ts"}"#,
            r#"{"name":"a","version":2}"#,
            "agents/deep/er/a.ts",
            "agents",
        ),
        (r#"{"name":"a","emitDir":"old/place"}"#, r#"{"name":"a","version":2}"#, "old/place/a.md", ""),
        (r#"{"name":"a","emitDir":"."}"#, r#"{"name":"a","version":2}"#, "a.md", ""),
        (
            r#"{"name":"a","tags":["command"]}"#,
            r#"{"name":"a","version":2}"#,
            ".claude/commands/a.md",
            ".claude/commands",
        ),
    ] {
        let place = Place::with_store(&format!("{first}\n{b}")).write(".canopy/config.yaml", TARGETS);
        place.ok(&["emit", "--all"]);
        let place = place.prompts(&store(&format!("{first}\n{b}\n{then}")));
        let ran = place.ok(&["emit", "--all"]);
        assert!(ran.stderr.contains(&format!("`{orphan}`")) && ran.stderr.contains("--prune"), "{ran:?}");
        let check = place.check();
        assert_eq!(check["orphans"], json!([orphan]), "{then}");
        assert_eq!(
            (&check["success"], &check["upToDate"], &check["stale"]),
            (&json!(false), &json!(false), &json!([]))
        );
        for args in [
            &["emit", "b", "--json"][..],
            &["emit", "*", "--json"],
            &["emit", "--all", "--out-dir", "agents"],
        ] {
            assert!(!place.cn(args).stdout.contains("orphan"), "a part of the prompts sweeps nothing");
        }
        let dry = place.ok(&["emit", "--all", "--prune", "--dry-run"]);
        assert!(dry.stdout.contains(&format!("would remove  {orphan}\n")), "{dry:?}");
        assert!(place.exists(orphan));
        let files = place.ok(&["emit", "--all", "--prune", "--json"]).json()["files"].clone();
        let removed: Vec<&Value> =
            files.as_array().unwrap().iter().filter(|f| f["status"] == "removed").collect();
        assert_eq!(removed.len(), 1, "{files}");
        assert_eq!(removed[0]["path"], json!(orphan));
        let mut folder = std::path::Path::new(orphan);
        assert!(!place.exists(orphan));
        while let Some(above) = folder.parent() {
            let stays = std::path::Path::new(leaves).starts_with(above) || above.as_os_str().is_empty();
            assert_eq!(place.path(above.to_str().unwrap()).is_dir(), stays, "{above:?} after {then}");
            folder = above;
        }
        place.ok(&["emit", "--check"]);
    }
}

#[test]
fn pruning_leaves_what_is_not_ours() {
    let old = r#"{"name":"a","emitDir":"old/place","sections":{"r":"one"}}"#;
    let place = history(&[old, r#"{"name":"a","version":2,"sections":{"r":"one"}}"#], 1)
        .write("old/place/mine.md", "mine")
        .write("agents/notes.md", "mine");
    place.ok(&["emit", "--all", "--prune"]);
    assert!(!place.exists("old/place/a.md"));
    assert_eq!(
        (place.read("old/place/mine.md"), place.read("agents/notes.md")),
        ("mine".into(), "mine".into())
    );

    // A draft's file is its own: it is emitted when it is named.
    let place = Place::with_store(r#"{"name":"d","status":"draft"}"#);
    place.ok(&["emit", "d"]);
    place.ok(&["emit", "--all", "--prune"]);
    assert!(place.exists("agents/d.md"));

    // A name that another prompt took over.
    let place = history(
        &[
            A,
            r#"{"id":"t-a","name":"z","version":2,"sections":{"r":"one"}}"#,
            r#"{"id":"t-n","name":"a","sections":{"r":"one"}}"#,
        ],
        1,
    );
    place.ok(&["emit", "--prune"]);
    assert_eq!(place.read("agents/a.md"), text("a", "one"));
    assert!(place.exists("agents/z.md"));
}

#[cfg(unix)]
#[test]
fn a_link_is_no_orphan_and_a_linked_folder_stays() {
    use std::os::unix::fs::symlink;
    let old = r#"{"name":"a","emitDir":"old","sections":{"r":"one"}}"#;
    let new = r#"{"name":"a","version":2,"emitDir":"real","sections":{"r":"one"}}"#;
    let place = Place::with_store(old).write("real/.keep", "");
    symlink("real", place.path("old")).unwrap();
    place.ok(&["emit", "--all"]);
    let place = place.prompts(&store(&format!("{old}\n{new}")));
    place.ok(&["emit", "--all", "--prune"]);
    assert_eq!(place.read("real/a.md"), text("a", "one"), "the old path is the new one's file");

    let place = Place::with_store(old).write("else/a.md", text("a", "one")).write("old/.keep", "");
    symlink("../else/a.md", place.path("old/a.md")).unwrap();
    let place = place.prompts(&store(&format!("{old}\n{new}")));
    place.ok(&["emit", "--all", "--prune"]);
    assert!(place.exists("else/a.md") && place.path("old/a.md").is_symlink());
}

#[test]
fn options_that_do_not_go_together_are_refused() {
    let place = Place::with_store(A);
    for args in [
        &["emit", "a", "--prune"][..],
        &["emit", "--prune", "--check"],
        &["emit", "--prune", "--out-dir", "x"],
        &["emit", "--check", "--force"],
    ] {
        assert_eq!(place.cn(args).status, 2, "{args:?}");
    }
}

#[test]
fn nobody_is_asked_where_nobody_sits() {
    let place = Place::with_store(A).write("agents/a.md", BY_HAND);
    let ran = run(&place.root(), &["emit", "--all"], "y\ny\na\n", &[]);
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(!ran.stderr.contains("[y/"), "{ran:?}");
    assert_eq!(place.read("agents/a.md"), BY_HAND);
}

/// Files in every state that there is.
pub(crate) fn every_state() -> Place {
    let before = r#"{"name":"base","status":"draft","sections":{"rules":"Ask first.\nNever push."}}
{"name":"builder","extends":"base","sections":{"role":"You build."}}
{"name":"fine","sections":{"role":"You are fine."}}
{"name":"gone","sections":{"role":"You go."}}
{"name":"scout","sections":{"role":"You look around.\nYou change nothing."}}"#;
    let after = r#"{"name":"base","version":2,"status":"draft","sections":{"rules":"Ask first.\nNever push to main."},"updatedAt":"2026-02-01T00:00:00.000Z"}
{"name":"gone","version":2,"status":"archived","sections":{"role":"You go."}}
{"name":"new","sections":{"role":"You are new."}}"#;
    let place = Place::with_store(before);
    place.ok(&["emit", "--all"]);
    place
        .prompts(&store(&format!("{before}\n{after}")))
        .write("agents/scout.md", "---\nname: scout\n---\n\nYou look around.\nYou change little.\n")
}

#[test]
fn what_people_see_of_files_that_differ() {
    let place = every_state();
    let commands: [&[&str]; 8] = [
        &["emit", "--check"],
        &["emit", "--diff"],
        &["emit", "--check", "--diff"],
        &["emit", "--dry-run", "--all", "--force", "--prune"],
        &["emit", "--diff", "--json"],
        &["emit", "--check", "--json"],
        &["emit", "--all"],
        &["emit", "--all", "--prune"],
    ];
    let text: String = commands.iter().map(|args| place.transcript(args) + "\n").collect();
    snapshot(
        "seen-owning",
        "A file that is edited, one that is stale, one that is missing, one of no prompt.",
        &text,
    );
    assert_eq!(place.ok(&["emit", "scout", "--force", "--json"]).json()["files"][0]["status"], "updated");
    place.ok(&["emit", "--check"]);
}

#[test]
fn a_record_written_by_hand_may_hold_anything() {
    // Places that no file can have are nobody's files.
    let odd = [
        r#"{"name":"a","emitDir":"../x","status":"archived"}"#,
        r#"{"name":"b/../../c","status":"archived"}"#,
        r#"{"name":"c","emitAs":"","status":"archived"}"#,
        r#"{"name":"d","emitAs":"e/","status":"archived"}"#,
        r#"{"name":"prompts","emitDir":".canopy","emitAs":"prompts.jsonl","status":"archived"}"#,
    ];
    let lines: String = odd.iter().map(|line| record(line) + "\n").collect();
    let place = Place::with_store(A).prompts(&lines);
    place.ok(&["emit", "--all", "--prune"]);
    assert_eq!(place.read(".canopy/prompts.jsonl"), lines);
}

/// One change of a store: which prompt, what, and to which of a few values.
pub(crate) type Step = (usize, u8, usize);

/// The lines of a store that was changed so, beginning with three prompts.
pub(crate) fn lines(steps: &[Step]) -> Vec<String> {
    let mut prompts: Vec<serde_json::Map<String, Value>> = ["a", "b", "c"]
        .map(|name| json!({"id": format!("t-{name}"), "name": name, "version": 1, "status": "active", "sections": [{"name": "r", "body": name}]}))
        .map(|record| record.as_object().unwrap().clone())
        .into();
    let mut lines: Vec<String> =
        prompts.iter().map(|record| Value::from(record.clone()).to_string()).collect();
    for (prompt, what, value) in steps {
        let version = prompts[*prompt]["version"].as_u64().unwrap() + 1;
        let record = &mut prompts[*prompt];
        record.insert("version".into(), version.into());
        let other = ["a", "b", "c", "d"][value % 4];
        match what {
            0 => record.insert("sections".into(), json!([{"name": "r", "body": format!("{version}")}])),
            1 => record
                .insert("sections".into(), json!([{"name": "r", "body": ""}, {"name": "s", "body": other}])),
            2 => record.insert("extends".into(), other.into()),
            3 => record.insert("mixins".into(), json!([other])),
            4 => record.remove("extends").or_else(|| record.remove("mixins")),
            5 => record.insert("name".into(), format!("{other}{}", value % 2).into()),
            6 => record.insert("emitAs".into(), ["x.md", "deep/y.ts", "a.md"][value % 3].into()),
            7 => record.insert("emitDir".into(), ["other", "agents/below", "agents"][value % 3].into()),
            8 => record.insert("tags".into(), vec![["command", "none"][value % 2]].into()),
            9 => record.insert("pinned".into(), (1 + *value as u64 % version).into()),
            10 => record.insert("status".into(), ["active", "archived"][value % 2].into()),
            _ => record.remove("emitDir").or_else(|| record.remove("pinned")),
        };
        lines.push(Value::from(record.clone()).to_string());
    }
    lines
}

/// Every file below `folder` but those of the store, by path.
pub(crate) fn files_of(place: &Place) -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    let mut folders = vec![place.root()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true if path.ends_with(".canopy") => {}
                true => folders.push(path),
                false => {
                    let inside = path.strip_prefix(place.root()).unwrap().to_str().unwrap().to_owned();
                    files.insert(inside, std::fs::read_to_string(path).unwrap());
                }
            }
        }
    }
    files
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn whatever_happened_to_a_store_its_files_are_ours_and_edits_are_not(
        steps in proptest::collection::vec((0..3_usize, 0..12_u8, 0..12_usize), 1..14),
        emitted_after in 0..14_usize,
        edited in proptest::option::of(0..3_usize),
    ) {
        let lines = lines(&steps);
        let early = lines.len().min(3 + emitted_after);
        let place = Place::new().prompts(&(lines[..early].join("\n") + "\n")).write(".canopy/config.yaml", TARGETS);
        let build = |prune| project::build(&place.root(), &Request { prune, ..Request::default() });
        let Ok(built) = build(false) else { return Ok(()) };
        prop_assert!(write::apply(&built.plan).failed.is_empty());
        let mut by_hand = None;
        if let Some((path, text)) = edited.and_then(|index| files_of(&place).into_iter().nth(index)) {
            std::fs::write(place.path(&path), format!("{text}my own line\n")).unwrap();
            by_hand = Some((path, format!("{text}my own line\n")));
        }
        std::fs::write(place.path(".canopy/prompts.jsonl"), lines.join("\n") + "\n").unwrap();
        let Ok(built) = build(true) else { return Ok(()) };
        // Those that are there have no text in a plan, unless all are to be written.
        let all = project::build(&place.root(), &Request { force: true, ..Request::default() }).unwrap().plan;
        let mut wanted: BTreeMap<String, String> =
            all.outputs().map(|step| (step.output.path.to_string(), step.output.contents.clone())).collect();
        for step in built.plan.steps.iter().filter(|step| step.change == Change::Edited) {
            prop_assert_eq!(Some(&*step.output.path), by_hand.as_ref().map(|(path, _)| path.as_str()));
        }
        prop_assert!(write::apply(&built.plan).failed.is_empty());
        wanted.extend(by_hand);
        prop_assert_eq!(files_of(&place), wanted);
    }
}

#[test]
fn what_somebody_saves_while_files_are_written_stays() {
    let place = history(&[A, A2, r#"{"name":"b"}"#], 1);
    let built = project::build(&place.root(), &Request::default()).unwrap();
    let changes: Vec<Change> = built.plan.steps.iter().map(|step| step.change).collect();
    assert_eq!(changes, [Change::Update, Change::Create]);
    let place = place.write("agents/a.md", BY_HAND).write("agents/b.md", BY_HAND);
    let applied = write::apply(&built.plan);
    assert_eq!(applied.failed.len(), 2);
    assert!(applied.failed.iter().all(|e| e.to_string().ends_with("it was changed in the meantime")));
    assert_eq!((place.read("agents/a.md").as_str(), place.read("agents/b.md").as_str()), (BY_HAND, BY_HAND));
    // Another run that did the same is no reason to complain.
    let place = history(&[A, A2], 1);
    let built = project::build(&place.root(), &Request::default()).unwrap();
    place.ok(&["emit", "--all"]);
    assert!(write::apply(&built.plan).failed.is_empty());
}

#[test]
fn nothing_is_swept_while_the_store_cannot_be_read_whole() {
    let place = history(&[A, r#"{"name":"b"}"#], 2);
    let text = place.read(".canopy/prompts.jsonl");
    for broken in [&text[..text.len() - 9], "", "\0\0\0\0"] {
        let place_now = || std::fs::write(place.path(".canopy/prompts.jsonl"), broken).unwrap();
        match broken {
            "" => std::fs::remove_file(place.path(".canopy/prompts.jsonl")).unwrap(),
            _ => place_now(),
        }
        assert_eq!(place.check()["orphans"], json!([]), "{broken:?}");
        let ran = place.cn(&["emit", "--all", "--prune"]);
        assert_eq!(ran.status, 1, "{ran:?}");
        assert!(ran.stderr.contains("nothing is deleted"), "{ran:?}");
        assert!(place.exists("agents/a.md") && place.exists("agents/b.md"));
    }
}

#[test]
fn a_line_that_broke_takes_no_text_from_the_file_that_it_made() {
    let place = history(&[A, A2], 2);
    let written = place.read("agents/a.md");
    let text = place.read(".canopy/prompts.jsonl");
    let place = place.prompts(&text[..text.len() - 9]);
    for _ in 0..2 {
        assert_eq!(place.cn(&["emit", "--all"]).status, 1);
        assert_eq!(place.read("agents/a.md"), written);
    }
}

#[cfg(unix)]
#[test]
fn what_a_link_leads_to_is_not_pruned() {
    let place = history(&[A, r#"{"name":"b"}"#], 2);
    std::fs::create_dir(place.path("keep")).unwrap();
    std::fs::rename(place.path("agents/a.md"), place.path("keep/a.md")).unwrap();
    std::os::unix::fs::symlink("../keep/a.md", place.path("agents/a.md")).unwrap();
    place.ok(&["archive", "a"]);
    place.ok(&["emit", "--all", "--prune"]);
    assert!(place.exists("keep/a.md") && place.exists("agents/a.md"));
}

#[cfg(target_os = "linux")]
#[test]
fn a_name_in_another_case_is_another_file() {
    let place = history(&[A], 1);
    place.ok(&["update", "a", "--name", "A"]);
    place.ok(&["emit", "--all"]);
    assert_eq!(place.check()["orphans"], json!(["agents/a.md"]));
    place.ok(&["emit", "--all", "--prune"]);
    assert!(place.exists("agents/A.md") && !place.exists("agents/a.md"));
}

#[cfg(unix)]
#[test]
fn lists_and_depfiles_go_over_no_store_and_no_output() {
    let place = history(&[A], 1);
    let store = place.read(".canopy/prompts.jsonl");
    std::os::unix::fs::symlink(".canopy", place.path("link")).unwrap();
    for args in [
        ["--out-list", "link/prompts.jsonl"],
        ["--depfile", ".canopy/prompts.jsonl"],
        ["--out-list", "agents/a.md"],
        ["--depfile", "agents"],
    ] {
        let ran = place.cn(&[&["emit", "--all"][..], &args].concat());
        assert_eq!(ran.status, 1, "{args:?}: {ran:?}");
    }
    assert_eq!(place.cn(&["emit", "--all", "--out-list", "x", "--depfile", "x"]).status, 1);
    assert_eq!(place.read(".canopy/prompts.jsonl"), store);
    place.ok(&["emit", "--check"]);
}

#[cfg(unix)]
#[test]
fn a_store_that_is_no_file_is_no_empty_store() {
    let place = history(&[A], 1);
    std::fs::remove_file(place.path(".canopy/prompts.jsonl")).unwrap();
    std::os::unix::fs::symlink("/dev/null", place.path(".canopy/prompts.jsonl")).unwrap();
    let ran = place.cn(&["emit", "--all"]);
    assert!(ran.status == 1 && ran.stderr.contains("no file"), "{ran:?}");
}
