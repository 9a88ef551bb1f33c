//! Emits canopy prompts from a build script, and hands them to the crate as constants.
//!
//! # The whole story
//!
//! The store lies in the crate, or in a folder above it:
//!
//! ```text
//! app/
//!   .canopy/prompts.jsonl
//!   Cargo.toml
//!   build.rs
//!   src/main.rs
//! ```
//!
//! **`Cargo.toml`**: the build script emits; the crate itself needs only the macro, which brings no dependency.
//!
//! ```toml
//! [dependencies]
//! canopy-build = { version = "0.1", default-features = false }
//!
//! [build-dependencies]
//! canopy-build = "0.1"
//! ```
//!
//! **`build.rs`**
//!
//! ```no_run
//! # #[cfg(feature = "emit")]
//! fn main() {
//!     canopy_build::emit().expect("prompts");
//! }
//! # #[cfg(not(feature = "emit"))]
//! # fn main() {}
//! ```
//!
//! **`src/main.rs`**: each active prompt is a constant, called after the prompt in capital letters.
//!
//! ```text
//! canopy_build::include_prompts!();
//!
//! fn main() {
//!     println!("{} v{}", prompts::BUILDER.name, prompts::BUILDER.version);
//!     println!("{}", prompts::BUILDER.text);
//!     for section in prompts::BUILDER.sections {
//!         println!("{}: {} bytes", section.name, section.body.len());
//!     }
//!     println!("{} prompts", prompts::ALL.len());
//! }
//! ```
//!
//! # What is in the module
//!
//! A `Prompt` is plain data: `name`, `version`, `description`, `text`, `sections` and `hash`. `text` is what
//! `cn render` prints for the prompt: its sections with all that it inherits, without front matter, without a
//! newline at the end. `hash` is the BLAKE3 hash of `text`, in hexadecimal digits.
//!
//! A name becomes a constant as it does in a TypeScript module: `review-security` is `REVIEW_SECURITY`, and what
//! begins with a digit gets a `_` before it. A prompt called `all` becomes `ALL_`, since `ALL` is the list of all. Two
//! prompts whose constants would be called alike are an error that names both.
//!
//! # When Cargo builds anew
//!
//! - The build script runs again when a file changes from which the prompts are read, and for nothing else: not for
//!   another file of the crate, and not for what `cn` keeps beside the store. A file that is not there yet is
//!   awaited through the folder in which it would appear.
//! - Cargo compiles a crate anew whenever its build script has run, whatever that wrote. What is written is written
//!   only if it differs, so that the compiler finds its input unchanged and reuses what it has: it matters for big
//!   crates, and a big crate does well to have its prompts in a small one.
//! - A new version with the same text changes `version`, and so the module. Tags, dates and white space between the
//!   members of a record do not.
//!
//! # When something is wrong
//!
//! Each problem goes to Cargo as an error with the file and the line of its cause, and the build fails.
//! A line of the store that is no record is a warning, as it is for `cn`.
//!
//! # Packages
//!
//! A published crate is built where there is no folder above it: its store must lie in the package. Outside of git
//! Cargo packs no file whose name begins with a point, unless `include` names it:
//!
//! ```toml
//! [package]
//! include = ["/src", "/build.rs", "/.canopy"]
//! ```

#[cfg(feature = "emit")]
mod builder;
#[cfg(feature = "emit")]
mod cargo;
#[cfg(feature = "emit")]
mod error;
#[cfg(feature = "emit")]
mod module;
#[cfg(feature = "emit")]
mod out;
#[cfg(feature = "emit")]
#[cfg(test)]
mod tests;

#[cfg(feature = "emit")]
pub use builder::{Builder, emit};
#[cfg(feature = "emit")]
pub use error::Error;

/// Includes the module that the build script made.
///
/// ```text
/// canopy_build::include_prompts!();                  // mod prompts, of prompts.rs
/// canopy_build::include_prompts!(pub prompts);       // pub mod prompts
/// canopy_build::include_prompts!(pub(crate) review); // mod review, of review.rs: see `Builder::module`
/// ```
#[macro_export]
macro_rules! include_prompts {
    () => {
        $crate::include_prompts!(prompts);
    };
    ($visibility:vis $module:ident) => {
        /// Prompts, as they were when the crate was built.
        #[allow(dead_code, unreachable_pub, reason = "not every program needs every prompt")]
        $visibility mod $module {
            include!(concat!(env!("OUT_DIR"), "/", stringify!($module), ".rs"));
        }
    };
}
