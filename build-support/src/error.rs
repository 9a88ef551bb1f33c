//! What keeps a build from having its prompts.

use std::fmt;
use std::path::{Path, PathBuf};

use canopy::problem::Problem;

/// What is wrong, all of it at once; Cargo has been told before this is returned.
#[derive(Clone)]
pub struct Error {
    root: PathBuf,
    problems: Vec<Problem>,
}

impl Error {
    pub(crate) fn new(root: &Path, problems: Vec<Problem>) -> Error {
        Error { root: root.to_owned(), problems }
    }

    /// Everything that is wrong; the paths in it begin at the folder that holds `.canopy`.
    #[must_use]
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    /// Each problem in one line, with the place of its cause.
    pub(crate) fn lines(&self) -> impl Iterator<Item = String> {
        self.problems.iter().map(|problem| line(&self.root, problem))
    }
}

/// A problem in one line: `path:line: message (hint)`.
pub(crate) fn line(root: &Path, problem: &Problem) -> String {
    let place = problem.origin.as_ref().map(|origin| {
        let path = root.join(&*origin.path);
        format!("{}:{}: ", path.display(), origin.line)
    });
    let hint = problem.hint.as_ref().map(|hint| format!(" ({hint})"));
    let text = format!("{}{}{}", place.unwrap_or_default(), problem.message, hint.unwrap_or_default());
    text.split(['\n', '\r']).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines: Vec<String> = self.lines().collect();
        f.write_str(&lines.join("\n"))
    }
}

/// As for people: `expect` in a build script shows it.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Error {}
