//! `cn edit`.

use canopy::problem::Problem;
use canopy::project::Failure;

use crate::args::Edit;
use crate::context::{Context, failure};
use crate::report::Reply;

/// The command.
pub(crate) fn edit(_context: &Context, _typed: &Edit) -> Result<Reply, Failure> {
    Err(failure(Problem::new("not built yet")))
}
