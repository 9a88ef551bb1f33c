//! `cn onboard`: tells the agents of a project about canopy, in the file that they are instructed by.

use std::path::{Path, PathBuf};

use canopy::files::{DiskFiles, Standing};
use canopy::onboard::{Action, place};
use canopy::problem::Problem;
use canopy::project::Failure;
use canopy::write;

use crate::args::Onboard;
use crate::context::{Context, failure};
use crate::report::{ExitStatus, Reply, Styled};

/// What stands in the instructions, markers and all.
pub(crate) const SECTION: &str = include_str!("onboard/section.md");

/// The files that instruct agents; the first one that is there counts, else the first is made.
const FILES: [&str; 3] = ["CLAUDE.md", ".claude/CLAUDE.md", "AGENTS.md"];

/// Puts the section in its place, or says whether it is there.
pub(crate) fn onboard(context: &Context, typed: &Onboard) -> Result<Reply, Failure> {
    if typed.stdout {
        let reply = Reply::default().with("content", SECTION);
        return Ok(Reply { data: Styled::Verbatim(SECTION.to_owned()), ..reply });
    }
    let (file, target, text) = instructions(&context.root()?)?;
    let section = SECTION.replace("\r\n", "\n");
    let placed = place(text.as_deref(), section.trim_end());
    let (text, action) = placed.map_err(|e| failure(e.problem(file)))?;
    if typed.check {
        return Ok(check(file, action));
    }
    if action != Action::Unchanged {
        let written = write::replace(&target, text.as_bytes());
        written.map_err(|e| failure(Problem::new(format!("cannot write `{file}`: {e}"))))?;
    }
    let news = match action {
        Action::Created => format!("made {file}\n"),
        Action::Appended => format!("added a section to {file}\n"),
        Action::Updated => format!("updated the section in {file}\n"),
        Action::Unchanged => format!("{file} is up to date\n"),
    };
    Ok(Reply { news: news.into(), ..Reply::default() }.with("action", action.as_str()).with("file", file))
}

fn check(file: &str, action: Action) -> Reply {
    let (status, news) = match action {
        Action::Unchanged => ("current", format!("the section in {file} is up to date\n")),
        Action::Updated => ("outdated", format!("the section in {file} is not up to date\n")),
        Action::Created | Action::Appended => ("missing", format!("{file} has no section on canopy\n")),
    };
    let is_current = action == Action::Unchanged;
    let hint = Styled::Text("`cn onboard` writes it\n".to_owned());
    Reply {
        status: if is_current { ExitStatus::Success } else { ExitStatus::Failed },
        news: news.into(),
        notes: if is_current { Styled::Empty } else { hint },
        ..Reply::default()
    }
    .with("status", status)
    .with("file", file)
}

/// The file that instructs the agents: its name, where it really is, and its text if it is there.
fn instructions(root: &Path) -> Result<(&'static str, PathBuf, Option<String>), Failure> {
    let wrong = |message: String| failure(Problem::new(message));
    let files = DiskFiles::new(root).map_err(|e| wrong(e.to_string()))?;
    for file in FILES {
        let (target, standing) = files.look(Path::new(file), None).map_err(|e| wrong(e.to_string()))?;
        match standing {
            // No text was wished for.
            Standing::Nothing | Standing::AsWished(_) => {}
            Standing::File(..) if !target.starts_with(files.root()) => {
                let problem = Problem::new(format!("`{file}` leads out of the project"));
                return Err(failure(
                    problem.hint("`cn onboard --stdout` prints the section, to put it there by hand"),
                ));
            }
            Standing::File(bytes, _) => {
                let text = String::from_utf8(bytes);
                return Ok((file, target, Some(text.map_err(|_| wrong(format!("`{file}` is not UTF-8")))?)));
            }
            Standing::Special => return Err(wrong(format!("`{file}` is a device or a pipe, no file"))),
            Standing::Folder => return Err(wrong(format!("`{file}` is a folder"))),
            Standing::Dangling => return Err(wrong(format!("`{file}` is a link that leads to nothing"))),
        }
    }
    let [file, ..] = FILES;
    Ok((file, files.root().join(file), None))
}
