//! The loop over the steps of a tile, generic over registers and forms of weights.
//!
//! Everything here is inlined into functions that are compiled for the instructions of the registers. There, sums stay
//! in registers, and every loop over registers is unrolled.

use super::{LINE, Line, Target, Tile};

/// A register of f32 values.
///
/// # Safety
/// For every function: the processor has the instructions, and pointers point to as many values as are read or written.
pub(super) trait Register: Copy {
    const WIDTH: usize;

    /// How many steps (in 32 bits) ahead weights are prefetched, as measured. Panels from main memory are then read at
    /// the memory's full speed; the processor's own prefetching stops at every 4 KiB.
    const AHEAD: usize;

    /// Loads adjacent values; the first is aligned to `WIDTH` values.
    unsafe fn load(from: *const f32) -> Self;

    /// Loads the first `n` adjacent values, at least one, and fills up with zeros.
    unsafe fn load_first(from: *const f32, n: usize) -> Self;

    /// Writes the first `n` values, at least one.
    unsafe fn store_first(self, to: *mut f32, n: usize);

    /// Copies one value to all lanes.
    unsafe fn splat(from: *const f32) -> Self;

    /// The values of the earlier (0) or later (1) step from pairs of bf16.
    unsafe fn of_bf16(from: *const f32, later: usize) -> Self;

    /// Converts adjacent values from f16.
    unsafe fn of_f16(from: *const u16) -> Self;

    unsafe fn add(self, other: Self) -> Self;

    /// `self factor + sum`, rounded once.
    unsafe fn multiply_add(self, factor: Self, sum: Self) -> Self;

    /// Replaces negative values by zero and keeps NaN.
    unsafe fn rectify(self) -> Self;
}

/// How registers of weights are read from a panel.
///
/// # Safety
/// As for the functions of [`Register`].
pub(super) trait Weights<T: Register> {
    const STEPS: usize;

    /// Register `index` of the earlier (0) or later (1) of the steps in these lines.
    unsafe fn column(lines: *const Line, index: usize, later: usize) -> T;

    /// Adds the product of a row's value and weights to a sum.
    #[inline(always)]
    unsafe fn multiply_add(value: T, column: T, sum: T) -> T {
        // SAFETY: the caller upholds the conditions.
        unsafe { value.multiply_add(column, sum) }
    }
}

/// [`Form::Full`](super::Form::Full)
pub(super) struct Full;
/// [`Form::Bf16`](super::Form::Bf16)
pub(super) struct Bf16;
/// [`Form::F16`](super::Form::F16)
pub(super) struct F16;

impl<T: Register> Weights<T> for Full {
    const STEPS: usize = 1;

    #[inline(always)]
    unsafe fn column(lines: *const Line, index: usize, _: usize) -> T {
        // SAFETY: the caller upholds the conditions; lines are aligned.
        unsafe { T::load(lines.cast::<f32>().add(index * T::WIDTH)) }
    }
}

impl<T: Register> Weights<T> for Bf16 {
    const STEPS: usize = 2;

    #[inline(always)]
    unsafe fn column(lines: *const Line, index: usize, later: usize) -> T {
        // SAFETY: the caller upholds the conditions.
        unsafe { T::of_bf16(lines.cast::<f32>().add(index * T::WIDTH), later) }
    }
}

impl<T: Register> Weights<T> for F16 {
    const STEPS: usize = 2;

    #[inline(always)]
    unsafe fn column(lines: *const Line, index: usize, later: usize) -> T {
        let (line, place) = (index * T::WIDTH / LINE, index * T::WIDTH % LINE);
        // SAFETY: the caller upholds the conditions; a line has two steps of sixteen values.
        unsafe { T::of_f16(lines.add(line).cast::<u16>().add(LINE * later + place)) }
    }
}

/// A tile of `R` rows of `N` registers each, which make up the lines of its bias.
///
/// # Safety The processor has the instructions; the tile has `R` rows and lines of `N` registers;
/// [`multiply_tile`](super::multiply_tile) has checked its lengths and the target's.
#[inline(always)]
pub(super) unsafe fn multiply<T: Register, W: Weights<T>, const R: usize, const N: usize>(
    tile: Tile<'_>,
    target: &mut Target<'_>,
) {
    let n_lines = N * T::WIDTH / LINE;
    let mut lines = tile.panel.as_ptr();
    // SAFETY: `lines` advances by `n_lines` only while the panel has that many lines; the rows are read at i <
    // run_length; in the target, only the columns within its width are touched.
    unsafe {
        let mut sums = [[T::load(tile.bias.as_ptr().cast()); N]; R];
        for sums in &mut sums {
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = T::load(tile.bias.as_ptr().cast::<f32>().add(index * T::WIDTH));
            }
        }
        for run in tile.runs {
            let rows: [*const f32; R] = std::array::from_fn(|r| run[r].as_ptr());
            for i in (0..tile.run_length).step_by(W::STEPS) {
                ask_for(lines.wrapping_add(T::AHEAD / W::STEPS * n_lines), n_lines);
                for later in 0..W::STEPS {
                    let mut columns = sums[0];
                    for (index, column) in columns.iter_mut().enumerate() {
                        *column = W::column(lines, index, later);
                    }
                    for (sums, row) in sums.iter_mut().zip(rows) {
                        let value = T::splat(row.add(i + later));
                        for (sum, column) in sums.iter_mut().zip(columns) {
                            *sum = W::multiply_add(value, column, *sum);
                        }
                    }
                }
                lines = lines.add(n_lines);
            }
        }
        for (r, sums) in sums.iter().enumerate() {
            for (index, &sum) in sums.iter().enumerate() {
                let first = index * T::WIDTH;
                let n = target.width.saturating_sub(first).min(T::WIDTH);
                if n == 0 {
                    continue;
                }
                let (place, mut sum) = (r * target.stride + first, sum);
                if let Some(residual) = target.residual {
                    sum = sum.add(T::load_first(residual.as_ptr().add(place), n));
                }
                if target.rectify {
                    sum = sum.rectify();
                }
                sum.store_first(target.out.as_mut_ptr().add(place), n);
            }
        }
    }
}

/// A prefetch hint, which reads nothing, so the lines need not exist.
#[inline(always)]
fn ask_for(lines: *const Line, n_lines: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..n_lines {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a prefetch hint reads nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(lines.wrapping_add(line).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (lines, n_lines);
}

/// `n_rounds` rounds of twelve chains of fused multiply-adds. Returns the number of operations, counting
/// multiplications and additions.
///
/// # Safety
/// The processor has the instructions.
#[inline(always)]
pub(super) unsafe fn chains<T: Register>(n_rounds: usize) -> usize {
    const N: usize = 12;
    let [factor, summand] = std::hint::black_box([0.999_f32, 0.001]);
    // SAFETY: the caller upholds the conditions.
    unsafe {
        let (factor, summand) = (T::splat(&raw const factor), T::splat(&raw const summand));
        let mut sums = [summand; N];
        for _ in 0..n_rounds {
            for sum in &mut sums {
                *sum = sum.multiply_add(factor, summand);
            }
        }
        for sum in sums {
            let mut first = 0.0;
            sum.store_first(&raw mut first, 1);
            std::hint::black_box(first);
        }
    }
    2 * N * T::WIDTH * n_rounds
}
