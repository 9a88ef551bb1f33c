//! `cn import`.

use canopy::problem::Problem;
use canopy::project::Failure;

use crate::args::Import;
use crate::context::{Context, failure};
use crate::report::Reply;

/// The command.
pub(crate) fn import(_context: &Context, _typed: &Import) -> Result<Reply, Failure> {
    Err(failure(Problem::new("not built yet")))
}
