//! Nothing acknowledged is lost: many writers, dead writers, other tools' writers, a full disk.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime};

use crate::support::{Place, run};

const ONE: &str = r#"{"name":"a","sections":{"r":"one"}}"#;
const LOCK: &str = ".canopy/prompts.jsonl.lock";

#[test]
fn many_writers_lose_nothing() {
    let place = Place::with_store(ONE);
    let root = place.root();
    let (writers, updates) = (6, 5);
    std::thread::scope(|scope| {
        for writer in 0..writers {
            let root = &root;
            scope.spawn(move || {
                for update in 0..updates {
                    let text = format!("w{writer}u{update}");
                    let ran = run(root, &["update", "a", "--description", &text], "", &[]);
                    assert_eq!(ran.status, 0, "{ran:?}");
                }
            });
        }
    });
    assert_eq!(place.versions(), (1..=writers * updates + 1).collect::<Vec<u64>>());
    let text = place.read(".canopy/prompts.jsonl");
    let described: BTreeSet<&str> =
        text.lines().filter_map(|line| line.split("\"description\":\"").nth(1)).collect();
    assert_eq!(described.len() as u64, writers * updates);
    let left: Vec<_> =
        std::fs::read_dir(place.path(".canopy")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn a_lock_of_ours_whose_holder_is_dead_is_taken_over_at_once() {
    for text in ["canopy-lock pid=1 since=2026-01-01T00:00:00.000Z\n", "canopy-lock "] {
        let place = Place::with_store(ONE).write(LOCK, text);
        // As young as it is, another tool's lock would be waited for in vain.
        place.ok(&["update", "a", "--description", "d"]);
        assert!(!place.exists(LOCK));
    }
}

#[test]
fn a_lock_of_another_tool_is_waited_for_and_named() {
    let place = Place::with_store(ONE).write(LOCK, "");
    let ran = place.cn(&["update", "a", "--description", "d"]);
    assert_eq!(ran.status, 1, "{ran:?}");
    assert!(
        ran.stderr.contains("`.canopy/prompts.jsonl` is being written by another tool, since 20"),
        "{ran:?}"
    );
    assert!(place.exists(LOCK));
    assert_eq!(place.versions(), [1]);
}

#[test]
fn a_lock_of_another_tool_that_goes_is_waited_for() {
    let place = Place::with_store(ONE).write(LOCK, "");
    let lock = place.path(LOCK);
    let waiter = std::thread::spawn({
        let root = place.root();
        move || run(&root, &["update", "a", "--description", "d"], "", &[])
    });
    std::thread::sleep(Duration::from_millis(300));
    assert_eq!(place.versions(), [1]);
    std::fs::remove_file(lock).unwrap();
    assert_eq!(waiter.join().unwrap().status, 0);
    assert_eq!(place.versions(), [1, 2]);
}

#[test]
fn while_ours_is_held_others_find_it_and_ours_say_by_whom() {
    use canopy::store::lock::Lock;

    let place = Place::with_store(ONE);
    let held = Lock::acquire(&place.path(".canopy/prompts.jsonl"), "x", Duration::ZERO).unwrap();
    // As another tool would take it.
    let taken = std::fs::File::create_new(place.path(LOCK));
    assert_eq!(taken.unwrap_err().kind(), std::io::ErrorKind::AlreadyExists);
    let again = Lock::acquire(&place.path(".canopy/prompts.jsonl"), "x", Duration::ZERO);
    let why = again.unwrap_err().to_string();
    assert!(why.contains(&format!("process {}, since 20", std::process::id())), "{why}");
    drop(held);
    assert!(!place.exists(LOCK));
}

#[test]
fn a_lock_that_another_tool_took_from_us_is_not_removed() {
    use canopy::store::lock::Lock;

    let place = Place::with_store(ONE);
    let held = Lock::acquire(&place.path(".canopy/prompts.jsonl"), "x", Duration::ZERO).unwrap();
    std::fs::remove_file(place.path(LOCK)).unwrap();
    let place = place.write(LOCK, "theirs");
    drop(held);
    assert_eq!(place.read(LOCK), "theirs");
}

#[test]
fn an_old_lock_of_another_tool_counts_as_left_behind() {
    let place = Place::with_store(ONE).write(LOCK, "");
    let file = std::fs::File::options().write(true).open(place.path(LOCK)).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(31)).unwrap();
    place.ok(&["update", "a", "--description", "d"]);
    assert!(!place.exists(LOCK));
}

#[test]
fn readers_need_no_lock_and_a_read_only_folder() {
    let place = Place::with_store(ONE).write(LOCK, "");
    place.ok(&["list"]);
    place.ok(&["emit", "--all"]);
    place.ok(&["emit", "--check"]);
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_store_whole() {
    use std::process::Command;

    let place = Place::with_store(ONE);
    let long = "x".repeat(64 << 10);
    place.ok(&["update", "a", "--section", &format!("r={long}")]);
    let before = place.read(".canopy/prompts.jsonl");
    // No file may grow beyond 32 KiB: writing the store fails as on a full disk, half-way. The signal that goes
    // with it is ignored, as it would not come with a full disk.
    let cn = env!("CARGO_BIN_EXE_cn");
    let script = format!("trap '' XFSZ; ulimit -f 32; exec {cn} update a --description d");
    let output = Command::new("bash").arg("-c").arg(&script).current_dir(place.root()).output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains("cannot write `.canopy/prompts.jsonl`"), "{stderr}");
    assert_eq!(place.read(".canopy/prompts.jsonl"), before);
    place.ok(&["update", "a", "--description", "d"]);
    let left: Vec<_> =
        std::fs::read_dir(place.path(".canopy")).unwrap().map(|e| e.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[cfg(unix)]
#[test]
fn a_store_behind_a_link_is_written_through() {
    let place = Place::with_store("").write("elsewhere/prompts.jsonl", crate::support::store(ONE));
    let path = place.path(".canopy/prompts.jsonl");
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("../elsewhere/prompts.jsonl", &path).unwrap();
    place.ok(&["update", "a", "--description", "d"]);
    assert!(path.is_symlink());
    assert_eq!(place.read("elsewhere/prompts.jsonl").lines().count(), 2);
}

#[cfg(unix)]
#[test]
fn a_store_behind_a_link_to_nothing_is_not_an_empty_one() {
    let place = Place::with_store(ONE);
    let path = place.path(".canopy/prompts.jsonl");
    std::fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("../not-mounted/prompts.jsonl", &path).unwrap();
    for args in [&["list"][..], &["create", "--name", "b"], &["emit", "--all"]] {
        let ran = place.cn(args);
        assert_eq!(ran.status, 1, "{ran:?}");
        assert!(ran.stderr.contains("`.canopy/prompts.jsonl`"), "{ran:?}");
    }
    assert!(path.is_symlink());
}

#[cfg(unix)]
#[test]
fn a_writer_that_is_killed_leaves_a_store_that_works() {
    use std::process::{Command, Stdio};

    let place = Place::with_store(ONE);
    let body = format!("r={}", "y".repeat(100_000));
    for round in 0..40_u64 {
        let mut command = Command::new(env!("CARGO_BIN_EXE_cn"));
        command.current_dir(place.root()).args(["update", "a", "--section", &format!("{body}{round}")]);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        std::thread::sleep(Duration::from_micros(round * 731 % 12_000));
        child.kill().unwrap();
        child.wait().unwrap();
        place.ok(&["update", "a", "--description", &round.to_string()]);
    }
    let versions = place.versions();
    assert_eq!(versions, (1..=versions.len() as u64).collect::<Vec<_>>());
    assert!(versions.len() > 40);
    let left = std::fs::read_dir(place.path(".canopy")).unwrap().map(|entry| entry.unwrap().file_name());
    let left: Vec<String> = left.map(|name| name.to_string_lossy().into_owned()).collect();
    assert!(!left.iter().any(|name| name.starts_with(".cn-prompts.jsonl-")), "{left:?}");
}
