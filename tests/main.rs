//! All tests from outside, in one binary: what the library promises and what the command does.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on has failed")]
#![expect(clippy::indexing_slicing, reason = "a test that cannot go on has failed")]
#![expect(clippy::disallowed_methods, reason = "tests make the files that they need")]

#[cfg(all(feature = "import", feature = "store"))]
mod properties;
mod support;

#[cfg(feature = "cli")]
mod again;
#[cfg(all(feature = "import", feature = "store"))]
mod anything;
#[cfg(feature = "cli")]
mod bad_input;
#[cfg(feature = "cli")]
mod beginning;
#[cfg(feature = "cli")]
mod caching;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "cli")]
mod configuring;
#[cfg(feature = "cli")]
mod conformance;
#[cfg(feature = "cli")]
mod doctoring;
mod document;
#[cfg(feature = "cli")]
mod editing;
#[cfg(feature = "cli")]
mod emit;
mod example;
#[cfg(feature = "cli")]
mod explaining;
#[cfg(feature = "cli")]
mod folders;
#[cfg(feature = "cli")]
mod formats;
#[cfg(feature = "cli")]
mod fresh_crate;
mod frontmatter;
#[cfg(feature = "cli")]
mod importing;
#[cfg(feature = "cli")]
mod onboarding;
#[cfg(feature = "cli")]
mod owning;
mod rendering;
#[cfg(feature = "cli")]
mod syncing;
mod tidy;
#[cfg(feature = "cli")]
mod trust;
#[cfg(feature = "cli")]
mod watching;
#[cfg(feature = "cli")]
mod writing;
mod yaml;
