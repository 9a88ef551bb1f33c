//! Shares the same work for many things out to the machine's cores.

use std::num::NonZero;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{Scope, ScopedJoinHandle};

/// Splits `items` into runs, in order, and does `work` on them on all cores; the answers come in the same order.
///
/// Fewer than `least` items are not worth a run of their own.
///
/// ```
/// let sums = canopy::cores::share(&[1, 2, 3, 4], 2, |run: &[i32]| run.iter().sum::<i32>());
/// assert_eq!(sums.iter().sum::<i32>(), 10);
/// ```
pub fn share<T: Sync, R: Send>(items: &[T], least: usize, work: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
    share_with(items, least, || (), |(), run| work(run))
}

/// As [`share`], for work that takes along what each core `begins` with from one run to the next.
pub fn share_with<T: Sync, S, R: Send>(
    items: &[T],
    least: usize,
    begins: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &[T]) -> R + Sync,
) -> Vec<R> {
    let length = items.len().div_ceil(many() * RUNS).max(least).max(1);
    // Who is done with a run takes the next: cores are not equally fast, and neither are the runs.
    let runs: Vec<&[T]> = items.chunks(length).collect();
    let next = AtomicUsize::new(0);
    let take = || {
        let number = next.fetch_add(1, Ordering::Relaxed);
        runs.get(number).map(|run| (number, *run))
    };
    let take_all = || {
        let mut state = begins();
        let mut answers = Vec::new();
        while let Some((number, run)) = take() {
            answers.push((number, work(&mut state, run)));
        }
        answers
    };
    let mut answers = std::thread::scope(|scope| {
        let others = (1..many().min(runs.len())).filter_map(|_| beside(scope, take_all));
        let others: Vec<_> = others.collect();
        let mut answers = take_all();
        for other in others {
            match other.join() {
                Ok(more) => answers.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        answers
    });
    answers.sort_unstable_by_key(|(number, _)| *number);
    answers.into_iter().map(|(_, answer)| answer).collect()
}

/// How many runs a core is given, so that one that is held up leaves others to the next.
const RUNS: usize = 8;

/// Does `work` beside what goes on; `None` if the system gives no thread for it, which is no reason not to do it.
pub(crate) fn beside<'s, T: Send + 's>(
    scope: &'s Scope<'s, '_>,
    work: impl FnOnce() -> T + Send + 's,
) -> Option<ScopedJoinHandle<'s, T>> {
    std::thread::Builder::new().spawn_scoped(scope, work).ok()
}

/// Does both, at once if that is `worth` a thread and there are two cores for it.
///
/// ```
/// assert_eq!(canopy::cores::both(true, || 1, || 2), (1, 2));
/// ```
pub fn both<A, B: Send>(worth: bool, one: impl FnOnce() -> A, other: impl Fn() -> B + Sync) -> (A, B) {
    std::thread::scope(|scope| {
        let work = &other;
        let other = if worth && many() > 1 { beside(scope, work) } else { None };
        let one = one();
        match other.map(ScopedJoinHandle::join) {
            Some(Ok(other)) => (one, other),
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => (one, work()),
        }
    })
}

/// How many cores there are; asked once, since the system takes its time to say it.
fn many() -> usize {
    static MANY: OnceLock<usize> = OnceLock::new();
    *MANY.get_or_init(|| std::thread::available_parallelism().map_or(1, NonZero::get))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_item_is_worked_on_once_and_in_order() {
        for length in [0, 1, 2, 3, 7, 100] {
            let items: Vec<usize> = (0..length).collect();
            for least in [0, 1, 3, 1000] {
                let answers = share(&items, least, <[usize]>::to_vec);
                assert_eq!(answers.concat(), items, "{length} by {least}");
            }
        }
    }
}
