//! What is remembered between runs saves work and never decides what is right.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

use canopy::plan::Change;
use canopy::project::{self, Request};
use canopy::write;
use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};

use crate::owning::{Step, files_of, lines};
use crate::support::{Place, store};

const STATE: &str = ".canopy/cache/state";
const A: &str = r#"{"name":"a","sections":{"r":"one"}}"#;

fn modified(path: &Path) -> SystemTime {
    path.metadata().unwrap().modified().unwrap()
}

fn set_modified(path: &Path, time: SystemTime) {
    File::options().write(true).open(path).unwrap().set_modified(time).unwrap();
}

impl Place {
    /// Emits until the next run may do nothing: what was too young to be trusted is not for ever.
    fn settled(self) -> Place {
        self.ok(&["emit", "--all"]);
        // Longer ago than any file system's clock ticks.
        for path in [".canopy/prompts.jsonl", "agents/a.md", "agents"] {
            let file = File::open(self.path(path)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(60)).unwrap();
        }
        self.ok(&["emit", "--all"]);
        self
    }

    /// What a check finds, with what is remembered and without, which must be the same. Whether a file of a store that
    /// was not only appended to is ours may be remembered.
    fn checked(&self) -> String {
        let [with, without] =
            [&["emit", "--check", "--json"][..], &["emit", "--check", "--json", "--no-cache"]]
                .map(|args| self.cn(args).json());
        for member in ["stale", "missing", "upToDate"] {
            assert_eq!(with[member], without[member], "{with}\n{without}");
        }
        with.to_string()
    }
}

#[test]
fn a_cache_is_there_for_nobody_else() {
    let place = Place::with_store(A).settled();
    assert_eq!(place.read(".canopy/cache/.gitignore"), "*\n");
    assert!(
        place.read(".canopy/cache/CACHEDIR.TAG").starts_with("Signature: 8a477f597d28d172789f06886806bc55\n")
    );
    let other = Place::with_store(A);
    other.ok(&["emit", "--all", "--no-cache"]);
    other.ok(&["emit", "--check"]);
    other.ok(&["emit", "--all", "--dry-run"]);
    assert!(!other.exists(".canopy/cache"));
}

#[test]
fn two_changes_within_one_moment_of_the_clock_are_told_apart() {
    let place = Place::with_store(A);
    let request = Request { cache: true, ..Request::default() };
    for round in 0..300 {
        let built = project::build(&place.root(), &request).unwrap();
        let applied = write::apply(&built.plan);
        built.memo.keep(&built.plan, &applied, built.project.as_ref());
        let text = place.read("agents/a.md");
        std::fs::write(place.path("agents/a.md"), text.replace("one", "two")).unwrap();
        let built = project::build(&place.root(), &request).unwrap();
        assert_eq!(built.plan.steps[0].change, Change::Edited, "round {round}");
        std::fs::write(place.path("agents/a.md"), text).unwrap();
    }
}

#[test]
fn another_file_of_the_same_size_and_time_is_another_file() {
    let place = Place::with_store(A).settled();
    let path = place.path("agents/a.md");
    let (time, text) = (modified(&path), place.read("agents/a.md"));
    let place = place.write("agents/other", text.replace("one", "two"));
    set_modified(&place.path("agents/other"), time);
    std::fs::rename(place.path("agents/other"), &path).unwrap();
    assert!(place.checked().contains("\"upToDate\":false"));
    // And so is one that was written over in its place.
    std::fs::write(&path, &text).unwrap();
    let place = place.settled();
    let time = modified(&path);
    std::fs::write(&path, text.replace("one", "two")).unwrap();
    set_modified(&path, time);
    assert!(place.checked().contains("\"upToDate\":false"));
}

#[test]
fn an_input_of_the_same_size_and_time_is_read_again() {
    let place = Place::with_store(A).settled();
    let path = place.path(".canopy/prompts.jsonl");
    let (time, text) = (modified(&path), place.read(".canopy/prompts.jsonl"));
    std::fs::write(&path, text.replace("one", "two")).unwrap();
    set_modified(&path, time);
    assert!(place.checked().contains("\"upToDate\":false"));
}

#[test]
fn the_cache_of_another_checkout_is_as_good_as_none() {
    let place = Place::with_store(A).settled();
    let other = Place::with_store(&A.replace("one", "two"));
    std::fs::create_dir(other.path(".canopy/cache")).unwrap();
    std::fs::copy(place.path(STATE), other.path(STATE)).unwrap();
    let other = other.write("agents/a.md", place.read("agents/a.md"));
    assert!(other.checked().contains("\"upToDate\":false"));
    // Nor is what that one wrote ours here.
    assert_eq!(other.cn(&["emit", "--all"]).status, 1);
}

#[test]
fn a_clock_that_went_back_fools_nobody() {
    let place = Place::with_store(A).settled();
    let (path, text) = (place.path("agents/a.md"), place.read("agents/a.md"));
    let hour = Duration::from_secs(3600);
    // The cache was written when the clock was ahead: what comes now looks older.
    set_modified(&place.path(STATE), SystemTime::now() + hour);
    std::fs::write(&path, text.replace("one", "two")).unwrap();
    assert!(place.checked().contains("\"upToDate\":false"));
    // A file of the future is younger than any cache.
    std::fs::write(&path, &text).unwrap();
    set_modified(&path, SystemTime::now() + hour);
    place.ok(&["emit", "--all"]);
    std::fs::write(&path, text.replace("one", "two")).unwrap();
    set_modified(&path, SystemTime::now() + hour);
    assert!(place.checked().contains("\"upToDate\":false"));
}

#[test]
fn a_cache_of_another_version_or_a_broken_one_is_replaced() {
    let place = Place::with_store(A).settled();
    let bytes = std::fs::read(place.path(STATE)).unwrap();
    // What a version is known by comes first.
    let newer = [&[bytes[0] ^ 1], &bytes[1..]].concat();
    for broken in [newer, bytes[..bytes.len() / 2].to_vec(), Vec::new(), b"no cache".to_vec()] {
        let place_now = place.path(STATE);
        std::fs::write(&place_now, &broken).unwrap();
        assert!(place.checked().contains("\"upToDate\":true"));
        assert_eq!(std::fs::read(&place_now).unwrap(), broken, "a check writes nothing");
        place.ok(&["emit", "--all"]);
        assert_ne!(std::fs::read(&place_now).unwrap(), broken);
    }
    std::fs::remove_dir_all(place.path(".canopy/cache")).unwrap();
    let place = place.write(".canopy/cache", "a file");
    place.ok(&["emit", "--all"]);
    assert_eq!(place.read(".canopy/cache"), "a file");
}

#[test]
fn two_emits_at_once_do_not_disturb_each_other() {
    let records: String = (0..60).map(|n| format!("{{\"name\":\"p{n}\"}}\n")).collect();
    let place = Place::with_store(&records);
    for round in 0..5 {
        let records: String =
            (0..60).map(|n| format!("{{\"name\":\"p{n}\",\"sections\":{{\"r\":\"{round}\"}}}}\n")).collect();
        let past = place.read(".canopy/prompts.jsonl");
        let more: String = store(&records).replace("\"version\":1", &format!("\"version\":{}", round + 2));
        std::fs::write(place.path(".canopy/prompts.jsonl"), past + &more).unwrap();
        std::thread::scope(|scope| {
            let emits = [(); 4].map(|()| scope.spawn(|| place.ok(&["emit", "--all"])));
            emits.into_iter().for_each(|emit| drop(emit.join().unwrap()));
        });
        assert!(place.checked().contains("\"upToDate\":true"));
    }
    let left = std::fs::read_dir(place.path("agents")).unwrap().count();
    assert_eq!(left, 60);
}

#[test]
fn another_branch_is_another_project() {
    let place = Place::with_store(A);
    let git = |args: &[&str]| {
        let name = ["-c", "user.name=t", "-c", "user.email=t@t"];
        let mut git = std::process::Command::new("git");
        assert!(git.current_dir(place.root()).args(name).args(args).output().unwrap().status.success());
    };
    git(&["init", "-q", "-b", "one"]);
    place.ok(&["emit", "--all"]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "one"]);
    git(&["checkout", "-qb", "two"]);
    place.ok(&["update", "a", "--section", "r=two"]);
    place.ok(&["emit", "--all"]);
    git(&["commit", "-qam", "two"]);
    for branch in ["one", "two", "one", "two"] {
        git(&["checkout", "-q", branch]);
        assert!(place.checked().contains("\"upToDate\":true"), "{branch}");
        // The store of one branch, the files of the other.
        git(&["checkout", "-q", if branch == "one" { "two" } else { "one" }, "--", "agents"]);
        assert!(place.checked().contains("\"upToDate\":false"), "{branch}");
        git(&["checkout", "-q", branch, "-f"]);
        git(&["reset", "-q", "--hard"]);
    }
}

#[test]
fn what_comes_into_a_folder_of_outputs_is_seen() {
    let place = Place::with_store(&format!("{A}\n{{\"name\":\"b\",\"emitAs\":\"old.md\"}}")).settled();
    let old = place.read("agents/old.md");
    let text = place.read(".canopy/prompts.jsonl");
    let moved =
        text.lines().last().unwrap().replace("\"version\":1", "\"version\":2").replace("old.md", "new.md");
    let place = place.prompts(&format!("{text}{moved}\n"));
    place.ok(&["emit", "--all", "--prune"]);
    let place = place.settled();
    assert!(place.checked().contains("\"upToDate\":true"));
    // Somebody brings back what was an output once.
    let place = place.write("agents/old.md", old);
    assert!(place.checked().contains("agents/old.md"));
}

/// What happens between two runs.
fn disturb(place: &Place, what: u8, value: usize) {
    let files: Vec<(String, String)> = files_of(place).into_iter().collect();
    let Some((path, text)) = files.get(value % files.len().max(1)) else { return };
    let path = place.path(path);
    match what {
        0 => std::fs::write(path, format!("{text}mine\n")).unwrap(),
        1 => std::fs::remove_file(path).unwrap(),
        2 => std::fs::write(path, text).unwrap(),
        3 => std::fs::write(path, text.replace('\n', "\r\n")).unwrap(),
        4 => std::fs::write(path, text.replace('a', "b")).unwrap(),
        _ => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn with_and_without_what_is_remembered_all_comes_out_the_same(
        steps in proptest::collection::vec((0..3_usize, 0..12_u8, 0..12_usize), 1..10),
        runs in proptest::collection::vec((0..4_usize, 0..7_u8, 0..6_usize, 0..3_u8), 1..10),
    ) {
        let lines = lines(&steps as &[Step]);
        let places = [true, false].map(|cache| (Place::new(), cache));
        let mut now = 3;
        for (more, what, value, how) in runs {
            // A store only grows; what was written in another past is remembered, but not known.
            now = (now + more).min(lines.len());
            let mut outcomes = Vec::new();
            for (place, cache) in &places {
                std::fs::create_dir_all(place.path(".canopy")).unwrap();
                std::fs::write(place.path(".canopy/prompts.jsonl"), lines[..now].join("\n") + "\n").unwrap();
                disturb(place, what, value);
                let request = Request { cache: *cache, prune: how == 1, force: how == 2, ..Request::default() };
                let outcome: BTreeMap<String, String> = match project::build(&place.root(), &request) {
                    Ok(built) => {
                        let applied = write::apply(&built.plan);
                        let steps = built.plan.steps.iter();
                        let outcome = steps.map(|s| (s.output.path.to_string(), format!("{:?}", s.change))).collect();
                        built.memo.keep(&built.plan, &applied, built.project.as_ref());
                        outcome
                    }
                    Err(failure) => failure.problems.iter().map(|p| (p.message.clone(), String::new())).collect(),
                };
                outcomes.push((outcome, files_of(place)));
            }
            prop_assert_eq!(&outcomes[0], &outcomes[1]);
        }
    }
}

#[test]
fn what_was_an_output_and_is_somebodys_own_is_looked_at_every_time() {
    let place = Place::with_store(&format!("{A}\n{{\"name\":\"b\"}}")).settled();
    let old = place.read("agents/b.md");
    place.ok(&["archive", "b"]);
    let place = place.write("agents/b.md", "mine\n").settled();
    assert!(place.checked().contains("\"upToDate\":true"));
    // In place: the folder has no mark of it.
    std::fs::write(place.path("agents/b.md"), old).unwrap();
    assert!(place.checked().contains("agents/b.md"));
}

#[cfg(unix)]
#[test]
fn a_pipe_in_the_place_of_the_cache_is_not_waited_for() {
    let place = Place::with_store(A).settled();
    std::fs::remove_file(place.path(STATE)).unwrap();
    assert!(std::process::Command::new("mkfifo").arg(place.path(STATE)).status().unwrap().success());
    place.ok(&["emit", "--check"]);
}
