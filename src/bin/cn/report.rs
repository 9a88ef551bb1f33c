//! All printing: one reply, as text for people or as one JSON value.
#![expect(clippy::disallowed_methods, reason = "this is the room that prints")]

mod event;
mod finding;
mod github;
pub(crate) mod progress;
mod sarif;
pub(crate) mod terminal;
mod text;

use std::io::{self, ErrorKind, IsTerminal as _, Write};
use std::path::PathBuf;
use std::time::Duration;

use canopy::problem::Problem;
use canopy::project::Failure;
use canopy::value::{Map, Value};

pub(crate) use event::Event;
pub(crate) use finding::{Finding, Rule};
use text::Level;
pub(crate) use text::{Styled, bad, caution, count, dim, good, hint, quoted, strong};

use crate::args::{Color, Form};

/// How a command ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[repr(u8)]
pub(crate) enum ExitStatus {
    /// It did what was asked.
    #[default]
    Success = 0,
    /// It could not, or what it looked at is not as it should be.
    Failed = 1,
    /// The command line is wrong.
    Usage = 2,
    /// A person ended it, as shells tell it: 128 and the signal's number.
    Interrupted = 130,
    /// Somebody else ended it.
    Terminated = 143,
}

/// What a command has to say.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    pub(crate) status: ExitStatus,
    /// The command's name; empty if none was made out.
    pub(crate) command: String,
    /// The members of the JSON value, beside `success` and `command`.
    pub(crate) fields: Map,
    /// The JSON value itself, where it is a document of its own and no answer about something.
    pub(crate) verbatim: Option<Map>,
    /// What was asked for, on stdout.
    pub(crate) data: Styled,
    /// What was done, on stdout, unless quiet.
    pub(crate) news: Styled,
    /// What is good to know, on stderr, unless quiet.
    pub(crate) notes: Styled,
    /// What only a person at a terminal wants to see beside the data, on stderr, unless quiet.
    pub(crate) aside: Styled,
    /// What is wrong without being in the way.
    pub(crate) warnings: Vec<Problem>,
    /// What is wrong.
    pub(crate) problems: Vec<Problem>,
    /// Whether all was told already, event by event.
    pub(crate) is_told: bool,
    /// What a check has found, each at its place, for the forms that other programs read.
    pub(crate) findings: Vec<Finding>,
    /// Where the project is, seen from where the command was called.
    pub(crate) base: PathBuf,
}

impl Reply {
    /// The same reply in the name of a command.
    pub(crate) fn of(mut self, command: &str) -> Reply {
        command.clone_into(&mut self.command);
        self
    }

    /// The same reply with one more member of its JSON value.
    pub(crate) fn with(mut self, key: &str, value: impl Into<Value>) -> Reply {
        self.fields.insert(key.to_owned(), value.into());
        self
    }

    /// The same reply with something that is good to know before all else.
    pub(crate) fn noting(mut self, note: &str) -> Reply {
        if !note.is_empty() {
            self.notes = Styled::Text(dim(note) + self.notes.text());
        }
        self
    }

    /// The same reply about the project in that folder.
    pub(crate) fn about(self, base: PathBuf) -> Reply {
        Reply { base, ..self }
    }

    /// The same reply with what is wrong with the store.
    pub(crate) fn warn(mut self, warnings: Vec<Problem>) -> Reply {
        self.warnings.extend(warnings);
        self
    }

    fn json(&self) -> Map {
        if let Some(document) = &self.verbatim {
            return document.clone();
        }
        let mut map = Map::new();
        map.insert("success".into(), (self.status == ExitStatus::Success).into());
        if !self.command.is_empty() {
            map.insert("command".into(), self.command.as_str().into());
        }
        map.extend(self.fields.clone());
        if !self.problems.is_empty() {
            let messages: Vec<_> = self.problems.iter().map(|problem| problem.message.as_str()).collect();
            map.insert("error".into(), messages.join("\n").into());
            map.insert("problems".into(), self.problems.iter().map(problem_members).collect());
        }
        map
    }
}

impl From<Failure> for Reply {
    fn from(failure: Failure) -> Reply {
        let Failure { problems, warnings, .. } = failure;
        Reply { status: ExitStatus::Failed, problems, warnings, ..Reply::default() }
    }
}

fn problem_members(problem: &Problem) -> Map {
    let mut map = Map::new();
    map.insert("message".into(), problem.message.as_str().into());
    if let Some(origin) = &problem.origin {
        map.insert("path".into(), origin.path.as_ref().into());
        map.insert("line".into(), origin.line.into());
    }
    if let Some(hint) = &problem.hint {
        map.insert("hint".into(), hint.as_str().into());
    }
    map
}

/// Where replies go.
pub(crate) struct Report {
    form: Form,
    quiet: bool,
}

impl Report {
    pub(crate) fn new(color: Color, form: Form, quiet: bool) -> Report {
        match color {
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        }
        .write_global();
        Report { form, quiet }
    }

    /// Whether the answer is JSON.
    fn is_json(&self) -> bool {
        self.form == Form::Json
    }

    /// Prints a reply and says how the program ends: that nobody reads on is no failure.
    pub(crate) fn print(&self, reply: &Reply) -> ExitStatus {
        match self.write(reply) {
            Err(e) if e.kind() == ErrorKind::BrokenPipe => reply.status,
            written => self.ended(written.map(|()| reply.status)),
        }
    }

    /// How the program ends after it told what happened: that nobody reads on is an end like another.
    pub(crate) fn ended(&self, told: io::Result<ExitStatus>) -> ExitStatus {
        match told {
            Ok(status) => status,
            Err(e) if e.kind() == ErrorKind::BrokenPipe => ExitStatus::Success,
            Err(e) => {
                let problem = Problem::new(format!("cannot write the answer: {e}"));
                // Where nothing can be written, nothing can be said about it either.
                let _ = anstream::stderr().write_all(text::problem(Level::Error, &problem).as_bytes());
                ExitStatus::Failed
            }
        }
    }

    /// Says how long the command took.
    pub(crate) fn timing(&self, elapsed: Duration) -> ExitStatus {
        let line = format!("[timing] {:.1} ms\n", elapsed.as_secs_f64() * 1000.0);
        match anstream::stderr().write_all(line.as_bytes()) {
            Ok(()) => ExitStatus::Success,
            Err(_) => ExitStatus::Failed,
        }
    }

    /// Only stdout can fail: that nobody hears the rest must not keep the answer back.
    fn write(&self, reply: &Reply) -> io::Result<()> {
        if reply.is_told {
            return Ok(());
        }
        let is_json = self.is_json();
        // As annotations these are said on stdout.
        let is_annotated = self.form == Form::Github;
        if !is_annotated {
            self.warn(&reply.warnings);
        }
        let answered = self.answer(reply);
        if !is_json && !self.quiet {
            say(reply.notes.text());
            if io::stderr().is_terminal() {
                say(reply.aside.text());
            }
        }
        let is_said = is_json || is_annotated && reply.findings.is_empty();
        for problem in reply.problems.iter().filter(|_| !is_said) {
            say(&text::problem(Level::Error, problem));
        }
        answered
    }

    fn answer(&self, reply: &Reply) -> io::Result<()> {
        match self.form {
            Form::Json => return write_json(reply.json()),
            Form::Sarif => return write_json(sarif::document(&finding::all(reply))),
            Form::Text | Form::Github => reply.data.write_to_stdout()?,
        }
        if self.form == Form::Github {
            write_raw(&github::lines(&finding::all(reply)))?;
        }
        if self.quiet { Ok(()) } else { reply.news.write_to_stdout() }
    }
}

/// Writes one JSON value to stdout.
fn write_json(map: Map) -> io::Result<()> {
    write_raw(&(serde_json::to_string_pretty(&Value::Map(map))? + "\n"))
}

/// Says something on stderr, if somebody listens.
fn say(text: &str) {
    let _ = anstream::stderr().write_all(text.as_bytes());
}

/// Writes text to stdout as it is, escape sequences and all.
fn write_raw(text: &str) -> io::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(text.as_bytes())?;
    stdout.flush()
}
