//! The inner loop of every matrix product, one tile of outputs, and that of depthwise convolutions, for each set of
//! instructions.
//!
//! This is the only folder with `unsafe` code. [`multiply_tile`] and [`sum_windows`] are safe: they check every length
//! before a kernel gets pointers. The kernels rely on four things: every row of every run has `run_length` values; the
//! panel has its lines for every step of every run, and the bias one for each line of the panel; the target (and the
//! residual) has `width` values in each row; the processor has the instructions. Only [`Instructions::available`] makes
//! values that name instructions, so the last holds by construction.
//!
//! Each output is one chain of fused multiply-adds in the order of the steps, starting from the bias. So its bits are
//! the same with AVX2 and AVX-512, for any rows and columns in the tile, and with weights in 32 or 16 bits. Processors
//! without fused operations round twice. bf16 products ([`Form::Bf16Pairs`]) are summed two at a time.
#![allow(unsafe_code)]

#[cfg(target_arch = "aarch64")]
mod aarch64;
mod instructions;
mod microkernel;
mod windows;
#[cfg(target_arch = "x86_64")]
mod x86_64;

pub use instructions::Instructions;
use instructions::Set;
pub use windows::{WINDOWS, Windows, sum_windows};

/// Largest number of rows in a tile, for any instructions.
pub const ROWS: usize = 8;
/// Number of values in a line.
pub const LINE: usize = 16;

/// Sixteen values, which fill a cache line.
#[derive(Debug, Clone, Copy)]
#[repr(align(64))]
pub struct Line(pub [f32; LINE]);

/// The layout of weights in the lines of a panel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// One step per line.
    #[default]
    Full,
    /// Two steps per line: each lane has the earlier step's value as bf16 in its lower bits and the later one's in its
    /// upper bits.
    Bf16,
    /// Two steps per line: the sixteen values of the earlier step as f16, then those of the later one.
    F16,
    /// Laid out as [`Form::Bf16`]. The values of rows are also pairs of steps, and bf16 products are used.
    Bf16Pairs,
}

/// The rows from which a tile is computed: for each run of steps, the values of each row.
pub(crate) type Runs<'a> = [[&'a [f32]; ROWS]];

#[derive(Clone, Copy)]
pub(crate) struct Tile<'a> {
    pub n_rows: usize,
    pub runs: &'a Runs<'a>,
    pub run_length: usize,
    /// One or two lines for each step (or each pair of steps).
    pub panel: &'a [Line],
    pub form: Form,
    /// Initial values of the sums.
    pub bias: &'a [Line],
}

/// Where a tile is written, and how it is finished.
pub(crate) struct Target<'a> {
    /// The output from the tile's first value on.
    pub out: &'a mut [f32],
    /// Added to the sums; laid out like `out`.
    pub residual: Option<&'a [f32]>,
    /// Distance between rows.
    pub stride: usize,
    /// Number of columns to write.
    pub width: usize,
    /// Are negative values replaced by 0?
    pub rectify: bool,
}

/// Prefetches lines that will be needed soon.
#[inline]
pub(crate) fn prefetch(lines: &[Line]) {
    #[cfg(target_arch = "x86_64")]
    for line in lines {
        use std::arch::x86_64::{_MM_HINT_T1, _mm_prefetch};
        // SAFETY: a prefetch hint reads nothing.
        unsafe { _mm_prefetch::<_MM_HINT_T1>(std::ptr::from_ref(line).cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = lines;
}

/// `out[r][c] = f(bias[c] + Σ_s Σ_i runs[s][r][i] · panel[s · run_length + i][c] + residual[r][c])`.
///
/// # Panics
/// If lengths do not fit together or the instructions cannot read the form, which are bugs of the caller.
#[inline]
pub(crate) fn multiply_tile(instructions: Instructions, tile: Tile<'_>, target: &mut Target<'_>) {
    let values_in_line = match tile.form {
        Form::Full | Form::Bf16Pairs => 1,
        Form::Bf16 | Form::F16 => 2,
    };
    let (n_rows, n_lines) = (tile.n_rows, tile.bias.len());
    assert!(instructions.reading(tile.form) == tile.form, "weights in another form");
    assert!(
        (1..=instructions.rows()).contains(&n_rows)
            && (1..=instructions.lines()).contains(&n_lines)
            && tile.run_length.is_multiple_of(values_in_line)
            && tile.panel.len() == tile.runs.len() * tile.run_length / values_in_line * n_lines
            && (LINE * (n_lines - 1) + 1..=LINE * n_lines).contains(&target.width),
        "a tile of another shape than its panel"
    );
    for run in tile.runs {
        for row in &run[..n_rows] {
            assert!(row.len() >= tile.run_length, "a row that is too short");
        }
    }
    let extent = (n_rows - 1) * target.stride + target.width;
    assert!(
        target.out.len() >= extent && target.residual.is_none_or(|r| r.len() >= extent),
        "a tile outside its target"
    );
    match instructions.0 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: lengths were checked above, and this set was made by `available`.
        Set::Avx512Bf16 | Set::Avx512 => unsafe { x86_64::avx512(tile, target) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Set::Avx2 => unsafe { x86_64::avx2(tile, target) },
        #[cfg(target_arch = "aarch64")]
        // SAFETY: as above.
        Set::NeonBf16 | Set::Neon => unsafe { aarch64::neon(tile, target) },
        Set::Portable => portable(tile, target),
    }
}

/// Runs rounds of fused multiply-adds in registers, with enough chains side by side to hide their latency; this is the
/// best speed that products can reach. Returns the number of operations; 0 if the instructions have no fused ones.
pub(crate) fn fused_chains(instructions: Instructions, n_rounds: usize) -> usize {
    match instructions.0 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: this set was made by `available`.
        Set::Avx512Bf16 | Set::Avx512 => unsafe { x86_64::avx512_chains(n_rounds) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Set::Avx2 => unsafe { x86_64::avx2_chains(n_rounds) },
        #[cfg(target_arch = "aarch64")]
        Set::NeonBf16 | Set::Neon => aarch64::neon_chains(n_rounds),
        Set::Portable => 0,
    }
}

/// The same in plain code, line by line.
fn portable(tile: Tile<'_>, target: &mut Target<'_>) {
    let n_lines = tile.bias.len();
    for (v, bias) in tile.bias.iter().enumerate() {
        for r in 0..tile.n_rows {
            let mut sums = bias.0;
            let steps = tile.panel.chunks_exact(n_lines * tile.run_length);
            for (run, steps) in tile.runs.iter().zip(steps) {
                for (&value, lines) in run[r].iter().zip(steps.chunks_exact(n_lines)) {
                    for (sum, &column) in sums.iter_mut().zip(&lines[v].0) {
                        *sum = multiply_add(value, column, *sum);
                    }
                }
            }
            write_line(&sums, r, v, target);
        }
    }
}

/// Finishes line `v` of row `r`.
#[inline(always)]
fn write_line(sums: &[f32; LINE], r: usize, v: usize, target: &mut Target<'_>) {
    let start = r * target.stride + LINE * v;
    let range = start..start + LINE.min(target.width - LINE * v);
    for (place, &sum) in range.zip(sums) {
        let sum = target.residual.map_or(sum, |residual| sum + residual[place]);
        let negative = target.rectify && sum < 0.0;
        target.out[place] = if negative { 0.0 } else { sum };
    }
}

/// Fused if the processor is known to support it; otherwise the standard library would emulate it slowly.
#[inline(always)]
fn multiply_add(a: f32, b: f32, c: f32) -> f32 {
    if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
        a.mul_add(b, c)
    } else {
        a * b + c
    }
}
