//! The prompts' file as a log: every record is found, and only those that are current are read whole.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;

use super::{jsonl, record, skim};
use crate::cores;
use crate::files::{FileError, Pieces};
use crate::problem::{Origin, Problem};
use crate::prompt::{Place, Prompt, Shelf, Version};

/// How much of the file is in memory at a time, for each core.
const BLOCK: usize = 1 << 20;

/// What a file of prompts holds.
#[derive(Debug, Default)]
pub struct Log {
    /// The records, in the order of their lines; those that are current have been read.
    pub versions: Vec<Version>,
    /// One for each line that is no record, in the order of the lines.
    pub warnings: Vec<Problem>,
    /// How many lines there are that have an end.
    pub ended: usize,
}

/// Reads the log of the file at `path`.
///
/// # Errors
/// If the file cannot be read, or holds the conflict markers of an unfinished merge.
pub fn read(path: &str, pieces: &Arc<dyn Pieces>) -> Result<Log, Problem> {
    let shelf: Arc<dyn Shelf> = Arc::new(Line { path: path.into(), pieces: Arc::clone(pieces) });
    let ranges = ranges(pieces.size());
    let scan =
        |ranges: &[Range<u64>]| ranges.iter().map(|range| Scan::of(path, pieces, &shelf, range)).collect();
    let scans: Vec<Vec<std::io::Result<Scan>>> = cores::share(&ranges, 1, scan);
    let mut log = Log::default();
    for scan in scans.into_iter().flatten() {
        let scan = scan.map_err(|source| super::unreadable(&FileError { path: path.to_owned(), source }))?;
        if let Some(problem) = scan.conflict(path, log.ended) {
            return Err(problem);
        }
        log.take(scan);
    }
    log.read_current(path);
    Ok(log)
}

/// The file in as many ranges as there are cores, unless it is small.
fn ranges(size: u64) -> Vec<Range<u64>> {
    let blocks: Vec<u64> = (0..size.div_ceil(BLOCK as u64)).collect();
    let range = |run: &[u64]| {
        let block = BLOCK as u64;
        run.first().zip(run.last()).map(|(first, last)| first * block..((last + 1) * block).min(size))
    };
    cores::share(&blocks, 1, range).into_iter().flatten().collect()
}

impl Log {
    fn take(&mut self, scan: Scan) {
        let before = self.ended;
        self.versions.extend(scan.versions.into_iter().map(|mut version| {
            version.place.line += before;
            version
        }));
        self.warnings.extend(scan.warnings.into_iter().map(|mut problem| {
            problem.origin.iter_mut().for_each(|origin| origin.line += before);
            problem
        }));
        self.ended += scan.ended;
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
struct Line {
    path: Arc<str>,
    pieces: Arc<dyn Pieces>,
}

impl Shelf for Line {
    fn take(&self, place: Place) -> Option<Prompt> {
        let mut bytes = vec![0; place.length];
        self.pieces.read_at(place.at, &mut bytes).ok()?;
        let origin = Origin { path: Arc::clone(&self.path), line: place.line };
        record::prompt(std::str::from_utf8(&bytes).ok()?, origin).ok()
    }
}

/// What was found in a range of the file: in the lines that begin in it.
struct Scan<'s> {
    path: Arc<str>,
    shelf: &'s Arc<dyn Shelf>,
    /// Names and ids, each once: most of them stand in many records.
    words: HashSet<Arc<str>>,
    versions: Vec<Version>,
    warnings: Vec<Problem>,
    conflict: Option<usize>,
    /// How many lines ended.
    ended: usize,
}

impl<'s> Scan<'s> {
    fn of(
        path: &str,
        pieces: &Arc<dyn Pieces>,
        shelf: &'s Arc<dyn Shelf>,
        range: &Range<u64>,
    ) -> std::io::Result<Scan<'s>> {
        let mut scan = Scan {
            path: path.into(),
            shelf,
            words: HashSet::new(),
            versions: Vec::new(),
            warnings: Vec::new(),
            conflict: None,
            ended: 0,
        };
        let mut reader = Reader { pieces: pieces.as_ref(), buffer: Vec::new(), at: range.start };
        if range.start > 0 {
            // A line belongs to the range in which it begins.
            reader.at -= 1;
            reader.skip_line()?;
        }
        while reader.at < range.end && reader.fill()? {
            let mut begin = 0;
            for end in memchr::memchr_iter(b'\n', &reader.buffer).chain(reader.open_end()) {
                let at = reader.at + begin as u64;
                if at >= range.end {
                    break;
                }
                let line = reader.buffer.get(begin..end).unwrap_or_default();
                scan.line(at, line);
                scan.ended += usize::from(end < reader.buffer.len());
                begin = end + 1;
            }
            reader.forget(begin);
        }
        Ok(scan)
    }

    fn line(&mut self, at: u64, line: &[u8]) {
        let mark: &[u8] = b"\xEF\xBB\xBF";
        let text = if at == 0 { line.strip_prefix(mark).unwrap_or(line) } else { line };
        let begin = text.trim_ascii_start();
        let at = at + (line.len() - begin.len()) as u64;
        let text = begin.trim_ascii_end();
        let number = self.ended + 1;
        if text.is_empty() {
            return;
        }
        if jsonl::is_conflict_marker(text) {
            self.conflict.get_or_insert(number);
            return;
        }
        let place = Place { line: number, at, length: text.len() };
        match std::str::from_utf8(text).ok().and_then(skim::skim) {
            Some(skimmed) => {
                let names = (self.word(&skimmed.id), self.word(&skimmed.name));
                let shelf = Arc::clone(self.shelf);
                self.versions.push(Version::waiting(shelf, place, names, skimmed.version, skimmed.route));
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
                let route = Version::from(prompt.clone()).route;
                let version = Version::waiting(Arc::clone(self.shelf), place, names, prompt.version, route);
                self.versions.push(version);
            }
            Err(problem) => self.warnings.push(problem),
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

    fn conflict(&self, path: &str, before: usize) -> Option<Problem> {
        self.conflict.map(|line| jsonl::conflict(&Origin { path: path.into(), line: before + line }))
    }
}

/// Reads whole lines.
struct Reader<'p> {
    pieces: &'p dyn Pieces,
    /// What was read and not yet forgotten; begins with a line.
    buffer: Vec<u8>,
    /// Where the buffer begins in the file.
    at: u64,
}

impl Reader<'_> {
    fn rest(&self) -> u64 {
        self.pieces.size() - self.at - self.buffer.len() as u64
    }

    /// Reads on until there is a whole line; whether there is one.
    fn fill(&mut self) -> std::io::Result<bool> {
        loop {
            let known = self.buffer.len();
            let more = self.rest().min(BLOCK as u64) as usize;
            self.buffer.resize(known + more, 0);
            let fresh = self.buffer.get_mut(known..).unwrap_or_default();
            self.pieces.read_at(self.at + known as u64, fresh)?;
            if self.rest() == 0 {
                return Ok(!self.buffer.is_empty());
            }
            if memchr::memchr(b'\n', self.buffer.get(known..).unwrap_or_default()).is_some() {
                return Ok(true);
            }
        }
    }

    /// The end of a last line that has none.
    fn open_end(&self) -> Option<usize> {
        (self.rest() == 0 && self.buffer.last() != Some(&b'\n')).then_some(self.buffer.len())
    }

    fn skip_line(&mut self) -> std::io::Result<()> {
        if self.fill()? {
            let end = memchr::memchr(b'\n', &self.buffer).map_or(self.buffer.len(), |end| end + 1);
            self.forget(end);
        }
        Ok(())
    }

    fn forget(&mut self, length: usize) {
        let length = length.min(self.buffer.len());
        self.buffer.drain(..length);
        self.at += length as u64;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lines of many lengths, good and bad, so that they meet the ends of blocks and ranges everywhere.
    fn file() -> Vec<u8> {
        let mut file = b"\xEF\xBB\xBF".to_vec();
        for number in 1..=900u64 {
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
            let log = read("p", &(Arc::new(bytes.clone()) as Arc<dyn Pieces>)).unwrap();
            assert_eq!(log.warnings, whole.warnings);
            let read: Vec<Prompt> = log.versions.into_iter().filter_map(Version::into_prompt).collect();
            assert_eq!(read, whole.records);
            assert_eq!(log.ended, bytes.iter().filter(|byte| **byte == b'\n').count());
        }
    }

    #[test]
    fn what_cannot_be_read_after_all_leaves_its_place_to_what_was_before() {
        let deep = format!("{}1{}", "[".repeat(90), "]".repeat(90));
        let deep = format!("[{deep},{}]", "[".repeat(9) + &"]".repeat(9));
        let line = |version: u64, more: &str| {
            format!(r#"{{"id":"x","name":"a","version":{version},"sections":[],"status":"active"{more}}}"#)
        };
        let text = format!("{}\n{}\n", line(1, ""), line(2, &format!(r#","more":{deep}"#)));
        let log = read("p", &(Arc::new(text.into_bytes()) as Arc<dyn Pieces>)).unwrap();
        assert_eq!(log.versions.len(), 2, "{:?}", log.warnings);
    }

    #[test]
    fn conflict_markers_are_an_error_wherever_they_stand() {
        let mut bytes = file();
        bytes.extend(b"<<<<<<< HEAD\n");
        let problem = read("p", &(Arc::new(bytes) as Arc<dyn Pieces>)).unwrap_err();
        assert_eq!(problem.origin.map(|origin| origin.line), Some(901));
    }
}
