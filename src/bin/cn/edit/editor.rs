//! A person's editor and the file that it opens, which outlives us if what is in it is not taken over.
#![expect(
    clippy::disallowed_methods,
    reason = "the editor is the environment's to name, its file is no project's"
)]

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{self, ErrorKind, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use canopy::problem::Problem;

/// A text in a file of its own, in the system's folder for temporary files.
pub(super) struct Draft {
    path: PathBuf,
    before: String,
    /// What the editor left; none before it ran, and an error if that cannot be read.
    after: Option<Result<Vec<u8>, ErrorKind>>,
}

impl Draft {
    /// A new file with that text, which only its owner can read.
    pub(super) fn new(name: &str, text: &str) -> Result<Draft, Problem> {
        let create = || {
            let (path, mut file) = create(name)?;
            file.write_all(text.as_bytes())?;
            Ok(Draft { path, before: text.to_owned(), after: None })
        };
        create().map_err(|e: io::Error| Problem::new(format!("cannot make a file for the editor: {e}")))
    }

    /// Opens the file in the editor and returns its text after that.
    pub(super) fn edit(&mut self, keep_stdout: bool) -> Result<String, Problem> {
        let editor = match named_editor() {
            Some(editor) => editor,
            None if io::stdin().is_terminal() => OsString::from(USUAL),
            None => {
                let problem = Problem::new("there is no terminal for an editor, and none is named");
                return Err(problem.hint("`$VISUAL` or `$EDITOR` names one that needs no terminal"));
            }
        };
        let ended = run(&editor, &self.path, keep_stdout);
        let read = std::fs::read(&self.path);
        self.after = Some(read.as_ref().map(Vec::clone).map_err(io::Error::kind));
        let shown = editor.to_string_lossy();
        let hint = "`$VISUAL` or `$EDITOR` names the editor";
        match ended {
            Ok(status) if status.success() => {}
            Ok(status) => {
                let message = format!("the editor `{shown}` failed ({status}); nothing was changed");
                return Err(Problem::new(message).hint(hint));
            }
            Err(e) => return Err(Problem::new(format!("cannot run the editor `{shown}`: {e}")).hint(hint)),
        }
        let text = read.map_err(|e| Problem::new(format!("cannot read `{}`: {e}", self.path())))?;
        String::from_utf8(text).map_err(|_| Problem::new("what the editor wrote is not UTF-8"))
    }

    /// Whether there may be a text in the file that was not there before: one that cannot be read counts.
    pub(super) fn is_changed(&self) -> bool {
        match &self.after {
            None | Some(Err(ErrorKind::NotFound)) => false,
            Some(Err(_)) => true,
            Some(Ok(after)) => after != self.before.as_bytes(),
        }
    }

    /// Where the file is.
    pub(super) fn path(&self) -> String {
        self.path.to_string_lossy().into_owned()
    }

    /// Removes the file.
    pub(super) fn discard(self) {
        // A file that is left in the folder for temporary ones does no harm.
        let _ = std::fs::remove_file(&self.path);
    }
}

/// A new file whose name says what is in it and is nobody else's.
fn create(name: &str) -> io::Result<(PathBuf, std::fs::File)> {
    let plain = |c: char| if c.is_ascii_alphanumeric() || matches!(c, '-' | '_') { c } else { '_' };
    let name: String = name.chars().map(plain).take(60).collect();
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    loop {
        let path = std::env::temp_dir().join(format!("cn-edit-{name}-{:08x}.md", fastrand::u32(..)));
        match options.open(&path) {
            Ok(file) => return Ok((path, file)),
            Err(e) if e.kind() == ErrorKind::AlreadyExists => {}
            Err(e) => return Err(e),
        }
    }
}

/// The editor of a person who names none.
const USUAL: &str = if cfg!(windows) { "notepad" } else { "vi" };

/// The command line of the editor that a person named.
fn named_editor() -> Option<OsString> {
    let named =
        |name: &str| std::env::var_os(name).filter(|value| !value.to_string_lossy().trim().is_empty());
    named("VISUAL").or_else(|| named("EDITOR"))
}

/// Runs the editor through the shell, which knows best what the quotes in its command line mean.
#[cfg(unix)]
fn run(editor: &OsString, path: &Path, keep_stdout: bool) -> io::Result<ExitStatus> {
    let mut script = editor.clone();
    script.push(if keep_stdout { " \"$1\" >&2" } else { " \"$1\"" });
    Command::new("sh").arg("-c").arg(script).arg("cn").arg(path).status()
}

/// Runs the editor: a program, in double quotes if its path has blanks, and its arguments.
#[cfg(not(unix))]
fn run(editor: &OsString, path: &Path, keep_stdout: bool) -> io::Result<ExitStatus> {
    let editor = editor.to_string_lossy();
    let mut words = vec![String::new()];
    let mut in_quotes = false;
    for c in editor.trim().chars() {
        match (c, words.last_mut()) {
            ('"', _) => in_quotes = !in_quotes,
            (' ', _) if !in_quotes => words.push(String::new()),
            (c, Some(word)) => word.push(c),
            (_, None) => {}
        }
    }
    let mut words = words.into_iter().filter(|word| !word.is_empty());
    let mut command = Command::new(words.next().unwrap_or_default());
    command.args(words).arg(path);
    if keep_stdout {
        command.stdout(std::process::Stdio::null());
    }
    command.status()
}
