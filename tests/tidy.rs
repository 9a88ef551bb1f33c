//! The walls: who may name whom, how a file opens, and how long it gets.

use std::path::{Path, PathBuf};

/// The rooms and what each may name of the crate, beside itself. Whoever draws a new line draws it here and in
/// ARCHITECTURE.md.
const ROOMS: &[(&str, &[&str])] = &[
    ("cores", &[]),
    ("bytes", &[]),
    ("value", &[]),
    ("problem", &[]),
    ("path", &[]),
    ("files", &[]),
    ("yaml", &["value"]),
    ("prompt", &["problem", "value"]),
    ("schema", &["problem", "value"]),
    ("source", &["bytes", "cores", "files", "problem", "prompt", "schema", "value"]),
    ("catalog", &["problem", "prompt"]),
    ("config", &["problem", "prompt", "value", "yaml"]),
    ("resolve", &["catalog", "problem", "prompt", "value"]),
    ("render", &["problem", "resolve", "value"]),
    ("document", &["problem", "prompt", "render", "value", "yaml"]),
    ("onboard", &["problem"]),
    ("plan", &["files", "path", "problem", "render"]),
    ("ownership", &["catalog", "files", "plan", "prompt", "render", "resolve"]),
    ("cache", &["bytes", "files", "ownership", "problem"]),
    ("write", &["cores", "files", "plan", "problem"]),
    (
        "store",
        &[
            "catalog", "config", "cores", "files", "problem", "prompt", "resolve", "schema", "source",
            "value", "write",
        ],
    ),
    ("import", &["problem", "value", "yaml"]),
    ("validate", &["problem", "prompt", "resolve", "schema", "value"]),
    (
        "project",
        &[
            "bytes",
            "cache",
            "catalog",
            "config",
            "cores",
            "files",
            "ownership",
            "path",
            "plan",
            "problem",
            "prompt",
            "render",
            "resolve",
            "schema",
            "source",
            "value",
            "write",
        ],
    ),
    (
        "doctor",
        &[
            "catalog", "config", "files", "plan", "problem", "project", "prompt", "resolve", "schema",
            "source", "store", "validate", "yaml",
        ],
    ),
    // The crate's own front page names everything.
    ("lib", &["*"]),
    // The command knows the library by its public name, and its own rooms by theirs.
    ("bin", &["*"]),
];

/// A file that is longer has two stories.
const LONGEST_FILE: usize = 400;

#[test]
fn rooms_name_only_what_their_walls_let_through() {
    for (path, text) in sources("src") {
        let room = room_of(&path);
        let allowed = ROOMS.iter().find(|(name, _)| *name == room).map(|(_, allowed)| *allowed);
        let allowed =
            allowed.unwrap_or_else(|| panic!("{}: `{room}` is no room of the table", path.display()));
        for named in named_rooms(&text, path.parent() == Some(&root().join("src"))) {
            let fine = allowed.contains(&"*") || named == room || allowed.contains(&named.as_str());
            assert!(fine, "{}: `{room}` may not name `{named}`", path.display());
        }
    }
}

#[test]
fn in_the_command_only_the_report_prints_and_only_its_watcher_would_watch() {
    for (path, text) in sources("src/bin/cn") {
        let path = path.to_string_lossy().replace('\\', "/");
        let printing = ["println!", "print!(", "eprintln!", "io::stdout", "io::stderr", "anstream::"];
        if !path.contains("/report") {
            let found = printing.iter().find(|word| text.contains(**word));
            assert!(found.is_none(), "{path} prints with {found:?}");
        }
        assert!(path.ends_with("/watcher.rs") || !text.contains("notify::"), "{path} names notify");
    }
}

#[test]
fn every_file_opens_with_one_sentence_that_says_what_it_is() {
    for folder in ["src", "build-support", "tests", "examples"] {
        for (path, text) in sources(folder) {
            let mut lines = text.lines();
            let first = lines.next().unwrap_or_default();
            let told = first.starts_with("//! ") && first.ends_with('.');
            assert!(told, "{}: opens with {first:?}", path.display());
        }
    }
}

#[test]
fn no_file_has_two_stories() {
    for folder in ["src", "build-support"] {
        for (path, text) in sources(folder) {
            let lines = text.lines().count();
            assert!(lines <= LONGEST_FILE, "{} has {lines} lines", path.display());
        }
    }
}

#[test]
fn nothing_is_left_unfinished_and_no_exception_goes_without_its_reason() {
    let words = [
        "to".to_owned() + "do!(",
        "unimplemen".to_owned() + "ted!(",
        "#[ig".to_owned() + "nore",
        "#[al".to_owned() + "low(",
    ];
    for folder in ["src", "build-support", "tests"] {
        for (path, text) in sources(folder) {
            // What a macro writes into somebody's crate may be needed there or not, which no `expect` can say.
            let ours = text.split("#[macro_export]").next().unwrap_or_default();
            let found = words.iter().find(|word| ours.contains(word.as_str()));
            assert!(found.is_none(), "{} holds {found:?}", path.display());
        }
    }
}

#[test]
fn the_table_of_rooms_is_the_one_in_the_architecture() {
    let text = std::fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    for (room, allowed) in ROOMS.iter().filter(|(_, allowed)| !allowed.contains(&"*")) {
        let names = if allowed.is_empty() { "nothing".to_owned() } else { allowed.join(", ") };
        let line = format!("| `{room}` | {names} |");
        assert!(text.contains(&line), "ARCHITECTURE.md lacks {line:?}");
    }
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The room that a file below `src` belongs to.
fn room_of(path: &Path) -> String {
    let inside = path.strip_prefix(root().join("src")).unwrap();
    let first = inside.components().next().unwrap().as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// The first names behind `crate::`, and behind a `super::` that leads out of a room's own folder, outside of
/// comments.
fn named_rooms(text: &str, is_top_level: bool) -> Vec<String> {
    let text = text.split("#[cfg(test)]\nmod tests").next().unwrap_or_default();
    let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).fold(
        String::new(),
        |mut code, line| {
            code.push_str(line);
            code.push('\n');
            code
        },
    );
    let single = regex::Regex::new(r"\b(?:crate|super::super)::([a-zA-Z_]+)").unwrap();
    let group = regex::Regex::new(r"\bcrate::\{").unwrap();
    assert!(!group.is_match(&code), "name rooms one by one: `use crate::room::…`");
    let above = regex::Regex::new(r"(?m)^(?:pub )?use super::([a-zA-Z_]+)").unwrap();
    let above = above.captures_iter(&code).filter(|_| is_top_level);
    single.captures_iter(&code).chain(above).map(|found| found[1].to_owned()).collect()
}

fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("target") {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found
}
