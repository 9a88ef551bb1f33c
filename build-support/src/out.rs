//! Writes what differs, and takes away what an earlier build wrote and this one does not.
#![expect(clippy::disallowed_methods, reason = "the way out of a build script")]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, ErrorKind};
use std::path::Path;

/// The name of the list of our files in a folder, so that nobody else's is ever removed.
const OURS: &str = ".canopy-build";

/// Writes `text` to `path`, unless it stands there already: a file that is left alone keeps its time.
pub(crate) fn write(path: &Path, text: &str) -> io::Result<()> {
    match std::fs::read(path) {
        Ok(bytes) if bytes == text.as_bytes() => return Ok(()),
        Err(e) if e.kind() != ErrorKind::NotFound => return Err(e),
        _ => {}
    }
    std::fs::create_dir_all(path.parent().unwrap_or(path))?;
    canopy::write::replace(path, text.as_bytes())
}

/// As [`write`], but not over a file that does not begin as this one does.
pub(crate) fn write_over_own(path: &Path, text: &str) -> io::Result<()> {
    let head = text.lines().next().unwrap_or_default();
    match std::fs::read(path) {
        Ok(old) if !old.starts_with(head.as_bytes()) => Err(not_ours(path)),
        _ => write(path, text),
    }
}

/// Makes `files`, by their names, the ones of ours in `folder`.
pub(crate) fn fill(folder: &Path, files: &BTreeMap<String, &str>) -> io::Result<()> {
    let list = folder.join(OURS);
    let earlier = match std::fs::read_to_string(&list) {
        Ok(names) => names,
        Err(e) if e.kind() == ErrorKind::NotFound => String::new(),
        Err(e) => return Err(e),
    };
    let theirs = |name: &&String| {
        let is_other = std::fs::read(folder.join(name))
            .is_ok_and(|old| Some(old.as_slice()) != files.get(*name).map(|text| text.as_bytes()));
        is_other && !earlier.lines().any(|ours| ours == *name)
    };
    if let Some(name) = files.keys().find(theirs) {
        return Err(not_ours(&folder.join(name)));
    }
    // Listed before they are written: a build that is stopped leaves nothing that the next one takes for another's.
    let all: BTreeSet<&str> = earlier.lines().chain(files.keys().map(String::as_str)).collect();
    let all: String = all.iter().map(|name| format!("{name}\n")).collect();
    write(&list, &all)?;
    for (name, text) in files {
        write(&folder.join(name), text)?;
    }
    for name in earlier.lines().filter(|name| !files.contains_key(*name) && is_plain(name)) {
        match std::fs::remove_file(folder.join(name)) {
            Err(e) if e.kind() != ErrorKind::NotFound => return Err(e),
            _ => {}
        }
    }
    let names: String = files.keys().map(|name| format!("{name}\n")).collect();
    write(&list, &names)
}

/// Says that a file is in the way which somebody else wrote.
pub(crate) fn not_ours(path: &Path) -> io::Error {
    io::Error::other(format!(
        "`{}` was written by somebody else: move it away, or give another folder",
        path.display()
    ))
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains(['/', '\\', ':']) && !name.starts_with('.')
}
