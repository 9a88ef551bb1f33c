//! A stretch of the prompts' file: what stands in the lines that begin in it.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;

use super::packed::Part;
use super::{jsonl, record, skim};
use crate::files::{Buffer, Pieces};
use crate::problem::{Origin, Problem};
use crate::prompt::{Place, Version};

/// How long a segment is; what a core has in memory at a time.
const LENGTH: u64 = 1 << 18;

/// By how much is read on to find the end of the last line.
const STEP: u64 = 16 << 10;

/// What was found in a segment. Lines are counted from its beginning.
#[derive(Debug, Default)]
pub(super) struct Segment {
    /// Where its first line begins in the file.
    pub(super) begin: u64,
    /// What identifies its lines, if that is wanted.
    pub(super) hash: Option<blake3::Hash>,
    /// How many bytes they have.
    pub(super) length: usize,
    /// How many of its versions were taken over from what it was before more was appended.
    pub(super) taken_over: usize,
    pub(super) versions: Vec<Version>,
    pub(super) warnings: Vec<Problem>,
    /// How it was packed when it was unpacked.
    pub(super) packed: Option<Part>,
    /// The first line that is a conflict marker.
    pub(super) conflict: Option<usize>,
    /// How many lines ended.
    pub(super) ended: usize,
}

impl Segment {
    /// How many segments a file of `size` bytes has.
    pub(super) fn many(size: u64) -> usize {
        usize::try_from(size.div_ceil(LENGTH)).unwrap_or(usize::MAX)
    }

    /// Reads a segment by its number; if it is as it is `known`, only that is found out. Without anything known, not even
    /// by what it could be known the next time.
    pub(super) fn read(
        path: &str,
        pieces: &dyn Pieces,
        known: Option<&[Arc<Segment>]>,
        number: usize,
        desk: &mut Desk,
    ) -> io::Result<Arc<Segment>> {
        let Desk { buffer, words } = desk;
        let (begin, lines) = lines(pieces, number as u64 * LENGTH, buffer)?;
        let hash = known.map(|_| blake3::hash(lines));
        let before = known.and_then(|known| known.get(number)).filter(|known| known.begin == begin);
        let is_same = |before: &&Arc<Segment>| before.hash == hash && before.length == lines.len();
        if let Some(before) = before.filter(is_same) {
            return Ok(Arc::clone(before));
        }
        let mut found = match before.filter(|before| before.is_head_of(lines)) {
            Some(before) => before.grown(),
            None => Segment { begin, ..Segment::default() },
        };
        let known = std::mem::replace(&mut found.length, lines.len());
        found.hash = hash;
        Ok(Arc::new(Scan { path: path.into(), words, found }.of(lines, known)))
    }

    /// Whether it is what `known` was and more behind it, which is clean.
    pub(super) fn has_grown_from(&self, known: &Segment) -> bool {
        // Where nothing was taken over, it may be another one altogether.
        self.taken_over > 0
            && self.taken_over == known.versions.len()
            && self.warnings.len() == known.warnings.len()
            && self.conflict.is_none()
    }

    /// Whether no line begins in it.
    pub(super) fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// Whether all of its lines are records, as far as it was looked at.
    pub(super) fn is_clean(&self) -> bool {
        self.warnings.is_empty() && self.conflict.is_none()
    }

    /// Whether `lines` are its own and more behind them.
    fn is_head_of(&self, lines: &[u8]) -> bool {
        let head = lines.get(..self.length).filter(|head| head.ends_with(b"\n"));
        head.is_some_and(|head| Some(blake3::hash(head)) == self.hash)
    }

    /// What it is before its new lines are looked through.
    fn grown(&self) -> Segment {
        let taken_over = self.versions.len();
        let (versions, warnings) = (self.versions.clone(), self.warnings.clone());
        let Segment { begin, hash, length, conflict, ended, .. } = *self;
        Segment { begin, hash, length, taken_over, versions, warnings, packed: None, conflict, ended }
    }
}

/// What is used for one segment after the other.
#[derive(Debug, Default)]
pub(super) struct Desk {
    buffer: Buffer,
    /// Names and ids, each once: most of them stand in many records.
    words: HashSet<Arc<str>>,
}

/// The lines that begin in the segment at `from`, and where the first of them does.
fn lines<'b>(pieces: &dyn Pieces, from: u64, buffer: &'b mut Buffer) -> io::Result<(u64, &'b [u8])> {
    // The byte before tells whether a line begins with the segment.
    let start = from.saturating_sub(1);
    let end = (from + LENGTH).min(pieces.size());
    let read = buffer.read(pieces, start, usize::try_from(end - start).unwrap_or(usize::MAX))?;
    let begin = if from == 0 { Some(0) } else { memchr::memchr(b'\n', read).map(|end| end + 1) };
    // One that ends before the segment's last byte is followed by another that begins in it.
    let begin = begin.filter(|begin| start + (*begin as u64) < end);
    let Some(begin) = begin else { return Ok((end, &[])) };
    let mut searched = read.len() - 1;
    let whole = loop {
        let read = buffer.bytes();
        if let Some(found) = memchr::memchr(b'\n', read.get(searched..).unwrap_or_default()) {
            break searched + found + 1;
        }
        searched = read.len();
        let more = pieces.size().saturating_sub(start + searched as u64).min(STEP);
        if more == 0 {
            break searched;
        }
        buffer.read_on(pieces, usize::try_from(more).unwrap_or_default())?;
    };
    Ok((start + begin as u64, buffer.bytes().get(begin..whole).unwrap_or_default()))
}

/// A segment while it is looked through.
struct Scan<'d> {
    path: Arc<str>,
    words: &'d mut HashSet<Arc<str>>,
    found: Segment,
}

impl Scan<'_> {
    /// Looks through the lines from `begin` on.
    fn of(mut self, lines: &[u8], mut begin: usize) -> Segment {
        let known = begin;
        for end in memchr::memchr_iter(b'\n', lines.get(known..).unwrap_or_default()) {
            let end = known + end;
            self.line(begin, lines.get(begin..end).unwrap_or_default());
            self.found.ended += 1;
            begin = end + 1;
        }
        self.line(begin, lines.get(begin..).unwrap_or_default());
        self.found
    }

    fn line(&mut self, begin: usize, line: &[u8]) {
        let at = self.found.begin + begin as u64;
        let mark: &[u8] = b"\xEF\xBB\xBF";
        let text = if at == 0 { line.strip_prefix(mark).unwrap_or(line) } else { line };
        let text = text.trim_ascii_start();
        let at = at + (line.len() - text.len()) as u64;
        let text = text.trim_ascii_end();
        let number = self.found.ended + 1;
        if text.is_empty() {
            return;
        }
        if jsonl::is_conflict_marker(text) {
            self.found.conflict.get_or_insert(number);
            return;
        }
        let place = Place { line: number, at, length: text.len() };
        match std::str::from_utf8(text).ok().and_then(skim::skim) {
            Some(skimmed) => {
                let names = (self.word(&skimmed.id), self.word(&skimmed.name));
                self.found.versions.push(Version::waiting(place, names, skimmed.version, skimmed.route));
            }
            None => self.odd_line(place, text),
        }
    }

    /// A line that must be read whole to be known.
    fn odd_line(&mut self, place: Place, text: &[u8]) {
        let origin = Origin { path: Arc::clone(&self.path), line: place.line };
        match jsonl::record(text, &origin, record::prompt) {
            Ok(prompt) => {
                let names = (self.word(&prompt.id), self.word(&prompt.name));
                let number = prompt.version;
                let route = Version::from(prompt).route;
                self.found.versions.push(Version::waiting(place, names, number, route));
            }
            Err(problem) => self.found.warnings.push(problem),
        }
    }

    fn word(&mut self, word: &str) -> Arc<str> {
        if let Some(known) = self.words.get(word) {
            return Arc::clone(known);
        }
        let word: Arc<str> = word.into();
        self.words.insert(Arc::clone(&word));
        word
    }
}
