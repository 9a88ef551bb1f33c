//! The arguments of the commands that write prompts.

use std::path::PathBuf;

use clap::Args;

use super::edits;

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
