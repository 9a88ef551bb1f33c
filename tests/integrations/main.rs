//! What the README shows under "In your build", run as it stands there by the tools that it is for.
//!
//! A tool is looked for on the `PATH`, or where the variable of its name says: `CANOPY_TEST_NINJA=/opt/ninja`. A tool that
//! is not there fails its tests.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]
#![expect(clippy::disallowed_methods, reason = "tests make the files that they need")]

mod cargo;
mod depfiles;
mod github;
mod just;
mod place;
mod pre_commit;
