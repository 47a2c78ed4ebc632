//! The inner loop of every matrix product: one tile of outputs, for each set of instructions.
//!
//! The one file with `unsafe` code. [`multiply_tile`] is safe: it checks every length before a kernel
//! gets pointers. The kernels rely on three things: every row of every run has `run_length` values; the
//! panel has its lines for every step of every run; the processor has the instructions. Only
//! [`Instructions::available`] makes values that name instructions, so the third holds by construction.
//!
//! Each output is one chain of fused multiply-adds in the order of the steps: the same bits with AVX2
//! and with AVX-512, whatever rows and columns share the tile. Processors without fused operations
//! round twice.
#![allow(unsafe_code)]

/// Rows of a tile.
pub(crate) const ROWS: usize = 8;
/// Values of a line.
pub(crate) const LINE: usize = 16;
/// Columns of a tile: two lines.
pub(crate) const COLUMNS: usize = 2 * LINE;

/// A tile of outputs, row by row.
#[repr(align(64))]
pub(crate) struct Tile(pub(crate) [[f32; COLUMNS]; ROWS]);

/// Sixteen values in one line of the cache.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub(crate) struct Line(pub(crate) [f32; LINE]);

/// Instructions that a product is computed with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Instructions(Set);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Set {
    #[cfg(target_arch = "x86_64")]
    Avx512,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    Portable,
}

impl Instructions {
    /// All that this processor has, the best first.
    pub(crate) fn available() -> impl Iterator<Item = Instructions> {
        #[cfg(target_arch = "x86_64")]
        let special = [
            is_x86_feature_detected!("avx512f").then_some(Set::Avx512),
            (is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"))
                .then_some(Set::Avx2),
        ];
        #[cfg(not(target_arch = "x86_64"))]
        let special: [Option<Set>; 0] = [];
        let all = special.into_iter().flatten();
        all.chain([Set::Portable]).map(Instructions)
    }

    /// The best that this processor has.
    pub(crate) fn best() -> Instructions {
        Instructions::available()
            .next()
            .unwrap_or(Instructions(Set::Portable))
    }
}

/// The rows that a tile is computed from: for each run of steps, the values of each row.
pub(crate) type Runs<'a> = [[&'a [f32]; ROWS]];

/// `tile[r][c] = Σ_s Σ_i runs[s][r][i] · panel[s · run_length + i][c]` for the first `n_rows` rows.
///
/// Every step of the panel is one line (16 columns) or two (32).
///
/// # Panics
/// On a row that is shorter than `run_length` or a panel that is not of that size: a fault of the caller.
#[inline]
pub(crate) fn multiply_tile(
    instructions: Instructions,
    n_rows: usize,
    runs: &Runs<'_>,
    run_length: usize,
    panel: &[Line],
    tile: &mut Tile,
) {
    let n_steps = runs.len() * run_length;
    let wide = panel.len() == 2 * n_steps;
    assert!(
        (wide || panel.len() == n_steps) && (1..=ROWS).contains(&n_rows),
        "a panel of another size"
    );
    for run in runs {
        for row in &run[..n_rows] {
            assert!(row.len() >= run_length, "a row that is too short");
        }
    }
    macro_rules! choose {
        ($kernel:ident, $($n:literal)*) => {
            match (n_rows, wide) {
                $(($n, false) => $kernel::<$n, 1>(runs, run_length, panel, tile),
                ($n, true) => $kernel::<$n, 2>(runs, run_length, panel, tile),)*
                (_, false) => $kernel::<8, 1>(runs, run_length, panel, tile),
                (_, true) => $kernel::<8, 2>(runs, run_length, panel, tile),
            }
        };
    }
    match instructions.0 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: lengths were checked above, and this set was made by `available`.
        Set::Avx512 => unsafe { choose!(avx512, 1 2 3 4 5 6 7) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Set::Avx2 => unsafe { choose!(avx2, 1 2 3 4 5 6 7) },
        Set::Portable => choose!(portable, 1 2 3 4 5 6 7),
    }
}

/// `R` rows of `V` registers each; with 8 rows and 2 registers the sums take 16 of the 32 registers,
/// which is enough to hide the latency of the multiplications.
///
/// # Safety
/// The processor has AVX-512 F; the first `R` rows of each run have `run_length` values, and the panel
/// has `V` lines for each step.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f")]
unsafe fn avx512<const R: usize, const V: usize>(
    runs: &Runs<'_>,
    run_length: usize,
    panel: &[Line],
    tile: &mut Tile,
) {
    use std::arch::x86_64::{
        _mm512_fmadd_ps, _mm512_load_ps, _mm512_set1_ps, _mm512_setzero_ps, _mm512_store_ps,
    };
    let mut sums = [[_mm512_setzero_ps(); V]; R];
    let mut step = panel.as_ptr();
    // SAFETY: `step` advances by V lines `runs.len() * run_length` times, as many as the panel has; the
    // rows are read at i < run_length; a tile's rows are two whole lines, aligned.
    unsafe {
        for run in runs {
            let rows: [*const f32; R] = std::array::from_fn(|r| run[r].as_ptr());
            for i in 0..run_length {
                let columns: [_; V] = std::array::from_fn(|v| _mm512_load_ps(step.add(v).cast()));
                for (sums, row) in sums.iter_mut().zip(rows) {
                    let value = _mm512_set1_ps(*row.add(i));
                    for (sum, column) in sums.iter_mut().zip(columns) {
                        *sum = _mm512_fmadd_ps(value, column, *sum);
                    }
                }
                step = step.add(V);
            }
        }
        for (sums, row) in sums.iter().zip(&mut tile.0) {
            for (v, &sum) in sums.iter().enumerate() {
                _mm512_store_ps(row.as_mut_ptr().add(LINE * v), sum);
            }
        }
    }
}

/// The tile in quarters, four rows of one line each: so the sums fit into 8 of the 16 registers.
///
/// # Safety
/// The processor has AVX2 and FMA; otherwise as [`avx512`].
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
unsafe fn avx2<const R: usize, const V: usize>(
    runs: &Runs<'_>,
    run_length: usize,
    panel: &[Line],
    tile: &mut Tile,
) {
    use std::arch::x86_64::{
        _mm256_fmadd_ps, _mm256_load_ps, _mm256_set1_ps, _mm256_setzero_ps, _mm256_store_ps,
    };
    for v in 0..V {
        for first in (0..R).step_by(4) {
            // A quarter with fewer rows repeats its last one and throws the copies away.
            let last = R.min(first + 4) - 1;
            let mut sums = [[_mm256_setzero_ps(); 2]; 4];
            // SAFETY: as in `avx512`; a line is two registers wide and aligned.
            unsafe {
                let mut step = panel.as_ptr().add(v);
                for run in runs {
                    let rows: [*const f32; 4] =
                        std::array::from_fn(|r| run[last.min(first + r)].as_ptr());
                    for i in 0..run_length {
                        let left = _mm256_load_ps(step.cast());
                        let right = _mm256_load_ps(step.cast::<f32>().add(LINE / 2));
                        for (sums, row) in sums.iter_mut().zip(rows) {
                            let value = _mm256_set1_ps(*row.add(i));
                            sums[0] = _mm256_fmadd_ps(value, left, sums[0]);
                            sums[1] = _mm256_fmadd_ps(value, right, sums[1]);
                        }
                        // Wrapping: after the last step of line 1 it points behind the panel.
                        step = step.wrapping_add(V);
                    }
                }
                for (sums, row) in sums.iter().zip(&mut tile.0[first..=last]) {
                    let row = row.as_mut_ptr().add(LINE * v);
                    _mm256_store_ps(row, sums[0]);
                    _mm256_store_ps(row.add(LINE / 2), sums[1]);
                }
            }
        }
    }
}

/// The same in plain code, in halves of four rows.
fn portable<const R: usize, const V: usize>(
    runs: &Runs<'_>,
    run_length: usize,
    panel: &[Line],
    tile: &mut Tile,
) {
    for v in 0..V {
        for r in 0..R {
            let mut sums = [0.0_f32; LINE];
            for (run, steps) in runs.iter().zip(panel.chunks_exact(V * run_length)) {
                for (&value, lines) in run[r].iter().zip(steps.chunks_exact(V)) {
                    for (sum, &column) in sums.iter_mut().zip(&lines[v].0) {
                        *sum = multiply_add(value, column, *sum);
                    }
                }
            }
            tile.0[r][LINE * v..][..LINE].copy_from_slice(&sums);
        }
    }
}

/// Fused where the processor is known to be able to: elsewhere the standard library would compute it
/// digit by digit.
#[inline(always)]
fn multiply_add(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
        a.mul_add(b, c)
    } else {
        a * b + c
    }
}
