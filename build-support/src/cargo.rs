//! What Cargo is told: which changes matter, and what is wrong.
#![expect(clippy::disallowed_methods, reason = "what Cargo is to watch is looked at where it stands")]

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use canopy::files::Input;
use canopy::problem::Problem;

use crate::error::{Error, line};

/// Where the lines for Cargo go.
pub(crate) struct Cargo<'w> {
    root: &'w Path,
    out: &'w mut dyn Write,
}

impl<'w> Cargo<'w> {
    /// For a project at `root`, which is absolute.
    pub(crate) fn new(root: &'w Path, out: &'w mut dyn Write) -> Cargo<'w> {
        Cargo { root, out }
    }

    /// Has the build script run again when one of these changes, or appears.
    ///
    /// Cargo holds a path that is not there for changed, always. It looks through all of a folder, so that one is
    /// named only for what may appear in it, and never the root, which holds what is built.
    pub(crate) fn watch(&mut self, inputs: &[Input]) -> io::Result<()> {
        let paths: BTreeSet<PathBuf> = inputs.iter().filter_map(|input| self.watched(input)).collect();
        self.watch_files(paths)
    }

    /// Has the build script run again when one of these files changes; those that are not there are left out.
    pub(crate) fn watch_files(&mut self, paths: impl IntoIterator<Item = PathBuf>) -> io::Result<()> {
        for path in paths.into_iter().filter(|path| path.exists()) {
            match path.to_str().filter(|text| !text.contains('\n')) {
                Some(path) => writeln!(self.out, "cargo::rerun-if-changed={path}")?,
                None => {
                    let message = format!("Cargo cannot be told to watch `{}`", path.display());
                    self.warn(&[Problem::new(message).hint("its name cannot be written in a line")])?;
                }
            }
        }
        Ok(())
    }

    fn watched(&self, input: &Input) -> Option<PathBuf> {
        let path = self.root.join(&input.path);
        match input.found {
            true => Some(path),
            false => {
                path.parent().filter(|folder| folder.is_dir() && *folder != self.root).map(Path::to_owned)
            }
        }
    }

    /// Says what is wrong without being in the way.
    pub(crate) fn warn(&mut self, warnings: &[Problem]) -> io::Result<()> {
        for warning in warnings {
            writeln!(self.out, "cargo::warning={}", line(self.root, warning))?;
        }
        Ok(())
    }

    /// Says what is wrong: with any such line the build fails.
    pub(crate) fn fail(&mut self, error: &Error) -> io::Result<()> {
        for line in error.lines() {
            writeln!(self.out, "cargo::error={line}")?;
        }
        Ok(())
    }
}
