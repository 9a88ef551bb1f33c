//! Whether the configuration and the files of records can be read, to the last line.

use crate::config::{self, CONFIG};
use crate::files::{DiskFiles, Files};
use crate::problem::Problem;
use crate::source::{Records, jsonl};

use super::{Check, count, placed, told};

/// Whether the configuration can be used.
pub(super) fn config(files: &DiskFiles) -> Check {
    const NAME: &str = "config";
    match files.read(CONFIG) {
        Ok(None) => {
            Check::warn(NAME, format!("no {CONFIG}; every prompt goes to `{}`", config::FALLBACK_DIR), vec![])
        }
        Ok(Some(text)) => match config::parse(&text) {
            Ok(config) => {
                let unknown: Vec<String> = config::unknown(&text).iter().map(told).collect();
                let targets = count(config.targets.len(), "target");
                match unknown.len() {
                    0 => Check::pass(NAME, targets),
                    number => {
                        Check::warn(NAME, format!("{targets}, {} unknown", count(number, "member")), unknown)
                    }
                }
            }
            Err(problem) => Check::fail(NAME, "the configuration cannot be used", vec![told(&problem)]),
        },
        Err(e) => Check::fail(NAME, "the configuration cannot be read", vec![e.to_string()]),
    }
}

/// Whether every line of a file is a record and the last one has its end.
pub(super) fn records<T>(
    name: &'static str,
    path: &str,
    read: &Result<Records<T>, Problem>,
    files: &DiskFiles,
) -> Check {
    let read = match read {
        Ok(read) => read,
        Err(problem) => return Check::fail(name, "the records cannot be read", vec![told(problem)]),
    };
    let open = match files.read(path) {
        Ok(Some(bytes)) => jsonl::ends_open(&bytes),
        // It was read a moment ago, so this is not what is wrong with it.
        Ok(None) | Err(_) => false,
    };
    let mut details: Vec<String> = read.warnings.iter().map(placed).collect();
    if open {
        details.push(format!("{path}: the last line has no newline at its end"));
    }
    match (read.warnings.len(), open) {
        (0, false) => Check::pass(name, count(read.records.len(), "record")),
        (0, true) => Check::warn(name, "the last line is not ended", details).fixable(true),
        (1, open) => Check::fail(name, "1 line is no record", details).fixable(open),
        (many, open) => Check::fail(name, format!("{many} lines are no records"), details).fixable(open),
    }
}
