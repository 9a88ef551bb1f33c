//! What happens while a command goes on: one line each, for people or as JSON.

use std::io::{self, IsTerminal as _, Write as _};

use canopy::problem::Problem;
use canopy::value::{Map, Value};

use super::{Report, dim, say, text, write_raw};

/// Something that happened.
#[derive(Debug)]
pub(crate) struct Event {
    /// What a program is told.
    fields: Map,
    /// What a person is told on stdout, unless quiet.
    line: String,
    /// What is wrong.
    problems: Vec<Problem>,
    /// Whether a person knows what is wrong.
    is_told: bool,
}

impl Event {
    /// An event of that kind.
    pub(crate) fn new(kind: &str) -> Event {
        let fields = [("event".to_owned(), kind.into())].into_iter().collect();
        Event { fields, line: String::new(), problems: Vec::new(), is_told: false }
    }

    /// The same event with one more member of its JSON value.
    pub(crate) fn with(mut self, key: &str, value: impl Into<Value>) -> Event {
        self.fields.insert(key.to_owned(), value.into());
        self
    }

    /// The same event with what a person is told of it.
    pub(crate) fn line(self, line: String) -> Event {
        Event { line, ..self }
    }

    /// The same event with what is wrong.
    pub(crate) fn wrong(self, problems: Vec<Problem>) -> Event {
        Event { problems, ..self }
    }

    /// The same event, of which a person knows what is wrong.
    pub(crate) fn told(self) -> Event {
        Event { is_told: true, ..self }
    }
}

impl Report {
    /// Tells what happened, at once.
    ///
    /// # Errors
    /// If stdout takes nothing any more.
    pub(crate) fn event(&self, mut event: Event) -> io::Result<()> {
        if self.is_json() {
            if !event.problems.is_empty() {
                let problems = event.problems.iter().map(super::problem_members).collect();
                event.fields.insert("problems".to_owned(), problems);
            }
            return write_raw(&(serde_json::to_string(&Value::Map(event.fields))? + "\n"));
        }
        if !self.quiet {
            let mut stdout = anstream::stdout().lock();
            writeln!(stdout, "{}  {}", dim(clock()), event.line)?;
            stdout.flush()?;
        }
        for problem in event.problems.iter().filter(|_| !event.is_told) {
            say(&text::problem(text::Level::Error, problem));
        }
        Ok(())
    }

    /// Says what is wrong without being in the way.
    pub(crate) fn warn(&self, warnings: &[Problem]) {
        for warning in warnings {
            say(&text::problem(text::Level::Warning, warning));
        }
    }

    /// Says what is good to know, unless quiet.
    pub(crate) fn note(&self, note: &str) {
        if !note.is_empty() && !self.is_json() && !self.quiet {
            say(&dim(note));
        }
    }

    /// Clears the screen, if there is one.
    ///
    /// # Errors
    /// If stdout takes nothing any more.
    pub(crate) fn clear(&self) -> io::Result<()> {
        if self.is_json() || !io::stdout().is_terminal() {
            return Ok(());
        }
        write_raw("\x1b[2J\x1b[3J\x1b[H")
    }
}

/// The time of day where the person is.
fn clock() -> String {
    jiff::ZonedDateTime::now().strftime("%H:%M:%S").to_string()
}
