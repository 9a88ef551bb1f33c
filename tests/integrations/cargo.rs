//! The crate of the README.

use crate::place::{Place, ran, repository};

#[test]
fn the_crate_of_the_readme_prints_its_prompt() {
    let place = Place::new();
    for file in ["Cargo.toml", "build.rs", "src/main.rs"] {
        place.take(file);
    }
    place.write("Cargo.lock", std::fs::read(repository().join("Cargo.lock")).unwrap());
    // What is not published yet is taken from here.
    let patch = |name: &str, folder: &str| {
        let path = repository().join(folder);
        format!("patch.crates-io.{name}.path={:?}", path.to_str().unwrap())
    };
    let patches = [patch("canopy-build", "build-support"), patch("canopy", "")];
    let mut cargo = place.command(env!("CARGO").as_ref());
    // Where the crates of other tests are built, which need the same.
    cargo.env("CARGO_TARGET_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/fresh target"));
    cargo.env("CARGO_PROFILE_DEV_DEBUG", "false");
    cargo.args(["run", "--offline", "--quiet", "--config", &patches[0], "--config", &patches[1]]);
    let answer = ran(&mut cargo);
    assert!(answer.success && answer.said.contains("builder v1: You build.\n"), "{}", answer.said);
}
