//! What is known of the prompts' file from the last time that it was read.

use std::collections::HashSet;
use std::sync::Arc;

use super::log::Lines;
use super::packed::Table;
use super::segment::{Desk, Segment};
use crate::files::Pieces;
use crate::prompt::{Shelf, Version};

/// A file as it was read, segment by segment: those that are the same the next time are not looked at again.
#[derive(Debug, Default, Clone)]
pub struct Known {
    pub(super) segments: Vec<Arc<Segment>>,
    /// The versions of all segments, with what has been read of them, if that is to last.
    pub(super) versions: Vec<Version>,
    /// Where the records of the log wait that was read last.
    pub(super) shelf: Option<Arc<Lines>>,
    /// The words of the segments that were unpacked.
    pub(super) table: Option<Table>,
    /// Whether the file is read but once: no records are kept for the next time.
    pub(super) is_once: bool,
}

/// What records may be new, changed or gone.
#[derive(Debug, Default, Clone)]
pub struct Touched {
    /// The ids of their prompts.
    pub ids: HashSet<Arc<str>>,
    /// What the prompts are called in them, or were: the others of these names may be meant now.
    pub names: HashSet<Arc<str>>,
}

impl<'a> FromIterator<&'a Version> for Touched {
    fn from_iter<I: IntoIterator<Item = &'a Version>>(versions: I) -> Touched {
        let mut touched = Touched::default();
        for version in versions {
            touched.ids.insert(Arc::clone(&version.id));
            touched.names.insert(Arc::clone(&version.name));
        }
        touched
    }
}

/// The versions whose records were appended to the file at `path` since it became `known`, as far as its end tells:
/// that nothing before its last segment changed is not looked into. The others of that log can be read again now. `None`
/// if more happened there than that good records were appended, and if they are more than `most`.
pub(super) fn appended(
    path: &str,
    pieces: &Arc<dyn Pieces>,
    known: &Known,
    most: usize,
) -> Option<Vec<Version>> {
    let last = known.segments.iter().rposition(|segment| !segment.versions.is_empty())?;
    let many = Segment::many(pieces.size());
    // What is long is read sooner on all cores.
    if many > known.segments.len() + MANY_MORE {
        return None;
    }
    let mut before = known.segments.iter().take(last).map(|segment| segment.ended).sum();
    let lines = Arc::clone(known.shelf.as_ref()?);
    lines.lay(Some(Arc::clone(pieces)));
    let shelf: Arc<dyn Shelf> = lines;
    let mut desk = Desk::default();
    let mut appended = Vec::new();
    for number in last..many {
        let segment = Segment::read(path, pieces.as_ref(), Some(&known.segments), number, &mut desk).ok()?;
        let same = match known.segments.get(number) {
            Some(known) if Arc::ptr_eq(known, &segment) => known.versions.len(),
            Some(known) if segment.has_grown_from(known) => known.versions.len(),
            // No line began there before.
            Some(known) if known.is_empty() && segment.is_clean() => 0,
            None if segment.is_clean() => 0,
            _ => return None,
        };
        let versions = segment.versions.get(same..).unwrap_or_default().iter();
        appended.extend(versions.map(|version| version.clone().moved(before, &shelf)));
        before += segment.ended;
        if appended.len() > most {
            return None;
        }
    }
    (!appended.is_empty()).then_some(appended)
}

/// How many segments may be appended to be looked through on one core.
const MANY_MORE: usize = 4;

impl Known {
    /// The same for whoever reads the file once and not again.
    #[must_use]
    pub fn for_once(self) -> Known {
        Known { is_once: true, ..self }
    }

    /// What tells of each segment whether it is as it was, without the records.
    #[must_use]
    pub fn marks(&self) -> Known {
        Known { segments: self.segments.clone(), table: self.table.clone(), ..Known::default() }
    }

    /// Whether nobody wrote into the file since it was opened, so that its records, whenever they are read, are those of its
    /// segments.
    #[must_use]
    pub fn stands(&self) -> bool {
        self.shelf.as_ref().is_none_or(|lines| lines.stand())
    }

    /// Lets go of the file, which nobody is to read until it is read again.
    pub fn close(&self) {
        if let Some(lines) = &self.shelf {
            lines.lay(None);
        }
    }

    /// What is said in segments that are not what they were, before or now.
    pub(super) fn touched(&self, segments: &[Arc<Segment>]) -> Option<Touched> {
        if self.segments.is_empty() {
            return None;
        }
        let same = |number: usize| {
            let both = self.segments.get(number).zip(segments.get(number));
            both.is_some_and(|(one, other)| Arc::ptr_eq(one, other))
        };
        let many = self.segments.len().max(segments.len());
        let changed = (0..many).filter(|number| !same(*number));
        let versions = changed.flat_map(|number| {
            let (before, now) = (self.segments.get(number), segments.get(number));
            // Where lines were appended the others are what they were.
            let same = now.map_or(0, |now| now.taken_over);
            let all = before.into_iter().chain(now);
            all.flat_map(move |segment| segment.versions.get(same..).unwrap_or_default())
        });
        Some(versions.collect())
    }

    /// The versions of a segment that is what it was, or the first of one that has grown, if as many come before it as
    /// did.
    pub(super) fn read(&self, number: usize, segment: &Arc<Segment>, before: usize) -> Option<&[Version]> {
        let known = self.segments.get(number)?;
        let is_known = Arc::ptr_eq(known, segment) || segment.taken_over == known.versions.len();
        let versions = self.versions.get(before..)?.get(..known.versions.len()).filter(|_| is_known)?;
        let same = |(one, other): (&Version, &Version)| one.place.at == other.place.at;
        versions.iter().zip(&segment.versions).all(same).then_some(versions)
    }
}

#[cfg(test)]
impl Known {
    /// The same, wrongly taken for what is known of these lines.
    pub(crate) fn vouching_for(mut self, lines: &[u8]) -> Known {
        for segment in &mut self.segments {
            let segment = Arc::get_mut(segment).unwrap();
            (segment.hash, segment.length) = (Some(blake3::hash(lines)), lines.len());
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::log::reread;

    #[test]
    fn what_was_appended_is_found_wherever_the_known_part_ends() {
        let record = |number: usize| {
            let body = "x".repeat(number * 7919 % 40_000);
            format!(
                r#"{{"id":"x-{number}","name":"n","version":1,"sections":[{{"name":"r","body":"{body}"}}],"status":"active"}}"#
            ) + "\n"
        };
        let lines: Vec<String> = (0..60).map(record).collect();
        let all = lines.concat().into_bytes();
        for head in 1..60 {
            let mut known = Known::default();
            let before: Arc<dyn Pieces> = Arc::new(lines[..head].concat().into_bytes());
            reread("p", &before, &mut known).unwrap();
            let pieces: Arc<dyn Pieces> = Arc::new(all.clone());
            let appended = appended("p", &pieces, &known, 60).unwrap();
            let found: Vec<_> =
                appended.iter().map(|version| (version.id.to_string(), version.place.line)).collect();
            let wanted: Vec<_> = (head..60).map(|number| (format!("x-{number}"), number + 1)).collect();
            assert_eq!(found, wanted);
            assert!(appended.iter().all(|version| version.prompt().is_some()));
        }
    }
}
