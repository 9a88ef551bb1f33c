//! Lock files that a process left behind.

use std::path::Path;

use crate::config::CONFIG;
use crate::source::{PROMPTS, SCHEMAS};
use crate::store::{lock, mend};

use super::{Check, count};

/// The files of a store that are written under a lock.
pub(super) const LOCKED: [&str; 3] = [PROMPTS, SCHEMAS, CONFIG];

/// Which lock files have a holder that is gone.
pub(super) fn check(root: &Path) -> Check {
    const NAME: &str = "stale-locks";
    let (mut dead, mut held, mut unknown) = (Vec::new(), 0, Vec::new());
    for file in LOCKED {
        match mend::lock_of(root, file).and_then(|lock| lock::is_alive(&lock)) {
            Ok(None) => {}
            Ok(Some(true)) => held += 1,
            Ok(Some(false)) => dead.push(format!("{file}.lock: whoever made it is gone")),
            Err(e) => unknown.push(format!("{file}.lock: cannot be looked at: {e}")),
        }
    }
    match (dead.len(), unknown.len()) {
        (0, 0) if held == 0 => Check::pass(NAME, "no lock was left behind"),
        (0, 0) => Check::pass(NAME, format!("{} held by somebody at work", count(held, "lock"))),
        (0, _) => Check::warn(NAME, "not every lock can be looked at", unknown),
        (number, _) => {
            dead.extend(unknown);
            Check::warn(NAME, format!("{} left behind", count(number, "lock")), dead).fixable(true)
        }
    }
}
