//! Telling agents about canopy: `cn prime`, `cn onboard`, and the pages of the manual.

use crate::support::{Place, run};

const START: &str = "<!-- canopy:start -->";
const END: &str = "<!-- canopy:end -->";

fn place() -> Place {
    Place::with_store(r#"{"name":"a","sections":{"r":"x"}}"#)
}

#[test]
fn prime_prints_our_text_or_the_project_s() {
    let place = place();
    let full = place.ok(&["prime"]).stdout;
    let compact = place.ok(&["prime", "--compact"]).stdout;
    assert!(full.starts_with("# ") && full.contains("cn emit --check") && full.contains("cn sync"));
    assert!(compact.starts_with("# ") && compact.len() < full.len() / 2);
    let json = place.ok(&["prime", "--json"]).json();
    assert_eq!(json["content"], full);
    assert_eq!(json["command"], "prime");

    let place = place.write(".canopy/PRIME.md", "our own\r\n\u{1b}[1mway");
    assert_eq!(place.ok(&["prime"]).stdout, "our own\r\n\u{1b}[1mway");
    assert_eq!(place.ok(&["prime", "--compact"]).stdout, "our own\r\n\u{1b}[1mway");
    assert_eq!(place.ok(&["prime", "--export"]).stdout, full);
    assert_eq!(place.ok(&["prime", "--export", "--compact"]).stdout, compact);
    let place = place.write(".canopy/PRIME.md", b"\xff");
    assert!(place.cn(&["prime"]).stderr.contains("not UTF-8"));
    assert_eq!(Place::new().cn(&["prime"]).status, 1);
    assert_eq!(Place::new().ok(&["prime", "--export"]).stdout, full);
}

#[test]
fn onboard_makes_a_file_adds_to_it_and_keeps_it_up_to_date() {
    let place = place();
    let check = |status: i32, word: &str| {
        let ran = place.cn(&["onboard", "--check", "--json"]);
        assert_eq!(ran.status, status, "{ran:?}");
        assert_eq!((&ran.json()["status"], &ran.json()["file"]), (&word.into(), &"CLAUDE.md".into()));
    };
    check(1, "missing");
    assert!(!place.exists("CLAUDE.md"));
    let section = place.ok(&["onboard", "--stdout"]).stdout;
    assert!(section.starts_with(START) && section.contains("<!-- canopy:version 1 -->"));
    assert!(section.ends_with(&format!("{END}\n")));
    assert!(!place.exists("CLAUDE.md"));

    let act = |word: &str| {
        let json = place.ok(&["onboard", "--json"]).json();
        assert_eq!((&json["action"], &json["file"]), (&word.into(), &"CLAUDE.md".into()));
    };
    act("created");
    assert_eq!(place.read("CLAUDE.md"), section);
    check(0, "current");
    act("unchanged");
    let put = |text: String| std::fs::write(place.path("CLAUDE.md"), text).unwrap();
    put(format!("# a\n{START}\nold\n{END}\nb"));
    check(1, "outdated");
    act("updated");
    assert_eq!(place.read("CLAUDE.md"), format!("# a\n{section}b"));
    put("# a\r\nb\r\n".into());
    check(1, "missing");
    act("appended");
    assert_eq!(place.read("CLAUDE.md"), format!("# a\r\nb\r\n\r\n{}", section.replace('\n', "\r\n")));
    check(0, "current");
}

#[test]
fn onboard_takes_the_first_file_that_is_there() {
    let place = place().write("AGENTS.md", "agents\n");
    std::fs::create_dir(place.path("deep")).unwrap();
    let json = run(&place.path("deep"), &["onboard", "--json"], "", &[]).json();
    assert_eq!(json["file"], "AGENTS.md");
    let place = place.write(".claude/CLAUDE.md", "deep\n");
    assert_eq!(place.ok(&["onboard", "--json"]).json()["file"], ".claude/CLAUDE.md");
    let place = place.write("CLAUDE.md", "top");
    assert_eq!(place.ok(&["onboard", "--json"]).json()["file"], "CLAUDE.md");
    assert!(place.read("CLAUDE.md").starts_with("top\n\n<!-- canopy:start -->\n"));
}

#[test]
fn onboard_writes_nothing_where_markers_enclose_nothing() {
    for (text, line) in [
        (format!("a\n{START}\n"), 2),
        (format!("{END}\n{START}\n"), 1),
        (format!("{START}\n{END}\n{END}"), 3),
    ] {
        let place = place().write("CLAUDE.md", &text);
        for args in [&["onboard"][..], &["onboard", "--check"]] {
            let ran = place.cn(args);
            assert_eq!(ran.status, 1);
            assert!(ran.stderr.contains(&format!("--> CLAUDE.md:{line}\n")), "{ran:?}");
        }
        assert_eq!(place.read("CLAUDE.md"), text);
    }
    let place = place().write("CLAUDE.md", b"\xff\xfe");
    assert!(place.cn(&["onboard"]).stderr.contains("not UTF-8"));
}

#[cfg(unix)]
#[test]
fn onboard_writes_through_a_link_that_stays_inside() {
    use std::os::unix::fs::symlink;
    let place = place().write("AGENTS.md", "agents\n");
    symlink("AGENTS.md", place.path("CLAUDE.md")).unwrap();
    place.ok(&["onboard"]);
    assert!(place.path("CLAUDE.md").is_symlink());
    assert!(place.read("AGENTS.md").starts_with("agents\n\n<!-- canopy"));
    std::fs::remove_file(place.path("CLAUDE.md")).unwrap();
    let outside = Place::new().write("x.md", "x");
    symlink(outside.path("x.md"), place.path("CLAUDE.md")).unwrap();
    assert_eq!(place.cn(&["onboard"]).status, 1);
    assert_eq!(outside.read("x.md"), "x");
}

#[test]
fn the_manual_has_a_page_for_each_command() {
    let place = Place::new();
    place.ok(&["man", "--out", "deep/man"]);
    let help = place.ok(&["help"]).stdout;
    let commands = help.lines().filter_map(|line| line.strip_prefix("  ")?.split_once("  "));
    let commands: Vec<_> = commands
        .map(|(name, _)| name)
        .filter(|name| name.chars().all(|c| c.is_ascii_lowercase()) && !name.is_empty())
        .collect();
    assert!(commands.len() > 20, "{commands:?}");
    for name in commands.iter().copied().chain(["schema-rule-add", "config-set"]) {
        let page = place.read(&format!("deep/man/cn-{name}.1"));
        assert!(page.contains(".SH SYNOPSIS"), "{name}: {page}");
    }
    assert!(place.read("deep/man/cn.1").contains("cn\\-emit"));
    assert!(!place.exists("deep/man/cn-man.1") && !help.contains("man  "));
}
