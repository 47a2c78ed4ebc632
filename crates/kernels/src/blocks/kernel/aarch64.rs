//! Registers of NEON, which all of these processors have, and bf16 products, which newer ones have.

use super::microkernel::{Bf16, F16, Full, Register, Weights, chains, multiply};
use super::windows::{WINDOWS, Windows, sum};
use super::{Form, Line, Target, Tile};
use std::arch::aarch64::*;
use std::arch::asm;

/// Selects the upper half of a lane's bits.
const UPPER: u32 = 0xffff_0000;

// SAFETY of all blocks below: the caller upholds the conditions that [`Register`] states.
impl Register for float32x4_t {
    const WIDTH: usize = 4;
    // These processors need no prefetch.
    const AHEAD: usize = 0;

    #[inline(always)]
    unsafe fn load(from: *const f32) -> Self {
        unsafe { vld1q_f32(from) }
    }

    #[inline(always)]
    unsafe fn load_first(from: *const f32, n: usize) -> Self {
        unsafe {
            match n {
                4 => vld1q_f32(from),
                _ => {
                    let mut values = [0.0; Self::WIDTH];
                    values.as_mut_ptr().copy_from_nonoverlapping(from, n);
                    vld1q_f32(values.as_ptr())
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn store_first(self, to: *mut f32, n: usize) {
        unsafe {
            match n {
                4 => vst1q_f32(to, self),
                _ => {
                    let mut values = [0.0; Self::WIDTH];
                    vst1q_f32(values.as_mut_ptr(), self);
                    to.copy_from_nonoverlapping(values.as_ptr(), n);
                }
            }
        }
    }

    #[inline(always)]
    unsafe fn splat(from: *const f32) -> Self {
        unsafe { vld1q_dup_f32(from) }
    }

    #[inline(always)]
    unsafe fn of_bf16(from: *const f32, later: usize) -> Self {
        unsafe {
            let pairs = vld1q_u32(from.cast());
            vreinterpretq_f32_u32(match later {
                0 => vshlq_n_u32::<16>(pairs),
                _ => vandq_u32(pairs, vdupq_n_u32(UPPER)),
            })
        }
    }

    #[inline(always)]
    unsafe fn of_f16(from: *const u16) -> Self {
        unsafe { vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(from))) }
    }

    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        unsafe { vaddq_f32(self, other) }
    }

    #[inline(always)]
    unsafe fn multiply_add(self, factor: Self, sum: Self) -> Self {
        unsafe { vfmaq_f32(sum, self, factor) }
    }

    #[inline(always)]
    unsafe fn rectify(self) -> Self {
        // Not the maximum instruction, which turns -0 into +0.
        unsafe {
            let negative = vcltzq_f32(self);
            vreinterpretq_f32_u32(vbicq_u32(vreinterpretq_u32_f32(self), negative))
        }
    }
}

/// [`Form::Bf16Pairs`]: multiplies two steps at a time and adds the products in f32.
struct Bf16Pairs;

impl Weights<float32x4_t> for Bf16Pairs {
    const STEPS: usize = 1;

    #[inline(always)]
    unsafe fn column(lines: *const Line, index: usize, later: usize) -> float32x4_t {
        unsafe { Full::column(lines, index, later) }
    }

    #[inline(always)]
    unsafe fn multiply_add(value: float32x4_t, column: float32x4_t, mut sum: float32x4_t) -> float32x4_t {
        // The standard library has no function for this instruction.
        unsafe {
            asm!(
                "bfdot {sum:v}.4s, {value:v}.8h, {column:v}.8h",
                sum = inout(vreg) sum,
                value = in(vreg) value,
                column = in(vreg) column,
                options(pure, nomem, nostack, preserves_flags),
            );
        }
        sum
    }
}

/// [`multiply`] with NEON.
///
/// # Safety
/// As for [`multiply`].
unsafe fn in_neon<W: Weights<float32x4_t>, const R: usize, const N: usize>(tile: Tile<'_>, target: &mut Target<'_>) {
    unsafe { multiply::<float32x4_t, W, R, N>(tile, target) }
}

/// [`multiply`] with bf16 products.
///
/// # Safety
/// The processor has them; otherwise as for [`multiply`].
#[target_feature(enable = "bf16")]
unsafe fn in_bf16<W: Weights<float32x4_t>, const R: usize, const N: usize>(tile: Tile<'_>, target: &mut Target<'_>) {
    unsafe { multiply::<float32x4_t, W, R, N>(tile, target) }
}

/// A tile of up to 6 rows of 4 registers: the sums take 24 of the 32 registers, weights 4, a row's value one.
///
/// # Safety The processor has bf16 products if the form is [`Form::Bf16Pairs`]; [`multiply_tile`](super::multiply_tile)
/// has checked all lengths.
pub(super) unsafe fn neon(tile: Tile<'_>, target: &mut Target<'_>) {
    macro_rules! for_rows {
        ($function:ident, $weights:ty, $($r:literal)* or $most:literal) => {
            match tile.n_rows {
                $($r => $function::<$weights, $r, 4>(tile, target),)*
                _ => $function::<$weights, $most, 4>(tile, target),
            }
        };
    }
    unsafe {
        match tile.form {
            Form::Full => for_rows!(in_neon, Full, 1 2 3 4 5 or 6),
            Form::F16 => for_rows!(in_neon, F16, 1 2 3 4 5 or 6),
            Form::Bf16 => for_rows!(in_neon, Bf16, 1 2 3 4 5 or 6),
            Form::Bf16Pairs => for_rows!(in_bf16, Bf16Pairs, 1 2 3 4 5 or 6),
        }
    }
}

pub(super) fn neon_chains(n_rounds: usize) -> usize {
    // SAFETY: all of these processors have NEON.
    unsafe { chains::<float32x4_t>(n_rounds) }
}

/// [`sum`] of sixteen channels.
///
/// # Safety
/// As for [`sum`].
pub(super) unsafe fn neon_windows(windows: &Windows<'_>, out: *mut f32, step: usize) {
    unsafe {
        match windows.n_windows {
            1 => sum::<float32x4_t, 1, 4>(windows, out, step),
            _ => sum::<float32x4_t, WINDOWS, 4>(windows, out, step),
        }
    }
}
