//! The prompts' file as a log: every record is found, and only those that are current are read whole.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::record;
use super::segment::Segment;
use crate::cores;
use crate::files::{FileError, Pieces};
use crate::problem::{Origin, Problem};
use crate::prompt::{Place, Prompt, Shelf, Version};

/// What a file of prompts holds.
#[derive(Debug, Default)]
pub struct Log {
    /// The records, in the order of their lines; those that are current have been read.
    pub versions: Vec<Version>,
    /// One for each line that is no record, in the order of the lines.
    pub warnings: Vec<Problem>,
    /// How many lines there are that have an end.
    pub ended: usize,
    /// What is known of the file, for whoever reads it again.
    pub known: Known,
}

/// A file as it was read, segment by segment: those that are the same the next time are not looked at again.
#[derive(Debug, Default, Clone)]
pub struct Known(Vec<Arc<Segment>>);

impl Known {
    /// What identifies the content of the file.
    #[must_use]
    pub fn hash(&self) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new();
        for segment in &self.0 {
            hasher.update(segment.hash.as_bytes());
        }
        hasher.finalize()
    }
}

/// Reads the log of the file at `path`, of which `known` may be known from before.
///
/// # Errors
/// If the file cannot be read, or holds the conflict markers of an unfinished merge.
pub fn read(path: &str, pieces: &Arc<dyn Pieces>, known: &Known) -> Result<Log, Problem> {
    let shelf: Arc<dyn Shelf> = Arc::new(Lines { path: path.into(), pieces: Arc::clone(pieces) });
    let mut log = Log { known: segments(path, pieces.as_ref(), &shelf, known)?, ..Log::default() };
    for segment in log.known.0.clone() {
        if let Some(line) = segment.conflict {
            let origin = Origin { path: path.into(), line: log.ended + line };
            return Err(super::jsonl::conflict(&origin));
        }
        log.take(&segment, &shelf);
    }
    log.read_current(path);
    Ok(log)
}

/// The segments of the file; those that are as they are known are taken over.
fn segments(
    path: &str,
    pieces: &dyn Pieces,
    shelf: &Arc<dyn Shelf>,
    known: &Known,
) -> Result<Known, Problem> {
    let numbers: Vec<usize> = (0..Segment::many(pieces.size())).collect();
    let read = |run: &[usize]| -> Vec<std::io::Result<Arc<Segment>>> {
        let mut buffer = Vec::new();
        let mut read = |number| Segment::read(path, pieces, shelf, known.0.get(number), number, &mut buffer);
        run.iter().map(|number| read(*number)).collect()
    };
    let segments = cores::share(&numbers, 1, read).into_iter().flatten().collect::<std::io::Result<_>>();
    let failed = |source| super::unreadable(&FileError { path: path.to_owned(), source });
    segments.map(Known).map_err(failed)
}

impl Log {
    fn take(&mut self, segment: &Segment, shelf: &Arc<dyn Shelf>) {
        let before = self.ended;
        self.versions.extend(segment.versions.iter().map(|version| version.clone().moved(before, shelf)));
        self.warnings.extend(segment.warnings.iter().cloned().map(|mut problem| {
            problem.origin.iter_mut().for_each(|origin| origin.line += before);
            problem
        }));
        self.ended += segment.ended;
    }

    /// Reads what is current. If that turns out to be no record, what was before it is current, and is read.
    fn read_current(&mut self, path: &str) {
        loop {
            let current = self.current();
            let read = |run: &[usize]| -> Vec<usize> {
                let is_none =
                    |index: &&usize| self.versions.get(**index).is_some_and(|v| v.prompt().is_none());
                run.iter().filter(is_none).copied().collect()
            };
            let unreadable: HashSet<usize> = cores::share(&current, 16, read).concat().into_iter().collect();
            if unreadable.is_empty() {
                return;
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

/// The lines of an open file, to be read when they are wanted.
#[derive(Debug)]
struct Lines {
    path: Arc<str>,
    pieces: Arc<dyn Pieces>,
}

impl Shelf for Lines {
    fn take(&self, place: Place) -> Option<Prompt> {
        let mut bytes = vec![0; place.length];
        self.pieces.read_at(place.at, &mut bytes).ok()?;
        let origin = Origin { path: Arc::clone(&self.path), line: place.line };
        record::prompt(std::str::from_utf8(&bytes).ok()?, origin).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::jsonl;

    fn log(bytes: &[u8], known: &Known) -> Result<Log, Problem> {
        read("p", &(Arc::new(bytes.to_vec()) as Arc<dyn Pieces>), known)
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
            let log = log(&bytes, &Known::default()).unwrap();
            assert_eq!(log.warnings, whole.warnings);
            assert_eq!(prompts(&log), whole.records);
            assert_eq!(log.ended, bytes.iter().filter(|byte| **byte == b'\n').count());
        }
    }

    /// Has no records at all.
    #[derive(Debug)]
    struct Empty;

    impl Shelf for Empty {
        fn take(&self, _: Place) -> Option<Prompt> {
            None
        }
    }

    #[test]
    fn what_cannot_be_read_after_all_leaves_its_place_to_what_was_before() {
        let bytes = br#"{"id":"x","name":"a","version":1,"sections":[],"status":"active"}"#;
        let mut log = log(bytes, &Known::default()).unwrap();
        let place = Place { line: 2, at: 0, length: 1 };
        log.versions.push(Version::waiting(Arc::new(Empty), place, ("x".into(), "a".into()), 2, 0));
        log.read_current("p");
        assert_eq!((prompts(&log).len(), log.versions.len()), (1, 1));
        let lines: Vec<_> = log.warnings.iter().filter_map(|w| Some(w.origin.as_ref()?.line)).collect();
        assert_eq!(lines, [2]);
    }

    #[test]
    fn what_is_known_is_not_looked_at_again_and_what_changed_is() {
        let bytes = file();
        let first = log(&bytes, &Known::default()).unwrap();
        assert!(first.known.0.len() > 1, "{}", bytes.len());
        let again = log(&bytes, &first.known).unwrap();
        let same = |one: &Known, other: &Known| {
            one.0.iter().zip(&other.0).filter(|(one, other)| Arc::ptr_eq(one, other)).count()
        };
        assert_eq!(same(&first.known, &again.known), first.known.0.len());
        assert_eq!(prompts(&again), prompts(&first));
        assert_eq!(again.known.hash(), first.known.hash());

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
            let log = log(&changed, &first.known).unwrap();
            assert_eq!(log.warnings, whole.warnings);
            assert_eq!(prompts(&log), whole.records);
            assert_ne!(log.known.hash(), first.known.hash());
        }
    }

    #[test]
    fn conflict_markers_are_an_error_wherever_they_stand() {
        let mut bytes = file();
        bytes.extend(b"<<<<<<< HEAD\n");
        let problem = log(&bytes, &Known::default()).unwrap_err();
        assert_eq!(problem.origin.map(|origin| origin.line), Some(2001));
    }
}
