//! What a command is typed like: at the end of its help.

use clap::Command;

/// For each command, what it may be typed like.
const EXAMPLES: &[(&str, &[&str])] = &[
    ("init", &["cn init", "cn init --project shop"]),
    ("create", &["cn create --name builder --extends base-agent --section role='You build.'"]),
    (
        "update",
        &["cn update builder --section-file role=role.md --fm model=opus", "cn update builder --untag old"],
    ),
    ("edit", &["cn edit builder"]),
    ("archive", &["cn archive builder"]),
    ("pin", &["cn pin builder@2"]),
    ("unpin", &["cn unpin builder"]),
    ("import", &["cn import agents/builder.md --name builder --split --tag agent"]),
    ("list", &["cn list --tag agent", "cn list --status archived --json"]),
    ("show", &["cn show builder", "cn show builder@2 --json"]),
    ("render", &["cn render builder | less", "cn render builder@2 --format json"]),
    ("tree", &["cn tree base-agent"]),
    ("history", &["cn history builder --limit 5"]),
    ("diff", &["cn diff builder", "cn diff builder 1 3", "cn diff builder@1 3"]),
    ("stats", &["cn stats --json"]),
    ("validate", &["cn validate builder", "cn validate --all --format sarif"]),
    ("schema", &["cn schema list"]),
    ("schema create", &["cn schema create --name agent --required role,constraints"]),
    ("schema rule", &["cn help schema rule add"]),
    ("schema rule add", &["cn schema rule add agent --section rules --pattern 'Never' --message 'say so'"]),
    ("schema show", &["cn schema show agent"]),
    ("schema list", &["cn schema list --json"]),
    ("doctor", &["cn doctor", "cn doctor --fix"]),
    ("config", &["cn config show"]),
    ("config schema", &["cn config schema --json"]),
    ("config show", &["cn config show --path targets.agents.dir"]),
    (
        "config set",
        &["cn config set project shop", "cn config set targets.commands '{dir: .claude/commands}'"],
    ),
    ("config unset", &["cn config unset targets.commands"]),
    (
        "emit",
        &[
            "cn emit --all",
            "cn emit builder 'review-*'",
            "cn emit --check --diff",
            "cn emit --all --watch",
            "cn emit --check --format github",
            "cn emit --all --out-list prompts.list --depfile prompts.d",
        ],
    ),
    ("explain", &["cn explain agents/builder.md", "cn explain builder --json"]),
    ("sync", &["cn sync", "cn sync --status"]),
    ("prime", &["cn prime --compact", "cn prime --export > .canopy/PRIME.md"]),
    ("onboard", &["cn onboard", "cn onboard --check"]),
    ("completions", &["cn completions bash > ~/.local/share/bash-completion/completions/cn"]),
    ("help", &["cn help emit", "cn help schema rule add"]),
    ("man", &["cn man --out target/man"]),
];

/// `command` with examples under each of its commands.
pub(super) fn with_examples(command: Command) -> Command {
    EXAMPLES.iter().fold(command, |command, (path, examples)| {
        let text = format!("Examples:\n  {}", examples.join("\n  "));
        add(command, &mut path.split(' '), &text)
    })
}

/// Puts the text under the command that the names lead to.
fn add<'n>(command: Command, names: &mut impl Iterator<Item = &'n str>, text: &str) -> Command {
    match names.next() {
        None => command.after_help(text.to_owned()),
        Some(name) if command.find_subcommand(name).is_none() => command,
        Some(name) => command.mut_subcommand(name, |sub| add(sub, names, text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(command: &Command, path: &str) {
        for sub in command.get_subcommands() {
            let path = format!("{path} {}", sub.get_name());
            let path = path.trim_start();
            assert!(EXAMPLES.iter().any(|(name, _)| *name == path), "no example for `{path}`");
            check(sub, path);
        }
    }

    #[test]
    fn every_command_has_an_example_that_it_takes() {
        check(&crate::args::command(), "");
        for (path, examples) in EXAMPLES {
            for example in *examples {
                assert!(
                    example.starts_with(&format!("cn {path}")) || example.starts_with("cn help"),
                    "{example}"
                );
                let plain = example.split([' ']).take_while(|word| !matches!(*word, "|" | ">"));
                let quoted = example.contains('\'');
                let taken = crate::args::command().try_get_matches_from(plain);
                assert!(quoted || taken.is_ok(), "{example}: {:?}", taken.err());
            }
        }
    }

    #[test]
    fn no_line_of_any_help_is_wider_than_a_terminal() {
        fn check(command: &mut Command) {
            for line in command.render_help().to_string().lines() {
                assert!(line.chars().count() <= 80, "{}: {line}", command.get_name());
            }
            command.get_subcommands_mut().for_each(check);
        }
        let mut command = crate::args::command();
        command.build();
        check(&mut command);
    }
}
