//! The prompts' file as a log: every record is found, and only those are read whole that are current and not known.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, PoisonError, RwLock};

use super::known::{Known, Touched};
use super::record;
use super::segment::{Desk, Segment};
use crate::cores;
use crate::files::{Buffer, FileError, Pieces};
use crate::problem::{Origin, Problem};
use crate::prompt::{Place, Prompt, Shelf, Version};

/// What a file of prompts holds.
#[derive(Debug, Default)]
pub struct Log {
    /// The records, in the order of their lines; those that are current have been read, or are known in brief.
    pub versions: Vec<Version>,
    /// One for each line that is no record, in the order of the lines.
    pub warnings: Vec<Problem>,
    /// How many lines there are that have an end.
    pub ended: usize,
    /// For whoever reads again: what records may be new, changed or gone since; `None` if it may be any.
    pub touched: Option<Touched>,
}

/// Reads the log of the file at `path`.
///
/// # Errors
/// If the file cannot be read, or holds the conflict markers of an unfinished merge.
pub fn read(path: &str, pieces: &Arc<dyn Pieces>) -> Result<Log, Problem> {
    log(path, pieces, None).map(|(log, ..)| log)
}

/// As [`read`], for whoever reads again and again: what is `known` is not looked at again, and is brought up to date.
///
/// # Errors
/// As for [`read`]; what is known is then what it was.
pub fn reread(path: &str, pieces: &Arc<dyn Pieces>, known: &mut Known) -> Result<Log, Problem> {
    let (mut log, segments, shelf) = log(path, pieces, Some(known))?;
    log.touched = known.touched(&segments);
    let (is_once, table, shelf) = (known.is_once, known.table.take(), Some(shelf));
    let is_whole = segments.iter().map(|segment| segment.versions.len()).sum::<usize>() == log.versions.len();
    // Where one was left out, it cannot be told which segment the others belong to.
    let segments = if is_whole { segments } else { Vec::new() };
    let versions = if is_whole && !is_once { log.kept() } else { Vec::new() };
    *known = Known { segments, versions, shelf, table, is_once };
    Ok(log)
}

/// A log, its segments if others are known, and where its records wait.
type Taken = (Log, Vec<Arc<Segment>>, Arc<Lines>);

fn log(path: &str, pieces: &Arc<dyn Pieces>, known: Option<&Known>) -> Result<Taken, Problem> {
    let lines = Arc::new(Lines { path: path.into(), pieces: RwLock::new(Some(Arc::clone(pieces))) });
    let shelf: Arc<dyn Shelf> = Arc::clone(&lines) as Arc<dyn Shelf>;
    let mut log = Log::default();
    let segments = segments(path, pieces.as_ref(), known.map(|known| known.segments.as_slice()))?;
    log.versions.reserve_exact(segments.iter().map(|segment| segment.versions.len()).sum());
    let kept = if known.is_some() { segments.clone() } else { Vec::new() };
    for (number, segment) in segments.into_iter().enumerate() {
        if let Some(line) = segment.conflict {
            let origin = Origin { path: path.into(), line: log.ended + line };
            return Err(super::jsonl::conflict(&origin));
        }
        let read = known.and_then(|known| known.read(number, &segment, log.versions.len()));
        log.take(segment, &shelf, read);
    }
    log.read_current(path)?;
    Ok((log, kept, lines))
}

/// The segments of the file; those that are as they are known are taken over.
fn segments(
    path: &str,
    pieces: &dyn Pieces,
    known: Option<&[Arc<Segment>]>,
) -> Result<Vec<Arc<Segment>>, Problem> {
    let numbers: Vec<usize> = (0..Segment::many(pieces.size())).collect();
    let read = |desk: &mut Desk, run: &[usize]| -> Vec<std::io::Result<Arc<Segment>>> {
        run.iter().map(|number| Segment::read(path, pieces, known, *number, desk)).collect()
    };
    let segments = cores::share_with(&numbers, 1, Desk::default, read)
        .into_iter()
        .flatten()
        .collect::<std::io::Result<_>>();
    let failed = |source| super::unreadable(&FileError { path: path.to_owned(), source });
    segments.map_err(failed)
}

impl Log {
    /// Takes in what a segment holds, the versions as they may have been `read` before.
    fn take(&mut self, segment: Arc<Segment>, shelf: &Arc<dyn Shelf>, read: Option<&[Version]>) {
        let before = self.ended;
        self.ended += segment.ended;
        self.warnings.extend(segment.warnings.iter().cloned().map(|mut problem| {
            problem.origin.iter_mut().for_each(|origin| origin.line += before);
            problem
        }));
        let line = |versions: &[Version]| versions.first().map(|version| version.place.line);
        // The same lines further down are other places.
        match read.filter(|read| line(read) == line(&segment.versions).map(|line| line + before)) {
            Some(read) => {
                self.versions.extend(read.iter().map(|version| version.clone().moved(0, shelf)));
                let rest = segment.versions.get(read.len()..).unwrap_or_default().iter();
                self.versions.extend(rest.map(|version| version.clone().moved(before, shelf)));
            }
            None => {
                let versions = Arc::try_unwrap(segment)
                    .map_or_else(|shared| shared.versions.clone(), |own| own.versions);
                self.versions.extend(versions.into_iter().map(|version| version.moved(before, shelf)));
            }
        }
    }

    /// All versions for the next time: neither the file nor what is current no more is held for ever.
    fn kept(&self) -> Vec<Version> {
        let current: HashSet<usize> = self.current().into_iter().collect();
        let kept = |(index, version): (usize, &Version)| version.clone().put_away(current.contains(&index));
        self.versions.iter().enumerate().map(kept).collect()
    }

    /// Reads what is current and not known in brief. If that turns out to be no record, what was before it is current, and
    /// is read.
    fn read_current(&mut self, path: &str) -> Result<(), Problem> {
        loop {
            let mut current = self.current();
            current.retain(|index| self.versions.get(*index).is_some_and(|version| !version.is_known()));
            let read = |run: &[usize]| -> std::io::Result<Vec<usize>> {
                let mut none = Vec::new();
                for index in run {
                    if let Some(version) = self.versions.get(*index)
                        && version.read()?.is_none()
                    {
                        none.push(*index);
                    }
                }
                Ok(none)
            };
            let unreadable =
                cores::share(&current, 16, read).into_iter().collect::<std::io::Result<Vec<_>>>();
            let failed = |source| super::unreadable(&FileError { path: path.to_owned(), source });
            let unreadable: HashSet<usize> = unreadable.map_err(failed)?.concat().into_iter().collect();
            if unreadable.is_empty() {
                return Ok(());
            }
            self.leave_out(path, &unreadable);
        }
    }

    /// The place in the list of the last line about the highest version of each prompt.
    fn current(&self) -> Vec<usize> {
        let mut highest: HashMap<&str, (u64, usize)> = HashMap::new();
        for (index, version) in self.versions.iter().enumerate() {
            let found = highest.entry(&version.id).or_insert((version.number, index));
            *found = (*found).max((version.number, index));
        }
        let mut current: Vec<usize> = highest.into_values().map(|(_, index)| index).collect();
        current.sort_unstable();
        current
    }

    fn leave_out(&mut self, path: &str, unreadable: &HashSet<usize>) {
        let mut index = 0;
        let (versions, warnings) = (&mut self.versions, &mut self.warnings);
        versions.retain(|version| {
            let keep = !unreadable.contains(&index);
            index += 1;
            if !keep {
                let origin = Origin { path: path.into(), line: version.place.line };
                warnings.push(Problem::new("the line is no record after all").at(&origin));
            }
            keep
        });
        warnings.sort_by_key(|problem| problem.origin.as_ref().map(|origin| origin.line));
    }
}

/// The lines of a file, to be read when they are wanted, as long as it is open.
#[derive(Debug)]
pub(super) struct Lines {
    path: Arc<str>,
    pieces: RwLock<Option<Arc<dyn Pieces>>>,
}

impl Lines {
    /// Reads on from this file, in which the same lines stand at the same places.
    pub(super) fn lay(&self, pieces: Option<Arc<dyn Pieces>>) {
        *self.pieces.write().unwrap_or_else(PoisonError::into_inner) = pieces;
    }

    /// Whether nobody wrote into the file since it was opened.
    pub(super) fn stand(&self) -> bool {
        let pieces = self.pieces.read().unwrap_or_else(PoisonError::into_inner);
        pieces.as_ref().is_some_and(|pieces| pieces.is_as_it_was())
    }
}

impl Shelf for Lines {
    fn take(&self, place: Place) -> std::io::Result<Option<Prompt>> {
        let pieces = self.pieces.read().unwrap_or_else(PoisonError::into_inner).clone();
        let mut buffer = Buffer::default();
        let pieces = pieces.ok_or(std::io::ErrorKind::NotConnected)?;
        let bytes = buffer.read(pieces.as_ref(), place.at, place.length)?;
        let origin = Origin { path: Arc::clone(&self.path), line: place.line };
        Ok(std::str::from_utf8(bytes).ok().and_then(|line| record::prompt(line, origin).ok()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::prompt::Empty;
    use crate::source::jsonl;

    fn log(bytes: &[u8]) -> Result<Log, Problem> {
        read("p", &(Arc::new(bytes.to_vec()) as Arc<dyn Pieces>))
    }

    fn again(bytes: &[u8], known: &mut Known) -> Log {
        reread("p", &(Arc::new(bytes.to_vec()) as Arc<dyn Pieces>), known).unwrap()
    }

    fn prompts(log: &Log) -> Vec<Prompt> {
        log.versions.iter().filter_map(Version::prompt).map(|prompt| Prompt::clone(prompt)).collect()
    }

    /// Lines of many lengths, good and bad, so that they meet the ends of blocks and ranges everywhere.
    fn file() -> Vec<u8> {
        let mut file = b"\xEF\xBB\xBF".to_vec();
        for number in 1..=2000u64 {
            let body = "x".repeat((number as usize * 7919) % 9000);
            let line = match number % 50 {
                7 => "{\"id\":".to_owned(),
                9 => String::new(),
                _ => format!(
                    r#"  {{"id":"x-{}","name":"n{}","version":{number},"sections":[{{"name":"r","body":"{body}"}}],"status":"active"}}"#,
                    number % 13,
                    number % 13,
                ),
            };
            file.extend(line.as_bytes());
            file.extend(if number % 3 == 0 { "\r\n" } else { "\n" }.as_bytes());
        }
        file
    }

    #[test]
    fn a_log_holds_what_reading_all_of_it_finds() {
        let mut bytes = file();
        for end in [&b""[..], br#"{"id":"x-1","name":"last","version":9999,"sections":[],"status":"draft"}"#]
        {
            bytes.extend(end);
            let whole = jsonl::read("p", &bytes, record::prompt).unwrap();
            let log = log(&bytes).unwrap();
            assert_eq!(log.warnings, whole.warnings);
            assert_eq!(prompts(&log), whole.records);
            assert_eq!(log.ended, bytes.iter().filter(|byte| **byte == b'\n').count());
        }
    }

    #[test]
    fn what_cannot_be_read_after_all_leaves_its_place_to_what_was_before() {
        let bytes = br#"{"id":"x","name":"a","version":1,"sections":[],"status":"active"}"#;
        let mut log = log(bytes).unwrap();
        let place = Place { line: 2, at: 0, length: 1 };
        let version = Version::waiting(place, ("x".into(), "a".into()), 2, 0);
        log.versions.push(version.moved(0, &(Arc::new(Empty) as Arc<dyn Shelf>)));
        log.read_current("p").unwrap();
        assert_eq!((prompts(&log).len(), log.versions.len()), (1, 1));
        let lines: Vec<_> = log.warnings.iter().filter_map(|w| Some(w.origin.as_ref()?.line)).collect();
        assert_eq!(lines, [2]);
    }

    #[test]
    fn what_is_known_is_not_looked_at_again_and_what_changed_is() {
        let bytes = file();
        let mut first = Known::default();
        let all = prompts(&again(&bytes, &mut first));
        assert!(first.segments.len() > 1, "{}", bytes.len());
        let mut second = first.clone();
        let log = again(&bytes, &mut second);
        let same = first.segments.iter().zip(&second.segments).filter(|(one, other)| Arc::ptr_eq(one, other));
        assert_eq!(same.count(), first.segments.len());
        let read = |known: &Known| known.versions.iter().filter(|version| version.is_read()).count();
        assert_eq!((read(&second), read(&first)), (13, 13));
        assert_eq!(prompts(&log), all);

        let at = |share: usize| bytes.len() * share / 10;
        let line =
            b"\n{\"id\":\"new\",\"name\":\"new\",\"version\":1,\"sections\":[],\"status\":\"draft\"}\n";
        for changed in [
            [bytes.as_slice(), line].concat(),
            [b"\n".as_slice(), &bytes].concat(),
            [&bytes[..at(5)], line, &bytes[at(5)..]].concat(),
            bytes[..at(9)].to_vec(),
            bytes[at(1)..].to_vec(),
            Vec::new(),
        ] {
            let whole = jsonl::read("p", &changed, record::prompt).unwrap();
            let mut known = first.clone();
            for _ in 0..2 {
                let log = again(&changed, &mut known);
                assert_eq!(log.warnings, whole.warnings);
                assert_eq!(prompts(&log), whole.records);
            }
        }
    }

    #[test]
    fn conflict_markers_are_an_error_wherever_they_stand() {
        let mut bytes = file();
        bytes.extend(b"<<<<<<< HEAD\n");
        let problem = log(&bytes).unwrap_err();
        assert_eq!(problem.origin.map(|origin| origin.line), Some(2001));
    }
}
