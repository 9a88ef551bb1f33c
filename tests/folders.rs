//! A folder that is not there yet appears with all of its files, whatever happens in its place meanwhile.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use canopy::plan::Plan;
use canopy::project::{self, Request};
use canopy::write::{self, Applied};

use crate::owning::files_of;
use crate::support::Place;

/// In `agents`, `agents/below` and `other/deep`, none of which is there, and each of which is worth a folder of its own.
const OUTPUTS: [&str; 9] = [
    "agents/a0.md",
    "agents/a1.md",
    "agents/a2.md",
    "agents/below/b0.md",
    "agents/below/b1.md",
    "other/deep/c0.md",
    "other/deep/c1.md",
    "other/deep/c2.md",
    "other/deep/c3.md",
];

/// Prompts that are emitted there, each with its own path as its text.
fn project() -> Place {
    let record = |path: &&str| {
        let (folder, file) = path.rsplit_once('/').unwrap();
        let name = file.trim_end_matches(".md");
        format!("{{\"name\":\"{name}\",\"emitDir\":\"{folder}\",\"sections\":{{\"r\":\"{path}\"}}}}\n")
    };
    Place::with_store(&OUTPUTS.iter().map(record).collect::<String>())
}

fn planned(place: &Place) -> Plan {
    project::build(&place.root(), &Request::default()).unwrap().plan
}

/// Holds the outputs, but for those at paths of `others`, which are there too, and nothing else.
fn holds(place: &Place, outputs: &[&str], others: &[(&str, &str)]) {
    let last = |text: &str| text.lines().last().unwrap_or_default().to_owned();
    let found: BTreeMap<String, String> =
        files_of(place).iter().map(|(path, text)| (path.clone(), last(text))).collect();
    let outputs = outputs.iter().map(|path| (*path, *path));
    let wanted = outputs.chain(others.iter().copied()).map(|(path, text)| (path.to_owned(), text.to_owned()));
    assert_eq!(found, wanted.collect());
}

fn failed(applied: &Applied) -> Vec<String> {
    applied.failed.iter().map(ToString::to_string).collect()
}

#[test]
fn what_is_made_is_there_and_nothing_beside_it() {
    let place = project();
    let applied = write::apply(&planned(&place));
    assert_eq!(failed(&applied), [""; 0]);
    holds(&place, &OUTPUTS, &[]);
    // What the system said of the files is what it says of them now.
    let stats: Vec<_> = planned(&place).steps.iter().map(|step| step.stat).collect();
    assert_eq!(applied.stats, stats);
    place.ok(&["emit", "--check"]);
}

#[test]
fn who_made_the_folder_meanwhile_keeps_what_is_in_it() {
    for path in ["agents/mine.md", "agents/below/mine.md", "other/mine.md"] {
        let place = project();
        let plan = planned(&place);
        let place = place.write(path, "mine");
        assert_eq!(failed(&write::apply(&plan)), [""; 0]);
        holds(&place, &OUTPUTS, &[(path, "mine")]);
    }
}

#[cfg(unix)]
#[test]
fn an_empty_folder_that_somebody_made_meanwhile_keeps_its_mode() {
    use std::os::unix::fs::PermissionsExt;
    let place = project();
    let plan = planned(&place);
    let folder = place.path("agents");
    std::fs::create_dir(&folder).unwrap();
    std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o700)).unwrap();
    assert_eq!(failed(&write::apply(&plan)), [""; 0]);
    assert_eq!(folder.metadata().unwrap().permissions().mode() & 0o777, 0o700);
    holds(&place, &OUTPUTS, &[]);
}

#[test]
fn what_somebody_put_in_the_place_stays_and_the_others_are_written() {
    let place = project();
    let plan = planned(&place);
    let place = place.write("agents/a1.md", "mine");
    let problems = failed(&write::apply(&plan));
    assert_eq!(problems, ["cannot write `agents/a1.md`: it was changed in the meantime"]);
    let others: Vec<&str> = OUTPUTS.into_iter().filter(|path| *path != "agents/a1.md").collect();
    holds(&place, &others, &[("agents/a1.md", "mine")]);
    let place = project();
    let plan = planned(&place);
    let place = place.write("agents", "mine");
    assert_eq!(failed(&write::apply(&plan)).len(), 5);
    holds(&place, &OUTPUTS[5..], &[("agents", "mine")]);
}

#[test]
fn two_who_make_the_same_folder_make_the_same_files() {
    let place = project();
    let plans = [planned(&place), planned(&place)];
    let applied = std::thread::scope(|scope| {
        plans.each_ref().map(|plan| scope.spawn(|| write::apply(plan))).map(|run| run.join().unwrap())
    });
    assert_eq!(applied.each_ref().map(failed), [const { Vec::<String>::new() }; 2]);
    holds(&place, &OUTPUTS, &[]);
}

#[test]
fn who_is_stopped_leaves_whole_files_and_no_empty_folder() {
    for stop_after in [0, 1, 4, 6] {
        let place = project();
        let plan = planned(&place);
        let begun = AtomicUsize::new(0);
        let applied = write::apply_while(&plan, || begun.fetch_add(1, Ordering::Relaxed) < stop_after);
        assert_eq!(applied.stats.iter().flatten().count(), stop_after);
        holds(&place, &OUTPUTS[..stop_after], &[]);
        assert_eq!((place.exists("agents"), place.exists("other")), (stop_after > 0, stop_after > 5));
    }
}

#[test]
fn a_file_that_cannot_be_made_keeps_no_other_from_it() {
    let place = project();
    let long = "n".repeat(300);
    let record = crate::support::store(&format!(
        "{{\"name\":\"z\",\"emitDir\":\"agents\",\"emitAs\":\"{long}.md\",\"sections\":{{}}}}"
    ));
    let text = place.read(".canopy/prompts.jsonl") + &record;
    let place = place.prompts(&text);
    let problems = failed(&write::apply(&planned(&place)));
    assert!(problems.len() == 1 && problems[0].contains(&long), "{problems:?}");
    holds(&place, &OUTPUTS, &[]);
}

#[test]
fn many_folders_of_one_file_are_made_where_they_are() {
    let record = |n: usize| format!("{{\"name\":\"p{n}\",\"emitDir\":\"skills/s{n}\",\"sections\":{{}}}}\n");
    let place = Place::with_store(&(0..50).map(record).collect::<String>()).write("skills/mine.md", "mine");
    assert_eq!(failed(&write::apply(&planned(&place))), [""; 0]);
    assert_eq!(files_of(&place).len(), 51);
    place.ok(&["emit", "--check"]);
}

#[cfg(target_os = "linux")]
#[test]
fn what_the_dead_left_is_removed_and_what_is_not_theirs_stays() {
    // A process that was there and is there no more.
    let mut child = std::process::Command::new("true").spawn().unwrap();
    let dead = child.id();
    child.wait().unwrap();
    let alive = std::process::id();
    let names = [
        (format!(".cn-{dead}-3.tmp/agents/a0.md"), false),
        (format!(".cn-{alive}-77.tmp/agents/a0.md"), true),
        (format!(".cn-{dead}.tmp/mine.md"), true),
        (format!(".cn-{dead}-3.tmp2/mine.md"), true),
        (format!(".cn-mine-{dead}-3.tmp/mine.md"), true),
    ];
    let place = names.iter().fold(project(), |place, (path, _)| place.write(path, "left"));
    assert_eq!(failed(&write::apply(&planned(&place))), [""; 0]);
    for (path, stays) in names {
        assert_eq!(place.exists(&path), stays, "{path}");
    }
}

#[test]
fn what_was_removed_while_it_was_filled_is_missed() {
    let place = project();
    let plan = planned(&place);
    let begun = AtomicUsize::new(0);
    let applied = write::apply_while(&plan, || {
        if begun.fetch_add(1, Ordering::Relaxed) == 3 {
            for entry in std::fs::read_dir(place.root()).unwrap().flatten() {
                if entry.file_name().to_string_lossy().starts_with(".cn-") {
                    std::fs::remove_dir_all(entry.path()).unwrap();
                }
            }
        }
        true
    });
    assert_eq!(failed(&applied), [""; 0]);
    holds(&place, &OUTPUTS, &[]);
}

#[cfg(unix)]
#[test]
fn who_interrupts_finds_whole_files_and_no_trace() {
    use std::process::{Command, Stdio};
    let record =
        |n: usize| format!("{{\"name\":\"p{n}\",\"sections\":{{\"r\":\"{}\"}}}}\n", "x".repeat(2000));
    let place = Place::with_store(&(0..3000).map(record).collect::<String>());
    let mut command = Command::new(env!("CARGO_BIN_EXE_cn"));
    command.current_dir(place.root()).args(["emit", "--all"]).env_remove("CANOPY_ROOT");
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let has_begun = || {
        let entries = std::fs::read_dir(place.root()).unwrap().flatten();
        entries.into_iter().any(|entry| entry.file_name().to_string_lossy().starts_with(".cn-"))
    };
    while !has_begun() && child.try_wait().unwrap().is_none() {
        std::thread::yield_now();
    }
    assert!(Command::new("kill").args(["-s", "INT", &child.id().to_string()]).status().is_ok());
    // It may have been done already.
    let status = child.wait().unwrap().code();
    assert!(matches!(status, Some(0 | 130)), "{status:?}");
    assert!(!has_begun(), "nothing is left beside");
    for (path, text) in files_of(&place) {
        assert!(text.ends_with("xx\n") && text.len() > 2000, "{path} is whole");
    }
    place.ok(&["emit", "--all"]);
    assert_eq!(files_of(&place).len(), 3000);
    place.ok(&["emit", "--check"]);
}
