//! What is remembered from one run to the next: what stands as it was need not be read, nor prompts rendered.
//!
//! The cache never decides what is right. A file of it that is missing, broken, of another project or of another
//! version is as good as none, and a mark as young as the cache itself is not trusted: as in git's index, two changes
//! in one moment of the file system's clock look like one.

mod code;

use std::path::Path;
use std::sync::Arc;

pub use code::Block;
use code::{Head, Lying};

use crate::files::{Pieces, Stat};
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

/// To be raised with every change of what is rendered, of where it goes, and of what is taken for a record.
const RENDERER: u32 = 1;

/// To be raised with every change of how the cache is written down, or of how the store is looked through in segments.
const FORM: u32 = 3;

/// What is remembered.
#[derive(Debug, Default, Clone, PartialEq)]
pub struct Cache {
    /// Files that we wrote or found as they should be, those of the last run first and in its order.
    pub entries: Vec<Entry>,
    /// How many of them the last run found as they should be, or made so, if it was over all prompts; else none.
    pub outputs: usize,
    /// The last run over all prompts, if nothing was left to do after it.
    pub run: Option<Run>,
    /// What the last run knew of the store when it rendered what the outputs hold, as whoever reads the store wrote it
    /// down, if it was over all prompts.
    pub basis: Option<Vec<u8>>,
}

/// A file that held what a prompt rendered to.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Where it is, relative to the project's root.
    pub path: Arc<str>,
    /// What it held, and for which prompt.
    pub written: Written,
}

/// A run over all prompts that left nothing to do.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// What it read, and what the system said of it; `None` for what was not there.
    pub inputs: Vec<(String, Option<Stat>)>,
    /// Folders in which there may be files that no prompt is emitted to any more; `None` for what was not there.
    pub folders: Vec<(String, Option<Stat>)>,
    /// What was wrong without keeping anything from being built.
    pub warnings: Vec<Problem>,
}

/// The file of a cache, of which only what comes first has been read.
#[derive(Debug)]
pub struct Packed {
    pieces: Arc<dyn Pieces>,
    time: i64,
    head: Head,
}

impl Packed {
    /// Opens the cache of the project at `root`, written at `time`, in nanoseconds since 1970. `None` if it is none, or not
    /// of this project and this version.
    #[must_use]
    pub fn open(pieces: Arc<dyn Pieces>, root: &Path, time: i64) -> Option<Packed> {
        let mut begin = [0; code::HEAD];
        pieces.read_at(0, &mut begin).ok()?;
        let length = code::length(&begin, &key(root)).filter(|length| *length as u64 <= pieces.size())?;
        let mut bytes = vec![0; length];
        pieces.read_at(code::HEAD as u64, &mut bytes).ok()?;
        let mut head = code::head(&begin, &bytes, pieces.size())?;
        let is_trusted = |run: &Run| {
            run.inputs.iter().chain(&run.folders).all(|(_, stat)| stat.is_none_or(|s| s.is_older_than(time)))
        };
        let run = head.run.take();
        head.run = run.filter(is_trusted);
        Some(Packed { pieces, time, head })
    }

    /// The last run, if its inputs and folders are old enough to be trusted; whether its outputs are shows when they are
    /// looked at.
    #[must_use]
    pub fn run(&self) -> Option<&Run> {
        self.head.run.as_ref()
    }

    /// How many outputs the last run over all prompts had.
    #[must_use]
    pub fn count(&self) -> usize {
        self.head.outputs
    }

    /// What the last run over all prompts knew of the store; `None` too if it is broken.
    #[must_use]
    pub fn basis(&self) -> Option<Vec<u8>> {
        let block = self.head.basis.as_ref()?;
        let mut bytes = vec![0; block.length];
        self.pieces.read_at(block.at, &mut bytes).ok()?;
        (blake3::hash(&bytes) == block.hash).then_some(bytes)
    }

    /// Where the outputs of the last run lie.
    #[must_use]
    pub fn outputs(&self) -> Option<&[Block]> {
        let outputs = self.count();
        let mut counts = self.head.blocks.iter().scan(0, |count, block| {
            *count += block.count;
            Some(*count)
        });
        let many = if outputs == 0 { 0 } else { counts.position(|count| count == outputs)? + 1 };
        self.head.blocks.get(..many)
    }

    /// The paths of a block's entries and the marks that are to be trusted, read into `buffer`. `None` if it is broken; an
    /// entry that is has no mark.
    #[must_use]
    pub fn marks<'b>(
        &self,
        block: &Block,
        buffer: &'b mut Vec<u8>,
    ) -> Option<impl Iterator<Item = (&'b str, Option<Stat>)>> {
        let time = self.time;
        let trusted = move |stat: &Stat| stat.is_older_than(time);
        let entries = self.block(block, buffer)?;
        Some(entries.map(move |entry| entry.map_or(("", None), |e| (e.path, e.stat.filter(trusted)))))
    }

    fn block<'b>(
        &self,
        block: &Block,
        buffer: &'b mut Vec<u8>,
    ) -> Option<impl Iterator<Item = Option<Lying<'b>>>> {
        // No block is longer than the file, as was found out when it was opened.
        buffer.resize(block.length, 0);
        self.pieces.read_at(block.at, buffer).ok()?;
        code::entries(block, buffer)
    }

    /// All of it but its basis; `None` if it is broken. A mark as young as the cache is left out.
    #[must_use]
    pub fn unpacked(&self) -> Option<Cache> {
        let mut buffer = Vec::new();
        // Each is longer than a hash in the file, so that this is not much more than the file has.
        let mut entries = Vec::with_capacity(self.head.blocks.iter().map(|block| block.count).sum());
        for block in &self.head.blocks {
            for entry in self.block(block, &mut buffer)? {
                let mut entry = entry?.entry();
                entry.written.stat = entry.written.stat.filter(|stat| stat.is_older_than(self.time));
                entries.push(entry);
            }
        }
        let outputs = entries.get(..self.head.outputs)?;
        let is_trusted = outputs.iter().all(|entry| entry.written.stat.is_some());
        let (outputs, run) = (outputs.len(), self.head.run.clone().filter(|_| is_trusted));
        Some(Cache { entries, outputs, run, basis: None })
    }
}

impl Cache {
    /// The bytes of the file that [`Packed::open`] opens.
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
    hasher.update(&FORM.to_le_bytes());
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
            outputs: 1,
            basis: Some(b"known".to_vec()),
            run: Some(Run {
                inputs: vec![("in".into(), Some(STAT)), ("none".into(), None)],
                folders: vec![("agents".into(), Some(STAT))],
                warnings: vec![
                    Problem::new("what").hint("do").at(&Origin { path: "p".into(), line: 9 }),
                    Problem::new("else"),
                ],
            }),
        }
    }

    fn read(bytes: &[u8], root: &Path, time: i64) -> Option<Cache> {
        let packed = Packed::open(Arc::new(bytes.to_vec()), root, time)?;
        Some(Cache { basis: packed.basis(), ..packed.unpacked()? })
    }

    #[test]
    fn what_is_written_is_read_back() {
        let root = Path::new("/project");
        assert_eq!(read(&cache().write(root), root, 13), Some(cache()));
        let empty = Cache::default();
        assert_eq!(read(&empty.write(root), root, 13), Some(empty));
    }

    #[test]
    fn outputs_are_found_block_by_block() {
        let root = Path::new("/project");
        for (outputs, all) in [(0, 0), (0, 3), (3, 3), (512, 513), (1300, 2000)] {
            let mut big = cache();
            let entry = big.entries[0].clone();
            let numbered = (0..all).map(|n| Entry { path: format!("{n}.md").into(), ..entry.clone() });
            big.entries = numbered.collect();
            (big.outputs, big.basis) = (outputs, None);
            let bytes = big.write(root);
            let packed = Packed::open(Arc::new(bytes.clone()), root, 13).unwrap();
            let mut found = Vec::new();
            for block in packed.outputs().unwrap() {
                let mut buffer = Vec::new();
                let marks = packed.marks(block, &mut buffer).unwrap();
                found.extend(marks.map(|(path, stat)| (path.to_owned(), stat)));
            }
            let wanted: Vec<_> = (0..outputs).map(|n| (format!("{n}.md"), Some(STAT))).collect();
            assert_eq!(found, wanted);
            assert_eq!(packed.unpacked(), Some(big.clone()));
            assert_eq!(read(&bytes, root, 12).unwrap().run, None);
        }
    }

    #[test]
    fn what_is_as_young_as_the_cache_is_not_trusted() {
        let root = Path::new("/project");
        for time in [12, 5] {
            let found = read(&cache().write(root), root, time).unwrap();
            assert_eq!((found.run, found.entries[0].written.stat), (None, None), "{time}");
            assert_eq!(found.entries[0].written.hash, cache().entries[0].written.hash);
        }
    }

    #[test]
    fn what_is_broken_or_of_others_is_none() {
        let root = Path::new("/project");
        let bytes = cache().write(root);
        assert_eq!(read(&bytes, Path::new("/elsewhere"), 13), None);
        for length in 0..bytes.len() {
            assert_eq!(read(&bytes[..length], root, 13), None, "{length}");
        }
        for at in 0..bytes.len() {
            let mut bytes = bytes.clone();
            bytes[at] ^= 1;
            // The rest is as good without its basis.
            let is_last = at + 5 >= bytes.len();
            let rest = is_last.then(|| Cache { basis: None, ..cache() });
            assert_eq!(read(&bytes, root, 13), rest, "{at}");
        }
    }
}
