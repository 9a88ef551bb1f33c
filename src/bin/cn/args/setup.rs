//! The arguments of the commands that set up, keep and explain a project.

use clap::{Args, Subcommand};

/// `cn init`
#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The project's name, which begins the ids of its prompts [default: the folder's name]
    #[arg(long, value_name = "NAME")]
    pub(crate) project: Option<String>,
}

/// `cn doctor`
#[derive(Debug, Args)]
pub(crate) struct Doctor {
    /// Mend what can be mended without a question
    #[arg(long)]
    pub(crate) fix: bool,
}

/// `cn config`
#[derive(Debug, Subcommand)]
pub(crate) enum Config {
    /// Print the JSON Schema of the configuration
    Schema,
    /// Print the configuration, or one value of it
    Show(ConfigShow),
    /// Set a value
    Set(ConfigSet),
    /// Remove a value
    Unset(ConfigUnset),
}

/// `cn config show`
#[derive(Debug, Args)]
pub(crate) struct ConfigShow {
    /// The value, as names with points between them: targets.agents.dir; a name that has a point
    /// itself stands in quotes: 'targets."a.b".dir'
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<String>,
}

/// `cn config set`
#[derive(Debug, Args)]
pub(crate) struct ConfigSet {
    /// The value's place, as names with points between them: targets.agents.dir; a name that has a
    /// point itself stands in quotes: 'targets."a.b".dir'
    pub(crate) path: String,
    /// The value, as YAML: a word, true, [a, b], {dir: x}
    #[arg(allow_hyphen_values = true)]
    pub(crate) value: String,
}

/// `cn config unset`
#[derive(Debug, Args)]
pub(crate) struct ConfigUnset {
    /// The value's place, as names with points between them: targets.agents; a name that has a
    /// point itself stands in quotes: 'targets."a.b"'
    pub(crate) path: String,
}

/// `cn sync`
#[derive(Debug, Args)]
pub(crate) struct Sync {
    /// Commit nothing; say what is not committed
    #[arg(long)]
    pub(crate) status: bool,
}

/// `cn prime`
#[derive(Debug, Args)]
pub(crate) struct Prime {
    /// Say only what is needed to begin
    #[arg(long)]
    pub(crate) compact: bool,
    /// Print the text that comes with canopy, whatever the project's own says
    #[arg(long)]
    pub(crate) export: bool,
}

/// `cn onboard`
#[derive(Debug, Args)]
pub(crate) struct Onboard {
    /// Write nothing; say whether the instructions are there and up to date
    #[arg(long)]
    pub(crate) check: bool,
    /// Print the instructions, write nothing
    #[arg(long, conflicts_with = "check")]
    pub(crate) stdout: bool,
}

/// `cn completions`
#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// `cn help`
#[derive(Debug, Args)]
pub(crate) struct Help {
    /// The command
    pub(crate) command: Vec<String>,
}
