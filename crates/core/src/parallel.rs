//! Loops on all threads of the processor.
//!
//! A caller's work is called through a reference, so that the division of work among threads is compiled once, here, and
//! not in each place that has a loop.

use rayon::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// `of(0)`, `of(1)`, ..., `of(n - 1)`, computed on all threads.
///
/// ```
/// assert_eq!(neurogauge_core::parallel::map(4, |place| place * place), [0, 1, 4, 9]);
/// ```
pub fn map<T: Send>(n: usize, of: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let found: Vec<Mutex<Option<T>>> = (0..n).map(|_| Mutex::new(None)).collect();
    each(n, &|place| {
        let value = of(place);
        *found[place].lock().unwrap_or_else(PoisonError::into_inner) = Some(value);
    });
    found
        .into_iter()
        .filter_map(|value| value.into_inner().unwrap_or_else(PoisonError::into_inner))
        .collect()
}

/// [`map`] of the elements of a slice.
pub fn map_each<'a, I: Sync, T: Send>(items: &'a [I], of: impl Fn(&'a I) -> T + Sync) -> Vec<T> {
    map(items.len(), |place| of(&items[place]))
}

/// [`map`] of work that may fail: all values, or the error of the lowest place that has one, whatever the number of
/// threads. After an error, no work of a higher place begins.
///
/// # Errors
/// That of `of`.
pub fn try_map<T: Send, E: Send>(n: usize, of: impl Fn(usize) -> Result<T, E> + Sync) -> Result<Vec<T>, E> {
    let lowest = AtomicUsize::new(n);
    let found = map(n, |place| {
        let is_needed = place < lowest.load(Ordering::Relaxed);
        let value = is_needed.then(|| of(place));
        if let Some(Err(_)) = value {
            lowest.fetch_min(place, Ordering::Relaxed);
        }
        value
    });
    found.into_iter().flatten().collect()
}

/// [`try_map`] of the elements of a slice.
///
/// # Errors
/// That of `of`.
pub fn try_map_each<'a, I: Sync, T: Send, E: Send>(
    items: &'a [I],
    of: impl Fn(&'a I) -> Result<T, E> + Sync,
) -> Result<Vec<T>, E> {
    try_map(items.len(), |place| of(&items[place]))
}

/// [`map`] of work that needs memory, such as a buffer, which `start` makes once for each thread or a few times.
pub fn map_with<S: Send, T: Send>(
    n: usize,
    start: impl Fn() -> S + Sync,
    of: impl Fn(&mut S, usize) -> T + Sync,
) -> Vec<T> {
    let idle = Mutex::new(Vec::new());
    map(n, |place| {
        let taken = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut own = taken.unwrap_or_else(&start);
        let value = of(&mut own, place);
        idle.lock().unwrap_or_else(PoisonError::into_inner).push(own);
        value
    })
}

/// Calls `work` for each place below `n`. After a panic, no further call begins.
fn each(n: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..n).into_par_iter().panic_fuse().for_each(work);
}
