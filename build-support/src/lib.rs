//! Emits canopy prompts from a build script.
//!
//! The facade for `build.rs` files has its turn later; what it will call is [`canopy::project::build`], which
//! a build script can use by itself until then.

pub use canopy::project::{Built, Destination, Failure, Request, Selection, build};
pub use canopy::write::apply;
