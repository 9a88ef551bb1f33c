//! The example is what the documentation shows: its committed files are what its store renders.

use std::path::Path;

use canopy::plan::Change;
use canopy::project::{self, Request};

#[test]
fn the_committed_files_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/review-team");
    let built = project::build(&root, &Request::default()).unwrap_or_else(|failure| panic!("{failure:?}"));
    assert!(built.warnings.is_empty(), "{:?}", built.warnings);
    assert!(built.plan.steps.len() >= 6, "only {} files", built.plan.steps.len());
    for step in &built.plan.steps {
        assert_eq!(step.change, Change::Unchanged, "{}", step.output.path);
    }
    let asked: Vec<&str> = built.inputs.iter().map(|input| input.path.as_str()).collect();
    assert_eq!(asked, [".canopy/config.yaml", ".canopy/prompts.jsonl"]);
}

#[cfg(feature = "cli")]
#[test]
fn the_example_is_valid_by_its_own_schema() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/review-team");
    let ran = crate::support::run(&root, &["validate", "--all", "--json"], "", &[]);
    assert_eq!(ran.status, 0, "{ran:?}");
    assert!(ran.json()["count"].as_u64().unwrap() >= 4, "{ran:?}");
}
