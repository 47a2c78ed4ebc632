//! Registers of AVX2 and of AVX-512.

use super::microkernel::{Bf16, F16, Full, Register, Weights, chains, multiply};
use super::windows::{WINDOWS, Windows, sum, sum_overlapping};
use super::{Form, Line, Target, Tile};
use std::arch::x86_64::*;
use std::mem::transmute;

/// Selects the upper half of a lane's bits.
const UPPER: i32 = 0xffff_0000_u32.cast_signed();

// SAFETY of all blocks below: the caller upholds the conditions that [`Register`] states.
impl Register for __m512 {
    const WIDTH: usize = 16;
    const AHEAD: usize = 32;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        unsafe { _mm512_load_ps(from) }
    }

    #[inline(always)]
    unsafe fn load_first(from: *const f32, n: usize) -> Self {
        unsafe { _mm512_maskz_loadu_ps(u16::MAX >> (Self::WIDTH - n), from) }
    }

    #[inline(always)]
    unsafe fn store_first(self, to: *mut f32, n: usize) {
        unsafe { _mm512_mask_storeu_ps(to, u16::MAX >> (Self::WIDTH - n), self) }
    }

    #[inline(always)]
    unsafe fn splat(from: *const f32) -> Self {
        unsafe { _mm512_set1_ps(*from) }
    }

    #[inline(always)]
    unsafe fn of_bf16(from: *const f32, later: usize) -> Self {
        unsafe {
            let pairs = _mm512_load_si512(from.cast());
            _mm512_castsi512_ps(match later {
                0 => _mm512_slli_epi32::<16>(pairs),
                _ => _mm512_and_si512(pairs, _mm512_set1_epi32(UPPER)),
            })
        }
    }

    #[inline(always)]
    unsafe fn of_f16(from: *const u16) -> Self {
        unsafe { _mm512_cvtph_ps(_mm256_load_si256(from.cast())) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        unsafe { _mm512_add_ps(self, other) }
    }

    #[inline(always)]
    unsafe fn multiply_add(self, factor: Self, sum: Self) -> Self {
        unsafe { _mm512_fmadd_ps(self, factor, sum) }
    }

    #[inline(always)]
    unsafe fn rectify(self) -> Self {
        // If one of the operands is NaN, the instruction returns the second.
        unsafe { _mm512_max_ps(_mm512_setzero_ps(), self) }
    }
}

impl Register for __m256 {
    const WIDTH: usize = 8;
    const AHEAD: usize = 128;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        unsafe { _mm256_load_ps(from) }
    }

    #[inline(always)]
    unsafe fn load_first(from: *const f32, n: usize) -> Self {
        unsafe {
            match n {
                8 => _mm256_loadu_ps(from),
                _ => _mm256_maskload_ps(from, first_lanes(n)),
            }
        }
    }

    #[inline(always)]
    unsafe fn store_first(self, to: *mut f32, n: usize) {
        unsafe {
            match n {
                8 => _mm256_storeu_ps(to, self),
                _ => _mm256_maskstore_ps(to, first_lanes(n), self),
            }
        }
    }

    #[inline(always)]
    unsafe fn splat(from: *const f32) -> Self {
        unsafe { _mm256_broadcast_ss(&*from) }
    }

    #[inline(always)]
    unsafe fn of_bf16(from: *const f32, later: usize) -> Self {
        unsafe {
            let pairs = _mm256_load_si256(from.cast());
            _mm256_castsi256_ps(match later {
                0 => _mm256_slli_epi32::<16>(pairs),
                _ => _mm256_and_si256(pairs, _mm256_set1_epi32(UPPER)),
            })
        }
    }

    #[inline(always)]
    unsafe fn of_f16(from: *const u16) -> Self {
        unsafe { _mm256_cvtph_ps(_mm_load_si128(from.cast())) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        unsafe { _mm256_add_ps(self, other) }
    }

    #[inline(always)]
    unsafe fn multiply_add(self, factor: Self, sum: Self) -> Self {
        unsafe { _mm256_fmadd_ps(self, factor, sum) }
    }

    #[inline(always)]
    unsafe fn rectify(self) -> Self {
        // As above.
        unsafe { _mm256_max_ps(_mm256_setzero_ps(), self) }
    }
}

/// A mask of the first `n` of eight values.
///
/// # Safety
/// The processor has AVX2.
#[inline(always)]
unsafe fn first_lanes(n: usize) -> __m256i {
    unsafe {
        let places = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
        _mm256_cmpgt_epi32(_mm256_set1_epi32(n as i32), places)
    }
}

/// [`Form::Bf16Pairs`]: multiplies two steps at a time and adds the products in f32.
struct Bf16Pairs;

impl Weights<__m512> for Bf16Pairs {
    const STEPS: usize = 1;

    #[inline(always)]
    unsafe fn column(lines: *const Line, index: usize, later: usize) -> __m512 {
        unsafe { Full::column(lines, index, later) }
    }

    #[inline(always)]
    unsafe fn multiply_add(value: __m512, column: __m512, sum: __m512) -> __m512 {
        // Registers of f32 and of bf16 have the same size.
        unsafe {
            let [value, column] = [value, column].map(|bits| transmute::<__m512, __m512bh>(bits));
            _mm512_dpbf16_ps(sum, value, column)
        }
    }
}

/// [`multiply`] with AVX-512 F.
///
/// # Safety
/// The processor has it; otherwise as for [`multiply`].
#[target_feature(enable = "avx512f")]
unsafe fn in_avx512<W: Weights<__m512>, const R: usize, const N: usize>(tile: Tile<'_>, target: &mut Target<'_>) {
    unsafe { multiply::<__m512, W, R, N>(tile, target) }
}

/// [`multiply`] with AVX-512 F and BF16.
///
/// # Safety
/// The processor has them; otherwise as for [`multiply`].
#[target_feature(enable = "avx512f,avx512bf16")]
unsafe fn in_avx512_bf16<W: Weights<__m512>, const R: usize, const N: usize>(tile: Tile<'_>, target: &mut Target<'_>) {
    unsafe { multiply::<__m512, W, R, N>(tile, target) }
}

/// [`multiply`] with AVX2, FMA and F16C.
///
/// # Safety
/// The processor has them; otherwise as for [`multiply`].
#[target_feature(enable = "avx2,fma,f16c")]
unsafe fn in_avx2<W: Weights<__m256>, const R: usize, const N: usize>(tile: Tile<'_>, target: &mut Target<'_>) {
    unsafe { multiply::<__m256, W, R, N>(tile, target) }
}

/// Selects the function for this number of rows.
macro_rules! for_rows {
    ($function:ident, $weights:ty, $n:literal, $tile:ident, $target:ident, $($r:literal)* or $most:literal) => {
        match $tile.n_rows {
            $($r => $function::<$weights, $r, $n>($tile, $target),)*
            _ => $function::<$weights, $most, $n>($tile, $target),
        }
    };
}

/// A tile with AVX-512: up to 8 rows of 2 registers, so that the sums take 16 of the 32 registers, which is enough to
/// hide the latency of the multiplications.
///
/// # Safety The processor has AVX-512 F, and BF16 if the form is [`Form::Bf16Pairs`];
/// [`multiply_tile`](super::multiply_tile) has checked all lengths.
pub(super) unsafe fn avx512(tile: Tile<'_>, target: &mut Target<'_>) {
    macro_rules! for_lines {
        ($function:ident, $weights:ty) => {
            match tile.bias.len() {
                1 => for_rows!($function, $weights, 1, tile, target, 1 2 3 4 5 6 7 or 8),
                _ => for_rows!($function, $weights, 2, tile, target, 1 2 3 4 5 6 7 or 8),
            }
        };
    }
    unsafe {
        match tile.form {
            Form::Full => for_lines!(in_avx512, Full),
            Form::Bf16 => for_lines!(in_avx512, Bf16),
            Form::F16 => for_lines!(in_avx512, F16),
            Form::Bf16Pairs => for_lines!(in_avx512_bf16, Bf16Pairs),
        }
    }
}

/// A tile with AVX2: up to 6 rows of 2 registers. The sums take 12 of the 16 registers, enough to hide a latency of 6
/// cycles for multiplications; weights take two, a row's value one.
///
/// # Safety
/// The processor has AVX2, FMA and F16C; [`multiply_tile`](super::multiply_tile) has checked all lengths.
pub(super) unsafe fn avx2(tile: Tile<'_>, target: &mut Target<'_>) {
    unsafe {
        match tile.form {
            Form::Full => for_rows!(in_avx2, Full, 2, tile, target, 1 2 3 4 5 or 6),
            Form::F16 => for_rows!(in_avx2, F16, 2, tile, target, 1 2 3 4 5 or 6),
            Form::Bf16 | Form::Bf16Pairs => {
                for_rows!(in_avx2, Bf16, 2, tile, target, 1 2 3 4 5 or 6);
            }
        }
    }
}

/// # Safety
/// The processor has AVX-512 F.
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn avx512_chains(n_rounds: usize) -> usize {
    unsafe { chains::<__m512>(n_rounds) }
}

/// # Safety
/// The processor has AVX2 and FMA.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn avx2_chains(n_rounds: usize) -> usize {
    unsafe { chains::<__m256>(n_rounds) }
}

/// [`sum`] with AVX-512 F.
///
/// # Safety
/// The processor has it; otherwise as for [`sum`].
#[target_feature(enable = "avx512f")]
pub(super) unsafe fn avx512_windows(windows: &Windows<'_>, width: usize, out: *mut f32, step: usize) {
    unsafe {
        let [_, pixel, between] = windows.pixel_steps;
        match (windows.n_windows, width, windows.n_columns) {
            (1, 16, _) => sum::<__m512, 1, 1>(windows, out, step),
            (1, _, _) => sum::<__m512, 1, 2>(windows, out, step),
            (_, 16, _) => sum::<__m512, WINDOWS, 1>(windows, out, step),
            (_, _, 3) if between == pixel => sum_overlapping::<__m512, 2, 3, 1, 6>(windows, out, step),
            (_, _, 5) if between == pixel => sum_overlapping::<__m512, 2, 5, 1, 8>(windows, out, step),
            (_, _, _) => sum::<__m512, WINDOWS, 2>(windows, out, step),
        }
    }
}

/// [`sum`] with AVX2 and FMA, for sixteen channels.
///
/// # Safety
/// The processor has them; otherwise as for [`sum`].
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn avx2_windows(windows: &Windows<'_>, out: *mut f32, step: usize) {
    unsafe {
        match windows.n_windows {
            1 => sum::<__m256, 1, 2>(windows, out, step),
            _ => sum::<__m256, WINDOWS, 2>(windows, out, step),
        }
    }
}
