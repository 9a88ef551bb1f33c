//! Text for people: its colours, and how a problem looks.

use std::io::{self, Write};

use anstyle::{AnsiColor, Style};
use canopy::problem::Problem;

const RED: Style = AnsiColor::Red.on_default().bold();
const YELLOW: Style = AnsiColor::Yellow.on_default().bold();
const GREEN: Style = AnsiColor::Green.on_default();
const CYAN: Style = AnsiColor::Cyan.on_default();
const DIM: Style = Style::new().dimmed();
const STRONG: Style = Style::new().bold();

/// Text that may hold colours of ours, or somebody's text that must come out as it is.
#[derive(Debug, Default)]
pub(crate) enum Styled {
    /// Nothing.
    #[default]
    Empty,
    /// Ours: colours go where they are not wanted.
    Text(String),
    /// Somebody's, to the byte.
    Verbatim(String),
}

impl Styled {
    pub(super) fn write_to_stdout(&self) -> io::Result<()> {
        if let Styled::Verbatim(text) = self {
            return super::write_raw(text);
        }
        let mut stdout = anstream::stdout().lock();
        stdout.write_all(self.text().as_bytes())?;
        stdout.flush()
    }

    pub(super) fn text(&self) -> &str {
        match self {
            Styled::Empty => "",
            Styled::Text(text) | Styled::Verbatim(text) => text,
        }
    }
}

impl From<String> for Styled {
    fn from(text: String) -> Self {
        Styled::Text(text)
    }
}

/// How bad a problem is.
#[derive(Debug, Clone, Copy)]
pub(super) enum Level {
    Error,
    Warning,
}

/// A problem with its place and its hint, each on a line of its own.
pub(super) fn problem(level: Level, problem: &Problem) -> String {
    let (style, word) = match level {
        Level::Error => (RED, "error"),
        Level::Warning => (YELLOW, "warning"),
    };
    let mut text = format!("{style}{word}{style:#}: {}\n", problem.message);
    if let Some(origin) = &problem.origin {
        text.push_str(&format!("  {CYAN}-->{CYAN:#} {origin}\n"));
    }
    if let Some(way_out) = &problem.hint {
        text.push_str(&hint(way_out));
    }
    text
}

/// A way out, on a line of its own.
pub(crate) fn hint(way_out: impl std::fmt::Display) -> String {
    format!("{CYAN}hint{CYAN:#}: {way_out}\n")
}

/// A word for what is as it should be.
pub(crate) fn good(word: impl std::fmt::Display) -> String {
    format!("{GREEN}{word}{GREEN:#}")
}

/// A word for what is worth a look.
pub(crate) fn caution(word: impl std::fmt::Display) -> String {
    format!("{YELLOW}{word}{YELLOW:#}")
}

/// A word for what is wrong.
pub(crate) fn bad(word: impl std::fmt::Display) -> String {
    format!("{RED}{word}{RED:#}")
}

/// A text that stands back.
pub(crate) fn dim(text: impl std::fmt::Display) -> String {
    format!("{DIM}{text}{DIM:#}")
}

/// A text that stands out.
pub(crate) fn strong(text: impl std::fmt::Display) -> String {
    format!("{STRONG}{text}{STRONG:#}")
}

/// `1 file`, `2 files`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// A word as a shell takes it for one.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain =
        |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '@' | ':' | '+' | ',');
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}
