//! A section of ours in somebody's text: between two markers, everything around it as it was.

use std::fmt;

use crate::problem::{Origin, Problem};

/// The line that begins the section.
pub const START: &str = "<!-- canopy:start -->";

/// The line that ends the section.
pub const END: &str = "<!-- canopy:end -->";

/// What became of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// There was none; it is the section alone.
    Created,
    /// It had no section; it has one at its end now.
    Appended,
    /// Its section was another.
    Updated,
    /// Its section was this one.
    Unchanged,
}

impl Action {
    /// The word for it.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Action::Created => "created",
            Action::Appended => "appended",
            Action::Updated => "updated",
            Action::Unchanged => "unchanged",
        }
    }
}

/// Markers that do not enclose one section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkerError {
    /// The line of the marker that is wrong, counted from 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for MarkerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for MarkerError {}

impl MarkerError {
    /// The error as a problem of the file at `path`.
    #[must_use]
    pub fn problem(&self, path: &str) -> Problem {
        let origin = Origin { path: path.into(), line: self.line };
        let hint = format!("the section stands between one line `{START}` and one line `{END}` below it");
        Problem::new(self.message.clone()).at(&origin).hint(hint)
    }
}

/// The text with `section` in the place of the one that is there, or at its end; `None` is a text that is not
/// there yet.
///
/// `section` begins with [`START`], ends with [`END`] and has bare line ends; it is written with those of the
/// text. Nothing outside of the markers changes.
///
/// # Errors
/// If the markers in the text do not enclose one section.
///
/// ```
/// use canopy::onboard::{Action, END, START, place};
///
/// let section = format!("{START}\nhello\n{END}");
/// let (text, action) = place(Some("# Notes\n"), &section)?;
/// assert_eq!((text.as_str(), action), ("# Notes\n\n<!-- canopy:start -->\nhello\n<!-- canopy:end -->\n", Action::Appended));
/// assert_eq!(place(Some(&text), &section)?.1, Action::Unchanged);
/// # Ok::<(), canopy::onboard::MarkerError>(())
/// ```
pub fn place(text: Option<&str>, section: &str) -> Result<(String, Action), MarkerError> {
    let Some(text) = text else {
        return Ok((format!("{section}\n"), Action::Created));
    };
    let end = if ends_lines_with_crlf(text) { "\r\n" } else { "\n" };
    let section = section.replace('\n', end);
    let Some((before, there, after)) = find(text)? else {
        let gap = match text {
            "" => String::new(),
            _ if text.ends_with('\n') => end.to_owned(),
            _ => end.repeat(2),
        };
        return Ok(([text, &gap, &section, end].concat(), Action::Appended));
    };
    if there.replace("\r\n", "\n") == section.replace("\r\n", "\n") {
        return Ok((text.to_owned(), Action::Unchanged));
    }
    Ok(([before, &section, after].concat(), Action::Updated))
}

fn ends_lines_with_crlf(text: &str) -> bool {
    let ends = text.matches('\n').count();
    ends > 0 && text.matches("\r\n").count() == ends
}

/// A marker: its line, and where it begins and ends in the text.
struct Marker {
    line: usize,
    from: usize,
    to: usize,
}

/// What stands before the section, the section, and what stands behind it.
fn find(text: &str) -> Result<Option<(&str, &str, &str)>, MarkerError> {
    let start = only(text, START)?;
    let end = only(text, END)?;
    let lonely = |marker: &Marker, there: &str, missing: &str| MarkerError {
        line: marker.line,
        message: format!("there is a `{there}` but no `{missing}`"),
    };
    match (start, end) {
        (None, None) => Ok(None),
        (Some(start), None) => Err(lonely(&start, START, END)),
        (None, Some(end)) => Err(lonely(&end, END, START)),
        (Some(start), Some(end)) if end.line < start.line => {
            let message = format!("`{END}` stands above `{START}`");
            Err(MarkerError { line: end.line, message })
        }
        (Some(start), Some(end)) => {
            let (before, rest) = text.split_at(start.from);
            let (there, after) = rest.split_at(end.to - start.from);
            Ok(Some((before, there, after)))
        }
    }
}

/// The one line that is the marker, if there is one; blanks around it are not part of it.
fn only(text: &str, marker: &str) -> Result<Option<Marker>, MarkerError> {
    let mut found = None;
    let mut begin = 0;
    for (at, line) in text.split_inclusive('\n').enumerate() {
        // A mark of the byte order is no part of the first line.
        let bare = line.trim_matches(|c: char| c.is_whitespace() || c == '\u{FEFF}');
        if bare == marker {
            if found.is_some() {
                return Err(MarkerError { line: at + 1, message: format!("there is a second `{marker}`") });
            }
            let from = begin + line.find(marker).unwrap_or(0);
            found = Some(Marker { line: at + 1, from, to: from + marker.len() });
        }
        begin += line.len();
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::{Strategy, prop, prop_assert, prop_assert_eq, proptest};

    const SECTION: &str = "<!-- canopy:start -->\nnew\n<!-- canopy:end -->";

    #[test]
    fn the_section_finds_its_place() {
        let crlf = SECTION.replace('\n', "\r\n");
        let old = format!("{START}\nold\n{END}");
        for (text, wanted, action) in [
            (None, format!("{SECTION}\n"), Action::Created),
            (Some(String::new()), format!("{SECTION}\n"), Action::Appended),
            (Some("a\n".into()), format!("a\n\n{SECTION}\n"), Action::Appended),
            (Some("a".into()), format!("a\n\n{SECTION}\n"), Action::Appended),
            (Some("a\r\n".into()), format!("a\r\n\r\n{crlf}\r\n"), Action::Appended),
            (Some("a\r\nb".into()), format!("a\r\nb\r\n\r\n{crlf}\r\n"), Action::Appended),
            (Some("a\r\nb\n".into()), format!("a\r\nb\n\n{SECTION}\n"), Action::Appended),
            (Some(format!("see `{START}`\n")), format!("see `{START}`\n\n{SECTION}\n"), Action::Appended),
            (Some(format!("a\n{old}\nb")), format!("a\n{SECTION}\nb"), Action::Updated),
            (Some(old.clone()), SECTION.to_owned(), Action::Updated),
            (Some(format!("\u{FEFF}{old}\n")), format!("\u{FEFF}{SECTION}\n"), Action::Updated),
            (Some(format!("a\n  {old}  \n")), format!("a\n  {SECTION}  \n"), Action::Updated),
            (
                Some(format!("a\r\n{}\r\n", old.replace('\n', "\r\n"))),
                format!("a\r\n{crlf}\r\n"),
                Action::Updated,
            ),
            (Some(format!("a\n{SECTION}\nb")), format!("a\n{SECTION}\nb"), Action::Unchanged),
            (Some(format!("a\n{crlf}\nb")), format!("a\n{crlf}\nb"), Action::Unchanged),
        ] {
            assert_eq!(place(text.as_deref(), SECTION), Ok((wanted, action)), "{text:?}");
        }
    }

    #[test]
    fn markers_that_enclose_nothing_are_refused() {
        for (text, line, message) in [
            (format!("a\n{START}\nb\n"), 2, "but no"),
            (format!("a\nb\n{END}"), 3, "but no"),
            (format!("{END}\n{START}\n"), 1, "above"),
            (format!("{START}\n{END}\n{START}\n{END}\n"), 3, "second"),
            (format!("{START}\n{END}\n{END}\n"), 3, "second"),
        ] {
            let error = place(Some(&text), SECTION).unwrap_err();
            assert_eq!(error.line, line, "{text:?}");
            assert!(error.message.contains(message), "{error}");
        }
    }

    /// Lines with ends of both kinds, some of them markers.
    fn texts() -> impl Strategy<Value = String> {
        let line = prop::sample::select(vec!["", "a", START, END, " é ", "\u{FEFF}", "\r"]);
        let end = prop::sample::select(vec!["\n", "\n", "\r\n", ""]);
        prop::collection::vec((line, end), 0..8)
            .prop_map(|lines| lines.into_iter().flat_map(|(line, end)| [line, end]).collect())
    }

    proptest! {
        #[test]
        fn what_is_outside_stays_and_a_second_run_changes_nothing(text in texts()) {
            if let Ok((placed, action)) = place(Some(&text), SECTION) {
                prop_assert_eq!(place(Some(&placed), SECTION), Ok((placed.clone(), Action::Unchanged)));
                let inside = |text: &str| find(text).ok().flatten().map(|(before, _, after)| (before.to_owned(), after.to_owned()));
                match action {
                    Action::Created | Action::Appended => prop_assert!(placed.starts_with(&text)),
                    Action::Updated => prop_assert_eq!(inside(&placed), inside(&text)),
                    Action::Unchanged => prop_assert_eq!(placed, text),
                }
            }
        }
    }
}
