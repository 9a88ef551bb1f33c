//! `cn sync`.

use canopy::problem::Problem;
use canopy::project::Failure;

use crate::args::Sync;
use crate::context::{Context, failure};
use crate::report::Reply;

/// The command.
pub(crate) fn sync(_context: &Context, _typed: &Sync) -> Result<Reply, Failure> {
    Err(failure(Problem::new("not built yet")))
}
