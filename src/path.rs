//! Where an output may go: inside the project, under a name that every system can hold.

use std::borrow::Cow;
use std::fmt;

#[cfg(feature = "unicode")]
use unicode_normalization::UnicodeNormalization as _;

/// Why a path that a record or the configuration asks for is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathError {
    /// It begins at the root of a file system, or with a drive letter.
    Absolute,
    /// Its `..` lead out of the project.
    Leaves,
    /// It names no file.
    NoFile,
    /// It holds a character that no file name should.
    Control,
    /// It holds a name that means a device on Windows.
    Reserved(String),
    /// It lies where canopy or git keep their own files.
    Kept(String),
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PathError::Absolute => f.write_str("is absolute"),
            PathError::Leaves => f.write_str("leaves the project"),
            PathError::NoFile => f.write_str("names no file"),
            PathError::Control => f.write_str("holds a control character"),
            PathError::Reserved(name) => {
                write!(f, "holds the name `{name}`, which Windows keeps for a device")
            }
            PathError::Kept(name) => write!(f, "lies in `{name}`, which holds no outputs"),
        }
    }
}

impl std::error::Error for PathError {}

/// Why a prompt may not have a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NameError {
    /// It is empty.
    Empty,
    /// It holds what no name may.
    Forbidden,
    /// It could not be a file's name on Windows.
    NoFileName,
}

impl fmt::Display for NameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            NameError::Empty => "a name is not empty",
            NameError::Forbidden => {
                "a name holds no `/`, `\\`, `@` or control character and does not begin with a point"
            }
            NameError::NoFileName => {
                "no file can be called so on Windows; give the prompt another file name with `--emit-as`"
            }
        })
    }
}

impl std::error::Error for NameError {}

/// Whether a prompt may be called `name`; `has_file_name` says that its file is called otherwise.
///
/// # Errors
/// If it may not.
pub fn check_name(name: &str, has_file_name: bool) -> Result<(), NameError> {
    let forbidden =
        name.contains(['/', '\\', '@']) || name.starts_with('.') || name.chars().any(char::is_control);
    let no_file =
        name.contains(['<', '>', ':', '"', '|', '?', '*']) || name.ends_with([' ', '.']) || is_device(name);
    match name {
        "" => Err(NameError::Empty),
        _ if forbidden => Err(NameError::Forbidden),
        _ if no_file && !has_file_name => Err(NameError::NoFileName),
        _ => Ok(()),
    }
}

/// Folders of the project that outputs never go into.
const KEPT: [&str; 2] = [".canopy", ".git"];

/// The path of `file` in `dir`, both relative to the project, without `.` and `..`.
///
/// The same paths are refused on every system, so that a store which works for one person works for all:
/// a backslash separates names where that makes a path worse, and is a character where it does not.
///
/// # Errors
/// If the path is not one of a file inside the project.
///
/// ```
/// use canopy::path::{PathError, inside};
/// assert_eq!(inside("./agents/", "sub/../a.md").as_deref(), Ok("agents/a.md"));
/// assert_eq!(inside("agents", "../../a.md"), Err(PathError::Leaves));
/// ```
pub fn inside(dir: &str, file: &str) -> Result<String, PathError> {
    for part in [dir, file] {
        if part.starts_with(['/', '\\']) || begins_with_drive(part) {
            return Err(PathError::Absolute);
        }
        if part.chars().any(char::is_control) {
            return Err(PathError::Control);
        }
    }
    let joined = format!("{dir}/{file}");
    let path = names(&joined, &['/']).ok_or(PathError::Leaves)?;
    let strictly = names(&joined, &['/', '\\']).ok_or(PathError::Leaves)?;
    if let Some(device) = strictly.iter().find(|name| is_device(name)) {
        return Err(PathError::Reserved((*device).to_owned()));
    }
    if strictly.is_empty() {
        return Err(PathError::NoFile);
    }
    if let Some(kept) = strictly.iter().find_map(|name| kept(name)) {
        return Err(PathError::Kept(kept.to_owned()));
    }
    if matches!(file.rsplit('/').next(), Some("" | "." | "..")) {
        return Err(PathError::NoFile);
    }
    Ok(path.join("/"))
}

/// The folder that a name on a path means, on some system, if outputs never go there.
#[must_use]
pub fn kept(name: &str) -> Option<&'static str> {
    let name = key(name.trim_end_matches([' ', '.'])).into_owned();
    KEPT.into_iter().find(|kept| name == *kept)
}

/// What two paths share that some system takes for one: in one case and, with the feature `unicode`, normalised.
#[must_use]
pub fn key(path: &str) -> Cow<'_, str> {
    // Windows drops blanks and points at the end of a name.
    if path.split('/').any(|name| name.ends_with([' ', '.'])) {
        let names: Vec<&str> = path.split('/').map(|name| name.trim_end_matches([' ', '.'])).collect();
        return Cow::Owned(key(&names.join("/")).into_owned());
    }
    match path.is_ascii() {
        true if path.bytes().any(|b| b.is_ascii_uppercase()) => Cow::Owned(path.to_ascii_lowercase()),
        true => Cow::Borrowed(path),
        false => Cow::Owned(one_case(path)),
    }
}

/// A path in one case and, with the feature `unicode`, one spelling of its accents.
#[cfg(feature = "unicode")]
fn one_case(path: &str) -> String {
    path.nfd().flat_map(folded).nfc().collect()
}

#[cfg(not(feature = "unicode"))]
fn one_case(path: &str) -> String {
    path.chars().flat_map(folded).collect()
}

/// A character without its case: `ß`, `ẞ` and `ss` are one. A dotless `ı` is an `i`, as it is in no system: it is better to
/// find one clash too many.
fn folded(c: char) -> impl Iterator<Item = char> {
    c.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase)
}

/// The names along a path with `.` and `..` worked out; `None` if it leads above where it starts.
fn names<'p>(path: &'p str, separators: &[char]) -> Option<Vec<&'p str>> {
    let mut names = Vec::new();
    for name in path.split(separators) {
        match name {
            "" | "." => {}
            ".." => drop(names.pop()?),
            name => names.push(name),
        }
    }
    Some(names)
}

fn begins_with_drive(path: &str) -> bool {
    matches!(path.as_bytes(), [letter, b':', ..] if letter.is_ascii_alphabetic())
}

/// Whether Windows takes a file of this name for a device, whatever follows its first point.
fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).trim_end().to_ascii_uppercase();
    if ["CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"].contains(&stem.as_str()) {
        return true;
    }
    let number = stem.strip_prefix("COM").or_else(|| stem.strip_prefix("LPT"));
    let mut number = number.unwrap_or_default().chars();
    matches!((number.next(), number.next()), (Some('1'..='9' | '¹' | '²' | '³'), None))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaves_the_project_is_refused_on_every_system() {
        for (dir, file, error) in [
            ("agents", "../../x.md", PathError::Leaves),
            ("../out", "x.md", PathError::Leaves),
            ("agents", "..\\..\\x.md", PathError::Leaves),
            ("/tmp", "x.md", PathError::Absolute),
            ("agents", "/tmp/x.md", PathError::Absolute),
            ("C:/x", "x.md", PathError::Absolute),
            ("agents", "c:x.md", PathError::Absolute),
            ("\\\\server\\share", "x.md", PathError::Absolute),
            ("agents", "", PathError::NoFile),
            ("agents", "sub/", PathError::NoFile),
            ("agents", "sub/..", PathError::NoFile),
            ("agents", "a\n.md", PathError::Control),
            ("agents", "nul.md", PathError::Reserved("nul.md".into())),
            ("Com1", "x.md", PathError::Reserved("Com1".into())),
            (".canopy", "prompts.jsonl", PathError::Kept(".canopy".into())),
            ("a/../.Git/hooks", "x", PathError::Kept(".git".into())),
            ("sub/.canopy", "prompts.jsonl", PathError::Kept(".canopy".into())),
            (".git.", "config", PathError::Kept(".git".into())),
        ] {
            assert_eq!(inside(dir, file), Err(error), "{dir} {file}");
        }
    }

    #[test]
    fn names_are_what_a_file_can_be_called() {
        for name in ["a", "é-名", "9-lives.v2 0", "a b", "x'y"] {
            assert_eq!(check_name(name, false), Ok(()), "{name}");
        }
        for name in ["a/b", "a\\b", "a@1", ".a", "a\nb"] {
            assert_eq!(check_name(name, true), Err(NameError::Forbidden), "{name}");
        }
        for name in ["nul", "a:b", "what?", "dot."] {
            assert_eq!(check_name(name, false), Err(NameError::NoFileName), "{name}");
            assert_eq!(check_name(name, true), Ok(()), "{name}");
        }
        assert_eq!(check_name("", true), Err(NameError::Empty));
    }

    #[test]
    fn what_stays_inside_is_worked_out() {
        for (dir, file, path) in [
            ("agents", "x.md", "agents/x.md"),
            (".", "x.md", "x.md"),
            ("", "x.md", "x.md"),
            ("agents", "../x.md", "x.md"),
            (".claude/commands/", "./x.md", ".claude/commands/x.md"),
            ("agents", "console.md", "agents/console.md"),
            ("agents", "..x.md", "agents/..x.md"),
            ("agents", "x..", "agents/x.."),
        ] {
            assert_eq!(inside(dir, file).as_deref(), Ok(path), "{dir} {file}");
        }
    }

    #[test]
    fn paths_that_some_system_takes_for_one_have_one_key() {
        for (a, b) in [
            ("A/X.md", "a/x.MD"),
            #[cfg(feature = "unicode")]
            ("caf\u{e9}.md", "cafe\u{301}.md"),
            ("Caf\u{e9}", "CAF\u{c9}"),
            ("straße", "STRASSE"),
            ("stra\u{1e9e}e", "strasse"),
            ("\u{212a}", "k"),
            ("τέλος", "ΤΈΛΟΣ"),
            ("a/x. ", "a/x"),
        ] {
            assert_eq!(key(a), key(b));
        }
        assert_ne!(key("a.md"), key("b.md"));
    }
}
