//! A build system for prompts: composed, versioned, validated records in, plain files out.
//!
//! Prompts are records of named sections in `.canopy/prompts.jsonl`, one line a version. They inherit from
//! one another, mix each other in and are rendered to plain files that any tool reads:
//!
//! ```text
//! files ─▶ source ─▶ catalog ─▶ resolve ─▶ render ─▶ plan ─▶ write
//!                                 config ──────┘
//! ```
//!
//! [`project::build`] is this picture. It reads and compares, and writes nothing; [`write::apply`] does what
//! the plan says:
//!
//! ```no_run
//! use canopy::project::{self, Request};
//!
//! let built = project::build(".".as_ref(), &Request::default()).map_err(|f| f.problems[0].message.clone())?;
//! for step in built.plan.changes() {
//!     println!("{:?} {}", step.change, step.output.path);
//! }
//! let applied = canopy::write::apply(&built.plan);
//! assert!(applied.failed.is_empty());
//! # Ok::<(), String>(())
//! ```
//!
//! The modules, in the order in which a prompt passes through them:

pub mod files;

pub mod source;

pub mod catalog;

pub mod resolve;

pub mod render;

pub mod config;

pub mod plan;

pub mod ownership;

pub mod write;

pub mod project;

#[cfg(feature = "store")]
pub mod store;

#[cfg(feature = "import")]
pub mod import;

#[cfg(feature = "validate")]
pub mod validate;

#[cfg(all(feature = "store", feature = "validate"))]
pub mod doctor;

pub mod document;

pub mod onboard;

// What flows through them.

pub mod problem;

pub mod prompt;

pub mod schema;

pub mod value;

pub mod path;

pub mod yaml;

// How they pass through them faster.

pub mod cache;

pub mod cores;

pub mod bytes;
