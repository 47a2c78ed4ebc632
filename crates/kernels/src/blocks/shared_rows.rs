//! Shares the rows of a layer among threads.

use rayon::prelude::*;
use std::cell::Cell;

/// Number of parts per thread: if one thread is delayed, others take its parts.
const PARTS_PER_THREAD: usize = 4;
/// With fewer rows in a part, a layer's weights would be read too often.
const MIN_ROWS: usize = 64;

/// Fewer multiplications than this take less time than starting another thread.
const WORTH_SHARING: usize = 1 << 20;

thread_local! {
    /// Does this thread run a pass while other threads are idle?
    static HAS_IDLE_THREADS: Cell<bool> = const { Cell::new(false) };
}

/// Runs one of `n_passes` passes that run side by side. If there are more threads than passes, all threads share the
/// work of a pass's layers, which does not change the values.
pub fn pass_of<T: Send>(n_passes: usize, pass: impl FnOnce() -> T + Send) -> T {
    if n_passes < rayon::current_num_threads() {
        // Runs on a thread of the pool, since other threads help it sooner than one from outside.
        rayon::scope(|_| while_idle(true, pass))
    } else {
        while_idle(false, pass)
    }
}

/// Runs work on this thread alone, as part of work that threads share.
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

/// Number of threads that should share this many multiplications.
pub(super) fn n_threads_for(n_multiplications: usize) -> usize {
    if HAS_IDLE_THREADS.get() && n_multiplications >= WORTH_SHARING {
        rayon::current_num_threads()
    } else {
        1
    }
}

/// Fills `out`, which has rows of `width` values: `part` gets the index of its first row and some whole rows of `out`.
/// The work is one part, or `shared` among all threads; every row must depend only on its index.
pub(super) fn fill_rows(shared: bool, width: usize, out: &mut [f32], part: impl Fn(usize, &mut [f32]) + Sync) {
    if !shared || width == 0 {
        part(0, out);
        return;
    }
    let rows = rows_per_part(out.len() / width, MIN_ROWS);
    out.par_chunks_mut(rows * width).enumerate().for_each(|(index, out)| part(index * rows, out));
}

/// Size of the parts in which `n` pieces of work are shared.
pub(super) fn rows_per_part(n: usize, at_least: usize) -> usize {
    let n_parts = PARTS_PER_THREAD * rayon::current_num_threads();
    n.div_ceil(n_parts).max(at_least)
}
