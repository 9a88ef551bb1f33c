//! `cn config`.

use canopy::problem::Problem;
use canopy::project::Failure;

use crate::args::{ConfigSet, ConfigShow, ConfigUnset};
use crate::context::{Context, failure};
use crate::report::Reply;

/// `cn config schema`
pub(crate) fn schema(_context: &Context) -> Result<Reply, Failure> {
    Err(failure(Problem::new("not built yet")))
}

/// `cn config show`
pub(crate) fn show(_context: &Context, _typed: &ConfigShow) -> Result<Reply, Failure> {
    Err(failure(Problem::new("not built yet")))
}

/// `cn config set`
pub(crate) fn set(_context: &Context, _typed: &ConfigSet) -> Result<Reply, Failure> {
    Err(failure(Problem::new("not built yet")))
}

/// `cn config unset`
pub(crate) fn unset(_context: &Context, _typed: &ConfigUnset) -> Result<Reply, Failure> {
    Err(failure(Problem::new("not built yet")))
}
