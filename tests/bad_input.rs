//! Bad input of every kind: a clear error with its place and a hint, nothing lost, never a panic.

use crate::support::{Place, record, run, snapshot, store};

/// One place, some commands, one snapshot.
fn transcripts(name: &str, about: &str, place: &Place, commands: &[&[&str]]) {
    let text: String = commands.iter().map(|args| place.transcript(args) + "\n").collect();
    assert!(!text.contains("panicked"), "{text}");
    snapshot(&format!("bad-input-{name}"), about, &text);
}

#[test]
fn no_store() {
    let place = Place::new();
    let about = "Without a store every command says how to make one.";
    transcripts(
        "no-store",
        about,
        &place,
        &[&["list"], &["emit", "--all", "--json"], &["list", "--root", "nowhere"]],
    );
}

#[test]
fn a_store_that_cannot_be_read_is_not_an_empty_one() {
    let place = Place::new().write(".canopy/prompts.jsonl/not-a-file", "");
    let ran = place.cn(&["list"]);
    assert_eq!(ran.status, 1);
    assert!(ran.stderr.contains("cannot read `.canopy/prompts.jsonl`"), "{ran:?}");
    assert!(ran.stdout.is_empty());
}

#[test]
fn lines_that_are_no_records() {
    let lines = [
        record(r#"{"name":"good"}"#),
        r#"{"id":"broken","na"#.to_owned(),
        "null".to_owned(),
        "42".to_owned(),
        r#"["a"]"#.to_owned(),
        r#"{"id":"t-1","name":"x","version":1,"status":"active"}"#.to_owned(),
        record(r#"{"name":"x","sections":["no object"]}"#),
        record(r#"{"name":"x","sections":[{"name":"r"}]}"#),
        record(r#"{"name":"x","sections":[{"name":"r","body":7}]}"#),
        record(r#"{"name":"x","version":"1"}"#),
        record(r#"{"name":"x","version":-1}"#),
        record(r#"{"name":"x","tags":"agent"}"#),
        record(r#"{"name":"x","extends":{}}"#),
        record(r#"{"name":"x","status":"live"}"#),
        record(r#"{"name":""}"#),
        record(r#"{"name":"x","frontmatter":[1]}"#),
        record(r#"{"name":"good"}"#) + " trailing",
        record(r#"{"name":"also-good"}"#),
    ];
    let text = lines.join("\n");
    let place = Place::with_store("").prompts(&text);
    let about = "Each line that is no record is a warning with its place; the others go on working.";
    transcripts("no-records", about, &place, &[&["list"], &["emit", "--all"]]);
    assert_eq!(place.read(".canopy/prompts.jsonl"), text);
    assert_eq!(place.cn(&["list", "--json"]).json()["count"], 2);
}

#[test]
fn bytes_that_are_no_text_are_a_warning() {
    let good = record(r#"{"name":"good"}"#);
    let place = Place::new().write(".canopy/prompts.jsonl", [b"\xff\xfe\n", good.as_bytes()].concat());
    let ran = place.ok(&["list"]);
    assert!(ran.stderr.contains("prompts.jsonl:1"), "{ran:?}");
    assert!(ran.stdout.contains("good"));
}

#[test]
fn conflict_markers() {
    let (left, right) =
        (record(r#"{"name":"a","sections":{"r":"1"}}"#), record(r#"{"name":"a","sections":{"r":"2"}}"#));
    let text = format!("{left}\r\n<<<<<<< HEAD\n{left}\n||||||| base\n=======\n{right}\n>>>>>>> other\n");
    let place = Place::with_store("").prompts(&text);
    let about = "The markers of an unfinished merge stop every command that reads prompts.";
    transcripts("conflict-markers", about, &place, &[&["emit", "--all"], &["show", "a", "--json"]]);
    assert!(!place.exists("agents"));
}

#[test]
fn every_way_to_end_lines_and_files_is_read() {
    let (a, b) = (record(r#"{"name":"a"}"#), record(r#"{"name":"b"}"#));
    for text in [
        format!("\u{feff}{a}\r\n\r\n{b}\r\n"),
        format!("{a}\n\n   \n\t{b}  "),
        format!("\n{a}\n{b}"),
        format!("{}\n{b}\n", a.replace("\":", "\" : ").replace(",\"", " , \"")),
    ] {
        let place = Place::with_store("").prompts(&text);
        let ran = place.ok(&["list", "--json"]);
        assert_eq!(ran.json()["count"], 2, "{text:?}");
        assert_eq!(ran.stderr, "");
    }
}

#[test]
fn references_that_lead_nowhere() {
    let place = Place::with_store(
        r#"{"name":"base-agent"}
        {"name":"builder","extends":"base-agnet"}
        {"name":"mixing","mixins":["ghost"]}
        {"name":"held","schema":"gohst"}
        {"name":"pinned","pinned":9}
        {"name":"a","extends":"b"}
        {"name":"b","extends":"a"}"#,
    );
    let about = "A missing parent, mixin, schema or pinned version, and a circle: all are said at once.";
    let commands: &[&[&str]] = &[
        &["emit", "--all"],
        &["emit", "--all", "--json"],
        &["render", "builder"],
        &["validate", "held"],
        &["show", "builder@7"],
        &["show", "bulider"],
        &["pin", "builder"],
    ];
    transcripts("nowhere", about, &place, &commands[..6]);
    assert!(!place.exists("agents"));
}

#[test]
fn configurations_that_cannot_be_used() {
    let place = Place::with_store(r#"{"name":"a"}"#);
    let mut text = String::new();
    let mut place = place;
    for config in [
        "project: [\n",
        "project: t\ntargets:\n  agents:\n    tags: [x]\n",
        "targets:\n  a:\n    dir: x\n    default: true\n  b:\n    dir: y\n    default: true\n",
        "targets: nothing\n",
        "targets:\n  a:\n    dir: [x]\n",
        "\tproject: t\n",
    ] {
        place = place.write(".canopy/config.yaml", config);
        text.push_str(&format!("{config}{}\n", place.transcript(&["emit", "--all"])));
        assert!(!place.exists("agents"));
    }
    snapshot("bad-input-configuration", "A configuration that cannot be used is said with its line.", &text);
}

#[test]
fn a_misspelt_member_of_the_configuration_is_no_silent_default() {
    let place = Place::with_store(r#"{"name":"a"}"#)
        .write(".canopy/config.yaml", "project: t\ntarget:\n  a:\n    dir: x\n");
    let ran = place.ok(&["emit", "--all"]);
    assert!(ran.stderr.contains("`target` means nothing in the configuration"), "{ran:?}");
    assert!(ran.stderr.contains(".canopy/config.yaml:2\nhint: did you mean `targets`?"), "{ran:?}");
    assert!(place.cn(&["doctor"]).stdout.contains("warn  config"));
}

#[test]
fn an_output_path_that_is_a_folder() {
    let place = Place::with_store(r#"{"name":"a"}"#).write("agents/a.md/inside", "kept");
    let about = "A folder in the way is left alone.";
    transcripts("folder-in-the-way", about, &place, &[&["emit", "--all"], &["emit", "--all", "--force"]]);
    assert_eq!(place.read("agents/a.md/inside"), "kept");
}

#[test]
fn an_output_folder_that_cannot_be_written() {
    // A file where the folder should be: it stops root as well, whom no mode stops.
    let place = Place::with_store(r#"{"name":"a"}"#).write("agents", "a file\n");
    let ran = place.cn(&["emit", "--all"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(ran.stderr.contains("agents/a.md"), "{ran:?}");
    assert_eq!(place.read("agents"), "a file\n");
    #[cfg(target_os = "linux")]
    {
        let place = Place::with_store(r#"{"name":"a"}"#);
        let ran = place.cn(&["emit", "a", "--out", "/proc/cn/a.md", "--json"]);
        assert_eq!(ran.status, 1, "{ran:?}");
        assert_eq!(ran.json()["success"], false);
        assert!(ran.json()["error"].as_str().unwrap().contains("cannot write `/proc/cn/a.md`"), "{ran:?}");
    }
}

#[test]
fn what_is_very_large_is_only_large() {
    let body = "x".repeat(10 << 20);
    let sections: Vec<String> = (0..20_000).map(|n| format!(r#"{{"name":"s{n}","body":"{n}"}}"#)).collect();
    let lines = [
        record(&format!(r#"{{"name":"long","sections":{{"r":"{body}"}}}}"#)),
        record(&format!(r#"{{"name":"many","sections":[{}]}}"#, sections.join(","))),
        record(&format!(r#"{{"name":"over","extends":"many","sections":[{}]}}"#, sections.join(","))),
        format!("{{\"deep\":{}1{}}}", "[".repeat(100_000), "]".repeat(100_000)),
    ];
    let place = Place::with_store("").prompts(&lines.join("\n"));
    let ran = place.ok(&["emit", "--all"]);
    assert!(ran.stderr.contains("prompts.jsonl:4"), "{ran:?}");
    assert_eq!(place.read("agents/long.md").len(), body.len() + "---\nname: long\n---\n\n\n".len());
    assert_eq!(place.read("agents/over.md").matches("## s").count(), 20_000);
}

#[test]
fn a_deep_family_is_shown_without_end() {
    let child = |n: usize| format!(r#"{{"name":"p{n}","extends":"p{}"}}"#, n - 1);
    let lines: Vec<String> =
        std::iter::once(r#"{"name":"p0"}"#.to_owned()).chain((1..3000).map(child)).collect();
    let place = Place::with_store(&lines.join("\n"));
    place.ok(&["tree", "p0", "--json"]);
    place.ok(&["tree", "p2999"]);
}

#[cfg(unix)]
#[test]
fn a_reader_that_stops_reading_is_no_failure() {
    use std::process::{Command, Stdio};

    let lines: Vec<String> = (0..5000).map(|n| record(&format!(r#"{{"name":"prompt-{n}"}}"#))).collect();
    let place = Place::with_store("").prompts(&lines.join("\n"));
    for args in [["list", "--color=never"], ["list", "--json"], ["help", "emit"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cn"));
        command.current_dir(place.root()).args(args).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(0), "{args:?}");
        assert!(!String::from_utf8_lossy(&output.stderr).contains("error"), "{output:?}");
    }
}

#[cfg(unix)]
#[test]
fn an_answer_comes_also_where_nobody_hears_the_warnings() {
    let place = Place::with_store("").prompts(&(record(r#"{"name":"a"}"#) + "\nbroken\n"));
    let script = format!("{} list --json 2>/dev/full", env!("CARGO_BIN_EXE_cn"));
    let output =
        std::process::Command::new("sh").arg("-c").arg(script).current_dir(place.root()).output().unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(json["count"], 1);
}

#[cfg(target_os = "linux")]
#[test]
fn an_answer_that_cannot_be_written_is_a_failure() {
    let place = Place::with_store(r#"{"name":"a"}"#);
    let script = format!("{} list >/dev/full", env!("CARGO_BIN_EXE_cn"));
    let output =
        std::process::Command::new("sh").arg("-c").arg(script).current_dir(place.root()).output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot write the answer"), "{output:?}");
}

#[test]
fn an_empty_root_in_the_environment_is_none() {
    let place = Place::with_store(r#"{"name":"a"}"#).write("deep/er/.keep", "");
    let ran = run(&place.path("deep/er"), &["list", "--json"], "", &[("CANOPY_ROOT", "")]);
    assert_eq!(ran.json()["count"], 1);
    let elsewhere = Place::new();
    let root = place.root();
    let ran = run(&elsewhere.root(), &["list", "--json"], "", &[("CANOPY_ROOT", root.to_str().unwrap())]);
    assert_eq!(ran.json()["count"], 1);
}

#[test]
fn records_with_members_we_do_not_know_are_shown_whole() {
    let place = Place::with_store("").prompts(&store(
        r#"{"name":"a","future":{"x":[1,2]},"sections":[{"name":"r","body":"b","note":"keep"}]}"#,
    ));
    let prompt = &place.ok(&["show", "a", "--json"]).json()["prompt"];
    assert_eq!(prompt["future"], serde_json::json!({"x": [1, 2]}));
    assert_eq!(prompt["sections"][0]["note"], "keep");
}
