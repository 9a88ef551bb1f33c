//! `cn onboard`.

use canopy::problem::Problem;
use canopy::project::Failure;

use crate::args::Onboard;
use crate::context::{Context, failure};
use crate::report::Reply;

/// The command.
pub(crate) fn onboard(_context: &Context, _typed: &Onboard) -> Result<Reply, Failure> {
    Err(failure(Problem::new("not built yet")))
}
