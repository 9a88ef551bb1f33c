//! The cache as bytes: a key, a check, and one value after the other.

use crate::files::Stat;
use crate::ownership::Written;
use crate::problem::{Origin, Problem};

use super::{Cache, Entry, Run};

/// How many bytes a hash has.
const HASH: usize = 32;

pub(super) fn encode(cache: &Cache, key: &blake3::Hash) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(cache.entries.len() * 192 + 1024);
    list(&mut bytes, &cache.entries, |bytes, entry| {
        let Entry { path, written } = entry;
        text(bytes, path);
        text(bytes, &written.id);
        text(bytes, &written.name);
        number(bytes, written.version);
        number(bytes, written.line);
        bytes.extend(written.hash.as_bytes());
        stat(bytes, written.stat);
    });
    option(&mut bytes, cache.run.as_ref(), |bytes, run| {
        number(bytes, run.outputs as u64);
        for marks in [&run.inputs, &run.folders] {
            list(bytes, marks, |bytes, (path, mark)| {
                text(bytes, path);
                stat(bytes, *mark);
            });
        }
        list(bytes, &run.warnings, problem);
    });
    let check = blake3::hash(&bytes);
    [key.as_bytes(), check.as_bytes(), bytes.as_slice()].concat()
}

pub(super) fn decode(bytes: &[u8], key: &blake3::Hash) -> Option<Cache> {
    let (found, rest) = bytes.split_at_checked(HASH)?;
    let (check, rest) = rest.split_at_checked(HASH)?;
    if found != key.as_bytes() || check != blake3::hash(rest).as_bytes() {
        return None;
    }
    let mut decoder = Decoder(rest);
    let entries = decoder.list(Decoder::entry)?;
    let run = decoder.option(Decoder::run)?;
    let fits = run.as_ref().is_none_or(|run| run.outputs <= entries.len());
    (decoder.0.is_empty() && fits).then_some(Cache { entries, run })
}

fn number(bytes: &mut Vec<u8>, number: u64) {
    bytes.extend(number.to_le_bytes());
}

fn text(bytes: &mut Vec<u8>, text: &str) {
    number(bytes, text.len() as u64);
    bytes.extend(text.as_bytes());
}

fn option<T>(bytes: &mut Vec<u8>, value: Option<T>, put: impl FnOnce(&mut Vec<u8>, T)) {
    bytes.push(u8::from(value.is_some()));
    if let Some(value) = value {
        put(bytes, value);
    }
}

fn list<T>(bytes: &mut Vec<u8>, items: &[T], put: impl Fn(&mut Vec<u8>, &T)) {
    number(bytes, items.len() as u64);
    items.iter().for_each(|item| put(bytes, item));
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
        number(bytes, origin.line as u64);
    });
    option(bytes, problem.hint.as_ref(), |bytes, hint| text(bytes, hint));
}

/// What is left to be read.
struct Decoder<'b>(&'b [u8]);

impl Decoder<'_> {
    fn take(&mut self, length: usize) -> Option<&[u8]> {
        let (taken, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(taken)
    }

    fn number(&mut self) -> Option<u64> {
        self.take(8)?.try_into().ok().map(u64::from_le_bytes)
    }

    fn size(&mut self) -> Option<usize> {
        self.number()?.try_into().ok()
    }

    fn text(&mut self) -> Option<String> {
        let length = self.size()?;
        std::str::from_utf8(self.take(length)?).ok().map(str::to_owned)
    }

    fn option<T>(&mut self, get: impl FnOnce(&mut Self) -> Option<T>) -> Option<Option<T>> {
        match self.take(1)? {
            [0] => Some(None),
            _ => get(self).map(Some),
        }
    }

    fn list<T>(&mut self, get: impl Fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let length = self.size()?;
        // Each takes a byte at least, so that a wrong length asks for no more memory than the file has.
        let mut items = Vec::with_capacity(length.min(self.0.len()));
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

    fn entry(&mut self) -> Option<Entry> {
        let path = self.text()?;
        let (id, name, version, line) = (self.text()?, self.text()?, self.number()?, self.number()?);
        let hash = blake3::Hash::from_slice(self.take(HASH)?).ok()?;
        Some(Entry { path, written: Written { id, name, version, line, hash, stat: self.stat()? } })
    }

    fn run(&mut self) -> Option<Run> {
        let marks = |from: &mut Self| Some((from.text()?, from.stat()?));
        Some(Run {
            outputs: self.size()?,
            inputs: self.list(marks)?,
            folders: self.list(marks)?,
            warnings: self.list(Decoder::problem)?,
        })
    }

    fn problem(&mut self) -> Option<Problem> {
        Some(Problem {
            message: self.text()?,
            origin: self.option(|from| Some(Origin { path: from.text()?.into(), line: from.size()? }))?,
            hint: self.option(Decoder::text)?,
        })
    }
}
