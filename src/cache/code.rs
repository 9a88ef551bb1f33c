//! The cache as bytes: what comes first says what follows in blocks, so that a block can be looked at alone.

use crate::bytes::{Decoder, list, number, option, small, text};
use crate::files::Stat;
use crate::ownership::Written;
use crate::problem::{Origin, Problem};

use super::{Cache, Entry, Run};

/// How many bytes a hash has.
const HASH: usize = blake3::OUT_LEN;

/// Where the head begins: behind a key, the head's hash and its length.
pub(super) const HEAD: usize = 2 * HASH + 8;

/// How many entries a block has at most: what is in memory of it at a time.
const BLOCK: usize = 512;

/// What comes first.
#[derive(Debug, PartialEq)]
pub(super) struct Head {
    /// How many of the entries are the outputs of the last run over all prompts.
    pub(super) outputs: usize,
    pub(super) run: Option<Run>,
    pub(super) blocks: Vec<Block>,
    /// What comes behind them, as one.
    pub(super) basis: Option<Block>,
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
        let (path, id, name) = (path.into(), id.into(), name.into());
        Entry { path, written: Written { id, name, version, line, hash, stat } }
    }
}

pub(super) fn encode(cache: &Cache, key: &blake3::Hash) -> Vec<u8> {
    let (outputs, others) = cache.entries.split_at_checked(cache.outputs).unwrap_or((&cache.entries, &[]));
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
    small(&mut head, outputs.len() as u64);
    option(&mut head, cache.run.as_ref(), |bytes, run| {
        for marks in [&run.inputs, &run.folders] {
            list(bytes, marks, |bytes, (path, mark)| {
                text(bytes, path);
                put_stat(bytes, *mark);
            });
        }
        list(bytes, &run.warnings, put_problem);
    });
    list(&mut head, &table, |bytes, (count, length, hash)| {
        small(bytes, *count as u64);
        small(bytes, *length as u64);
        bytes.extend(hash.as_bytes());
    });
    option(&mut head, cache.basis.as_ref(), |bytes, basis| {
        small(bytes, basis.len() as u64);
        bytes.extend(blake3::hash(basis).as_bytes());
    });
    let (check, length) = (blake3::hash(&head), (head.len() as u64).to_le_bytes());
    let basis = cache.basis.as_deref().unwrap_or_default();
    let parts: [&[u8]; 6] = [key.as_bytes(), check.as_bytes(), &length, &head, &blocks, basis];
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
    let outputs = decoder.size()?;
    let run = decoder.option(get_run)?;
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
    let basis = decoder.option(|from| {
        let block = Block { at, length: from.size()?, count: 0, hash: from.hash()? };
        at = at.checked_add(block.length as u64)?;
        Some(block)
    })?;
    (decoder.0.is_empty() && at == size).then_some(Head { outputs, run, blocks, basis })
}

/// The entries of a block, which has these bytes; `None` in the place of one that cannot be read.
pub(super) fn entries<'b>(block: &Block, bytes: &'b [u8]) -> Option<impl Iterator<Item = Option<Lying<'b>>>> {
    let mut decoder = (blake3::hash(bytes) == block.hash).then_some(Decoder(bytes))?;
    Some((0..block.count).map(move |_| get_entry(&mut decoder)))
}

fn put_entry(bytes: &mut Vec<u8>, entry: &Entry) {
    let Entry { path, written: Written { id, name, version, line, hash, stat: mark } } = entry;
    text(bytes, path);
    text(bytes, id);
    text(bytes, name);
    small(bytes, *version);
    small(bytes, *line);
    bytes.extend(hash.as_bytes());
    put_stat(bytes, *mark);
}

fn put_stat(bytes: &mut Vec<u8>, stat: Option<Stat>) {
    option(bytes, stat, |bytes, stat| {
        number(bytes, stat.size);
        number(bytes, stat.modified.cast_unsigned());
        number(bytes, stat.changed.cast_unsigned());
        number(bytes, stat.inode);
    });
}

fn put_problem(bytes: &mut Vec<u8>, problem: &Problem) {
    text(bytes, &problem.message);
    option(bytes, problem.origin.as_ref(), |bytes, origin| {
        text(bytes, &origin.path);
        small(bytes, origin.line as u64);
    });
    option(bytes, problem.hint.as_ref(), |bytes, hint| text(bytes, hint));
}

fn get_stat(from: &mut Decoder<'_>) -> Option<Option<Stat>> {
    from.option(|from| {
        Some(Stat {
            size: from.number()?,
            modified: from.number()?.cast_signed(),
            changed: from.number()?.cast_signed(),
            inode: from.number()?,
        })
    })
}

fn get_entry<'b>(from: &mut Decoder<'b>) -> Option<Lying<'b>> {
    Some(Lying {
        path: from.text()?,
        id: from.text()?,
        name: from.text()?,
        version: from.small()?,
        line: from.small()?,
        hash: from.hash()?,
        stat: get_stat(from)?,
    })
}

fn get_run(from: &mut Decoder<'_>) -> Option<Run> {
    let marks = |from: &mut Decoder<'_>| Some((from.text()?.to_owned(), get_stat(from)?));
    Some(Run { inputs: from.list(marks)?, folders: from.list(marks)?, warnings: from.list(get_problem)? })
}

fn get_problem(from: &mut Decoder<'_>) -> Option<Problem> {
    Some(Problem {
        message: from.text()?.to_owned(),
        origin: from.option(|from| Some(Origin { path: from.text()?.into(), line: from.size()? }))?,
        hint: from.option(|from| from.text().map(str::to_owned))?,
    })
}
