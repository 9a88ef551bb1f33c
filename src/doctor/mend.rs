//! Mends what takes no decision, and says what was done.

use std::path::Path;

use crate::problem::Problem;
use crate::source::{PROMPTS, SCHEMAS};
use crate::store::{StoreError, lock, mend};

use super::{Check, count, locks, twins};

/// What became of the attempt to mend a project.
#[derive(Debug, Default)]
pub struct Mended {
    /// What was done, a sentence each.
    pub fixed: Vec<String>,
    /// What could not be done.
    pub problems: Vec<Problem>,
}

/// Mends what `checks` say can be mended, and nothing else: only lines that stand there a second time and locks
/// of the dead are removed, and of every line that is no record each byte stays.
#[must_use]
pub fn mend(root: &Path, checks: &[Check]) -> Mended {
    let mut mended = Mended::default();
    // Locks first: what follows needs them.
    let order = ["stale-locks", "prompts-integrity", "schemas-integrity", "twins", "gitattributes"];
    for name in order {
        if !checks.iter().any(|check| check.name == name && check.fixable) {
            continue;
        }
        match name {
            "stale-locks" => mended.locks(root),
            "prompts-integrity" => mended.last_line(root, PROMPTS),
            "schemas-integrity" => mended.last_line(root, SCHEMAS),
            "twins" => mended.twins(root),
            _ => mended.git(root),
        }
    }
    mended
}

impl Mended {
    fn locks(&mut self, root: &Path) {
        for file in locks::LOCKED {
            let dead = mend::lock_of(root, file).and_then(|lock| lock::is_alive(&lock));
            if !matches!(dead, Ok(Some(false))) {
                continue;
            }
            match mend::remove_dead_lock(root, file) {
                Ok(true) => self.fixed.push(format!("removed {file}.lock, whose maker is gone")),
                // Somebody took it over in the meantime: then it is no longer left behind.
                Ok(false) => {}
                Err(e) => self.problems.push(e.problem()),
            }
        }
    }

    fn last_line(&mut self, root: &Path, file: &str) {
        match mend::end_last_line(root, file) {
            Ok(true) => self.fixed.push(format!("ended the last line of {file}")),
            Ok(false) => {}
            Err(e) => self.refused(e),
        }
    }

    fn twins(&mut self, root: &Path) {
        match mend::remove_lines(root, twins::redundant) {
            Ok(0) => {}
            Ok(number) => {
                let lines = count(number, "line");
                self.fixed.push(format!("removed {lines} of {PROMPTS} that a later line repeats"));
            }
            Err(e) => self.refused(e),
        }
    }

    fn git(&mut self, root: &Path) {
        match mend::tell_git(root) {
            Ok(lines) => {
                self.fixed.extend(lines.iter().map(|(path, line)| format!("added `{line}` to {path}")));
            }
            Err(e) => self.problems.push(Problem::new(e.to_string())),
        }
    }

    fn refused(&mut self, error: StoreError) {
        self.problems.push(error.problem());
    }
}
