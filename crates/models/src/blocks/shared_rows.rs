//! The rows of one layer on several threads.

use rayon::prelude::*;

/// Parts for each thread: one that is held up leaves work for the others.
const PARTS_PER_THREAD: usize = 4;
/// Fewer rows than this would read a layer's weights too often.
const MIN_ROWS: usize = 64;

/// Fills `out`, rows of `width` values: `part` is given the number of its first row and some whole rows of
/// `out`. In one part, or `shared` among all threads; every row must be a function of its number alone.
pub(super) fn fill_rows(
    shared: bool,
    width: usize,
    out: &mut [f32],
    part: impl Fn(usize, &mut [f32]) + Sync,
) {
    if !shared || width == 0 {
        part(0, out);
        return;
    }
    let rows = rows_per_part(out.len() / width, MIN_ROWS);
    out.par_chunks_mut(rows * width)
        .enumerate()
        .for_each(|(index, out)| part(index * rows, out));
}

/// In how large parts to share `n` pieces of work.
pub(super) fn rows_per_part(n: usize, at_least: usize) -> usize {
    let n_parts = PARTS_PER_THREAD * rayon::current_num_threads();
    n.div_ceil(n_parts).max(at_least)
}
