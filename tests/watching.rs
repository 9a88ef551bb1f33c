//! `cn emit --watch`: what it notices, what it tells, and how it ends.
//!
//! No test waits for a guessed time: each waits for what must come, or shows that nothing came by what comes after.

use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::support::{Place, store};

/// A test that waits longer has failed.
const CAP: Duration = Duration::from_secs(60);

const SCHEMA: &str = include_str!("../src/bin/cn/watch/events.schema.json");

/// A watch that goes on, and what it tells.
struct Watching {
    child: Child,
    lines: Receiver<String>,
}

impl Drop for Watching {
    fn drop(&mut self) {
        // One that has ended cannot be ended again.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_cn"));
    command.current_dir(folder).args(["emit", "--watch"]).args(args);
    command.env_remove("CANOPY_ROOT").env("NO_COLOR", "1").env("TZ", "UTC");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

impl Watching {
    fn spawn(mut command: Command) -> Watching {
        let mut child = command.spawn().unwrap();
        let (tell, lines) = mpsc::channel();
        let stdout = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || stdout.lines().map_while(Result::ok).try_for_each(|line| tell.send(line)));
        Watching { child, lines }
    }

    /// A watch that is ready, and what it told until then.
    fn ready(place: &Place, args: &[&str]) -> (Watching, Vec<Value>) {
        let mut watching = Watching::spawn(command(&place.root(), &[&["--json"], args].concat()));
        let events = watching.until(|event| event["event"] == "ready");
        (watching, events)
    }

    fn line(&mut self) -> String {
        self.lines.recv_timeout(CAP).unwrap_or_else(|e| {
            let mut said = String::new();
            let _ = self.child.kill();
            let _ = self.child.stderr.take().unwrap().read_to_string(&mut said);
            panic!("nothing is told: {e}; {said}")
        })
    }

    /// The next event, which is one that the schema knows.
    fn event(&mut self) -> Value {
        let line = self.line();
        let event: Value = serde_json::from_str(&line).unwrap_or_else(|e| panic!("{e}: {line}"));
        let schema: Value = serde_json::from_str(SCHEMA).unwrap();
        let schema = jsonschema::validator_for(&schema).unwrap();
        assert!(schema.is_valid(&event), "{line}");
        event
    }

    /// The events until one is what is waited for, with it.
    fn until(&mut self, is_it: impl Fn(&Value) -> bool) -> Vec<Value> {
        let mut events = vec![self.event()];
        while !is_it(&events[events.len() - 1]) {
            events.push(self.event());
        }
        events
    }

    /// The events until the file holds the text.
    fn until_written(&mut self, place: &Place, path: &str, text: &str) -> Vec<Value> {
        self.until(|event| event["event"] == "emit" && holds(place, path, text))
    }

    #[cfg(unix)]
    fn signal(&self, name: &str) {
        let sent = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status().unwrap();
        assert!(sent.success());
    }

    /// Its exit status, once it has ended.
    fn status(&mut self) -> Option<i32> {
        let mut ended = None;
        wait_for("the end", || {
            ended = self.child.try_wait().unwrap();
            ended.is_some()
        });
        ended.unwrap().code()
    }
}

fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < CAP, "{what} does not come");
        std::thread::sleep(Duration::from_millis(1));
    }
}

fn holds(place: &Place, path: &str, text: &str) -> bool {
    std::fs::read_to_string(place.path(path)).is_ok_and(|found| found.contains(text))
}

/// A store of one prompt, to which each text is added as a version of its own.
struct Sayings {
    text: String,
    version: usize,
}

impl Sayings {
    fn new() -> Sayings {
        Sayings { text: String::new(), version: 0 }
    }

    /// The store, once it says `text`.
    fn saying(&mut self, text: &str) -> String {
        self.version += 1;
        let version = self.version;
        let record = format!(r#"{{"name":"a","version":{version},"sections":{{"r":"{text}"}}}}"#);
        self.text.push_str(&store(&record));
        self.text.clone()
    }
}

fn project() -> (Place, Sayings) {
    let mut sayings = Sayings::new();
    (Place::with_store("").prompts(&sayings.saying("one")), sayings)
}

const PROMPTS: &str = ".canopy/prompts.jsonl";

/// A file takes the place of another.
fn replace(place: &Place, path: &str, text: &str) {
    let beside = place.path(&format!("{path}.new"));
    std::fs::write(&beside, text).unwrap();
    std::fs::rename(beside, place.path(path)).unwrap();
}

#[test]
fn the_first_build_runs_at_once_and_each_change_is_told_once() {
    let (place, mut sayings) = project();
    let (mut watching, events) = Watching::ready(&place, &["--all"]);
    assert_eq!(events.len(), 2, "{events:?}");
    assert_eq!(events[0]["files"][0]["status"], "created");
    assert_eq!(events[1]["watching"], "reports");
    for text in ["two", "three"] {
        replace(&place, PROMPTS, &sayings.saying(text));
        let event = watching.event();
        assert_eq!(event["files"][0]["path"], "agents/a.md");
        assert_eq!(event["files"][0]["status"], "updated");
        assert!(holds(&place, "agents/a.md", text));
    }
}

#[test]
fn names_select_and_options_say_where_to() {
    let place = Place::with_store("{\"name\":\"a\"}\n{\"name\":\"b\"}");
    let (_watching, _) = Watching::ready(&place, &["a", "--out", "x/y.md", "--force"]);
    assert!(place.exists("x/y.md") && !place.exists("agents"));
    let (_watching, _) = Watching::ready(&place, &["b", "--out-dir", "z"]);
    assert!(place.exists("z/b.md") && !place.exists("z/a.md"));
}

/// Saves a text in a file as some editor does it.
type Save = fn(&Path, &str);

/// How editors save, and what a shell does.
const SAVES: [(&str, Save); 6] = [
    ("a rename into place", |path, text| {
        std::fs::write(path.with_extension("x"), text).unwrap();
        std::fs::rename(path.with_extension("x"), path).unwrap();
    }),
    ("vim's: the old one is the backup", |path, text| {
        std::fs::rename(path, path.with_extension("jsonl~")).unwrap();
        std::fs::write(path, text).unwrap();
        std::fs::remove_file(path.with_extension("jsonl~")).unwrap();
    }),
    ("a safe write: both are renamed", |path, text| {
        std::fs::write(path.with_extension("___jb_tmp___"), text).unwrap();
        std::fs::rename(path, path.with_extension("___jb_old___")).unwrap();
        std::fs::rename(path.with_extension("___jb_tmp___"), path).unwrap();
        std::fs::remove_file(path.with_extension("___jb_old___")).unwrap();
    }),
    ("in place", |path, text| std::fs::write(path, text).unwrap()),
    ("in place, in two steps", |path, text| {
        use std::io::Write as _;
        let (begin, end) = text.split_at(text.len() / 2);
        let mut file = std::fs::File::create(path).unwrap();
        file.write_all(begin.as_bytes()).unwrap();
        file.sync_all().unwrap();
        file.write_all(end.as_bytes()).unwrap();
    }),
    ("removed and made again", |path, text| {
        std::fs::remove_file(path).unwrap();
        std::fs::write(path, text).unwrap();
    }),
];

#[test]
fn however_a_file_is_saved_it_is_noticed_and_no_half_of_it_is_an_error() {
    for args in [&["--all"][..], &["--all", "--poll=10"]] {
        let (place, mut sayings) = project();
        let (mut watching, _) = Watching::ready(&place, args);
        for (number, (how, save)) in SAVES.iter().enumerate() {
            let text = format!("saved {number} end");
            save(&place.path(PROMPTS), &sayings.saying(&text));
            let events = watching.until_written(&place, "agents/a.md", &text);
            assert!(events.iter().all(|event| event["event"] == "emit"), "{how}: {events:?}");
        }
        assert_eq!(place.ok(&["emit", "--check"]).status, 0);
    }
}

#[test]
fn a_burst_is_built_a_few_times_and_to_its_end() {
    let (place, mut sayings) = project();
    let (mut watching, _) = Watching::ready(&place, &["--all"]);
    for number in 0..50 {
        replace(&place, PROMPTS, &sayings.saying(&format!("burst {number} end")));
    }
    let events = watching.until_written(&place, "agents/a.md", "burst 49 end");
    assert!(events.len() <= 25, "{}", events.len());
}

#[test]
fn what_is_no_input_is_not_noticed() {
    let (place, mut sayings) = project();
    let (mut watching, _) = Watching::ready(&place, &["--all", "--out-dir", "."]);
    let mut place = place;
    for path in [".git/index", ".canopy/cache/x", ".canopy/prompts.jsonl.lock", ".canopy/.cn-1.tmp", "b"] {
        place = place.write(path, "x");
    }
    // Its own output as well, and what only reads.
    let output = place.read("a.md");
    replace(&place, "a.md", &output);
    let _ = place.read(PROMPTS);
    place.ok(&["list"]);
    replace(&place, PROMPTS, &sayings.saying("next"));
    let event = watching.event();
    // Had anything else been noticed, a build would have been told that wrote nothing.
    assert_eq!(event["files"][0]["path"], "a.md");
    assert!(holds(&place, "a.md", "next"));
    replace(&place, PROMPTS, &sayings.saying("last"));
    assert_eq!(watching.event()["files"][0]["status"], "updated");
}

#[test]
fn what_our_own_writers_write_is_told_once() {
    let place = Place::with_store("{\"name\":\"a\",\"sections\":{\"r\":\"first\"}}");
    let (mut watching, _) = Watching::ready(&place, &["--all"]);
    for text in ["second", "third", "fourth"] {
        place.ok(&["update", "a", "--section", &format!("r={text}")]);
        let events = watching.until_written(&place, "agents/a.md", text);
        let files: Vec<_> = events.iter().map(|event| event["files"].as_array().map(Vec::len)).collect();
        assert_eq!(files, [Some(1)], "{events:?}");
    }
}

#[test]
fn a_touch_changes_nothing() {
    let (place, _) = project();
    let (mut watching, _) = Watching::ready(&place, &["--all"]);
    let written = place.path("agents/a.md").metadata().unwrap().modified().unwrap();
    let file = std::fs::OpenOptions::new().append(true).open(place.path(PROMPTS)).unwrap();
    file.set_modified(std::time::SystemTime::now()).unwrap();
    drop(file);
    let event = watching.event();
    assert_eq!((&event["files"], &event["unchanged"]), (&serde_json::json!([]), &serde_json::json!(1)));
    assert_eq!(place.path("agents/a.md").metadata().unwrap().modified().unwrap(), written);
}

#[test]
fn a_broken_state_is_told_with_its_place_and_the_good_files_stay() {
    let (place, mut sayings) = project();
    let (mut watching, _) = Watching::ready(&place, &["--all"]);
    replace(&place, PROMPTS, &format!("<<<<<<< HEAD\n{}", sayings.saying("two")));
    let event = watching.event();
    assert_eq!(event["event"], "error");
    assert_eq!((&event["problems"][0]["path"], &event["problems"][0]["line"]), (&PROMPTS.into(), &1.into()));
    assert!(holds(&place, "agents/a.md", "one"));
    replace(&place, PROMPTS, &sayings.saying("three"));
    watching.until_written(&place, "agents/a.md", "three");
    replace(&place, ".canopy/config.yaml", "targets: [\n");
    assert_eq!(watching.event()["problems"][0]["path"], ".canopy/config.yaml");
    replace(&place, ".canopy/config.yaml", "project: t\ntargets:\n  x:\n    dir: other\n    default: true\n");
    watching.until_written(&place, "other/a.md", "three");
}

#[test]
fn it_starts_in_a_broken_state_and_goes_on_when_that_is_mended() {
    let (place, mut sayings) = project();
    let place = place.prompts("<<<<<<< HEAD\n");
    let (mut watching, events) = Watching::ready(&place, &["--all"]);
    assert_eq!(events[0]["event"], "error");
    replace(&place, PROMPTS, &sayings.saying("whole"));
    watching.until_written(&place, "agents/a.md", "whole");
}

#[test]
fn a_store_that_is_gone_is_no_empty_one() {
    for args in [&["--all"][..], &["--all", "--poll=10"]] {
        let (place, mut sayings) = project();
        let (mut watching, _) = Watching::ready(&place, args);
        std::fs::remove_file(place.path(PROMPTS)).unwrap();
        assert!(watching.event()["problems"][0]["message"].as_str().unwrap().contains("is gone"));
        let place = place.prompts(&sayings.saying("back"));
        watching.until_written(&place, "agents/a.md", "back");
        std::fs::remove_dir_all(place.path(".canopy")).unwrap();
        watching.until(|event| event["event"] == "error");
        assert!(holds(&place, "agents/a.md", "back"));
        let place = place.prompts(&sayings.saying("again"));
        watching.until_written(&place, "agents/a.md", "again");
    }
}

#[test]
fn a_folder_may_be_renamed_and_another_one_take_its_place() {
    for folder in [".canopy", "."] {
        let mut sayings = Sayings::new();
        let above = Place::new().write("p/.canopy/prompts.jsonl", sayings.saying("one"));
        let command = command(&above.path("p"), &["--json", "--all"]);
        let mut watching = Watching::spawn(command);
        watching.until(|event| event["event"] == "ready");
        let moved = above.path("p").join(folder).canonicalize().unwrap();
        std::fs::rename(&moved, above.path("away")).unwrap();
        watching.until(|event| event["event"] == "error");
        let above = above.write("p/.canopy/prompts.jsonl", sayings.saying("another"));
        watching.until_written(&above, "p/agents/a.md", "another");
        replace(&above, "p/.canopy/prompts.jsonl", &sayings.saying("and on"));
        watching.until_written(&above, "p/agents/a.md", "and on");
        std::fs::remove_dir_all(&moved).unwrap();
        std::fs::rename(above.path("away"), &moved).unwrap();
        replace(&above, "p/.canopy/prompts.jsonl", &sayings.saying("back"));
        watching.until_written(&above, "p/agents/a.md", "back");
    }
}

#[test]
fn many_files_change_at_once() {
    let (place, _) = project();
    let (mut watching, _) = Watching::ready(&place, &["--all"]);
    let mut records = String::new();
    let mut branch = |version: usize, word: &str| {
        for name in 0..100 {
            let record = format!(r#"{{"name":"p{name}","version":{version},"sections":{{"r":"{word}"}}}}"#);
            records.push_str(&store(&record));
        }
        for number in 0..1000 {
            let path = place.path(&format!("src/{}/{number}.txt", number % 10));
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            let _ = std::fs::remove_file(&path);
            std::fs::write(path, word).unwrap();
        }
        std::fs::remove_file(place.path(PROMPTS)).unwrap();
        std::fs::write(place.path(PROMPTS), &records).unwrap();
    };
    for (version, word) in [(1, "main"), (2, "branch"), (3, "other")] {
        branch(version, word);
        watching.until_written(&place, "agents/p99.md", word);
    }
    place.ok(&["emit", "--check", "p1", "p99"]);
}

#[cfg(unix)]
#[test]
fn a_store_that_is_replaced_by_a_link_is_followed_to_where_it_is() {
    let (place, mut sayings) = project();
    let place = place.write("elsewhere/store.jsonl", sayings.saying("linked"));
    let (mut watching, _) = Watching::ready(&place, &["--all"]);
    let link = |place: &Place, to: &str| {
        std::os::unix::fs::symlink(place.path(to), place.path(".canopy/link")).unwrap();
        std::fs::rename(place.path(".canopy/link"), place.path(PROMPTS)).unwrap();
    };
    link(&place, "elsewhere/store.jsonl");
    watching.until_written(&place, "agents/a.md", "linked");
    replace(&place, "elsewhere/store.jsonl", &sayings.saying("behind the link"));
    watching.until_written(&place, "agents/a.md", "behind the link");
    let place = place.write("third/s.jsonl", sayings.saying("third"));
    link(&place, "third/s.jsonl");
    watching.until_written(&place, "agents/a.md", "third");
    replace(&place, "third/s.jsonl", &sayings.saying("fourth"));
    watching.until_written(&place, "agents/a.md", "fourth");
}

#[test]
fn writers_of_the_store_and_other_watches_and_builds_do_not_disturb_each_other() {
    let (place, _) = project();
    let (mut one, _) = Watching::ready(&place, &["--all"]);
    let (mut two, _) = Watching::ready(&place, &["--all"]);
    for number in 0..10 {
        place.ok(&["update", "a", "--section", &format!("r=update {number} end")]);
        place.ok(&["emit", "--all"]);
    }
    // Whoever comes second finds all up to date.
    wait_for("the last text", || holds(&place, "agents/a.md", "update 9 end"));
    for watching in [&mut one, &mut two] {
        assert_eq!(watching.event()["event"], "emit");
    }
    assert_eq!(place.ok(&["emit", "--check"]).status, 0);
}

#[test]
fn a_file_that_somebody_edited_is_left_alone_and_told_beside_those_that_are_written() {
    let place = Place::with_store("{\"name\":\"a\"}\n{\"name\":\"b\"}");
    let (mut watching, _) = Watching::ready(&place, &["--all"]);
    let place = place.write("agents/a.md", "mine\n");
    let version = |number: usize| {
        let records = ["a", "b"].map(|name| {
            format!(r#"{{"name":"{name}","version":{number},"sections":{{"r":"text {number}"}}}}"#)
        });
        place.read(PROMPTS) + &store(&records.join("\n"))
    };
    for number in [2, 3] {
        replace(&place, PROMPTS, &version(number));
        let event = watching.event();
        let statuses: Vec<_> =
            event["files"].as_array().unwrap().iter().map(|file| &file["status"]).collect();
        assert_eq!(statuses, ["edited", "updated"], "{event}");
        assert!(event["problems"][0]["message"].as_str().unwrap().contains("agents/a.md"), "{event}");
        assert!(holds(&place, "agents/b.md", &format!("text {number}")));
    }
    assert_eq!(place.read("agents/a.md"), "mine\n");
}

#[test]
fn what_no_prompt_is_emitted_to_any_more_is_removed_if_that_is_asked_for() {
    let place = Place::with_store("{\"name\":\"a\"}\n{\"name\":\"b\"}");
    let (mut watching, _) = Watching::ready(&place, &["--all", "--prune"]);
    place.ok(&["archive", "b"]);
    let event = watching.event();
    assert_eq!(event["removed"], serde_json::json!(["agents/b.md"]), "{event}");
    assert!(place.exists("agents/a.md") && !place.exists("agents/b.md"));
}

#[cfg(unix)]
#[test]
fn signals_end_it_and_nothing_is_left_behind() {
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let (place, _) = project();
        let (mut watching, _) = Watching::ready(&place, &["--all"]);
        watching.signal(signal);
        let event = watching.event();
        assert_eq!(event["event"], "stopped");
        assert_eq!(event["signal"], format!("SIG{signal}"));
        assert_eq!(watching.status(), Some(status));
        let left: Vec<_> =
            std::fs::read_dir(place.path(".canopy")).unwrap().map(|e| e.unwrap().file_name()).collect();
        assert!(
            left.iter().all(|name| matches!(name.to_str(), Some("prompts.jsonl" | "config.yaml" | "cache"))),
            "{left:?}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_signal_lets_the_file_that_is_being_written_become_whole() {
    let prompts: Vec<_> =
        (0..3000).map(|i| format!(r#"{{"name":"p{i}","sections":{{"r":"the whole text"}}}}"#)).collect();
    let place = Place::with_store(&prompts.join("\n"));
    let mut watching = Watching::spawn(command(&place.root(), &["--json", "--all"]));
    wait_for("the first file", || place.exists("agents/p0.md"));
    watching.signal("INT");
    assert_eq!(watching.status(), Some(130));
    let mut files = 0;
    for entry in std::fs::read_dir(place.path("agents")).unwrap() {
        let path = entry.unwrap().path();
        assert!(path.extension().is_some_and(|ext| ext == "md"), "{path:?}");
        assert!(std::fs::read_to_string(&path).unwrap().ends_with("the whole text\n"), "{path:?}");
        files += 1;
    }
    assert!((1..=3000).contains(&files), "{files}");
}

#[cfg(target_os = "linux")]
#[test]
fn who_looks_reads_nothing_as_long_as_nothing_changes() {
    let (place, mut sayings) = project();
    let (mut watching, events) = Watching::ready(&place, &["--all", "--poll=10"]);
    assert_eq!(events[1]["pollMs"], 10);
    let number = |file: &str, key: &str| -> u64 {
        let path = format!("/proc/{}/{file}", watching.child.id());
        let text = std::fs::read_to_string(path).unwrap();
        text.lines().find_map(|line| line.strip_prefix(key)).unwrap().trim().parse().unwrap()
    };
    // Each look is a sleep that ends.
    let looks = || number("status", "voluntary_ctxt_switches:");
    let (first, read) = (looks(), number("io", "rchar:"));
    wait_for("looks", || looks() > first + 20);
    assert_eq!(number("io", "rchar:"), read);
    replace(&place, PROMPTS, &sayings.saying("seen"));
    watching.until_written(&place, "agents/a.md", "seen");
}

#[cfg(unix)]
#[test]
fn it_ends_quietly_when_nobody_reads_on() {
    let (place, mut sayings) = project();
    let mut child = command(&place.root(), &["--json", "--all"]).spawn().unwrap();
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains("ready") {
        line.clear();
        assert!(stdout.read_line(&mut line).unwrap() > 0);
    }
    drop(stdout);
    replace(&place, PROMPTS, &sayings.saying("unheard"));
    let mut watching = Watching { child, lines: mpsc::channel().1 };
    assert_eq!(watching.status(), Some(0));
}

#[cfg(unix)]
#[test]
fn it_needs_no_terminal_and_no_standard_input() {
    let (place, mut sayings) = project();
    let mut shell = Command::new("sh");
    let script =
        format!("'{}' emit --all --watch --json <&- 2>/dev/null & wait $!", env!("CARGO_BIN_EXE_cn"));
    shell.current_dir(place.root()).args(["-c", &script]).env_remove("CANOPY_ROOT");
    shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut watching = Watching::spawn(shell);
    watching.until(|event| event["event"] == "ready");
    replace(&place, PROMPTS, &sayings.saying("in the background"));
    watching.until_written(&place, "agents/a.md", "in the background");
    // The shell goes, its reader goes, and with the next word the watch goes.
    drop(watching);
    replace(&place, PROMPTS, &sayings.saying("the end"));
    wait_for("the last build", || holds(&place, "agents/a.md", "the end"));
}

#[cfg(target_os = "linux")]
#[test]
fn where_the_system_cannot_report_it_says_so_and_looks() {
    let (place, mut sayings) = project();
    let mut shell = Command::new("sh");
    let script = format!("ulimit -n 7; exec '{}' emit --all --watch --json", env!("CARGO_BIN_EXE_cn"));
    shell.current_dir(place.root()).args(["-c", &script]).env_remove("CANOPY_ROOT");
    shell.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut watching = Watching::spawn(shell);
    let events = watching.until(|event| event["event"] == "ready");
    assert_eq!(events[events.len() - 1]["watching"], "polling", "{events:?}");
    replace(&place, PROMPTS, &sayings.saying("looked at"));
    watching.until_written(&place, "agents/a.md", "looked at");
    watching.signal("TERM");
    assert_eq!(watching.status(), Some(143));
    let mut said = String::new();
    watching.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
    assert!(said.contains("the system does not report changes"), "{said}");
}

#[test]
fn people_are_told_one_line_a_build_with_the_time() {
    let place = Place::with_store("{\"name\":\"a\"}\n{\"name\":\"b\"}");
    let mut watching = Watching::spawn(command(&place.root(), &["--all", "--clear"]));
    let line = regex::Regex::new(r"^\d\d:\d\d:\d\d  (.*)$").unwrap();
    let ms = regex::Regex::new(r"\d+ ms").unwrap();
    let told = |watching: &mut Watching| {
        let text = watching.line();
        let found = line.captures(&text).unwrap_or_else(|| panic!("{text}"));
        ms.replace(&found[1], "N ms").into_owned()
    };
    assert_eq!(told(&mut watching), "2 written, 0 up to date (N ms): agents/a.md, agents/b.md");
    assert_eq!(told(&mut watching), "watching; Ctrl-C ends it");
    let before = place.read(PROMPTS);
    let reworded = before + &store(r#"{"name":"a","version":2,"sections":{"r":"x"}}"#);
    replace(&place, PROMPTS, &reworded);
    assert_eq!(told(&mut watching), "1 written, 1 up to date (N ms): agents/a.md");
    replace(&place, PROMPTS, &(reworded + &store(r#"{"name":"a","version":3,"extends":"c"}"#)));
    assert_eq!(told(&mut watching), "1 problem; the files stay as they are (N ms)");
}

#[test]
fn only_what_goes_together_is_taken() {
    let (place, _) = project();
    for (args, status) in [
        (&["--check"][..], 2),
        (&["--all", "--dry-run"], 2),
        (&[], 2),
        (&["--all", "--poll=9"], 2),
        (&["a", "b", "--out", "x"], 2),
    ] {
        assert_eq!(place.cn(&[&["emit", "--watch"], args].concat()).status, status, "{args:?}");
    }
    for args in [["emit", "--all", "--poll"], ["emit", "--all", "--clear"]] {
        assert_eq!(place.cn(&args).status, 2, "{args:?}");
    }
    let ran = Place::new().cn(&["emit", "--watch", "--all", "--json"]);
    assert_eq!((ran.status, &ran.json()["event"]), (1, &"error".into()));
}
