//! Shares the same work for many things out to the machine's cores.

use std::num::NonZero;
use std::sync::OnceLock;
use std::thread::{Scope, ScopedJoinHandle};

/// Splits `items` into one run a core, in order, and does `work` on all of them at once; the answers come in the same
/// order.
///
/// Fewer than `least` items a core are not worth a thread.
///
/// ```
/// let sums = canopy::cores::share(&[1, 2, 3, 4], 2, |run: &[i32]| run.iter().sum::<i32>());
/// assert_eq!(sums.iter().sum::<i32>(), 10);
/// ```
pub fn share<T: Sync, R: Send>(items: &[T], least: usize, work: impl Fn(&[T]) -> R + Sync) -> Vec<R> {
    let runs = (items.len() / least.max(1)).clamp(1, many());
    let mut runs = items.chunks(items.len().div_ceil(runs).max(1));
    let first = runs.next().unwrap_or_default();
    std::thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> = runs.map(|run| (run, beside(scope, move || work(run)))).collect();
        let first = work(first);
        let others = others.into_iter().map(|(run, other)| match other.map(ScopedJoinHandle::join) {
            Some(Ok(answer)) => answer,
            Some(Err(panic)) => std::panic::resume_unwind(panic),
            None => work(run),
        });
        [first].into_iter().chain(others).collect()
    })
}

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
