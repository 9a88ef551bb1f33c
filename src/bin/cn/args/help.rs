//! The first page of help: commands grouped by what people do with them.

use clap::Command;

/// The groups, in the order of a newcomer's day.
const GROUPS: [(&str, &[&str]); 6] = [
    ("Start", &["init", "import", "onboard", "prime"]),
    ("Write", &["create", "update", "edit", "archive", "pin", "unpin"]),
    ("Look", &["list", "show", "render", "tree", "history", "diff", "stats"]),
    ("Check", &["validate", "schema", "doctor"]),
    ("Build", &["emit", "explain", "sync"]),
    ("Set up", &["config", "completions", "help"]),
];

/// `command` with its subcommands listed in groups.
pub(super) fn grouped(command: Command) -> Command {
    let width = command.get_subcommands().map(|sub| sub.get_name().len()).max().unwrap_or(0);
    let mut listing = String::new();
    for (group, names) in GROUPS {
        listing.push_str(&format!("\n{group}:\n"));
        for sub in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let about = sub.get_about().map(ToString::to_string).unwrap_or_default();
            listing.push_str(&format!("  {:width$}  {about}\n", sub.get_name()));
        }
    }
    command.help_template(format!(
        "{{about}}\n\n{{usage-heading}} cn <COMMAND> [OPTIONS]\n{listing}\nOptions:\n{{options}}\n\n\
         `cn help COMMAND` says more about a command."
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory as _;

    #[test]
    fn every_command_that_is_no_secret_is_in_a_group() {
        let command = crate::args::Cli::command();
        for sub in command.get_subcommands() {
            let groups = GROUPS.iter().filter(|(_, names)| names.contains(&sub.get_name())).count();
            assert_eq!(groups, usize::from(!sub.is_hide_set()), "{}", sub.get_name());
        }
        command.debug_assert();
    }
}
