//! What is known of the prompts' file as bytes, so that the next run need not look through what is the same.

use std::collections::HashMap;
use std::iter::Peekable;
use std::ops::Range;
use std::slice::Iter;
use std::sync::Arc;

use super::known::Known;
use super::segment::Segment;
use crate::bytes::{Decoder, number, option, small, text};
use crate::prompt::{Brief, Header, Place, Status, Version};

/// A part of the bytes that something was unpacked from, to be packed again as it is.
#[derive(Debug, Clone)]
pub(super) struct Part {
    all: Arc<[u8]>,
    range: Range<usize>,
}

/// The words of a known file by their numbers, as they were packed.
#[derive(Debug, Clone)]
pub(super) struct Table {
    part: Part,
    count: usize,
    /// How many they were when no part of it was taken over.
    first: usize,
}

/// More words than that, beside as many again as there were at first, are mostly words that no record has any more.
const MANY_MORE: usize = 1000;

impl Part {
    fn bytes(&self) -> &[u8] {
        self.all.get(self.range.clone()).unwrap_or_default()
    }
}

impl Known {
    /// All of it as bytes, with what the `current` records say in brief.
    #[must_use]
    pub fn pack(&self, mut current: Vec<Header<'_>>) -> Vec<u8> {
        current.sort_by_key(|header| header.line);
        let table = self.table.as_ref();
        let grown = table.and_then(|table| self.packed(&current, Some(table)));
        grown.or_else(|| self.packed(&current, None)).unwrap_or_default()
    }

    /// All of it as bytes, where what was unpacked with that table is taken over; `None` if that is too much.
    fn packed(&self, current: &[Header<'_>], table: Option<&Table>) -> Option<Vec<u8>> {
        let known = table.map_or(0, |table| table.count);
        // Mostly an id and a name for each prompt.
        let many = if table.is_some() { 0 } else { 2 * current.len() };
        let (numbers, list) = (HashMap::with_capacity(many), Vec::with_capacity(many));
        let mut words = Words { known: known as u64, numbers, list };
        let mut current = current.iter().peekable();
        let mut segments = Vec::new();
        let mut scratch = Vec::new();
        let mut before = 0;
        for segment in &self.segments {
            let part = segment.packed.as_ref().filter(|_| table.is_some());
            match part.filter(|_| is_told(segment, before, current.clone())) {
                Some(part) => sized(&mut segments, part.bytes()),
                None => {
                    scratch.clear();
                    put_segment(&mut scratch, segment, &mut words, |line| take(&mut current, before + line));
                    sized(&mut segments, &scratch);
                }
            }
            before += segment.ended;
            while current.next_if(|header| header.line <= before).is_some() {}
        }
        let count = known + words.list.len();
        let first = table.map_or(count, |table| table.first);
        if count > first.saturating_mul(2).saturating_add(MANY_MORE) {
            return None;
        }
        let mut packed = Vec::with_capacity(segments.len() * 2);
        small(&mut packed, first as u64);
        small(&mut packed, count as u64);
        packed.extend(table.map(|table| table.part.bytes()).unwrap_or_default());
        words.list.iter().for_each(|word| text(&mut packed, word));
        small(&mut packed, self.segments.len() as u64);
        packed.extend(segments);
        Some(packed)
    }

    /// What [`Known::pack`] wrote; `None` if that is not what these bytes are.
    #[must_use]
    pub fn unpack(bytes: &[u8]) -> Option<Known> {
        let all: Arc<[u8]> = bytes.into();
        let part =
            |from: usize, to: usize| Part { all: Arc::clone(&all), range: all.len() - from..all.len() - to };
        let mut from = Decoder(&all);
        let first = from.size()?;
        let mut count = from.clone();
        count.small()?;
        let words: Vec<Arc<str>> = from.list(|from| from.text().map(Arc::from))?;
        // What a record says in brief is a part of it: a few bytes do not stand for many.
        let mut left = all.len().saturating_mul(MOST);
        let table = Table { part: part(count.0.len(), from.0.len()), count: words.len(), first };
        let mut end = 0;
        let segments = from.list(|from| {
            let length = from.size()?;
            let begin = from.0.len();
            let mut inside = Decoder(from.take(length)?);
            let mut segment =
                get_segment(&mut inside, &words, end, &mut left).filter(|_| inside.0.is_empty())?;
            segment.packed = Some(part(begin, from.0.len()));
            // One in which no line begins may lie within a line of the one before.
            end = segment.begin.checked_add(segment.length as u64).filter(|end| *end <= FARTHEST)?.max(end);
            Some(Arc::new(segment))
        })?;
        let is_all = from.0.is_empty();
        is_all.then_some(Known { segments, table: Some(table), ..Known::default() })
    }
}

/// What the records of the lines that are still to come say in brief, where they are current.
type Current<'s> = Peekable<Iter<'s, Header<'s>>>;

/// What the record in that line says, if it is current.
fn take<'s>(current: &mut Current<'s>, line: usize) -> Option<&'s Header<'s>> {
    while current.next_if(|header| header.line < line).is_some() {}
    current.next_if(|header| header.line == line)
}

/// Whether of each record of a segment behind so many lines that is current it was known in brief what it says.
fn is_told(segment: &Segment, before: usize, mut current: Current<'_>) -> bool {
    let is_current =
        |version: &Version, current: &mut _| take(current, before + version.place.line).is_some();
    segment.versions.iter().all(|version| !is_current(version, &mut current) || version.is_in_brief())
}

fn sized(bytes: &mut Vec<u8>, part: &[u8]) {
    small(bytes, part.len() as u64);
    bytes.extend(part);
}

/// How many times as long as the bytes all texts in brief may be that were unpacked from them.
const MOST: usize = 64;

/// No store is as long: sums of what stands in one have room.
const FARTHEST: u64 = 1 << 50;

/// Words by their numbers: most of them stand in many records.
struct Words<'s> {
    /// How many have numbers already that nobody looks for.
    known: u64,
    numbers: HashMap<&'s str, u64>,
    list: Vec<&'s str>,
}

impl<'s> Words<'s> {
    fn put(&mut self, bytes: &mut Vec<u8>, word: &'s str) {
        let next = self.known + self.list.len() as u64;
        let number = *self.numbers.entry(word).or_insert_with(|| {
            self.list.push(word);
            next
        });
        small(bytes, number);
    }
}

fn put_segment<'s>(
    bytes: &mut Vec<u8>,
    segment: &'s Segment,
    words: &mut Words<'s>,
    mut header: impl FnMut(usize) -> Option<&'s Header<'s>>,
) {
    small(bytes, segment.begin);
    small(bytes, segment.length as u64);
    small(bytes, segment.ended as u64);
    // What is wrong with it is to be found again each time.
    option(bytes, segment.hash.filter(|_| segment.is_clean()), |bytes, hash| bytes.extend(hash.as_bytes()));
    small(bytes, segment.versions.len() as u64);
    for version in &segment.versions {
        let Version { id, name, number: version, route, place, .. } = version;
        words.put(bytes, id);
        words.put(bytes, name);
        small(bytes, *version);
        number(bytes, *route);
        small(bytes, place.line as u64);
        small(bytes, place.at.saturating_sub(segment.begin));
        small(bytes, place.length as u64);
        option(bytes, header(place.line), |bytes, header| put_header(bytes, header, words));
    }
}

fn put_header<'s>(bytes: &mut Vec<u8>, header: &Header<'s>, words: &mut Words<'s>) {
    let status = Status::ALL.iter().position(|status| *status == header.status);
    small(bytes, status.unwrap_or_default() as u64);
    option(bytes, header.pinned, small);
    for text in [header.extends, header.emit_as, header.emit_dir] {
        option(bytes, text, |bytes, text| words.put(bytes, text));
    }
    for texts in [header.mixins, header.tags] {
        small(bytes, texts.len() as u64);
        texts.iter().for_each(|text| words.put(bytes, text));
    }
}

/// A segment whose lines, if there are any, begin at `least` or behind.
fn get_segment(from: &mut Decoder<'_>, words: &[Arc<str>], least: u64, left: &mut usize) -> Option<Segment> {
    let begin = from.small().filter(|begin| *begin <= FARTHEST)?;
    let (length, ended) = (from.size()?, from.size()?);
    if length > 0 && begin < least {
        return None;
    }
    let hash = from.option(Decoder::hash)?;
    let versions = from.list(|from| {
        let names = (word(from, words)?, word(from, words)?);
        let (version, route) = (from.small()?, from.number()?);
        let line = from.size().filter(|line| *line <= ended.saturating_add(1))?;
        let (at, size) = (from.size()?, from.size()?);
        let place = Place { line, at: begin.checked_add(at as u64)?, length: size };
        at.checked_add(size).filter(|end| *end <= length)?;
        let version = Version::waiting(place, names, version, route);
        let brief = from.option(|from| get_brief(from, words, left))?;
        Some(match brief {
            Some(brief) => version.in_brief(brief),
            None => version,
        })
    })?;
    (ended <= length).then_some(Segment { begin, hash, length, versions, ended, ..Segment::default() })
}

fn get_brief(from: &mut Decoder<'_>, words: &[Arc<str>], left: &mut usize) -> Option<Brief> {
    let mut text = |from: &mut Decoder<'_>| {
        let word = word(from, words)?;
        *left = left.checked_sub(word.len())?;
        Some(String::from(word.as_ref()))
    };
    let status = *Status::ALL.get(from.size()?)?;
    let pinned = from.option(Decoder::small)?;
    let [extends, emit_as, emit_dir] =
        [from.option(&mut text)?, from.option(&mut text)?, from.option(&mut text)?];
    let (mixins, tags) = (from.list(&mut text)?, from.list(&mut text)?);
    Some(Brief { status, pinned, extends, mixins, tags, emit_as, emit_dir })
}

fn word(from: &mut Decoder<'_>, words: &[Arc<str>]) -> Option<Arc<str>> {
    words.get(from.size()?).map(Arc::clone)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::Pieces;
    use crate::prompt::Prompt;
    use crate::source::log::reread;

    fn store() -> Vec<u8> {
        let record = |number: usize| {
            // One is longer than a segment.
            let length = if number == 20 { 700_000 } else { number * 7919 % 40_000 };
            let (id, body) = (number % 7, "x".repeat(length));
            format!(
                r#"{{"id":"x-{id}","name":"n{number}","version":{number},"tags":["t"],"mixins":["m"],"emitAs":"e","sections":[{{"name":"r","body":"{body}"}}],"status":"draft","pinned":3}}"#
            ) + if number == 30 { "\nbroken\n" } else { "\n" }
        };
        (1..60).map(record).collect::<String>().into_bytes()
    }

    fn known() -> (Known, Vec<Arc<Prompt>>) {
        let mut known = Known::default();
        let pieces: Arc<dyn Pieces> = Arc::new(store());
        let log = reread("p", &pieces, &mut known).unwrap();
        let read = log.versions.iter().filter(|version| version.is_read());
        (known, read.filter_map(|version| version.prompt().cloned()).collect())
    }

    #[test]
    fn what_is_unpacked_is_what_was_packed_and_spares_looking() {
        let (known, current) = known();
        let packed = known.pack(current.iter().map(|prompt| prompt.header()).collect());
        let mut unpacked = Known::unpack(&packed).unwrap();
        assert!(known.segments.len() > 2);
        for (one, other) in known.segments.iter().zip(&unpacked.segments) {
            assert_eq!(other.hash, one.hash.filter(|_| one.is_clean()));
            let places = |segment: &Segment| -> Vec<_> {
                let says = |v: &Version| (v.id.clone(), v.name.clone(), v.number, v.route, v.place);
                segment.versions.iter().map(says).collect()
            };
            assert_eq!((places(one), one.ended), (places(other), other.ended));
        }
        let before = unpacked.segments.clone();
        let pieces: Arc<dyn Pieces> = Arc::new(store());
        let log = reread("p", &pieces, &mut unpacked).unwrap();
        let same = before.iter().zip(&unpacked.segments).filter(|(one, other)| Arc::ptr_eq(one, other));
        assert!(before.iter().any(|segment| segment.length == 0));
        assert_eq!(same.count(), before.len() - 1, "all but the one with a warning");
        assert_eq!(log.warnings.len(), 1);
        let briefs = log.versions.iter().filter(|version| version.is_known() && !version.is_read());
        let briefs: Vec<_> = briefs.filter_map(Version::header).collect();
        assert!(briefs.len() > 2);
        assert!(briefs.iter().all(|header| current.iter().any(|prompt| prompt.header() == *header)));
    }

    #[test]
    fn what_is_broken_is_refused_or_at_least_harmless() {
        let (known, current) = known();
        let packed = known.pack(current.iter().map(|prompt| prompt.header()).collect());
        for length in 0..packed.len() {
            assert!(Known::unpack(&packed[..length]).is_none());
        }
        for at in 0..packed.len() {
            for bit in [1, 64, 128] {
                let mut packed = packed.clone();
                packed[at] ^= bit;
                let Some(mut known) = Known::unpack(&packed) else { continue };
                // All of the file takes its time.
                let bytes = if at % 41 == 0 { store() } else { Vec::new() };
                let log = reread("p", &(Arc::new(bytes) as Arc<dyn Pieces>), &mut known).unwrap();
                let current = log.versions.iter().filter(|version| version.is_known());
                assert!(current.map(Version::prompt).count() <= 60);
            }
        }
    }
}
