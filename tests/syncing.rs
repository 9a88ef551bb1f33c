//! `cn sync` with a real git: what is committed, what never is, and what a union merge leaves.

use std::path::Path;
use std::process::{Command, Output};

use crate::support::{Place, Ran, run};

/// What keeps git from asking the machine who it is.
const ENV: [(&str, &str); 7] = [
    ("GIT_CONFIG_GLOBAL", "/dev/null"),
    ("GIT_CONFIG_SYSTEM", "/dev/null"),
    ("GIT_AUTHOR_NAME", "A"),
    ("GIT_AUTHOR_EMAIL", "a@example.org"),
    ("GIT_COMMITTER_NAME", "A"),
    ("GIT_COMMITTER_EMAIL", "a@example.org"),
    ("GIT_CEILING_DIRECTORIES", "/tmp"),
];

fn try_git(folder: &Path, args: &[&str]) -> Output {
    Command::new("git").current_dir(folder).args(args).envs(ENV).output().unwrap()
}

fn git(folder: &Path, args: &[&str]) -> String {
    let output = try_git(folder, args);
    assert!(output.status.success(), "git {args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

fn cn(folder: &Path, args: &[&str]) -> Ran {
    run(folder, args, "", &ENV)
}

fn ok(folder: &Path, args: &[&str]) -> Ran {
    let ran = cn(folder, args);
    assert_eq!(ran.status, 0, "cn {args:?}: {ran:?}");
    ran
}

/// A repository with an empty store, nothing committed.
fn repository() -> Place {
    let place = Place::new();
    git(&place.root(), &["init", "-q", "-b", "main"]);
    ok(&place.root(), &["init", "--project", "t"]);
    place
}

fn files(ran: &Ran) -> Vec<String> {
    let json = ran.json();
    json["files"].as_array().unwrap().iter().map(|file| file.as_str().unwrap().to_owned()).collect()
}

/// The files that a commit touched.
fn committed(folder: &Path) -> Vec<String> {
    let text = git(folder, &["show", "--name-status", "--no-renames", "--format=", "-z", "HEAD"]);
    let words: Vec<&str> = text.split('\0').filter(|word| !word.is_empty()).collect();
    words.chunks(2).map(|pair| format!("{} {}", pair[0], pair[1])).collect()
}

fn subject(folder: &Path) -> String {
    git(folder, &["log", "-1", "--format=%s"]).trim().to_owned()
}

#[test]
fn only_what_lies_in_the_store_is_committed_also_as_the_first_commit() {
    let place = repository().write("staged.txt", "s").write("untracked.txt", "u");
    let root = place.root();
    git(&root, &["add", "staged.txt"]);
    ok(&root, &["create", "--name", "builder", "--section", "r=x"]);
    let ran = ok(&root, &["sync", "--status", "--json"]);
    assert_eq!(ran.json()["uncommitted"], true);
    let ran = ok(&root, &["sync", "--json"]);
    assert_eq!(ran.json()["committed"], true);
    assert_eq!(
        files(&ran),
        [".canopy/.gitignore", ".canopy/config.yaml", ".canopy/prompts.jsonl", ".canopy/schemas.jsonl"]
    );
    assert_eq!(ran.json()["message"], subject(&root));
    assert_eq!(subject(&root), "canopy: add builder; change schemas, configuration");
    assert_eq!(committed(&root).len(), 4);
    let left = git(&root, &["status", "--porcelain"]);
    assert_eq!(left, "A  staged.txt\n?? .gitattributes\n?? untracked.txt\n");
}

#[test]
fn nothing_to_do_is_no_failure() {
    let place = repository();
    let root = place.root();
    ok(&root, &["sync"]);
    let ran = ok(&root, &["sync", "--json"]);
    assert_eq!(ran.json()["committed"], false);
    assert!(files(&ran).is_empty());
    let ran = ok(&root, &["sync", "--status", "--json"]);
    assert_eq!(ran.json()["uncommitted"], false);
    assert_eq!(git(&root, &["rev-list", "--count", "HEAD"]).trim(), "1");
}

#[test]
fn the_message_names_what_changed() {
    let place = repository();
    let root = place.root();
    for name in ["a", "b", "c"] {
        ok(&root, &["create", "--name", name, "--section", "r=x"]);
    }
    ok(&root, &["sync"]);
    ok(&root, &["update", "b", "--section", "r=y"]);
    ok(&root, &["archive", "c"]);
    ok(&root, &["create", "--name", "d", "--section", "r=x"]);
    let ran = ok(&root, &["sync"]);
    assert_eq!(subject(&root), "canopy: add d; update b; archive c");
    assert!(ran.stdout.contains("canopy: add d; update b; archive c"), "{ran:?}");
    for number in 0..20 {
        ok(&root, &["create", "--name", &format!("many-{number}"), "--section", "r=x"]);
    }
    ok(&root, &["sync"]);
    assert_eq!(subject(&root), "canopy: add 20 prompts");
}

#[test]
fn names_of_every_kind_and_files_that_went_away() {
    let place = repository()
        .write(".canopy/a b.txt", "1")
        .write(".canopy/old.txt", "a text that is long enough to be seen as moved\n")
        .write(".canopy/staged away.txt", "1");
    let root = place.root();
    ok(&root, &["sync"]);
    std::fs::remove_file(place.path(".canopy/a b.txt")).unwrap();
    git(&root, &["mv", ".canopy/old.txt", ".canopy/new.txt"]);
    git(&root, &["rm", "-q", ".canopy/staged away.txt"]);
    let place = place
        .write(".canopy/sub/naïve \"quoted\" *.txt", "1")
        .write(".canopy/:(top)x", "1")
        .write(".canopy/never.txt", "1")
        .write("other *.txt", "1");
    git(&root, &["add", ".canopy/never.txt", "other *.txt"]);
    std::fs::remove_file(place.path(".canopy/never.txt")).unwrap();
    let ran = ok(&root, &["sync", "--json"]);
    let mut names = files(&ran);
    names.sort();
    let wanted = [
        ".canopy/:(top)x",
        ".canopy/a b.txt",
        ".canopy/new.txt",
        ".canopy/old.txt",
        ".canopy/staged away.txt",
        ".canopy/sub/naïve \"quoted\" *.txt",
    ];
    assert_eq!(names, wanted);
    assert_eq!(committed(&root).len(), wanted.len());
    assert!(committed(&root).contains(&"D .canopy/old.txt".to_owned()));
    assert!(git(&root, &["status", "--porcelain", "--", "other *.txt"]).starts_with("A  "));
    assert!(files(&ok(&root, &["sync", "--json"])).is_empty());
}

#[test]
fn locks_and_half_written_files_are_never_committed() {
    let place = repository()
        .write(".canopy/.gitignore", "")
        .write(".canopy/prompts.jsonl.lock", "x")
        .write(".canopy/.cn-1-0.tmp", "x");
    let root = place.root();
    git(&root, &["add", ".canopy"]);
    let ran = ok(&root, &["sync", "--json"]);
    assert!(!files(&ran).iter().any(|file| file.ends_with(".lock") || file.ends_with(".tmp")), "{ran:?}");
    let tree = git(&root, &["ls-tree", "-r", "--name-only", "HEAD"]);
    assert!(!tree.contains(".lock") && !tree.contains(".tmp"), "{tree}");
    assert!(files(&ok(&root, &["sync", "--json"])).is_empty());
}

#[test]
fn a_project_may_be_a_folder_of_the_repository() {
    let place = Place::new();
    let top = place.root();
    git(&top, &["init", "-q", "-b", "main"]);
    let place = place.write("sub dir/é/keep", "").write(".canopy-not/x", "1");
    let root = place.path("sub dir/é");
    ok(&root, &["init", "--project", "t"]);
    ok(&root, &["create", "--name", "a", "--section", "r=x"]);
    let ran = ok(&root, &["sync", "--json"]);
    assert!(files(&ran).contains(&".canopy/prompts.jsonl".to_owned()), "{ran:?}");
    assert!(subject(&top).starts_with("canopy: add a"));
    ok(&root, &["update", "a", "--section", "r=y"]);
    let ran = ok(&root, &["sync", "--json"]);
    assert_eq!(files(&ran), [".canopy/prompts.jsonl"]);
    assert_eq!(subject(&top), "canopy: update a");
    assert_eq!(committed(&top), ["M sub dir/é/.canopy/prompts.jsonl"]);
}

#[test]
fn without_a_repository_or_git_it_says_so() {
    let place = Place::new();
    let root = place.root();
    ok(&root, &["init", "--project", "t"]);
    for args in [&["sync"][..], &["sync", "--status"]] {
        let ran = cn(&root, args);
        assert_eq!(ran.status, 1);
        assert!(ran.stderr.contains("no git repository") && ran.stderr.contains("git init"), "{ran:?}");
    }
    let ran = run(&root, &["sync", "--json"], "", &[("PATH", "/nowhere")]);
    assert_eq!(ran.status, 1);
    assert!(ran.json()["error"].as_str().unwrap().contains("`git`"), "{ran:?}");
}

#[cfg(unix)]
#[test]
fn a_hook_that_refuses_is_heard() {
    use std::os::unix::fs::PermissionsExt as _;

    let place =
        repository().write(".git/hooks/pre-commit", "#!/bin/sh\necho 'not on a friday' >&2\nexit 3\n");
    let hook = place.path(".git/hooks/pre-commit");
    std::fs::set_permissions(hook, std::fs::Permissions::from_mode(0o755)).unwrap();
    let ran = cn(&place.root(), &["sync"]);
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.contains("not on a friday"), "{ran:?}");
    assert!(!try_git(&place.root(), &["rev-parse", "--verify", "-q", "HEAD"]).status.success());
    std::fs::remove_file(place.path(".git/hooks/pre-commit")).unwrap();
    assert_eq!(files(&ok(&place.root(), &["sync", "--json"])).len(), 4);
}

#[test]
fn an_ignored_store_is_an_error_and_conflict_markers_are_not_committed() {
    let place = repository().write(".gitignore", ".canopy\n");
    let ran = cn(&place.root(), &["sync"]);
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.contains("ignore"), "{ran:?}");
    let place = repository().write(".canopy/prompts.jsonl", "<<<<<<< HEAD\n=======\n>>>>>>> x\n");
    assert_eq!(cn(&place.root(), &["sync"]).status, 1);
    assert_eq!(cn(&place.root(), &["sync", "--status"]).status, 0);
    assert!(!try_git(&place.root(), &["rev-parse", "--verify", "-q", "HEAD"]).status.success());
}

#[test]
fn a_union_merge_keeps_both_sides_and_doctor_names_the_twins() {
    let place = repository();
    let root = place.root();
    ok(&root, &["create", "--name", "builder", "--section", "r=base"]);
    ok(&root, &["create", "--name", "scout", "--section", "r=base"]);
    git(&root, &["add", ".gitattributes"]);
    git(&root, &["commit", "-q", "-m", "attributes"]);
    ok(&root, &["sync"]);
    git(&root, &["switch", "-q", "-c", "other"]);
    ok(&root, &["update", "builder", "--section", "r=other"]);
    ok(&root, &["update", "scout", "--section", "r=other"]);
    ok(&root, &["sync"]);
    git(&root, &["switch", "-q", "main"]);
    ok(&root, &["update", "builder", "--section", "r=main"]);
    ok(&root, &["sync"]);
    git(&root, &["merge", "-q", "-m", "both", "other"]);

    let text = place.read(".canopy/prompts.jsonl");
    assert_eq!(text.lines().count(), 5, "{text}");
    assert_eq!(ok(&root, &["list", "--json"]).json()["count"], 2);
    let later = text.lines().rfind(|line| line.contains("\"builder\"")).unwrap();
    let later: serde_json::Value = serde_json::from_str(later).unwrap();
    let counts = later["sections"][0]["body"].as_str().unwrap();
    assert_eq!(ok(&root, &["render", "builder"]).stdout, format!("{counts}\n"));
    assert_eq!(ok(&root, &["render", "scout"]).stdout, "other\n");

    let ran = cn(&root, &["doctor", "--json"]);
    assert_eq!(ran.status, 1);
    let json = ran.json();
    let twins = json["checks"].as_array().unwrap().iter().find(|check| check["name"] == "twins").unwrap();
    assert_eq!(twins["status"], "fail");
    let details = twins["details"][0].as_str().unwrap();
    let id = later["id"].as_str().unwrap();
    assert!(details.contains(&format!("`builder` version 2 ({id}): lines 3 and 4")), "{details}");
    assert_eq!(twins["details"].as_array().unwrap().len(), 1);

    // What the detail says to do brings both sides into the history.
    let text = text.replacen(
        &format!("\"version\":2,\"sections\":[{{\"name\":\"r\",\"body\":\"{counts}\"}}"),
        &format!("\"version\":3,\"sections\":[{{\"name\":\"r\",\"body\":\"{counts}\"}}"),
        1,
    );
    let place = place.write(".canopy/prompts.jsonl", text);
    let json = cn(&root, &["doctor", "--json"]).json();
    let twins = json["checks"].as_array().unwrap().iter().find(|check| check["name"] == "twins").unwrap();
    assert_eq!(twins["status"], "pass", "{json}");
    ok(&place.root(), &["sync"]);
}

#[test]
fn a_file_that_git_was_told_to_forget_leaves_nothing_to_commit() {
    let place = repository();
    ok(&place.root(), &["sync"]);
    git(&place.root(), &["rm", "-q", "--cached", ".canopy/config.yaml"]);
    let status = ok(&place.root(), &["sync", "--status", "--json"]).json();
    assert_eq!(status["files"], serde_json::json!([".canopy/config.yaml"]));
    let ran = ok(&place.root(), &["sync", "--json"]);
    assert_eq!(ran.json()["committed"], false);
    assert_eq!(git(&place.root(), &["status", "--porcelain", "--", ".canopy"]), "");
}
