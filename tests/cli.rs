//! The command line itself: help, wrong words, JSON in every place, and what people see.

use crate::support::{Place, run, snapshot};

const TEAM: &str = r#"{"name":"base","sections":[{"name":"role","body":"You work here.","required":true}],"tags":["agent"]}
{"name":"careful","sections":{"care":"Look twice."}}
{"name":"builder","version":1,"extends":"base","sections":{"role":"You build.","gates":"Run the tests.\nThen push."},"tags":["agent"]}
{"name":"builder","version":2,"extends":"base","mixins":["careful"],"description":"Builds","schema":"agent","sections":{"role":"You build.","gates":"Run all the tests.\nThen ask.","more":"x"},"tags":["agent","leaf"],"frontmatter":{"model":"opus","tools":["Read"]},"updatedAt":"2026-02-01T00:00:00.000Z"}
{"name":"idea","status":"draft","extends":"builder"}
{"name":"gone","status":"archived"}"#;

const SCHEMA: &str = r#"{"id":"schema-1","name":"agent","requiredSections":["role","gates","close"],"rules":[{"section":"gates","pattern":"(?=.*push)","message":"the gates must say when to push"},{"section":"role","pattern":"(","message":"m"}]}
"#;

fn team() -> Place {
    Place::with_store(TEAM).write(".canopy/schemas.jsonl", SCHEMA)
}

#[test]
fn what_people_see() {
    let place = team();
    let commands: [&[&str]; 17] = [
        &["list"],
        &["list", "--tag", "leaf"],
        &["show", "builder"],
        &["show", "builder@1"],
        &["render", "builder"],
        &["tree", "base"],
        &["tree", "builder"],
        &["history", "builder"],
        &["history", "builder", "--limit", "1"],
        &["diff", "builder"],
        &["diff", "builder@1", "2"],
        &["stats"],
        &["validate", "builder"],
        &["validate", "--all"],
        &["schema", "list"],
        &["schema", "show", "agent"],
        &["emit", "builder", "base"],
    ];
    for args in commands {
        let name = format!("seen-{}", args.join("-").replace("--", "").replace('@', "-at-"));
        snapshot(&name, "What a person sees, without colour.", &place.transcript(args));
    }
}

/// Every command once, in the order of a day's work.
#[cfg(unix)]
const DAY: &str = "init --project shop
    create --name base --section role=Work. --tag agent
    create --name builder --extends base --section gates=Test.
    import in.md --name merger --split
    update builder --description Builds --fm model=opus
    edit builder
    pin builder@1
    unpin builder
    archive merger
    list
    show builder
    render builder
    tree builder
    history builder
    diff builder
    stats
    schema create --name agent --required role
    schema rule add agent --section role --pattern ork --message m
    schema show agent
    schema list
    update builder --schema agent
    validate builder
    config show
    config set project store
    config unset targets.agents.tags
    emit --all
    emit --check
    explain agents/builder.md
    doctor
    sync
    onboard
    onboard --check
    prime --compact
    completions fish
    help pin
    man --out man";

#[cfg(unix)]
#[test]
fn a_day_with_every_command_fits_a_terminal() {
    let place = Place::new().write("in.md", "---\ndescription: Lands changes\n---\n## Role\n\nYou merge.\n");
    let mut seen = String::new();
    let mut ran = std::collections::BTreeSet::new();
    for line in DAY.lines() {
        let args: Vec<&str> = line.split_whitespace().collect();
        ran.insert(args[0].to_owned());
        let env = [("VISUAL", ""), ("EDITOR", "sed -i s/Test./Tested./"), ("GIT_CEILING_DIRECTORIES", "/")];
        let answer = run(&place.root(), &args, "", &env).transcript(&args, &place.root());
        if args[0] != "completions" && args[0] != "prime" {
            seen.push_str(&answer);
            seen.push('\n');
        }
    }
    for (pattern, word) in [(r"[a-z]+-[0-9a-f]{4}\b", "<id>"), (r"20\d\d-[0-9T:.-]+Z", "<time>")] {
        seen = regex::Regex::new(pattern).unwrap().replace_all(&seen, word).into_owned();
    }
    // Messages are prose with a person's own words in it, which a terminal breaks where it likes.
    let prose = |line: &&str| ["error: ", "warning: ", "hint: "].iter().any(|word| line.starts_with(word));
    let wide = seen.lines().filter(|line| !prose(line)).find(|line| line.chars().count() > 80);
    assert_eq!(wide, None);
    snapshot("seen-a-day", "Every command as a person sees it, at 80 columns.", &seen);
    let help = place.ok(&["help"]).stdout;
    let commands =
        help.lines().filter_map(|line| line.strip_prefix("  ")?.split_once("  ").map(|(name, _)| name));
    let missing: Vec<_> = commands.filter(|name| !name.is_empty() && !name.starts_with(['-', ' '])).collect();
    let missing: Vec<_> = missing.into_iter().filter(|name| !ran.contains(*name)).collect();
    assert!(missing.is_empty(), "not a part of the day: {missing:?}");
}

#[test]
fn what_people_see_in_colour() {
    let place = team();
    let text = place.transcript(&["diff", "builder", "--color", "always"]);
    snapshot(
        "seen-in-colour",
        "Words that changed are marked within their lines.",
        &text.replace('\u{1b}', "␛"),
    );
}

#[test]
fn help_is_grouped_by_what_people_do() {
    let place = Place::new();
    snapshot("help", "The first page of help.", &place.transcript(&["help"]));
    snapshot("help-emit", "The help of a command.", &place.transcript(&["emit", "--help"]));
    assert_eq!(place.ok(&["--help"]).stdout, place.ok(&["help"]).stdout);
    assert_eq!(place.ok(&["-h"]).stdout, place.ok(&["help"]).stdout);
    assert_eq!(place.ok(&["help", "schema", "show"]).stdout, place.ok(&["schema", "show", "-h"]).stdout);
    assert_eq!(place.ok(&["help", "--json"]).json()["command"], "help");
}

#[test]
fn wrong_words() {
    let place = team();
    let commands: [&[&str]; 13] = [
        &[],
        &["emti"],
        &["emit"],
        &["emit", "--al"],
        &["emit", "--all", "builder"],
        &["emit", "--all", "--out", "x"],
        &["list", "--status", "live"],
        &["diff", "builder", "one", "two"],
        &["diff", "builder@1", "2", "3"],
        &["history", "builder", "--limit", "0"],
        &["render", "builder", "--format", "html"],
        &["emit", "builder@1"],
        &["help", "emti"],
    ];
    let text: String = commands.iter().map(|args| place.transcript(args) + "\n").collect();
    snapshot("wrong-words", "A wrong command line is exit 2 with what may have been meant.", &text);
}

#[test]
fn with_json_there_is_exactly_one_value_on_stdout() {
    let place = team();
    let commands: [(&[&str], i32, &str); 18] = [
        (&["list", "--json"], 0, "list"),
        (&["--json", "list"], 0, "list"),
        (&["--json", "show", "nobody"], 1, "show"),
        (&["render", "builder", "--json"], 0, "render"),
        (&["render", "nobody", "--format", "json"], 1, "render"),
        (&["tree", "base", "--json"], 0, "tree"),
        (&["history", "base", "--json"], 0, "history"),
        (&["diff", "builder", "--json"], 0, "diff"),
        (&["diff", "builder", "x", "y", "--json"], 2, "diff"),
        (&["stats", "--json", "--timing"], 0, "stats"),
        (&["validate", "--all", "--json"], 1, "validate"),
        (&["schema", "show", "nothing", "--json"], 1, "schema show"),
        (&["schema", "--json"], 2, "schema"),
        (&["emit", "--all", "--json", "--verbose"], 0, "emit"),
        (&["emit", "--check", "--json", "-q"], 0, "emit"),
        (&["--version", "--json"], 0, "version"),
        (&["completions", "bash", "--json"], 0, "completions"),
        (&["emit", "--help", "--json"], 0, "help"),
    ];
    for (args, status, command) in commands {
        let ran = place.cn(args);
        assert_eq!(ran.status, status, "{args:?}: {ran:?}");
        let json = ran.json();
        assert_eq!(json["success"], status == 0, "{args:?}: {ran:?}");
        assert_eq!(json["command"], command, "{args:?}: {ran:?}");
        assert!(status == 0 || json["error"].is_string() || command == "validate", "{args:?}: {ran:?}");
        assert!(ran.stdout.starts_with("{\n  \""), "{args:?}: {ran:?}");
    }
    assert_eq!(run(&place.root(), &["--json"], "", &[]).status, 2);
}

#[test]
fn init_makes_a_store_and_leaves_what_is_there() {
    let place = Place::new().write(".gitattributes", "*.md text");
    let ran = place.ok(&["init", "--project", "shop"]);
    assert!(ran.stdout.contains(".canopy"), "{ran:?}");
    assert_eq!(
        place.read(".gitattributes"),
        "*.md text\n.canopy/prompts.jsonl merge=union\n.canopy/schemas.jsonl merge=union\n"
    );
    assert!(place.read(".canopy/config.yaml").starts_with("project: shop\n"));
    place.ok(&["emit", "--all"]);
    let again = place.cn(&["init"]);
    assert_eq!(again.status, 1);
    assert!(again.stderr.contains("already"), "{again:?}");
    assert_eq!(Place::new().cn(&["init", "--project", "a b"]).status, 1);
}

#[test]
fn quiet_says_nothing_but_what_was_asked_for() {
    let place = team();
    let ran = place.ok(&["emit", "--all", "-q"]);
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("", ""));
    assert_eq!(place.ok(&["render", "base", "-q"]).stdout, "You work here.\n");
}

#[test]
fn timing_and_verbose_speak_on_stderr() {
    let place = team();
    let ran = place.ok(&["emit", "--all", "--timing", "--verbose"]);
    assert!(ran.stderr.contains("[timing] "), "{ran:?}");
    assert!(ran.stderr.contains("read: .canopy/prompts.jsonl"), "{ran:?}");
}

#[test]
fn completions_know_every_shell() {
    let place = Place::new();
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(place.ok(&["completions", shell]).stdout.contains("cn"), "{shell}");
    }
}
