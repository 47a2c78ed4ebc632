//! Registers of NEON, which all of these processors have.

use super::microkernel::{Bf16, F16, Full, Register, chains, multiply};
use super::windows::{WINDOWS, Windows, sum};
use super::{Form, Target, Tile};
use std::arch::aarch64::*;

/// The upper half of the bits of a place.
const UPPER: u32 = 0xffff_0000;

// SAFETY of all blocks below: the caller upholds the conditions that [`Register`] states.
impl Register for float32x4_t {
    const WIDTH: usize = 4;
    // Nothing is asked for on these processors.
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
        // Not the maximum, which makes +0 of -0.
        unsafe {
            let negative = vcltzq_f32(self);
            vreinterpretq_f32_u32(vbicq_u32(vreinterpretq_u32_f32(self), negative))
        }
    }
}

/// A tile of up to 6 rows of 4 registers: the sums take 24 of the 32 registers, weights 4, a row's value one.
///
/// # Safety
/// Lengths are those that [`multiply_tile`](super::multiply_tile) checks.
pub(super) unsafe fn neon(tile: Tile<'_>, target: &mut Target<'_>) {
    macro_rules! for_rows {
        ($weights:ty, $($r:literal)* or $most:literal) => {
            match tile.n_rows {
                $($r => multiply::<float32x4_t, $weights, $r, 4>(tile, target),)*
                _ => multiply::<float32x4_t, $weights, $most, 4>(tile, target),
            }
        };
    }
    unsafe {
        match tile.form {
            Form::Full => for_rows!(Full, 1 2 3 4 5 or 6),
            Form::F16 => for_rows!(F16, 1 2 3 4 5 or 6),
            Form::Bf16 | Form::Bf16Pairs => for_rows!(Bf16, 1 2 3 4 5 or 6),
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
/// As [`sum`].
pub(super) unsafe fn neon_windows(windows: &Windows<'_>, out: *mut f32, step: usize) {
    unsafe {
        match windows.n_windows {
            1 => sum::<float32x4_t, 1, 4>(windows, out, step),
            _ => sum::<float32x4_t, WINDOWS, 4>(windows, out, step),
        }
    }
}
