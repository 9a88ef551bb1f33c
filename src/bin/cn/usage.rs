//! A wrong command line: what is wrong with it and what may have been meant.

use std::ffi::OsString;

use canopy::problem::{Problem, nearest};
use clap::error::{ContextKind, ContextValue, ErrorKind};

use crate::args::{self, Color};
use crate::report::{ExitStatus, Reply, Styled};

/// What a command line seems to ask for, before it is known to be right.
pub(crate) struct Guess {
    /// Whether the answer is to be JSON.
    pub(crate) json: bool,
    /// When to use colour.
    pub(crate) color: Color,
    /// Whether to say how long it took.
    pub(crate) timing: bool,
    /// The command; empty if none is made out.
    pub(crate) command: String,
}

impl Guess {
    pub(crate) fn of(typed: &[OsString]) -> Guess {
        let words: Vec<&str> = typed.iter().skip(1).map(|word| word.to_str().unwrap_or_default()).collect();
        let options = || words.iter().take_while(|word| **word != "--");
        let color = options().enumerate().find_map(|(at, word)| match *word {
            "--color" => words.get(at + 1).copied(),
            word => word.strip_prefix("--color="),
        });
        Guess {
            json: options().any(|word| *word == "--json"),
            timing: options().any(|word| *word == "--timing"),
            color: match color {
                Some("always") => Color::Always,
                Some("never") => Color::Never,
                _ => Color::Auto,
            },
            command: command(&words),
        }
    }
}

/// The names of the command and its subcommand, the values of options left aside.
fn command(words: &[&str]) -> String {
    let root = args::command();
    let mut level = &root;
    let mut names = Vec::new();
    let mut before = "";
    for word in words {
        if !matches!(before, "--root" | "--color") {
            if let Some(sub) = level.find_subcommand(word) {
                names.push(*word);
                level = sub;
            } else if !word.starts_with('-') {
                break;
            }
        }
        before = word;
    }
    names.join(" ")
}

/// The reply to a command line that clap did not take, or that asks for help.
pub(crate) fn reply(error: &clap::Error, command: &str) -> Reply {
    let text = error.render();
    if matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion) {
        let reply = Reply { data: Styled::Text(text.ansi().to_string()), ..Reply::default() };
        return reply.of("help").with("text", text.to_string());
    }
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let problem = Problem::new(format!("`cn {command}` takes one more word"));
        return wrong(problem.hint(format!("`cn help {command}` lists what it may be"))).of(command);
    }
    let text = text.to_string();
    let mut paragraphs = text.split("\n\n");
    let message = paragraphs.next().unwrap_or_default();
    let message = message.strip_prefix("error: ").unwrap_or(message).trim_end().replace('\'', "`");
    let suggestion = suggestion(error);
    let hint = match (&suggestion, command) {
        (Some(meant), _) => format!("did you mean `{meant}`?"),
        (None, "") => "`cn help` lists the commands".to_owned(),
        (None, _) if message.contains("--watch") && error.kind() == ErrorKind::MissingRequiredArgument => {
            "give `--watch` as well".to_owned()
        }
        (None, "emit" | "validate") if error.kind() == ErrorKind::MissingRequiredArgument => {
            "name a prompt, or give `--all`".to_owned()
        }
        (None, command) => format!("`cn help {command}` shows what it takes"),
    };
    let reply = wrong(Problem::new(message).hint(hint)).of(command);
    match suggestion {
        Some(meant) => reply.with("suggestion", meant),
        None => reply,
    }
}

/// The reply to `cn` alone: the help, as what was missing.
pub(crate) fn nothing_typed() -> Reply {
    let help = args::command().render_help().ansi().to_string();
    let reply = wrong(Problem::new("no command was given").hint("`cn help` lists the commands"));
    Reply { notes: Styled::Text(format!("{help}\n")), ..reply }
}

/// A reply that says what is wrong with the command line.
pub(crate) fn wrong(problem: Problem) -> Reply {
    Reply { status: ExitStatus::Usage, problems: vec![problem], ..Reply::default() }
}

/// What was probably meant: of clap's suggestions the nearest.
fn suggestion(error: &clap::Error) -> Option<String> {
    let kinds = [
        (ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand),
        (ContextKind::InvalidArg, ContextKind::SuggestedArg),
        (ContextKind::InvalidValue, ContextKind::SuggestedValue),
    ];
    kinds.into_iter().find_map(|(typed, suggested)| match (error.get(typed), error.get(suggested)?) {
        (_, ContextValue::String(meant)) => Some(meant.clone()),
        (Some(ContextValue::String(typed)), ContextValue::Strings(meant)) => {
            nearest(typed, meant.iter().map(String::as_str))
                .or(meant.last().map(String::as_str))
                .map(str::to_owned)
        }
        (_, ContextValue::Strings(meant)) => meant.last().cloned(),
        _ => None,
    })
}
