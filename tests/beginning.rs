//! What one run leaves to the next: of a store that became another, all that follows is what is built of it alone.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use canopy::catalog::Versions;
use canopy::plan::{Change, Step};
use canopy::problem::Problem;
use canopy::project::{self, Built, Project, Request, Session};
use canopy::write;
use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};

use crate::support::{Place, store};

/// How long a filler is: a few of them are more than what is looked through at once.
const LONG: usize = 100_000;

/// Records of which some build on others, and some are so long that the others stand far apart.
fn records() -> Vec<String> {
    let long =
        |name: &str| format!("{{\"name\":\"{name}\",\"sections\":{{\"f\":\"{}\"}}}}", "x".repeat(LONG));
    let short = [
        r#"{"name":"p","status":"draft","sections":{"p":"base"}}"#,
        r#"{"name":"p","version":2,"status":"draft","sections":{"p":"new base"}}"#,
        r#"{"name":"c","extends":"p","sections":{"c":"child"}}"#,
        r#"{"name":"c","version":2,"mixins":["d"],"sections":{"c":"other"}}"#,
        r#"{"name":"c","version":3,"extends":"p","pinned":1,"sections":{"c":"unseen"}}"#,
        r#"{"name":"d","sections":{"d":"alone"}}"#,
        r#"{"name":"d","version":2,"emitDir":"else","sections":{"d":"moved"}}"#,
        r#"{"id":"t-d","name":"e","version":3,"sections":{"d":"renamed"}}"#,
        r#"{"id":"t-q","name":"p","version":5,"sections":{"q":"namesake"}}"#,
        r#"{"name":"g","extends":"c","sections":{"g":"grandchild"}}"#,
        r#"{"name":"g","version":2,"status":"archived"}"#,
        "{\"name\":",
    ];
    let short = short.iter().map(|line| if line.ends_with('}') { store(line) } else { format!("{line}\n") });
    let long = ["f1", "f2", "f3"].map(|name| store(&long(name)));
    long.into_iter().chain(short).collect()
}

/// What is done, or what is wrong.
type Done = Result<BTreeMap<String, Change>, Vec<Problem>>;

fn emitted(place: &Place, request: &Request, session: Option<&mut Session>) -> Done {
    let root = place.root();
    let built = match session {
        Some(session) => project::rebuild(&root, request, session),
        None => project::build(&root, request),
    };
    let built = built.map_err(|failure| failure.problems)?;
    let applied = write::apply(&built.plan);
    assert!(applied.failed.is_empty());
    built.memo.keep(&built.plan, &applied, built.project.as_ref());
    let differing = built.plan.differing();
    Ok(differing.map(|step| (step.output.path.to_string(), step.change)).collect())
}

/// The outputs that a build finds to be other than they should be.
fn wrong(built: &Built) -> Vec<String> {
    // While a line cannot be read, what we remember writing does not count as ours.
    let is_left = |step: &Step| step.change == Change::Edited && !built.warnings.is_empty();
    let outputs = built.plan.outputs().filter(|step| step.change != Change::Unchanged && !is_left(step));
    outputs.map(|step| format!("{:?} {}", step.change, step.output.path)).collect()
}

/// Whether all files are trusted to be what they were, after one more run: those that are too young are looked into.
fn is_settled(place: &Place, request: &Request) -> bool {
    let _ = emitted(place, request, None);
    project::build(&place.root(), request).is_ok_and(|built| {
        let is_read = |project: &Project| project.catalog.all().any(Versions::is_read);
        !built.project.as_ref().is_some_and(is_read)
    })
}

/// Emits until that is so.
fn settle(place: &Place, request: &Request) {
    let begun = Instant::now();
    while !is_settled(place, request) {
        // Some file systems tell the time in steps of two seconds.
        assert!(begun.elapsed() < Duration::from_secs(10), "nothing is trusted");
        std::thread::sleep(Duration::from_millis(5));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// The store may become any other, as by a checkout: records go, come back, change places.
    #[test]
    fn what_was_known_of_another_store_decides_nothing(
        first in proptest::collection::vec(3..15_usize, 0..5),
        changes in proptest::collection::vec((0..5_u8, 0..15_usize, 0..15_usize, 0..4_u8), 2..8),
    ) {
        let records = records();
        let place = Place::new();
        std::fs::create_dir_all(place.path(".canopy")).unwrap();
        let cached = Request { cache: true, ..Request::default() };
        // Some stand in front of the fillers, some behind.
        let (one, other) = first.split_at(first.len() / 2);
        let mut state = [&[5, 8], one, &[0, 1, 2], other, &[3]].concat();
        for (what, index, at, how) in changes {
            let at = at % (state.len() + 1);
            match what {
                0 => state.insert(at, index),
                1 if at < state.len() => drop(state.remove(at)),
                2 if at < state.len() => state.swap(0, at),
                3 => drop(state.pop()),
                _ => state.push(index),
            }
            let text: String = state.iter().filter_map(|index| records.get(*index)).cloned().collect();
            std::fs::write(place.path(".canopy/prompts.jsonl"), text).unwrap();
            if how == 1 {
                let config = "version: \"1\"\nproject: t\ntargets:\n  x:\n    dir: x\n    default: true\n";
                std::fs::write(place.path(".canopy/config.yaml"), config).unwrap();
            }
            let done = match how {
                // A watch that begins now, and one run for a part of it in between.
                2 => emitted(&place, &cached, Some(&mut Session::default())),
                3 => {
                    let part = project::Selection::Named(vec!["c".into()]);
                    let _ = emitted(&place, &Request { selection: part, ..cached.clone() }, None);
                    emitted(&place, &cached, None)
                }
                _ => emitted(&place, &cached, None),
            };
            // Not one file that should be is missing or another; what is no output any more may stay.
            let alone = project::build(&place.root(), &Request::default());
            match (done, alone) {
                (Ok(_), Ok(built)) => {
                    prop_assert_eq!(wrong(&built), Vec::<String>::new());
                    // Else nothing of it is trusted. What is nobody's output any more is looked into each time, and so are
                    // records near a line that is none.
                    let is_clean = built.warnings.is_empty();
                    if is_clean && emitted(&place, &cached, None).is_ok_and(|done| done.is_empty()) {
                        settle(&place, &cached);
                    }
                }
                (done, alone) => prop_assert_eq!(done.err(), alone.err().map(|failure| failure.problems)),
            }
        }
    }
}

#[test]
fn only_what_follows_from_the_change_is_rendered_again() {
    let records = records();
    let place = Place::new();
    std::fs::create_dir_all(place.path(".canopy")).unwrap();
    let write = |lines: &[usize]| {
        let text: String = lines.iter().map(|index| records[*index].as_str()).collect();
        std::fs::write(place.path(".canopy/prompts.jsonl"), text).unwrap();
    };
    let cached = Request { cache: true, ..Request::default() };
    write(&[0, 3, 5, 1, 2, 8]);
    settle(&place, &cached);
    write(&[0, 3, 5, 1, 2, 8, 4]);
    let built = project::build(&place.root(), &cached).unwrap();
    let versions: Vec<_> = built.project.iter().flat_map(|project| project.catalog.all()).collect();
    let read: Vec<&str> = versions
        .iter()
        .filter(|versions| versions.is_read())
        .map(|versions| versions.header().name)
        .collect();
    assert_eq!(read, ["p", "c"]);
    let changed: Vec<_> = built.plan.changes().map(|step| &*step.output.path).collect();
    assert_eq!(changed, ["agents/c.md"]);
}

/// A store of so many bytes that its first and its last records are looked through apart.
fn apart(first: &str, last: &str) -> String {
    let fillers: String = (0..4)
        .map(|n| store(&format!("{{\"name\":\"f{n}\",\"sections\":{{\"f\":\"{}\"}}}}", "x".repeat(LONG))))
        .collect();
    store(first) + &fillers + &store(last)
}

#[test]
fn whoever_builds_on_a_name_that_only_the_old_store_knew_is_rendered_again() {
    let child = r#"{"name":"c","extends":"p","sections":{"c":"child"}}"#;
    let old = r#"{"name":"p","status":"draft","sections":{"p":"old"}}"#;
    for (first, last, is_edited) in [
        // Nothing of it was an output: it is archived, or somebody edited its file.
        (child.to_owned(), r#"{"name":"p","status":"archived","sections":{"p":"base"}}"#, false),
        (child.to_owned(), r#"{"name":"p","sections":{"p":"base"}}"#, true),
        // There was a namesake that was meant.
        (
            format!("{child}\n{old}"),
            r#"{"id":"t-q","name":"p","version":7,"status":"draft","sections":{"p":"new"}}"#,
            false,
        ),
        // A name that was given is taken back.
        (
            format!(
                "{child}\n{}",
                old.replace("\"p\"", "\"b\"").replace("{\"name\"", "{\"id\":\"t-b\",\"name\"")
            ),
            r#"{"id":"t-b","name":"p","version":2,"status":"draft","sections":{"p":"new"}}"#,
            false,
        ),
    ] {
        let place = Place::new();
        let write = |text: String| {
            std::fs::create_dir_all(place.path(".canopy")).unwrap();
            std::fs::write(place.path(".canopy/prompts.jsonl"), text).unwrap();
        };
        write(apart(&first, last));
        let cached = Request { cache: true, ..Request::default() };
        settle(&place, &cached);
        if is_edited {
            std::fs::write(place.path("agents/p.md"), "mine\n").unwrap();
            emitted(&place, &cached, None).unwrap();
        }
        write(apart(&first, ""));
        let done = emitted(&place, &cached, None);
        let alone = project::build(&place.root(), &Request::default());
        match alone {
            Ok(built) => assert_eq!(wrong(&built), Vec::<String>::new(), "{first} {last}: {done:?}"),
            Err(failure) => assert_eq!(done.err(), Some(failure.problems), "{first} {last}"),
        }
    }
}

#[test]
fn a_watch_that_begins_with_what_another_run_left_writes_nothing_ahead_of_a_record_that_is_gone() {
    let base = r#"{"name":"p","status":"draft","sections":{"p":"base"}}"#;
    let child = r#"{"name":"c","extends":"p","sections":{"c":"child"}}"#;
    let next = store(r#"{"name":"c","version":2,"extends":"p","sections":{"c":"next"}}"#);
    for (from, to, is_ahead) in
        [("\"base\"", "\"base\"", true), ("\"body\":\"base\"", "\"bodY\":\"base\"", false)]
    {
        let text = apart(base, child);
        let place = Place::new().prompts(&text);
        let cached = Request { cache: true, ..Request::default() };
        settle(&place, &cached);
        let mut session = Session::default();
        let built = project::rebuild(&place.root(), &cached, &mut session).unwrap();
        assert!(!built.project.as_ref().unwrap().catalog.all().any(Versions::is_read));
        session.hold(built.project);
        let place = place.prompts(&(text.replace(from, to) + &next));
        let plan = session.ahead(&place.root(), &cached);
        let written: Vec<_> =
            plan.iter().flat_map(|plan| &plan.steps).map(|step| step.output.contents.clone()).collect();
        assert_eq!(written.len(), usize::from(is_ahead), "{written:?}");
        assert!(written.iter().all(|text| text.contains("base") && text.contains("next")));
    }
}
