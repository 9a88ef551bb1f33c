//! What is known of the prompts' file as bytes, so that the next run need not look through what is the same.

use std::collections::HashMap;
use std::sync::Arc;

use super::known::Known;
use super::segment::Segment;
use crate::bytes::{Decoder, list, number, option, small, text};
use crate::prompt::{Brief, Header, Place, Status, Version};

impl Known {
    /// All of it as bytes, with what the `current` records say in brief.
    #[must_use]
    pub fn pack(&self, mut current: Vec<Header<'_>>) -> Vec<u8> {
        current.sort_by_key(|header| header.line);
        let mut current = current.into_iter().peekable();
        let (mut words, mut bytes) = (Words::default(), Vec::new());
        let mut before = 0;
        small(&mut bytes, self.segments.len() as u64);
        for segment in &self.segments {
            put_segment(&mut bytes, segment, &mut words, &mut |line| {
                let line = line + before;
                while current.next_if(|header| header.line < line).is_some() {}
                current.next_if(|header| header.line == line)
            });
            before += segment.ended;
        }
        let mut packed = Vec::with_capacity(bytes.len() * 2);
        list(&mut packed, &words.list, |bytes, word| text(bytes, word));
        packed.extend(bytes);
        packed
    }

    /// What [`Known::pack`] wrote; `None` if that is not what these bytes are.
    #[must_use]
    pub fn unpack(bytes: &[u8]) -> Option<Known> {
        let mut from = Decoder(bytes);
        let words: Vec<Arc<str>> = from.list(|from| from.text().map(Arc::from))?;
        let mut end = 0;
        let segments = from.list(|from| {
            let segment = get_segment(from, &words, end)?;
            end = segment.begin.checked_add(segment.length as u64).filter(|end| *end <= FARTHEST)?;
            Some(Arc::new(segment))
        })?;
        from.0.is_empty().then_some(Known { segments, ..Known::default() })
    }
}

/// No store is as long: sums of what stands in one have room.
const FARTHEST: u64 = 1 << 50;

/// Words by their numbers: most of them stand in many records.
#[derive(Default)]
struct Words<'s> {
    numbers: HashMap<&'s str, u64>,
    list: Vec<&'s str>,
}

impl<'s> Words<'s> {
    fn put(&mut self, bytes: &mut Vec<u8>, word: &'s str) {
        let next = self.list.len() as u64;
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
    header: &mut impl FnMut(usize) -> Option<Header<'s>>,
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

fn put_header<'s>(bytes: &mut Vec<u8>, header: Header<'s>, words: &mut Words<'s>) {
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

/// A segment that begins at `least` or behind.
fn get_segment(from: &mut Decoder<'_>, words: &[Arc<str>], least: u64) -> Option<Segment> {
    let begin = from.small().filter(|begin| *begin >= least)?;
    let (length, ended) = (from.size()?, from.size()?);
    let hash = from.option(Decoder::hash)?;
    let versions = from.list(|from| {
        let names = (word(from, words)?, word(from, words)?);
        let (version, route) = (from.small()?, from.number()?);
        let line = from.size().filter(|line| *line <= ended.saturating_add(1))?;
        let (at, size) = (from.size()?, from.size()?);
        let place = Place { line, at: begin.checked_add(at as u64)?, length: size };
        at.checked_add(size).filter(|end| *end <= length)?;
        let version = Version::waiting(place, names, version, route);
        let brief = from.option(|from| get_brief(from, words))?;
        Some(match brief {
            Some(brief) => version.in_brief(brief),
            None => version,
        })
    })?;
    (ended <= length).then_some(Segment { begin, hash, length, versions, ended, ..Segment::default() })
}

fn get_brief(from: &mut Decoder<'_>, words: &[Arc<str>]) -> Option<Brief> {
    let text = |from: &mut Decoder<'_>| word(from, words).map(|word| String::from(word.as_ref()));
    let status = *Status::ALL.get(from.size()?)?;
    let pinned = from.option(Decoder::small)?;
    let [extends, emit_as, emit_dir] = [from.option(text)?, from.option(text)?, from.option(text)?];
    let (mixins, tags) = (from.list(text)?, from.list(text)?);
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
            let (id, body) = (number % 7, "x".repeat(number * 7919 % 40_000));
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
                let pieces: Arc<dyn Pieces> = Arc::new(Vec::new());
                assert!(reread("p", &pieces, &mut known).is_ok());
            }
        }
    }
}
