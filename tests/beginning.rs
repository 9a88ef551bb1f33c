//! What one run leaves to the next: of a store that became another, all that follows is what is built of it alone.

use std::collections::BTreeMap;

use canopy::plan::Change;
use canopy::project::{self, Request, Session};
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

fn emitted(place: &Place, request: &Request, session: Option<&mut Session>) -> BTreeMap<String, Change> {
    let root = place.root();
    let built = match session {
        Some(session) => project::rebuild(&root, request, session),
        None => project::build(&root, request),
    };
    let Ok(built) = built else { return BTreeMap::new() };
    let applied = write::apply(&built.plan);
    assert!(applied.failed.is_empty());
    built.memo.keep(&built.plan, &applied, built.project.as_ref());
    let differing = built.plan.differing();
    differing.map(|step| (step.output.path.to_string(), step.change)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// The store may become any other, as by a checkout: records go, come back, change places.
    #[test]
    fn what_was_known_of_another_store_decides_nothing(
        states in proptest::collection::vec((proptest::collection::vec(0..15_usize, 1..15), 0..4_u8), 2..6),
    ) {
        let records = records();
        let place = Place::new();
        std::fs::create_dir_all(place.path(".canopy")).unwrap();
        let cached = Request { cache: true, ..Request::default() };
        for (state, how) in states {
            let text: String = state.iter().filter_map(|index| records.get(*index)).cloned().collect();
            std::fs::write(place.path(".canopy/prompts.jsonl"), text).unwrap();
            if how == 1 {
                let config = "version: \"1\"\nproject: t\ntargets:\n  x:\n    dir: x\n    default: true\n";
                std::fs::write(place.path(".canopy/config.yaml"), config).unwrap();
            }
            match how {
                // A watch that begins now, and one run for a part of it in between.
                2 => drop(emitted(&place, &cached, Some(&mut Session::default()))),
                3 => {
                    let part = project::Selection::Named(vec!["c".into()]);
                    emitted(&place, &Request { selection: part, ..cached.clone() }, None);
                    emitted(&place, &cached, None);
                }
                _ => drop(emitted(&place, &cached, None)),
            }
            // Not one file that should be is missing or another; what is no output any more may stay.
            let alone = project::build(&place.root(), &Request::default());
            let wrong = alone.map(|built| {
                // While a line cannot be read, what we remember writing does not count as ours.
                let is_left = |change| change == Change::Edited && !built.warnings.is_empty();
                let outputs = built.plan.outputs().filter(|step| step.change != Change::Unchanged);
                let outputs = outputs.filter(|step| !is_left(step.change));
                outputs.map(|step| (step.output.path.to_string(), step.change)).collect::<Vec<_>>()
            });
            prop_assert_eq!(wrong.unwrap_or_default(), Vec::new());
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
    // What is too young to be trusted is read again until it is old enough.
    let is_settled = || {
        emitted(&place, &cached, None).is_empty()
            && project::build(&place.root(), &cached).is_ok_and(|built| built.project.is_none())
    };
    assert!((0..1000).any(|_| is_settled()));
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
