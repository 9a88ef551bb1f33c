//! The hooks, as pre-commit installs and runs them.

use crate::place::{Place, Ran, block, path_of, ran, repository};

#[test]
fn the_hooks_of_the_readme_fail_on_a_stale_file() {
    let config = block(".pre-commit-config.yaml");
    let place = Place::new();
    place.ok("git", &["init", "--quiet"]);
    let commit = |message: &str| {
        place.ok("git", &["add", "."]);
        place.ok(
            "git",
            &["-c", "user.name=t", "-c", "user.email=t@t", "commit", "--quiet", "--no-verify", "-m", message],
        );
    };
    place.ok("cn", &["emit", "--all"]);
    commit("first");
    for hook in ["canopy-check", "canopy-validate"] {
        assert!(config.contains(&format!("- id: {hook}\n")), "{config}");
    }
    let ran = try_hooks(&place);
    assert!(ran.success && ran.said.matches("Passed").count() == 2, "{}", ran.said);
    place.change("builder", 2, "You build well.");
    commit("second");
    let ran = try_hooks(&place);
    assert!(!ran.success && ran.said.contains("stale    agents/builder.md"), "{}", ran.said);
    assert!(ran.said.contains("`cn emit --all` writes them"), "{}", ran.said);
}

/// Installs the hooks from this repository and runs them; compiled in a hurry, and so not to be fast.
fn try_hooks(place: &Place) -> Ran {
    let tmp = env!("CARGO_TARGET_TMPDIR");
    let mut command = place.command(&path_of("pre-commit"));
    command.args(["try-repo", repository().to_str().unwrap(), "--all-files", "--verbose"]);
    command
        .env("CARGO_TARGET_DIR", format!("{tmp}/hook"))
        .env("PRE_COMMIT_HOME", format!("{tmp}/pre-commit"));
    for (key, value) in [("LTO", "false"), ("CODEGEN_UNITS", "16"), ("OPT_LEVEL", "0")] {
        command.env(format!("CARGO_PROFILE_RELEASE_{key}"), value);
    }
    ran(&mut command)
}
