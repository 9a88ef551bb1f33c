//! What happens on disk: write, emit, change, emit, check.

use std::time::SystemTime;

use crate::support::{Place, store};

const TWO: &str = r#"{"name":"a","sections":{"r":"one"}}
{"name":"b","sections":{"r":"two"}}"#;

/// The same, and a later version of `b`.
const THREE: &str = r#"{"name":"a","sections":{"r":"one"}}
{"name":"b","sections":{"r":"two"}}
{"name":"b","version":2,"sections":{"r":"three"}}"#;

impl Place {
    /// Emits everything and hands on.
    fn emitted(self) -> Place {
        self.ok(&["emit", "--all"]);
        self
    }

    fn statuses(&self, args: &[&str]) -> Vec<(String, String)> {
        let json = self.cn(args).json();
        let text = |file: &serde_json::Value, key: &str| file[key].as_str().unwrap().to_owned();
        let files = json["files"].as_array().unwrap();
        files.iter().map(|file| (text(file, "name"), text(file, "status"))).collect()
    }

    fn modified(&self, path: &str) -> SystemTime {
        self.path(path).metadata().unwrap().modified().unwrap()
    }
}

fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

#[test]
fn only_what_differs_is_written() {
    let place = Place::with_store(TWO).emitted();
    let before = (place.modified("agents/a.md"), place.modified("agents/b.md"));
    let place = place.prompts(&store(THREE));
    assert_eq!(place.statuses(&["emit", "--all", "--json"]), pairs(&[("a", "unchanged"), ("b", "updated")]),);
    assert_eq!(place.modified("agents/a.md"), before.0);
    assert_eq!(place.read("agents/b.md"), "---\nname: b\n---\n\nthree\n");
}

#[test]
fn what_only_looks_needs_no_names() {
    let place = Place::with_store(TWO);
    for option in ["--dry-run", "--diff"] {
        place.ok(&["emit", option]);
    }
    assert_eq!(place.cn(&["emit", "--check"]).status, 1);
    assert!(!place.exists("agents"));
}

#[test]
fn force_writes_all() {
    let place = Place::with_store(TWO).emitted();
    let statuses = place.statuses(&["emit", "--all", "--force", "--json"]);
    assert_eq!(statuses, pairs(&[("a", "updated"), ("b", "updated")]));
}

#[test]
fn names_and_globs_select_and_each_file_is_there_once() {
    let place = Place::with_store(
        r#"{"name":"review-a"}
        {"name":"review-b"}
        {"name":"review-draft","status":"draft"}
        {"name":"other"}"#,
    );
    let statuses = place.statuses(&["emit", "review-*", "review-a", "other", "--dry-run", "--json"]);
    assert_eq!(statuses, pairs(&[("review-a", "created"), ("review-b", "created"), ("other", "created")]));
    assert!(!place.exists("agents"));
    place.ok(&["emit", "review-draft"]);
    assert!(place.exists("agents/review-draft.md"));
}

#[test]
fn check_names_what_is_wrong_and_touches_nothing() {
    let place = Place::with_store(TWO).emitted().write("agents/a.md", "edited\n");
    std::fs::remove_file(place.path("agents/b.md")).unwrap();
    let ran = place.cn(&["emit", "--check", "--json"]);
    assert_eq!(ran.status, 1);
    let json = ran.json();
    assert_eq!(json["stale"], serde_json::json!(["a", "b"]));
    assert_eq!(json["missing"], serde_json::json!(["b"]));
    assert_eq!(json["edited"], serde_json::json!(["a"]));
    assert_eq!(json["orphans"], serde_json::json!([]));
    assert_eq!(json["upToDate"], false);
    assert_eq!(place.read("agents/a.md"), "edited\n");
    assert!(!place.exists("agents/b.md"));
    let scoped = place.cn(&["emit", "--check", "a"]);
    assert_eq!(scoped.stdout, "edited   agents/a.md\n");
    let place = Place::with_store(TWO).emitted().prompts(&store(THREE));
    assert_eq!(place.cn(&["emit", "--check"]).stdout, "stale    agents/b.md\n");
}

#[test]
fn a_file_with_the_line_ends_of_windows_is_up_to_date_and_keeps_them() {
    let place = Place::with_store(TWO).emitted().write("agents/b.md", "---\r\nname: b\r\n---\r\n\r\ntwo\r\n");
    place.ok(&["emit", "--check"]);
    let place = place.prompts(&store(THREE));
    place.ok(&["emit", "--all"]);
    assert_eq!(place.read("agents/b.md"), "---\r\nname: b\r\n---\r\n\r\nthree\r\n");
}

#[test]
fn a_typed_path_may_lead_anywhere_and_is_seen_from_where_it_was_typed() {
    let place = Place::with_store(TWO).write("sub/.keep", "");
    let elsewhere = Place::new();
    let out = elsewhere.path("x/y.md");
    place.ok(&["emit", "a", "--out", out.to_str().unwrap()]);
    assert_eq!(elsewhere.read("x/y.md"), "---\nname: a\n---\n\none\n");
    place.ok(&["emit", "--all", "--out-dir", elsewhere.path("all").to_str().unwrap()]);
    assert!(elsewhere.exists("all/b.md"));
    let ran =
        crate::support::run(&place.path("sub"), &["emit", "a", "--out", "../here.md", "--json"], "", &[]);
    assert_eq!(ran.json()["files"][0]["path"], "here.md");
    assert!(place.exists("here.md"));
    place.ok(&["emit", "a", "--out", "module.ts"]);
    assert!(place.read("module.ts").contains("export const A = `one`;"));
}

#[test]
fn the_store_is_no_place_for_outputs() {
    let place = Place::with_store(r#"{"name":"a","emitDir":".canopy","emitAs":"prompts.jsonl"}"#);
    let before = place.read(".canopy/prompts.jsonl");
    assert_eq!(place.cn(&["emit", "--all"]).status, 1);
    assert_eq!(place.cn(&["emit", "a", "--out", ".canopy/prompts.jsonl", "--force"]).status, 1);
    assert_eq!(place.read(".canopy/prompts.jsonl"), before);
}

#[test]
fn stores_of_other_projects_and_gits_folders_are_no_places_either() {
    for (dir, file) in [("sub/.canopy", "prompts.jsonl"), ("sub/.git", "config"), (".git.", "config")] {
        let record = format!(r#"{{"name":"a","emitDir":"{dir}","emitAs":"{file}"}}"#);
        let place = Place::with_store(&record).write(&format!("{dir}/{file}"), "theirs");
        let ran = place.cn(&["emit", "--all", "--force"]);
        assert_eq!(ran.status, 1, "{ran:?}");
        assert_eq!(place.read(&format!("{dir}/{file}")), "theirs");
    }
}

#[test]
fn what_could_not_be_written_is_not_said_to_be() {
    let long = "n".repeat(300);
    let record = format!(r#"{{"name":"a","emitAs":"{long}.md"}}"#);
    let place = Place::with_store(
        &format!("{TWO}\n{record}").replace(r#""name":"a","emitAs""#, r#""name":"c","emitAs""#),
    );
    let ran = place.cn(&["emit", "--all", "--json"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    if let Some(files) = ran.json()["files"].as_array() {
        assert_eq!(files[0]["status"], "created");
        assert_eq!(files[2]["status"], "failed");
    }
    let text = place.cn(&["emit", "--all"]);
    assert!(!text.stdout.contains(&long), "{text:?}");
    assert!(text.stderr.contains("prompts.jsonl:3"), "{text:?}");
}

#[test]
fn one_problem_keeps_everything_from_being_written() {
    let place = Place::with_store(&format!("{TWO}\n{}", r#"{"name":"c","extends":"ghost"}"#));
    let ran = place.cn(&["emit", "--all"]);
    assert_eq!(ran.status, 1);
    assert!(!place.exists("agents"));
    place.ok(&["emit", "a"]);
    assert!(place.exists("agents/a.md"));
}

#[test]
fn paths_that_some_system_takes_for_one_are_refused() {
    let place = Place::with_store(
        r#"{"name":"one","emitAs":"Caf\u00e9.md"}
        {"name":"two","emitAs":"cafe\u0301.md"}
        {"name":"file","emitAs":"x"}
        {"name":"below","emitAs":"x/y.md"}"#,
    );
    let ran = place.cn(&["emit", "--all"]);
    assert_eq!(ran.status, 1);
    for words in ["`one`", "`two`", "`file`", "`below`"] {
        assert!(ran.stderr.contains(words), "{words} is not in {}", ran.stderr);
    }
    assert!(!place.exists("agents"));
}

#[cfg(unix)]
mod unix {
    use std::os::unix::fs::{PermissionsExt as _, symlink};

    use super::{Place, TWO};

    #[test]
    fn the_mode_of_a_file_stays() {
        let place = Place::with_store(TWO).emitted();
        let path = place.path("agents/a.md");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        let place = place.write("agents/a.md", "stale");
        place.ok(&["emit", "--all", "--force"]);
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }

    #[test]
    fn a_link_that_leads_outside_is_refused_on_the_way_and_at_the_end() {
        let outside = Place::new().write("victim.md", "mine\n");
        for (link, target) in [("agents", "."), ("agents/a.md", "victim.md"), ("agents/a.md", "not-there.md")]
        {
            let place = Place::with_store(TWO);
            let link = place.path(link);
            std::fs::create_dir_all(link.parent().unwrap()).unwrap();
            symlink(outside.path(target), &link).unwrap();
            let ran = place.cn(&["emit", "--all"]);
            assert_eq!(ran.status, 1, "{ran:?}");
            assert!(ran.stderr.contains("link"), "{ran:?}");
            assert_eq!(outside.read("victim.md"), "mine\n");
            assert!(!outside.exists("a.md") && !outside.exists("not-there.md"));
            assert!(!place.exists("agents/b.md"));
        }
    }

    #[test]
    fn what_is_no_file_is_neither_read_nor_replaced() {
        let place = Place::with_store(TWO).write("agents/.keep", "");
        let made = std::process::Command::new("mkfifo").arg(place.path("agents/a.md")).status().unwrap();
        assert!(made.success());
        for args in [&["emit", "--all"][..], &["emit", "--check"], &["emit", "--all", "--force"]] {
            let ran = place.cn(args);
            assert_eq!(ran.status, 1, "{ran:?}");
            assert!(ran.stderr.contains("`agents/a.md` is a device or a pipe"), "{ran:?}");
        }
        let ran = place.cn(&["emit", "a", "--out", "/dev/null"]);
        assert_eq!(ran.status, 1, "{ran:?}");
    }

    #[test]
    fn a_link_that_stays_inside_is_written_through() {
        let place = Place::with_store(TWO).write("real/a.md", "old\n").write("agents/.keep", "");
        symlink("../real/a.md", place.path("agents/a.md")).unwrap();
        place.ok(&["emit", "--all", "--force"]);
        assert_eq!(place.read("real/a.md"), "---\nname: a\n---\n\none\n");
        assert!(place.path("agents/a.md").is_symlink());
    }

    #[test]
    fn two_paths_that_meet_through_a_link_are_refused() {
        let place = Place::with_store(
            r#"{"name":"a","emitDir":"one"}
            {"name":"b","emitDir":"two","emitAs":"a.md"}"#,
        )
        .write("one/.keep", "");
        symlink("one", place.path("two")).unwrap();
        let ran = place.cn(&["emit", "--all"]);
        assert_eq!(ran.status, 1, "{ran:?}");
        assert!(!place.exists("one/a.md"));
    }
}
