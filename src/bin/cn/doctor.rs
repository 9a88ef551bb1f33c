//! `cn doctor`.

use canopy::problem::Problem;
use canopy::project::Failure;

use crate::args::Doctor;
use crate::context::{Context, failure};
use crate::report::Reply;

/// The command.
pub(crate) fn doctor(_context: &Context, _typed: &Doctor) -> Result<Reply, Failure> {
    Err(failure(Problem::new("not built yet")))
}
