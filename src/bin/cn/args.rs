//! What may be typed: commands, options and their help.

pub(crate) mod edits;
mod help;

use std::ffi::OsString;
use std::path::PathBuf;

use canopy::prompt::Status;
use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser as _;
use clap::{ArgAction, Args, CommandFactory, Parser, Subcommand, ValueEnum};

/// A build system for prompts: composed, versioned, validated records in, plain files out.
#[derive(Debug, Parser)]
#[command(
    name = "cn",
    bin_name = "cn",
    disable_version_flag = true,
    disable_help_flag = true,
    arg_required_else_help = false
)]
#[command(infer_long_args = false, disable_help_subcommand = true, max_term_width = 100)]
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
    /// Commit what changed in .canopy/
    Sync(Sync),
    /// Print what an agent needs to know to work with canopy
    Prime(Prime),
    /// Tell the agents of this project about canopy, in their instructions
    Onboard(Onboard),
    /// Print a completion script for a shell
    Completions(Completions),
    /// Print this help, or a command's
    Help(Help),
}

/// `cn init`
#[derive(Debug, Args)]
pub(crate) struct Init {
    /// The project's name, which begins the ids of its prompts [default: the folder's name]
    #[arg(long, value_name = "NAME")]
    pub(crate) project: Option<String>,
}

/// `cn list`
#[derive(Debug, Args)]
pub(crate) struct List {
    /// Only prompts with this tag (repeatable: with all of them)
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
    /// Only prompts of this status [default: all but archived ones]
    #[arg(long, value_name = "STATUS", value_parser = status())]
    pub(crate) status: Option<Status>,
    /// Only prompts that extend this one
    #[arg(long, value_name = "NAME")]
    pub(crate) extends: Option<String>,
    /// Only prompts that mix this one in
    #[arg(long, value_name = "NAME")]
    pub(crate) mixin: Option<String>,
}

/// `cn show`
#[derive(Debug, Args)]
pub(crate) struct Show {
    /// The prompt, or one version of it as NAME@VERSION
    #[arg(value_name = "NAME[@VERSION]")]
    pub(crate) name: String,
}

/// `cn render`
#[derive(Debug, Args)]
pub(crate) struct Render {
    /// The prompt, or one version of it as NAME@VERSION
    #[arg(value_name = "NAME[@VERSION]")]
    pub(crate) name: String,
    /// Markdown without front matter, or everything as JSON
    #[arg(long, value_name = "FORMAT", default_value = "md")]
    pub(crate) format: Format,
}

/// How a rendered prompt is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// The text.
    Md,
    /// Sections, lineage, front matter and declarations.
    Json,
}

/// `cn tree`
#[derive(Debug, Args)]
pub(crate) struct Tree {
    /// The prompt
    pub(crate) name: String,
}

/// `cn history`
#[derive(Debug, Args)]
pub(crate) struct History {
    /// The prompt
    pub(crate) name: String,
    /// How many versions to list
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = at_least_one)]
    pub(crate) limit: usize,
}

/// `cn diff`
#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// The prompt, or one version of it as NAME@VERSION
    #[arg(value_name = "NAME[@VERSION]")]
    pub(crate) name: String,
    /// The older version [default: the one before the latest]
    #[arg(value_name = "FROM", value_parser = version)]
    pub(crate) from: Option<u64>,
    /// The newer version [default: the latest]
    #[arg(value_name = "TO", value_parser = version)]
    pub(crate) to: Option<u64>,
}

/// `cn validate`
#[derive(Debug, Args)]
#[command(arg_required_else_help = false)]
pub(crate) struct Validate {
    /// The prompt
    #[arg(required_unless_present = "all")]
    pub(crate) name: Option<String>,
    /// Every prompt that has a schema and is not archived
    #[arg(long, conflicts_with = "name")]
    pub(crate) all: bool,
}

/// `cn schema`
#[derive(Debug, Subcommand)]
pub(crate) enum Schema {
    /// Make a schema
    Create(SchemaCreate),
    /// Add a rule to a schema
    #[command(subcommand)]
    Rule(SchemaRule),
    /// Show a schema
    Show(SchemaShow),
    /// List the schemas
    List,
}

/// `cn schema create`
#[derive(Debug, Args)]
pub(crate) struct SchemaCreate {
    /// The schema's name
    #[arg(long)]
    pub(crate) name: String,
    /// The sections that a prompt must have, with commas between them
    #[arg(long, value_name = "SECTIONS", value_delimiter = ',')]
    pub(crate) required: Vec<String>,
    /// The sections that a prompt may have, with commas between them
    #[arg(long, value_name = "SECTIONS", value_delimiter = ',')]
    pub(crate) optional: Vec<String>,
}

/// `cn schema rule`
#[derive(Debug, Subcommand)]
pub(crate) enum SchemaRule {
    /// Add a pattern that a section must match
    Add(SchemaRuleAdd),
}

/// `cn schema rule add`
#[derive(Debug, Args)]
pub(crate) struct SchemaRuleAdd {
    /// The schema
    pub(crate) schema: String,
    /// The section that is looked at
    #[arg(long, value_name = "NAME")]
    pub(crate) section: String,
    /// The regular expression that it must match, as in JavaScript
    #[arg(long, value_name = "REGEX")]
    pub(crate) pattern: String,
    /// What a person is told when it does not match
    #[arg(long, value_name = "TEXT")]
    pub(crate) message: String,
}

/// `cn schema show`
#[derive(Debug, Args)]
pub(crate) struct SchemaShow {
    /// The schema
    pub(crate) name: String,
}

/// `cn create`
#[derive(Debug, Args)]
pub(crate) struct Create {
    /// The prompt's name
    #[arg(long)]
    pub(crate) name: String,
    #[command(flatten)]
    pub(crate) edits: edits::Edits,
    #[command(flatten)]
    pub(crate) bodies: edits::Bodies,
}

/// `cn update`
#[derive(Debug, Args)]
pub(crate) struct Update {
    /// The prompt
    #[arg(value_name = "PROMPT")]
    pub(crate) prompt: String,
    /// Give it another name
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    #[command(flatten)]
    pub(crate) edits: edits::Edits,
    #[command(flatten)]
    pub(crate) removals: edits::Removals,
    #[command(flatten)]
    pub(crate) bodies: edits::Bodies,
}

/// `cn edit`
#[derive(Debug, Args)]
pub(crate) struct Edit {
    /// The prompt
    pub(crate) name: String,
}

/// `cn archive`
#[derive(Debug, Args)]
pub(crate) struct Archive {
    /// The prompt
    pub(crate) name: String,
}

/// `cn pin`
#[derive(Debug, Args)]
pub(crate) struct Pin {
    /// The prompt and the version to hold it at
    #[arg(value_name = "NAME@VERSION")]
    pub(crate) name: String,
}

/// `cn unpin`
#[derive(Debug, Args)]
pub(crate) struct Unpin {
    /// The prompt
    pub(crate) name: String,
}

/// `cn import`
#[derive(Debug, Args)]
pub(crate) struct Import {
    /// The Markdown file
    pub(crate) path: PathBuf,
    /// The new prompt's name
    #[arg(long)]
    pub(crate) name: String,
    /// Make a section of each level-2 heading
    #[arg(long, conflicts_with = "no_split")]
    pub(crate) split: bool,
    /// Make one section of the whole text (this is what happens anyway)
    #[arg(long)]
    pub(crate) no_split: bool,
    /// With --split: name the sections as their headings are written
    #[arg(long, requires = "split")]
    pub(crate) keep_headings: bool,
    /// Tag the prompt (repeatable)
    #[arg(long, value_name = "TAG")]
    pub(crate) tag: Vec<String>,
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
    /// The value, as names with points between them: targets.agents.dir
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<String>,
}

/// `cn config set`
#[derive(Debug, Args)]
pub(crate) struct ConfigSet {
    /// The value's place, as names with points between them: targets.agents.dir
    pub(crate) path: String,
    /// The value, as YAML: a word, true, [a, b], {dir: x}
    #[arg(allow_hyphen_values = true)]
    pub(crate) value: String,
}

/// `cn config unset`
#[derive(Debug, Args)]
pub(crate) struct ConfigUnset {
    /// The value's place, as names with points between them: targets.agents
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

/// `cn emit`
#[derive(Debug, Args)]
pub(crate) struct Emit {
    /// Prompts by name, or active ones by glob
    #[arg(value_name = "NAME|GLOB", required_unless_present_any = ["all", "check"])]
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
    /// Write nothing; fail if a file is missing or not up to date
    #[arg(long, conflicts_with_all = ["dry_run", "force"])]
    pub(crate) check: bool,
    /// Write nothing; say what would be written
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Write files that are up to date as well
    #[arg(long)]
    pub(crate) force: bool,
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

fn version(word: &str) -> Result<u64, &'static str> {
    word.parse().map_err(|_| "not a version number")
}

fn at_least_one(word: &str) -> Result<usize, &'static str> {
    word.parse().ok().filter(|number| *number > 0).ok_or("not a number above 0")
}

fn status() -> impl clap::builder::TypedValueParser<Value = Status> {
    PossibleValuesParser::new(Status::ALL.map(Status::as_str))
        .try_map(|word| Status::parse(&word).ok_or("an unknown status"))
}

/// The whole command line, its help grouped by what people do.
pub(crate) fn command() -> clap::Command {
    help::grouped(Cli::command())
}
