//! What `cn sync` asks of git.

use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use canopy::problem::Problem;
use canopy::project::Failure;

use crate::context::failure;

/// The folder whose changes are committed, relative to the project's root.
const STORE: &str = ".canopy";

/// Paths are taken as they are, whatever characters are in them.
const LITERAL: &str = "--literal-pathspecs";

/// The working tree around a project.
pub(super) struct Git {
    root: PathBuf,
    /// The project's folder as the repository names it: empty, or with a slash at its end.
    prefix: Vec<u8>,
}

/// A file that is not as the last commit has it.
pub(super) struct Changed {
    /// Relative to the project's root.
    path: OsString,
    /// Whether git has never heard of it.
    is_new: bool,
}

impl Changed {
    /// The path as it is shown.
    pub(super) fn shown(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }
}

impl Git {
    /// The working tree that `root` lies in.
    pub(super) fn at(root: PathBuf) -> Result<Git, Failure> {
        let mut git = Git { root, prefix: Vec::new() };
        let found = git.run(&["rev-parse", "--is-inside-work-tree", "--show-prefix"], &[])?;
        if !found.status.success() {
            return Err(failure(git.unusable(&found)));
        }
        let mut lines = found.stdout.splitn(2, |byte| *byte == b'\n');
        if lines.next() != Some(b"true".as_slice()) {
            let problem = Problem::new(format!("`{}` is in no working tree of git", git.root.display()));
            return Err(failure(problem));
        }
        let prefix = lines.next().unwrap_or_default();
        git.prefix = prefix.strip_suffix(b"\n").unwrap_or(prefix).to_owned();
        Ok(git)
    }

    fn unusable(&self, output: &Output) -> Problem {
        let said = said(output);
        if said.contains("not a git repository") {
            let message = format!("`{}` is in no git repository", self.root.display());
            return Problem::new(message).hint("`git init` makes one");
        }
        Problem::new(format!("git does not work here:\n{said}"))
    }

    /// The files of the store that a commit would take up, in git's order.
    pub(super) fn changed(&self) -> Result<Vec<Changed>, Failure> {
        let args = ["-c", "status.renames=false", "status", "--porcelain=v1", "-z", "--untracked-files=all"];
        let output = self.done(&args, &[STORE.into()])?;
        let entries = output.stdout.split(|byte| *byte == 0).filter(|entry| !entry.is_empty());
        let mut changed: Vec<Changed> = Vec::new();
        for file in entries.filter_map(|entry| self.entry(entry)) {
            // One that git was told to forget is listed twice: as gone, and as new.
            match changed.iter_mut().find(|there| there.path == file.path) {
                Some(there) => there.is_new |= file.is_new,
                None => changed.push(file),
            }
        }
        Ok(changed)
    }

    /// One entry of git's list: two letters, a space, the path from the repository's top.
    fn entry(&self, entry: &[u8]) -> Option<Changed> {
        let (state, path) = entry.split_at_checked(3)?;
        let is_gone = state.contains(&b'D');
        let path = path.strip_prefix(self.prefix.as_slice()).unwrap_or(path);
        let passing = is_passing(&String::from_utf8_lossy(path));
        // What was staged as new and is gone again was never there; a passing file may only leave.
        if state.starts_with(b"AD") || passing && !is_gone {
            return None;
        }
        Some(Changed { path: os_string(path)?, is_new: state.starts_with(b"?") })
    }

    /// Whether the store is one of the things that git is told not to see.
    pub(super) fn ignores(&self, path: &str) -> Result<bool, Failure> {
        Ok(self.run(&["check-ignore", "--quiet"], &[path.into()])?.status.success())
    }

    /// What the last commit holds at `path`; nothing if there is none.
    pub(super) fn committed(&self, path: &str) -> Result<Vec<u8>, Failure> {
        let output = self.run(&["cat-file", "blob", &format!("HEAD:./{path}")], &[])?;
        Ok(if output.status.success() { output.stdout } else { Vec::new() })
    }

    /// Makes git know the new ones of these files.
    pub(super) fn add_new(&self, files: &[Changed]) -> Result<(), Failure> {
        let new: Vec<OsString> =
            files.iter().filter(|file| file.is_new).map(|file| file.path.clone()).collect();
        if new.is_empty() { Ok(()) } else { self.done(&[LITERAL, "add"], &new).map(drop) }
    }

    /// Commits these files and nothing else, whatever is staged beside them.
    pub(super) fn commit(&self, files: &[Changed], message: &str) -> Result<(), Failure> {
        let all: Vec<OsString> = files.iter().map(|file| file.path.clone()).collect();
        self.done(&[LITERAL, "commit", "--only", "--quiet", "-m", message], &all).map(drop)
    }

    /// Runs git, which must not fail.
    fn done(&self, args: &[&str], paths: &[OsString]) -> Result<Output, Failure> {
        let output = self.run(args, paths)?;
        if output.status.success() {
            return Ok(output);
        }
        let verb = args.iter().find(|arg| ["status", "add", "commit"].contains(*arg)).unwrap_or(&"");
        let said = match said(&output) {
            said if said.is_empty() => format!(" ({}) and said nothing", output.status),
            said => format!(":\n{said}"),
        };
        Err(failure(Problem::new(format!("`git {verb}` failed{said}"))))
    }

    /// Runs git in the project's folder.
    #[expect(clippy::disallowed_methods, reason = "commits are git's to make")]
    fn run(&self, args: &[&str], paths: &[OsString]) -> Result<Output, Failure> {
        let mut command = Command::new("git");
        // What git says of its own accord is looked into for the reason; hooks may want a terminal to ask.
        command.current_dir(&self.root).env("LC_ALL", "C").stdin(Stdio::inherit());
        command.arg("--no-optional-locks").args(args);
        if !paths.is_empty() {
            command.arg("--").args(paths);
        }
        command.output().map_err(|e| {
            let problem = match e.kind() {
                ErrorKind::NotFound => Problem::new("`git` is not there to be run")
                    .hint("install git, or see that it is in the PATH"),
                _ => Problem::new(format!("cannot run `git`: {e}")),
            };
            failure(problem)
        })
    }
}

/// Everything that git and its hooks printed.
fn said(output: &Output) -> String {
    let parts = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    let parts: Vec<&str> = parts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
    parts.join("\n")
}

/// Whether a file is only there while somebody writes: a lock, or what will be renamed in a moment.
fn is_passing(path: &str) -> bool {
    let name = Path::new(path).file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let end = |end: &str| name.get(name.len().saturating_sub(end.len())..) == Some(end);
    end(".lock") || name.starts_with(".cn-") && end(".tmp")
}

#[cfg(unix)]
fn os_string(bytes: &[u8]) -> Option<OsString> {
    use std::os::unix::ffi::OsStringExt as _;

    Some(OsString::from_vec(bytes.to_owned()))
}

/// Here git says names in UTF-8.
#[cfg(not(unix))]
fn os_string(bytes: &[u8]) -> Option<OsString> {
    String::from_utf8(bytes.to_owned()).ok().map(OsString::from)
}
