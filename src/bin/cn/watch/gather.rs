//! When to build: what was heard and when goes in, the moment of the next build comes out.

use std::time::{Duration, Instant};

/// How long it must be quiet before a build that follows another one closely; twice as long for each that follows that
/// one closely.
const QUIET: Duration = Duration::from_millis(20);

/// How long after a build a change follows it no more: whoever saves by hand is not that fast.
const CALM: Duration = Duration::from_millis(120);

/// How long it must be quiet before something is taken for whole that nobody said is whole.
const SETTLED: Duration = Duration::from_millis(60);

/// How long a change waits at most, however much follows it.
const CAP: Duration = Duration::from_millis(300);

/// How much is known of a change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Change {
    /// A whole file took its place.
    Replaced,
    /// A file was written where it stands, and closed.
    Written,
    /// More may follow.
    Begun,
}

/// The changes that no build has seen yet.
#[derive(Debug, Default)]
pub(super) struct Gather {
    waiting: Option<Waiting>,
    built: Option<Instant>,
    /// How many builds in a row followed another one closely.
    followed: u32,
}

#[derive(Debug)]
struct Waiting {
    first: Instant,
    last: Instant,
    is_open: bool,
    is_certain: bool,
}

impl Gather {
    /// A change was heard of.
    pub(super) fn note(&mut self, change: Change, now: Instant) {
        let waiting =
            self.waiting.get_or_insert(Waiting { first: now, last: now, is_open: false, is_certain: true });
        waiting.last = now;
        waiting.is_open = change == Change::Begun;
        waiting.is_certain &= change == Change::Replaced;
    }

    /// When to build; never, as long as nothing changes.
    pub(super) fn due(&self) -> Option<Instant> {
        let Waiting { first, last, is_open, .. } = self.waiting.as_ref()?;
        let quiet = match (is_open, self.follows(*first)) {
            (true, _) => SETTLED,
            (false, false) => return Some(*first),
            (false, true) => QUIET.saturating_mul(1 << self.followed.min(8)),
        };
        Some((*last + quiet).min(*first + CAP))
    }

    fn follows(&self, first: Instant) -> bool {
        self.built.is_some_and(|built| first < built + CALM)
    }

    /// A build begins, which sees all changes until now. Returns whether each of them was known to be whole.
    pub(super) fn begin(&mut self) -> bool {
        let Some(Waiting { first, is_certain, .. }) = self.waiting.take() else { return false };
        self.followed = if self.follows(first) { self.followed + 1 } else { 0 };
        is_certain
    }

    /// A build ended.
    pub(super) fn end(&mut self, now: Instant) {
        self.built = Some(now);
    }
}

#[cfg(test)]
mod tests {
    use super::Change::{Begun, Replaced, Written};
    use super::*;

    /// Feeds changes at milliseconds, builds for `cost` whenever it is due, and returns when builds began.
    fn builds(changes: &[(u64, Change)], cost: u64) -> Vec<u64> {
        let start = Instant::now();
        let at = |ms: u64| start + Duration::from_millis(ms);
        let mut gather = Gather::default();
        let mut changes = changes.iter().peekable();
        let (mut built, mut busy_until) = (Vec::new(), 0);
        for ms in 0..10_000 {
            // What happens during a build is heard when it is over.
            if ms < busy_until {
                continue;
            }
            if ms == busy_until && ms > 0 {
                gather.end(at(ms));
            }
            while let Some((_, change)) = changes.next_if(|(when, _)| *when <= ms) {
                gather.note(*change, at(ms));
            }
            if gather.due().is_some_and(|due| due <= at(ms)) {
                gather.begin();
                built.push(ms);
                busy_until = ms + cost;
            }
        }
        assert_eq!(gather.due(), None);
        built
    }

    #[test]
    fn the_first_whole_change_waits_for_nothing() {
        assert_eq!(builds(&[(10, Replaced)], 5), [10]);
        assert_eq!(builds(&[(10, Begun), (12, Begun), (13, Written)], 5), [13]);
        assert_eq!(builds(&[(10, Replaced), (200, Replaced)], 5), [10, 200]);
    }

    #[test]
    fn what_follows_a_build_is_gathered() {
        assert_eq!(builds(&[(10, Replaced), (12, Replaced), (14, Replaced)], 5), [10, 35]);
        assert_eq!(builds(&[(10, Replaced), (25, Replaced), (35, Replaced)], 5), [10, 55]);
        assert_eq!(builds(&[(10, Replaced), (100, Replaced), (200, Replaced)], 5), [10, 120, 240]);
    }

    #[test]
    fn a_burst_and_a_stream_are_built_a_few_times_and_to_their_end() {
        let burst: Vec<_> = (0..50).map(|i| (10 + 2 * i, Replaced)).collect();
        assert!(builds(&burst, 10).len() <= 3, "{:?}", builds(&burst, 10));
        for (apart, cost) in [(60, 20), (90, 30), (90, 60), (90, 100), (130, 60), (130, 200)] {
            let burst: Vec<_> = (0..50).map(|i| (10 + apart * i, Replaced)).collect();
            let built = builds(&burst, cost);
            assert!(
                built.len() <= 25 && built.last() >= Some(&(10 + apart * 49)),
                "{apart} {cost}: {built:?}"
            );
        }
        let stream: Vec<_> = (0..200).map(|i| (10 + 10 * i, Replaced)).collect();
        let built = builds(&stream, 10);
        assert!((8..=12).contains(&built.len()), "{built:?}");
        assert!(built.last() >= Some(&2000), "{built:?}");
    }

    #[test]
    fn what_is_being_written_gets_the_time_to_become_whole() {
        assert_eq!(builds(&[(10, Begun)], 5), [70]);
        assert_eq!(builds(&[(10, Begun), (50, Begun), (90, Written)], 5), [90]);
        let endless: Vec<_> = (0..100).map(|i| (10 + 10 * i, Begun)).collect();
        assert_eq!(builds(&endless, 0)[..2], [310, 620]);
    }

    #[test]
    fn only_whole_files_are_certain() {
        let now = Instant::now();
        for (changes, certain) in
            [(&[Replaced, Replaced][..], true), (&[Begun, Replaced], false), (&[Written], false)]
        {
            let mut gather = Gather::default();
            changes.iter().for_each(|change| gather.note(*change, now));
            assert_eq!(gather.begin(), certain, "{changes:?}");
        }
    }
}
