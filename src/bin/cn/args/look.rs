//! The arguments of the commands that look at prompts and schemas, and make schemas.

use std::path::PathBuf;

use canopy::prompt::Status;
use clap::{Args, Subcommand, ValueEnum};

use super::{Form, status};

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

/// `cn explain`
#[derive(Debug, Args)]
pub(crate) struct Explain {
    /// The file, or a prompt to explain the file of
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
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
    /// How to say what is wrong
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(crate) format: Form,
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
#[command(override_usage = "cn schema rule add [OPTIONS] <SCHEMA>")]
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

fn version(word: &str) -> Result<u64, &'static str> {
    word.parse().map_err(|_| "not a version number")
}

fn at_least_one(word: &str) -> Result<usize, &'static str> {
    word.parse().ok().filter(|number| *number > 0).ok_or("not a number above 0")
}
