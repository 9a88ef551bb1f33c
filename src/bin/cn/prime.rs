//! `cn prime`.

use canopy::problem::Problem;
use canopy::project::Failure;

use crate::args::Prime;
use crate::context::{Context, failure};
use crate::report::Reply;

/// The command.
pub(crate) fn prime(_context: &Context, _typed: &Prime) -> Result<Reply, Failure> {
    Err(failure(Problem::new("not built yet")))
}
