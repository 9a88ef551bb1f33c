//! The recipes: beside somebody's own, and as a module.

use crate::place::{Place, repository};

fn place() -> Place {
    let place = Place::new();
    place.write("canopy.just", std::fs::read(repository().join("canopy.just")).unwrap());
    place.take("justfile");
    place
}

#[test]
fn emit_writes_and_in_ci_it_looks_and_says_what_to_run() {
    let place = place();
    for ci in ["", "false", "0"] {
        let ran = place.run("just", &["emit"], &[("CI", ci)]);
        assert!(ran.success, "{}", ran.said);
    }
    assert!(place.read("agents/builder.md").contains("You build."));
    assert!(place.run("just", &["emit"], &[("CI", "true")]).success);
    place.change("builder", 2, "You build well.");
    let ran = place.run("just", &["emit"], &[("CI", "true")]);
    assert!(!ran.success, "{}", ran.said);
    for words in ["stale    agents/builder.md", "`cn emit --all` writes them"] {
        assert!(ran.said.contains(words), "{words} is not in {}", ran.said);
    }
    assert!(place.read("agents/builder.md").contains("You build."));
    assert!(!place.run("just", &["ready"], &[]).success);
    place.ok("just", &["emit", "builder"]);
    place.ok("just", &["ready"]);
}

#[test]
fn the_list_is_a_table_of_contents_and_the_recipes_are_a_module_too() {
    let place = place();
    let list = place.ok("just", &["--list"]);
    for recipe in ["[prompts]", "emit *NAMES='--all'", "check ", "watch *NAMES='--all'"] {
        assert!(list.contains(recipe), "{list}");
    }
    assert!(
        list.lines()
            .filter(|line| line.starts_with("    ") && !line.contains('['))
            .all(|line| line.contains('#')),
        "{list}"
    );
    place.write("justfile", "mod canopy\n");
    place.ok("just", &["canopy", "emit"]);
    place.ok("just", &["canopy", "check"]);
    let watch = place.ok("just", &["--dry-run", "canopy", "watch"]);
    assert!(watch.contains("cn emit --all --watch"), "{watch}");
}
