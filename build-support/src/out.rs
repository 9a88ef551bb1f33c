//! Writes what differs, and takes away what an earlier build wrote and this one does not.
#![expect(clippy::disallowed_methods, reason = "the way out of a build script")]

use std::collections::BTreeMap;
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

/// Makes `files`, by their names, the ones of ours in `folder`.
pub(crate) fn fill(folder: &Path, files: &BTreeMap<String, &str>) -> io::Result<()> {
    let list = folder.join(OURS);
    let earlier = match std::fs::read_to_string(&list) {
        Ok(names) => names,
        Err(e) if e.kind() == ErrorKind::NotFound => String::new(),
        Err(e) => return Err(e),
    };
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

fn is_plain(name: &str) -> bool {
    !name.is_empty() && !name.contains(['/', '\\', ':']) && !name.starts_with('.')
}
