//! Make and Ninja: nothing is done when nothing changed, and one change makes one file anew.

use crate::place::{Place, path_of, ran, record};

/// Which files were copied, that is made anew.
fn copied(said: &str) -> Vec<&'static str> {
    ["builder", "reviewer"]
        .into_iter()
        .filter(|name| said.contains(&format!("{name}.md dist/{name}.md")))
        .collect()
}

fn one_change_makes_one_file(tool: &str, file: &str, verbose: &str) {
    let place = Place::new();
    place.take(file);
    let make = || place.ok(tool, &[verbose]);
    assert_eq!(copied(&make()), ["builder", "reviewer"]);
    let again = make();
    assert!(copied(&again).is_empty() && !again.contains("cn emit"), "{again}");
    place.change("builder", 2, "You build well.");
    assert_eq!(copied(&make()), ["builder"]);
    assert_eq!(place.read("dist/builder.md"), "---\nname: builder\n---\n\nYou build well.\n");
    let again = make();
    assert!(copied(&again).is_empty() && !again.contains("cn emit"), "{again}");
    // A version that renders to the same text makes nothing anew.
    place.change("builder", 3, "You build well.");
    assert!(copied(&make()).is_empty());
    let again = make();
    assert!(!again.contains("cn emit"), "{again}");
    // A configuration that was read is an input; one that is gone is no reason to stop.
    place.write(".canopy/config.yaml", "project: t\n");
    place.change("reviewer", 2, "You review well.");
    assert_eq!(copied(&make()), ["reviewer"]);
    std::fs::remove_file(place.root().join(".canopy/config.yaml")).unwrap();
    assert!(copied(&make()).is_empty());
    // A file that somebody removed comes back.
    let prompts = if tool == "make" { "agents" } else { "prompts" };
    std::fs::remove_file(place.root().join(prompts).join("builder.md")).unwrap();
    make();
    assert!(place.read(&format!("{prompts}/builder.md")).contains("You build well."));
    // A store that is broken stops the build and leaves the files alone.
    let store = place.read(".canopy/prompts.jsonl");
    place.write(
        ".canopy/prompts.jsonl",
        store + &record("builder", 4, "x").replace("\"sections\"", "\"extends\":\"ghost\",\"sections\""),
    );
    let ran = place.run(tool, &[verbose], &[]);
    assert!(!ran.success && ran.said.contains("prompts.jsonl:6"), "{}", ran.said);
    assert!(place.read("dist/builder.md").contains("You build well."));
}

#[test]
fn make_makes_what_changed() {
    one_change_makes_one_file("make", "Makefile", "--no-print-directory");
}

#[test]
fn ninja_makes_what_changed() {
    one_change_makes_one_file("ninja", "build.ninja", "-v");
}

#[test]
fn both_read_names_with_signs_in_them() {
    let place = Place::new();
    // From a folder outside of the project, all paths are whole.
    let away = place.root().parent().unwrap().join("a way");
    std::fs::create_dir_all(&away).unwrap();
    let root = place.root();
    let root = root.to_str().unwrap();
    // Both read a `$` where there are two.
    let emit = "cn --root \"$$ROOT\" emit builder --out 'x y#1.md' --depfile x.d";
    let makefile = format!("x\\ y\\#1.md:\n\t{emit}\n-include x.d\n");
    std::fs::write(away.join("Makefile"), makefile).unwrap();
    let ninja = format!("rule r\n  command = {emit}\n  depfile = x.d\nbuild x$ y#1.md: r\n");
    std::fs::write(away.join("build.ninja"), ninja).unwrap();
    for (tool, version) in [("make", 2), ("ninja", 3)] {
        let run = || {
            let mut command = place.command(&path_of(tool));
            command.current_dir(&away).env("ROOT", root);
            let answer = ran(command.args(if tool == "ninja" { &["-v"][..] } else { &[] }));
            assert!(answer.success, "{tool}: {}", answer.said);
            answer.said.contains("cn --root")
        };
        run();
        assert!(!run(), "{tool} does not know that it is done");
        place.change("builder", version, tool);
        assert!(run(), "{tool} does not see the change");
        assert!(!run(), "{tool} does not know that it is done");
    }
}
