//! What is remembered from one run to the next: files that stand as they were need not be read, nor prompts rendered.
//!
//! The cache never decides what is right. A file of it that is missing, broken, of another project or of another
//! version is as good as none, and a mark as young as the cache itself is not trusted: as in git's index, two changes
//! in one moment of the file system's clock look like one.

mod code;

use std::path::Path;

use crate::files::Stat;
use crate::ownership::{Recorded, Written};
use crate::problem::Problem;

/// The folder, relative to the project's root. It holds nothing that is missed when it is gone.
pub const FOLDER: &str = ".canopy/cache";

/// The file, relative to the project's root.
pub const FILE: &str = ".canopy/cache/state";

/// What is written beside it: that git leaves the folder alone, and that backups do.
pub const ASIDE: [(&str, &str); 2] = [
    (".gitignore", "*\n"),
    (
        "CACHEDIR.TAG",
        "Signature: 8a477f597d28d172789f06886806bc55\n# What `cn emit` remembers; it may be removed at any time.\n",
    ),
];

/// To be raised with every change of what is rendered, or of where it goes.
const RENDERER: u32 = 1;

/// What is remembered.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Cache {
    /// Files that we wrote or found as they should be, those of the last run first and in its order.
    pub entries: Vec<Entry>,
    /// The last run over all prompts, if nothing was left to do after it.
    pub run: Option<Run>,
}

/// A file that held what a prompt rendered to.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Where it is, relative to the project's root.
    pub path: String,
    /// What it held, and for which prompt.
    pub written: Written,
}

/// A run over all prompts that left nothing to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// How many of the entries are its outputs.
    pub outputs: usize,
    /// What it read, and what the system said of it; `None` for what was not there.
    pub inputs: Vec<(String, Option<Stat>)>,
    /// Folders in which there may be files that no prompt is emitted to any more; `None` for what was not there.
    pub folders: Vec<(String, Option<Stat>)>,
    /// What was wrong without keeping anything from being built.
    pub warnings: Vec<Problem>,
}

impl Cache {
    /// Reads the bytes of a cache of the project at `root`, written at `time`, in nanoseconds since 1970. `None` if it is
    /// none, or not of this project and this version.
    #[must_use]
    pub fn read(bytes: &[u8], root: &Path, time: i64) -> Option<Cache> {
        let mut cache = code::decode(bytes, &key(root))?;
        let trusted = |stat: &Option<Stat>| stat.is_none_or(|stat| stat.is_older_than(time));
        let is_whole = cache.run.as_ref().is_some_and(|run| {
            let marks = run.inputs.iter().chain(&run.folders).map(|(_, stat)| stat);
            let outputs = cache.entries.get(..run.outputs).unwrap_or_default();
            marks.chain(outputs.iter().map(|entry| &entry.written.stat)).all(trusted)
        });
        cache.run = cache.run.filter(|_| is_whole);
        for entry in &mut cache.entries {
            entry.written.stat = entry.written.stat.filter(|stat| stat.is_older_than(time));
        }
        Some(cache)
    }

    /// The bytes that [`Cache::read`] reads.
    #[must_use]
    pub fn write(&self, root: &Path) -> Vec<u8> {
        code::encode(self, &key(root))
    }

    /// What it says of files that are ours.
    #[must_use]
    pub fn into_recorded(self) -> Recorded {
        Recorded { files: self.entries.into_iter().map(|entry| (entry.path, entry.written)).collect() }
    }
}

/// What the cache of another project or another version does not have.
fn key(root: &Path) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new();
    hasher.update(env!("CARGO_PKG_VERSION").as_bytes());
    hasher.update(&RENDERER.to_le_bytes());
    hasher.update(root.as_os_str().as_encoded_bytes());
    hasher.finalize()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Origin;

    const STAT: Stat = Stat { size: 3, modified: 10, changed: 12, inode: 7 };

    fn cache() -> Cache {
        let hash = |path: &str| blake3::hash(path.as_bytes());
        let entry = |path: &str, stat| Entry {
            path: path.into(),
            written: Written {
                id: "x-1".into(),
                name: "a".into(),
                version: 2,
                line: 3,
                hash: hash(path),
                stat,
            },
        };
        Cache {
            entries: vec![entry("agents/ä.md", Some(STAT)), entry("b.md", None)],
            run: Some(Run {
                outputs: 1,
                inputs: vec![("in".into(), Some(STAT)), ("none".into(), None)],
                folders: vec![("agents".into(), Some(STAT))],
                warnings: vec![
                    Problem::new("what").hint("do").at(&Origin { path: "p".into(), line: 9 }),
                    Problem::new("else"),
                ],
            }),
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let root = Path::new("/project");
        assert_eq!(Cache::read(&cache().write(root), root, 13), Some(cache()));
    }

    #[test]
    fn what_is_as_young_as_the_cache_is_not_trusted() {
        let root = Path::new("/project");
        for time in [12, 5] {
            let read = Cache::read(&cache().write(root), root, time).unwrap();
            assert_eq!((read.run, read.entries[0].written.stat), (None, None), "{time}");
            assert_eq!(read.entries[0].written.hash, cache().entries[0].written.hash);
        }
    }

    #[test]
    fn what_is_broken_or_of_others_is_none() {
        let root = Path::new("/project");
        let bytes = cache().write(root);
        assert_eq!(Cache::read(&bytes, Path::new("/elsewhere"), 13), None);
        for length in 0..bytes.len() {
            assert_eq!(Cache::read(&bytes[..length], root, 13), None, "{length}");
        }
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            assert_eq!(Cache::read(&bytes, root, 13), None, "{at}");
        }
    }
}
