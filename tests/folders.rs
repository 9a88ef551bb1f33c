//! A folder that is not there yet appears with all of its files, whatever happens in its place meanwhile.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

use canopy::plan::Plan;
use canopy::project::{self, Request};
use canopy::write::{self, Applied};

use crate::owning::files_of;
use crate::support::Place;

/// Outputs in `agents`, `agents/below` and `other/deep`, none of which is there.
const THREE: &str = r#"
    {"name":"a","sections":{"r":"one"}}
    {"name":"b","emitDir":"agents/below","sections":{"r":"two"}}
    {"name":"c","emitDir":"other/deep","sections":{"r":"three"}}
"#;

fn planned(place: &Place) -> Plan {
    project::build(&place.root(), &Request::default()).unwrap().plan
}

/// The files and nothing else, each with the last line that it should have.
fn holds(place: &Place, wanted: &[(&str, &str)]) {
    let last = |text: &str| text.lines().last().unwrap_or_default().to_owned();
    let files: BTreeMap<String, String> =
        files_of(place).iter().map(|(path, text)| (path.clone(), last(text))).collect();
    let wanted = wanted.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    assert_eq!(files, wanted);
}

fn failed(applied: &Applied) -> Vec<String> {
    applied.failed.iter().map(ToString::to_string).collect()
}

#[test]
fn what_is_made_is_there_and_nothing_beside_it() {
    let place = Place::with_store(THREE);
    let plan = planned(&place);
    let applied = write::apply(&plan);
    assert_eq!(failed(&applied), [""; 0]);
    holds(&place, &[("agents/a.md", "one"), ("agents/below/b.md", "two"), ("other/deep/c.md", "three")]);
    // What the system said of the files is what it says of them now.
    let again = planned(&place);
    let stats: Vec<_> = again.steps.iter().map(|step| step.stat).collect();
    assert_eq!(applied.stats, stats);
    place.ok(&["emit", "--check"]);
}

#[test]
fn who_made_the_folder_meanwhile_keeps_what_is_in_it() {
    for (path, text) in [("agents/mine.md", "mine"), ("agents/below/mine.md", "mine")] {
        let place = Place::with_store(THREE);
        let plan = planned(&place);
        let place = place.write(path, text);
        assert_eq!(failed(&write::apply(&plan)), [""; 0]);
        let mut wanted = [
            ("agents/a.md", "one"),
            ("agents/below/b.md", "two"),
            (path, text),
            ("other/deep/c.md", "three"),
        ];
        wanted.sort_unstable();
        holds(&place, &wanted);
    }
    // An empty one is as good as none.
    let place = Place::with_store(THREE);
    let plan = planned(&place);
    std::fs::create_dir_all(place.path("other/deep")).unwrap();
    assert_eq!(failed(&write::apply(&plan)), [""; 0]);
    holds(&place, &[("agents/a.md", "one"), ("agents/below/b.md", "two"), ("other/deep/c.md", "three")]);
}

#[test]
fn what_somebody_put_in_the_place_stays_and_the_others_are_written() {
    let place = Place::with_store(THREE);
    let plan = planned(&place);
    let place = place.write("agents/a.md", "mine");
    let problems = failed(&write::apply(&plan));
    assert_eq!(problems, ["cannot write `agents/a.md`: it was changed in the meantime"]);
    holds(&place, &[("agents/a.md", "mine"), ("agents/below/b.md", "two"), ("other/deep/c.md", "three")]);
    let place = Place::with_store(THREE);
    let plan = planned(&place);
    let place = place.write("agents", "mine");
    let problems = failed(&write::apply(&plan));
    assert_eq!(problems.len(), 2, "{problems:?}");
    holds(&place, &[("agents", "mine"), ("other/deep/c.md", "three")]);
}

#[test]
fn two_who_make_the_same_folder_make_the_same_files() {
    let place = Place::with_store(THREE);
    let plans = [planned(&place), planned(&place)];
    let applied = std::thread::scope(|scope| {
        plans.each_ref().map(|plan| scope.spawn(|| write::apply(plan))).map(|run| run.join().unwrap())
    });
    assert_eq!(applied.each_ref().map(failed), [const { Vec::<String>::new() }; 2]);
    holds(&place, &[("agents/a.md", "one"), ("agents/below/b.md", "two"), ("other/deep/c.md", "three")]);
}

#[test]
fn who_is_stopped_leaves_whole_files_and_no_empty_folder() {
    for stop_after in 0..3 {
        let place = Place::with_store(THREE);
        let plan = planned(&place);
        let begun = AtomicUsize::new(0);
        let applied = write::apply_while(&plan, || begun.fetch_add(1, Ordering::Relaxed) < stop_after);
        assert_eq!(applied.stats.iter().flatten().count(), stop_after);
        let all = [("agents/a.md", "one"), ("agents/below/b.md", "two"), ("other/deep/c.md", "three")];
        holds(&place, &all[..stop_after]);
        assert_eq!(place.exists("agents"), stop_after > 0);
        assert!(!place.exists("other"));
    }
}

#[test]
fn a_file_that_cannot_be_made_keeps_no_other_from_it() {
    let long = "n".repeat(300);
    let place =
        Place::with_store(&format!("{THREE}{{\"name\":\"d\",\"emitAs\":\"{long}.md\",\"sections\":{{}}}}"));
    let problems = failed(&write::apply(&planned(&place)));
    assert!(problems.len() == 1 && problems[0].contains(&long), "{problems:?}");
    holds(&place, &[("agents/a.md", "one"), ("agents/below/b.md", "two"), ("other/deep/c.md", "three")]);
}
