//! A bar for work that takes longer than a person likes to wait without a word.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// How long nothing is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// How far some work is; on a terminal it is shown after a while, and nothing stays of it.
pub(crate) struct Progress {
    steps: u64,
    done: AtomicU64,
    start: Instant,
    bar: OnceLock<ProgressBar>,
}

impl Progress {
    /// The beginning of work of so many steps.
    pub(crate) fn of(steps: usize) -> Progress {
        Progress { steps: steps as u64, done: AtomicU64::new(0), start: Instant::now(), bar: OnceLock::new() }
    }

    /// Takes note of a step.
    pub(crate) fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed);
        // The clock is not asked at every step.
        if done.is_multiple_of(64) && self.start.elapsed() > PATIENCE {
            self.bar.get_or_init(|| bar(self.steps)).set_position(done);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = self.bar.get() {
            bar.finish_and_clear();
        }
    }
}

/// Drawn on stderr, and only if that is a terminal.
fn bar(steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    match ProgressStyle::with_template("{bar:32} {pos} of {len} files") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
