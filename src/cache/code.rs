//! The cache as bytes: what comes first says what follows in blocks, so that a block can be looked at alone.

use crate::files::Stat;
use crate::ownership::Written;
use crate::problem::{Origin, Problem};

use super::{Cache, Entry, Run};

/// How many bytes a hash has.
pub(super) const HASH: usize = 32;

/// Where the head begins: behind a key, the head's hash and its length.
pub(super) const HEAD: usize = 2 * HASH + 8;

/// How many entries a block has at most: what is in memory of it at a time.
const BLOCK: usize = 512;

/// What comes first.
#[derive(Debug, PartialEq)]
pub(super) struct Head {
    pub(super) run: Option<Run>,
    pub(super) blocks: Vec<Block>,
}

/// Some entries that follow one another.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Block {
    /// Where it begins in the file.
    pub(super) at: u64,
    pub(super) length: usize,
    /// How many entries it has.
    pub(super) count: usize,
    pub(super) hash: blake3::Hash,
}

/// An entry as it lies in the bytes of a block.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lying<'b> {
    pub(super) path: &'b str,
    id: &'b str,
    name: &'b str,
    version: u64,
    line: u64,
    hash: blake3::Hash,
    pub(super) stat: Option<Stat>,
}

impl Lying<'_> {
    pub(super) fn entry(self) -> Entry {
        let Lying { path, id, name, version, line, hash, stat } = self;
        let (path, id, name) = (path.to_owned(), id.to_owned(), name.to_owned());
        Entry { path, written: Written { id, name, version, line, hash, stat } }
    }
}

pub(super) fn encode(cache: &Cache, key: &blake3::Hash) -> Vec<u8> {
    let outputs = cache.run.as_ref().map_or(0, |run| run.outputs);
    let (outputs, others) = cache.entries.split_at_checked(outputs).unwrap_or((&cache.entries, &[]));
    let mut blocks = Vec::with_capacity(cache.entries.len() * 160);
    let mut table = Vec::new();
    // No block holds both what is an output and what was one.
    for entries in outputs.chunks(BLOCK).chain(others.chunks(BLOCK)) {
        let begin = blocks.len();
        entries.iter().for_each(|entry| put_entry(&mut blocks, entry));
        let block = blocks.get(begin..).unwrap_or_default();
        table.push((entries.len(), block.len(), blake3::hash(block)));
    }
    let mut head = Vec::new();
    option(&mut head, cache.run.as_ref(), |bytes, run| {
        small(bytes, run.outputs as u64);
        for marks in [&run.inputs, &run.folders] {
            list(bytes, marks, |bytes, (path, mark)| {
                text(bytes, path);
                stat(bytes, *mark);
            });
        }
        list(bytes, &run.warnings, problem);
    });
    list(&mut head, &table, |bytes, (count, length, hash)| {
        small(bytes, *count as u64);
        small(bytes, *length as u64);
        bytes.extend(hash.as_bytes());
    });
    let (check, length) = (blake3::hash(&head), (head.len() as u64).to_le_bytes());
    let parts: [&[u8]; 5] = [key.as_bytes(), check.as_bytes(), &length, &head, &blocks];
    parts.concat()
}

/// The length of the head, if the file begins with the key.
pub(super) fn length(begin: &[u8; HEAD], key: &blake3::Hash) -> Option<usize> {
    let (found, rest) = begin.split_at_checked(HASH)?;
    let (_, length) = rest.split_at_checked(HASH)?;
    let length = u64::from_le_bytes(length.try_into().ok()?);
    (found == key.as_bytes()).then(|| usize::try_from(length).ok()).flatten()
}

/// The head of a file that begins so and has `size` bytes.
pub(super) fn head(begin: &[u8; HEAD], head: &[u8], size: u64) -> Option<Head> {
    if begin.get(HASH..2 * HASH)? != blake3::hash(head).as_bytes() {
        return None;
    }
    let mut decoder = Decoder(head);
    let run = decoder.option(Decoder::run)?;
    let mut at = (HEAD + head.len()) as u64;
    let blocks = decoder.list(|from| {
        let (count, length) = (from.size()?, from.size()?);
        // An entry has a hash, at least.
        if count > length / HASH {
            return None;
        }
        let block = Block { at, length, count, hash: from.hash()? };
        at = at.checked_add(length as u64)?;
        Some(block)
    })?;
    (decoder.0.is_empty() && at == size).then_some(Head { run, blocks })
}

/// The entries of a block, which has these bytes; `None` in the place of one that cannot be read.
pub(super) fn entries<'b>(block: &Block, bytes: &'b [u8]) -> Option<impl Iterator<Item = Option<Lying<'b>>>> {
    let mut decoder = (blake3::hash(bytes) == block.hash).then_some(Decoder(bytes))?;
    Some((0..block.count).map(move |_| decoder.entry()))
}

/// A number that is mostly small.
fn small(bytes: &mut Vec<u8>, mut number: u64) {
    loop {
        let [low, ..] = (number & 127).to_le_bytes();
        number >>= 7;
        if number == 0 {
            return bytes.push(low);
        }
        bytes.push(low | 128);
    }
}

fn number(bytes: &mut Vec<u8>, number: u64) {
    bytes.extend(number.to_le_bytes());
}

fn text(bytes: &mut Vec<u8>, text: &str) {
    small(bytes, text.len() as u64);
    bytes.extend(text.as_bytes());
}

fn option<T>(bytes: &mut Vec<u8>, value: Option<T>, put: impl FnOnce(&mut Vec<u8>, T)) {
    bytes.push(u8::from(value.is_some()));
    if let Some(value) = value {
        put(bytes, value);
    }
}

fn list<T>(bytes: &mut Vec<u8>, items: &[T], put: impl Fn(&mut Vec<u8>, &T)) {
    small(bytes, items.len() as u64);
    items.iter().for_each(|item| put(bytes, item));
}

fn put_entry(bytes: &mut Vec<u8>, entry: &Entry) {
    let Entry { path, written: Written { id, name, version, line, hash, stat: mark } } = entry;
    text(bytes, path);
    text(bytes, id);
    text(bytes, name);
    small(bytes, *version);
    small(bytes, *line);
    bytes.extend(hash.as_bytes());
    stat(bytes, *mark);
}

fn stat(bytes: &mut Vec<u8>, stat: Option<Stat>) {
    option(bytes, stat, |bytes, stat| {
        number(bytes, stat.size);
        number(bytes, stat.modified.cast_unsigned());
        number(bytes, stat.changed.cast_unsigned());
        number(bytes, stat.inode);
    });
}

fn problem(bytes: &mut Vec<u8>, problem: &Problem) {
    text(bytes, &problem.message);
    option(bytes, problem.origin.as_ref(), |bytes, origin| {
        text(bytes, &origin.path);
        small(bytes, origin.line as u64);
    });
    option(bytes, problem.hint.as_ref(), |bytes, hint| text(bytes, hint));
}

/// What is left to be read.
struct Decoder<'b>(&'b [u8]);

impl<'b> Decoder<'b> {
    fn take(&mut self, length: usize) -> Option<&'b [u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn small(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let [byte] = *self.take(1)? else { return None };
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Some(number);
            }
        }
        None
    }

    fn number(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    fn size(&mut self) -> Option<usize> {
        self.small()?.try_into().ok()
    }

    fn text(&mut self) -> Option<&'b str> {
        let length = self.size()?;
        std::str::from_utf8(self.take(length)?).ok()
    }

    fn hash(&mut self) -> Option<blake3::Hash> {
        blake3::Hash::from_slice(self.take(HASH)?).ok()
    }

    fn option<T>(&mut self, get: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.take(1)? {
            [0] => Some(None),
            _ => get(self).map(Some),
        }
    }

    fn list<T>(&mut self, mut get: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.size()?;
        // A wrong length is found out by what it should count: memory is asked for as they come.
        let mut items = Vec::new();
        for _ in 0..length {
            items.push(get(self)?);
        }
        Some(items)
    }

    fn stat(&mut self) -> Option<Option<Stat>> {
        self.option(|from| {
            Some(Stat {
                size: from.number()?,
                modified: from.number()?.cast_signed(),
                changed: from.number()?.cast_signed(),
                inode: from.number()?,
            })
        })
    }

    fn entry(&mut self) -> Option<Lying<'b>> {
        Some(Lying {
            path: self.text()?,
            id: self.text()?,
            name: self.text()?,
            version: self.small()?,
            line: self.small()?,
            hash: self.hash()?,
            stat: self.stat()?,
        })
    }

    fn run(&mut self) -> Option<Run> {
        let marks = |from: &mut Self| Some((from.text()?.to_owned(), from.stat()?));
        Some(Run {
            outputs: self.size()?,
            inputs: self.list(marks)?,
            folders: self.list(marks)?,
            warnings: self.list(Decoder::problem)?,
        })
    }

    fn problem(&mut self) -> Option<Problem> {
        Some(Problem {
            message: self.text()?.to_owned(),
            origin: self.option(|from| Some(Origin { path: from.text()?.into(), line: from.size()? }))?,
            hint: self.option(|from| from.text().map(str::to_owned))?,
        })
    }
}
