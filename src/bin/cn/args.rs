//! What may be typed: commands, options and their help.

pub(crate) mod edits;
mod examples;
mod help;
mod look;
mod man;
mod setup;
mod write;

use std::ffi::OsString;
use std::path::PathBuf;

use canopy::prompt::Status;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;
use clap::{ArgAction, Args, CommandFactory, Parser, Subcommand, ValueEnum};

pub(crate) use look::{
    Diff, Explain, Format, History, List, Render, Schema, SchemaCreate, SchemaRule, SchemaRuleAdd,
    SchemaShow, Show, Tree, Validate,
};
pub(crate) use man::Man;
pub(crate) use setup::{
    Completions, Config, ConfigSet, ConfigShow, ConfigUnset, Doctor, Help, Init, Onboard, Prime, Sync,
};
pub(crate) use write::{Archive, Create, Edit, Import, Pin, Unpin, Update};

/// A build system for prompts: composed, validated records in, plain files out.
#[derive(Debug, Parser)]
#[command(
    name = "cn",
    bin_name = "cn",
    disable_version_flag = true,
    disable_help_flag = true,
    arg_required_else_help = false
)]
#[command(infer_long_args = false, disable_help_subcommand = true, max_term_width = 80)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,

    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// Options that every command takes, before or after its name.
#[derive(Debug, Clone, Args)]
pub(crate) struct Global {
    /// Print one JSON value to stdout instead of text
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) json: bool,

    /// Print nothing but what was asked for, warnings and errors
    #[arg(short, long, global = true, help_heading = "Global options")]
    pub(crate) quiet: bool,

    /// Say what is read and from where
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) verbose: bool,

    /// Say how long the command took
    #[arg(long, global = true, help_heading = "Global options")]
    pub(crate) timing: bool,

    /// The folder that holds `.canopy` [default: the nearest one upwards]
    #[arg(long, global = true, value_name = "DIR", env = "CANOPY_ROOT", hide_env = true)]
    #[arg(help_heading = "Global options")]
    pub(crate) root: Option<OsString>,

    /// When to use colour
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", hide_possible_values = true)]
    #[arg(help_heading = "Global options")]
    pub(crate) color: Color,

    /// Print the version
    #[arg(short = 'V', short_alias = 'v', long, action = ArgAction::SetTrue)]
    #[arg(help_heading = "Global options")]
    pub(crate) version: bool,

    /// Print help
    #[arg(short, long, global = true, action = ArgAction::HelpShort, help_heading = "Global options")]
    help: Option<bool>,
}

/// When to use colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Color {
    /// On a terminal, unless NO_COLOR is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// The form of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// For people.
    Text,
    /// One JSON value, as with `--json`.
    Json,
    /// As text, and what is wrong as annotations of GitHub's.
    Github,
    /// What is wrong as SARIF, for code scanning.
    Sarif,
}

impl Cli {
    /// The form that `--format` asks for, where a command has it.
    pub(crate) fn format(&self) -> Option<Form> {
        match &self.command {
            Some(Command::Emit(args)) => Some(args.format),
            Some(Command::Validate(args)) => Some(args.format),
            _ => None,
        }
    }
}

impl Form {
    /// The form that was asked for by `--json` or `--format`.
    pub(crate) fn of(json: bool, format: Option<Form>) -> Form {
        if json { Form::Json } else { format.unwrap_or(Form::Text) }
    }
}

/// The commands.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Make an empty store in the current folder
    Init(Init),
    /// Make a prompt
    Create(Create),
    /// Change a prompt: a new version
    Update(Update),
    /// Change a prompt in your editor
    Edit(Edit),
    /// Take a prompt out of use; nothing is deleted
    Archive(Archive),
    /// Hold a prompt at one of its versions
    Pin(Pin),
    /// Let a pinned prompt go on
    Unpin(Unpin),
    /// Make a prompt of a Markdown file
    Import(Import),
    /// List the prompts
    List(List),
    /// Show a prompt's record
    Show(Show),
    /// Print what a prompt renders to
    Render(Render),
    /// Show what a prompt inherits and what inherits from it
    Tree(Tree),
    /// List a prompt's versions, the latest first
    History(History),
    /// Show what changed between two versions of a prompt
    Diff(Diff),
    /// Count prompts, versions and schemas
    Stats,
    /// Hold prompts against their schemas
    Validate(Validate),
    /// Look at the schemas, make and extend them
    #[command(subcommand)]
    Schema(Schema),
    /// Look for what is wrong with the project, and mend it
    Doctor(Doctor),
    /// Look at the configuration and change it
    #[command(subcommand)]
    Config(Config),
    /// Write the files that the prompts render to
    Emit(Emit),
    /// Say why a file is what it is
    Explain(Explain),
    /// Commit what changed in .canopy/
    Sync(Sync),
    /// Print what an agent needs to know to work with canopy
    Prime(Prime),
    /// Tell the agents of this project about canopy
    Onboard(Onboard),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Write the pages of the manual
    #[command(hide = true)]
    Man(Man),
    /// Print this help, or a command's
    Help(Help),
}

/// `cn emit`
#[derive(Debug, Args)]
pub(crate) struct Emit {
    /// Prompts by name, or active ones by glob
    #[arg(value_name = "NAME|GLOB", required_unless_present_any = ["all", "check", "diff", "dry_run", "prune"])]
    pub(crate) names: Vec<String>,
    /// Every active prompt
    #[arg(long, conflicts_with = "names")]
    pub(crate) all: bool,
    /// Write to this file (for one prompt); it may be anywhere
    #[arg(long, value_name = "PATH", conflicts_with_all = ["all", "out_dir"])]
    pub(crate) out: Option<PathBuf>,
    /// Write into this folder, whatever the targets say; it may be anywhere
    #[arg(long, value_name = "DIR")]
    pub(crate) out_dir: Option<PathBuf>,
    /// Write nothing; fail if a file is missing, stale, edited or an orphan
    #[arg(long, conflicts_with_all = ["dry_run", "force"])]
    pub(crate) check: bool,
    /// Write nothing; say what would be written
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Write nothing; show what would change, line by line
    #[arg(long)]
    pub(crate) diff: bool,
    /// Overwrite files that were edited, and write those that are up to date
    #[arg(long)]
    pub(crate) force: bool,
    /// Delete files of ours that no prompt is emitted to any more
    #[arg(long, conflicts_with_all = ["names", "out", "out_dir", "check"])]
    pub(crate) prune: bool,
    /// Neither use nor write what the last run remembered
    #[arg(long)]
    pub(crate) no_cache: bool,
    /// Go on, and write again what changes in the store and the configuration
    #[arg(long, conflicts_with_all = ["check", "dry_run", "diff"])]
    pub(crate) watch: bool,
    /// With --watch: look every MS milliseconds [500], do not wait to be told
    #[arg(long, value_name = "MS", num_args = 0..=1, require_equals = true, default_missing_value = "500")]
    #[arg(requires = "watch", value_parser = clap::value_parser!(u64).range(10..=86_400_000))]
    pub(crate) poll: Option<u64>,
    /// With --watch: clear the screen before each build
    #[arg(long, requires = "watch")]
    pub(crate) clear: bool,
    /// How to say what is wrong
    #[arg(long, value_name = "FORMAT", default_value = "text", conflicts_with = "watch")]
    pub(crate) format: Form,
    /// Write down what was read, as Make and Ninja read it
    #[arg(long, value_name = "PATH", conflicts_with_all = ["check", "dry_run", "diff", "watch"])]
    pub(crate) depfile: Option<PathBuf>,
    /// Write down which files there are, one a line
    #[arg(long, value_name = "PATH", conflicts_with_all = ["check", "dry_run", "diff", "watch"])]
    pub(crate) out_list: Option<PathBuf>,
}

impl Emit {
    /// Whether it only says what would be written.
    pub(crate) fn writes_nothing(&self) -> bool {
        self.check || self.dry_run || self.diff
    }
}

fn status() -> impl clap::builder::TypedValueParser<Value = Status> {
    PossibleValuesParser::new(Status::ALL.map(Status::as_str))
        .try_map(|word| Status::parse(&word).ok_or("an unknown status"))
}

/// What a line that is typed right needs to be read: to define all commands takes longer than to find out that there is
/// nothing to emit.
pub(crate) fn brief(typed: &[OsString]) -> clap::Command {
    if typed.get(1).is_none_or(|command| command != "emit") {
        return Cli::command();
    }
    let cn = clap::Command::new("cn").disable_help_flag(true).disable_help_subcommand(true);
    Global::augment_args(cn).subcommand(Emit::augment_args(clap::Command::new("emit")))
}

/// The whole command line, its help grouped by what people do.
pub(crate) fn command() -> clap::Command {
    help::grouped(examples::with_examples(Cli::command()))
}

#[cfg(test)]
mod tests {
    use clap::FromArgMatches as _;

    use super::*;

    #[test]
    fn a_line_means_the_same_by_the_brief_definition() {
        for line in [
            "cn emit --all",
            "cn emit a 'b*' --json -q",
            "cn emit --check --format github --root x",
            "cn emit --watch --poll --clear --color never",
            "cn emit --watch --poll=40 a --timing",
            "cn emit",
            "cn emit --all a",
            "cn emit --help",
            "cn emit -V",
            "cn emit --chekc",
            "cn emit --poll=1",
            "cn emit -- --all",
        ] {
            let typed: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            let [brief, whole] = [brief(&typed), command()].map(|command| {
                let found =
                    command.try_get_matches_from(&typed).and_then(|found| Cli::from_arg_matches(&found));
                found.map(|cli| format!("{cli:?}")).map_err(|e| e.kind())
            });
            assert_eq!(brief, whole, "{line}");
        }
    }
}
