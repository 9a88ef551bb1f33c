//! The options of `cn man`, which no help shows.

use std::path::PathBuf;

use clap::Args;

/// `cn man`
#[derive(Debug, Args)]
pub(crate) struct Man {
    /// The folder to write the pages to
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}
