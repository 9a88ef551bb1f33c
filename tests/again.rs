//! Building again and again: what a session keeps, and what it writes ahead, is what a build that knows nothing finds.

use std::collections::BTreeMap;

use canopy::plan::{Change, Plan};
use canopy::project::{self, Request, Session};
use canopy::write;
use proptest::prelude::{ProptestConfig, prop_assert_eq, proptest};

use crate::owning::{Step, files_of, lines};
use crate::support::{Place, store};

const FAMILY: &str = r#"
    {"name":"p","status":"draft","sections":{"p":"base"}}
    {"name":"c","extends":"p","sections":{"c":"child"}}
    {"name":"d","sections":{"d":"alone"}}
"#;

/// A session that has built `place` and written its files.
fn begun(place: &Place) -> Session {
    let mut session = Session::default();
    again(place, &mut session);
    session
}

/// What a build of the session does, which it writes.
fn again(place: &Place, session: &mut Session) -> BTreeMap<String, Change> {
    let built =
        project::rebuild(&place.root(), &Request { cache: true, ..Request::default() }, session).unwrap();
    let applied = write::apply(&built.plan);
    assert!(applied.failed.is_empty());
    built.memo.keep(&built.plan, &applied, built.project.as_ref());
    session.hold(built.project);
    changes(&built.plan)
}

fn changes(plan: &Plan) -> BTreeMap<String, Change> {
    let differing = plan.steps.iter().filter(|step| step.change != Change::Unchanged);
    differing.map(|step| (step.output.path.to_string(), step.change)).collect()
}

/// What is written ahead of a build, which then finds it to be right.
fn ahead(place: &Place, session: &mut Session) -> Option<BTreeMap<String, Change>> {
    let plan = session.ahead(&place.root(), &Request::default())?;
    let applied = write::apply(&plan);
    assert!(applied.failed.is_empty());
    session.wrote(&plan, &applied);
    Some(changes(&plan))
}

impl Place {
    fn append(&self, short: &str) {
        let text = self.read(".canopy/prompts.jsonl") + &store(short);
        std::fs::write(self.path(".canopy/prompts.jsonl"), text).unwrap();
    }
}

#[test]
fn what_was_appended_is_written_ahead_with_all_that_follows() {
    for (appended, wanted) in [
        (r#"{"name":"d","version":2,"sections":{"d":"other"}}"#, &["agents/d.md"][..]),
        (r#"{"name":"p","version":2,"status":"draft","sections":{"p":"new"}}"#, &["agents/c.md"]),
        (
            r#"{"name":"c","version":2,"mixins":["d"],"sections":{"c":"x"}}
               {"name":"d","version":2,"sections":{"d":"y"}}"#,
            &["agents/c.md", "agents/d.md"],
        ),
        // A namesake that is meant from now on.
        (r#"{"id":"t-q","name":"p","version":5,"status":"draft","sections":{"p":"q"}}"#, &["agents/c.md"]),
        // Nothing of what is written shows it.
        (r#"{"name":"d","version":2,"description":"","sections":{"d":"alone"}}"#, &[]),
    ] {
        let place = Place::with_store(FAMILY);
        let mut session = begun(&place);
        place.append(appended);
        let done = ahead(&place, &mut session).unwrap_or_else(|| panic!("nothing is ahead: {appended}"));
        assert!(
            done.keys().eq(wanted) && done.values().all(|c| *c == Change::Update),
            "{appended}: {done:?}"
        );
        assert_eq!(again(&place, &mut session), BTreeMap::new(), "{appended}");
        place.ok(&["emit", "--check"]);
        // And once more on top of that.
        place.append(r#"{"name":"d","version":9,"sections":{"d":"last"}}"#);
        assert!(ahead(&place, &mut session).is_some_and(|done| done.contains_key("agents/d.md")));
        assert_eq!(again(&place, &mut session), BTreeMap::new());
        assert!(place.read("agents/d.md").ends_with("last\n"));
    }
}

#[test]
fn what_only_a_whole_build_can_tell_is_not_written_ahead() {
    for appended in [
        r#"{"name":"new"}"#,
        r#"{"id":"t-d","name":"e","version":2}"#,
        r#"{"name":"d","version":2,"emitAs":"e.md"}"#,
        r#"{"name":"d","version":2,"status":"archived"}"#,
        r#"{"name":"d","version":2,"extends":"nobody"}"#,
        r#"{"name":"d","version":2,"extends":"d"}"#,
        r#"{"name":"d","version":2,"pinned":1}"#,
    ] {
        let place = Place::with_store(FAMILY);
        let mut session = begun(&place);
        place.append(appended);
        assert_eq!(ahead(&place, &mut session), None, "{appended}");
    }
    let change = r#"{"name":"d","version":2,"sections":{"d":"other"}}"#;
    for (path, text) in [
        // Lines that are no records, or are not whole yet.
        (".canopy/prompts.jsonl", store(FAMILY) + "<<<<<<< HEAD\n" + &store(change)),
        (".canopy/prompts.jsonl", store(FAMILY) + "{\"id\":\n" + &store(change)),
        (".canopy/prompts.jsonl", store(FAMILY) + &store(change).replace("}\n", "")),
        // Something else changed with it.
        (".canopy/prompts.jsonl", store(change)),
        (".canopy/prompts.jsonl", store(&FAMILY.replace("child", "CHILD")) + &store(change)),
        (".canopy/config.yaml", "version: \"1\"\nproject: other\ntargets:\n  x:\n    dir: x\n".to_owned()),
    ] {
        let place = Place::with_store(FAMILY);
        let mut session = begun(&place);
        let place = place.write(path, text);
        if path.ends_with("yaml") {
            place.append(change);
        }
        assert_eq!(ahead(&place, &mut session), None, "{path}");
    }
}

#[test]
fn a_record_that_was_changed_where_it_stood_is_not_built_upon() {
    // So far apart that the end of the store does not tell of it.
    let filler: String = (0..200)
        .map(|number| format!("{{\"name\":\"f{number}\",\"sections\":{{\"f\":\"{}\"}}}}\n", "x".repeat(9000)))
        .collect();
    let text = store(&format!("{FAMILY}\n{filler}"));
    for (name, from, wanted) in [("c", "base", false), ("c", "alone", true), ("d", "base", true)] {
        let place = Place::with_store(A_LINE).prompts(&text);
        let mut session = begun(&place);
        let changed = text.replace(&format!("\"{from}\""), &format!("\"{}\"", from.to_uppercase()));
        assert_eq!(changed.len(), text.len());
        let place = place.prompts(&changed);
        place.append(match name {
            "c" => r#"{"name":"c","version":2,"extends":"p","sections":{"c":"two"}}"#,
            _ => r#"{"name":"d","version":2,"sections":{"d":"two"}}"#,
        });
        assert_eq!(ahead(&place, &mut session).is_some(), wanted, "{name} {from}");
        // The build that follows reads everything, and what it wrote before is known to be ours.
        again(&place, &mut session);
        place.ok(&["emit", "--check"]);
    }
}

const A_LINE: &str = r#"{"name":"a"}"#;

#[test]
fn what_somebody_edited_is_left_to_the_build_and_what_is_gone_is_made_again() {
    let place = Place::with_store(FAMILY);
    let mut session = begun(&place);
    let place = place.write("agents/d.md", "# mine\n");
    place.append(r#"{"name":"d","version":2,"sections":{"d":"other"}}"#);
    let edited = BTreeMap::from([("agents/d.md".to_owned(), Change::Edited)]);
    assert_eq!(ahead(&place, &mut session), Some(edited.clone()));
    assert_eq!(place.read("agents/d.md"), "# mine\n");
    assert_eq!(again(&place, &mut session), edited);
    std::fs::remove_file(place.path("agents/d.md")).unwrap();
    place.append(r#"{"name":"d","version":3,"sections":{"d":"third"}}"#);
    let made = BTreeMap::from([("agents/d.md".to_owned(), Change::Create)]);
    assert_eq!(ahead(&place, &mut session), Some(made));
    assert_eq!(again(&place, &mut session), BTreeMap::new());
}

#[test]
fn what_was_written_ahead_is_ours_though_the_store_went_back() {
    let change = r#"{"name":"d","version":2,"sections":{"d":"other"}}"#;
    // Before the build that follows, which may fail for another reason.
    for fails in [false, true] {
        let place = Place::with_store(FAMILY);
        let mut session = begun(&place);
        place.append(change);
        assert!(ahead(&place, &mut session).is_some());
        if fails {
            std::fs::remove_file(place.path("agents/c.md")).unwrap();
            std::fs::create_dir(place.path("agents/c.md")).unwrap();
            let request = Request { cache: true, ..Request::default() };
            assert!(project::rebuild(&place.root(), &request, &mut session).is_err());
            session.rest();
            session.save(&place.root(), &request);
            std::fs::remove_dir(place.path("agents/c.md")).unwrap();
        }
        let place = place.prompts(&store(FAMILY));
        // Also for who knows no more than what was saved.
        let mut new = Session::default();
        let changes = again(&place, if fails { &mut new } else { &mut session });
        assert_eq!(changes.get("agents/d.md"), Some(&Change::Update), "{changes:?}");
        place.ok(&["emit", "--check"]);
    }
}

#[test]
fn many_records_at_once_are_left_to_the_build() {
    let place = Place::with_store(FAMILY);
    let mut session = begun(&place);
    for more in [90, 101] {
        let versions = (0..more).map(|n| format!("{{\"name\":\"d\",\"version\":{}}}\n", 2 + n));
        place.append(&versions.collect::<String>());
        assert_eq!(ahead(&place, &mut session).is_some(), more < 100);
        again(&place, &mut session);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_session_comes_to_what_builds_that_know_nothing_come_to(
        steps in proptest::collection::vec((0..3_usize, 0..12_u8, 0..12_usize), 1..12),
        runs in proptest::collection::vec((0..3_usize, 0..8_u8), 1..12),
    ) {
        let lines = lines(&steps as &[Step]);
        let places = [Place::new(), Place::new()];
        let mut session = Session::default();
        let mut now = 3_usize;
        for (more, what) in runs {
            now = if what == 7 { now.saturating_sub(2).max(1) } else { (now + more).min(lines.len()) };
            for place in &places {
                std::fs::create_dir_all(place.path(".canopy")).unwrap();
                std::fs::write(place.path(".canopy/prompts.jsonl"), lines[..now].join("\n") + "\n").unwrap();
                if what == 6 && place.exists("agents/a.md") {
                    std::fs::write(place.path("agents/a.md"), "mine\n").unwrap();
                }
            }
            let request = Request { force: what == 5, ..Request::default() };
            if let Some(plan) = session.ahead(&places[0].root(), &request) {
                let applied = write::apply(&plan);
                assert!(applied.failed.is_empty());
                session.wrote(&plan, &applied);
            }
            let built = project::rebuild(&places[0].root(), &request, &mut session);
            let other = project::build(&places[1].root(), &request);
            let told = [built, other].map(|built| match built {
                Ok(built) => {
                    assert!(write::apply(&built.plan).failed.is_empty());
                    (built.project, Vec::new())
                }
                Err(failure) => (None, failure.problems),
            });
            let [(project, one), (_, other)] = told;
            match one.is_empty() {
                true => session.hold(project),
                false => session.rest(),
            }
            prop_assert_eq!(one, other);
            prop_assert_eq!(files_of(&places[0]), files_of(&places[1]));
        }
    }
}
