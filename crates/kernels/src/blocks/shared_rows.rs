//! The rows of one layer on several threads.

use rayon::prelude::*;
use std::cell::Cell;

/// Parts for each thread: one that is held up leaves work for the others.
const PARTS_PER_THREAD: usize = 4;
/// Fewer rows than this would read a layer's weights too often.
const MIN_ROWS: usize = 64;

/// Fewer multiplications than this take less time than another thread to start.
const WORTH_SHARING: usize = 1 << 20;

thread_local! {
    /// Does this thread run a pass while other threads have none?
    static HAS_IDLE_THREADS: Cell<bool> = const { Cell::new(false) };
}

/// Runs one of `n_passes` passes that run side by side. If there are more threads than passes, all share the work of
/// its layers, which gives the same values.
pub fn pass_of<T: Send>(n_passes: usize, pass: impl FnOnce() -> T + Send) -> T {
    if n_passes < rayon::current_num_threads() {
        // On a thread of the pool, which the others are quicker to help than one from outside.
        rayon::scope(|_| while_idle(true, pass))
    } else {
        while_idle(false, pass)
    }
}

/// Work of this thread alone, a part of what threads share.
pub(super) fn on_this_thread<T>(work: impl FnOnce() -> T) -> T {
    while_idle(false, work)
}

fn while_idle<T>(has_idle_threads: bool, work: impl FnOnce() -> T) -> T {
    struct Before(bool);
    impl Drop for Before {
        fn drop(&mut self) {
            HAS_IDLE_THREADS.set(self.0);
        }
    }
    let _before = Before(HAS_IDLE_THREADS.replace(has_idle_threads));
    work()
}

/// How many threads should share this number of multiplications.
pub(super) fn n_threads_for(n_multiplications: usize) -> usize {
    if HAS_IDLE_THREADS.get() && n_multiplications >= WORTH_SHARING {
        rayon::current_num_threads()
    } else {
        1
    }
}

/// Fills `out`, rows of `width` values: `part` is given the number of its first row and some whole rows of
/// `out`. In one part, or `shared` among all threads; every row must be a function of its number alone.
pub(super) fn fill_rows(shared: bool, width: usize, out: &mut [f32], part: impl Fn(usize, &mut [f32]) + Sync) {
    if !shared || width == 0 {
        part(0, out);
        return;
    }
    let rows = rows_per_part(out.len() / width, MIN_ROWS);
    out.par_chunks_mut(rows * width).enumerate().for_each(|(index, out)| part(index * rows, out));
}

/// In how large parts to share `n` pieces of work.
pub(super) fn rows_per_part(n: usize, at_least: usize) -> usize {
    let n_parts = PARTS_PER_THREAD * rayon::current_num_threads();
    n.div_ceil(n_parts).max(at_least)
}
