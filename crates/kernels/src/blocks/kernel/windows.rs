//! Sums over windows of each channel: the inner loop of depthwise convolutions.

#[cfg(target_arch = "aarch64")]
use super::aarch64;
use super::instructions::Set;
use super::microkernel::Register;
#[cfg(target_arch = "x86_64")]
use super::x86_64;
use super::{Instructions, LINE};
use std::array;

/// Number of windows that are summed at once, so that weights are loaded once for several.
pub const WINDOWS: usize = 4;

/// The windows of a tile, from their first tap, pixel and channel on.
#[derive(Clone, Copy)]
pub struct Windows<'a> {
    /// 1 or [`WINDOWS`].
    pub n_windows: usize,
    /// Number of rows and columns of taps.
    pub n_rows: usize,
    pub n_columns: usize,
    pub taps: &'a [f32],
    /// Distance from a row of taps to the next, and from a tap to the next.
    pub tap_steps: [usize; 2],
    pub pixels: &'a [f32],
    /// Distance from a row of pixels to the next, from a pixel to the next, and from a window to the next.
    pub pixel_steps: [usize; 3],
    /// Initial values of the sums.
    pub bias: &'a [f32],
}

/// `out[w · step + c] = bias[c] + Σ taps[c] · pixels[c]`, where each sum is one chain of fused operations, row by row.
/// Returns how many of the first channels were summed: 32 or 16, or 0 if the instructions are plain code.
///
/// # Panics
/// If lengths do not fit together, which is a bug of the caller.
#[inline]
pub fn sum_windows(
    instructions: Instructions,
    windows: &Windows<'_>,
    n_channels: usize,
    out: &mut [f32],
    step: usize,
) -> usize {
    let widest = instructions.lines() * LINE;
    let width = match instructions.0 {
        Set::Portable => 0,
        _ => widest.min(n_channels / LINE * LINE),
    };
    if width == 0 {
        return 0;
    }
    let last = windows.n_windows - 1;
    let reach = |steps: &[usize]| {
        let [rows, columns, ..] = steps else { return 0 };
        windows.n_rows.saturating_sub(1) * rows + windows.n_columns.saturating_sub(1) * columns
    };
    let [.., between] = windows.pixel_steps;
    let is_empty = windows.n_rows * windows.n_columns == 0;
    assert!(
        windows.bias.len() >= width
            && out.len() >= last * step + width
            && (is_empty
                || windows.taps.len() >= reach(&windows.tap_steps) + width
                    && windows.pixels.len() >= reach(&windows.pixel_steps) + last * between + width)
            && matches!(windows.n_windows, 1 | WINDOWS),
        "windows outside their map"
    );
    match instructions.0 {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: lengths were checked above, and this set was made by `available`.
        Set::Avx512Bf16 | Set::Avx512 => unsafe {
            x86_64::avx512_windows(windows, width, out.as_mut_ptr(), step);
        },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above.
        Set::Avx2 => unsafe { x86_64::avx2_windows(windows, out.as_mut_ptr(), step) },
        #[cfg(target_arch = "aarch64")]
        // SAFETY: as above.
        Set::NeonBf16 | Set::Neon => unsafe { aarch64::neon_windows(windows, out.as_mut_ptr(), step) },
        Set::Portable => {}
    }
    width
}

/// Sums [`WINDOWS`] windows of `K` columns and `N` registers each, which begin `S` pixels apart. Their `P` pixels in a
/// row are loaded once for all windows.
///
/// # Safety
/// As for [`sum`]; the windows have `K` columns and are `S` pixels apart.
#[inline(always)]
pub(super) unsafe fn sum_overlapping<T: Register, const N: usize, const K: usize, const S: usize, const P: usize>(
    windows: &Windows<'_>,
    out: *mut f32,
    step: usize,
) {
    let [tap_row, tap_column] = windows.tap_steps;
    let [pixel_row, pixel_column, _] = windows.pixel_steps;
    // SAFETY: the caller upholds the conditions; the last pixel is at (`WINDOWS` - 1) `S` + `K` - 1.
    unsafe {
        let load = |from: *const f32| array::from_fn(|index| T::load_first(from.add(index * T::WIDTH), T::WIDTH));
        let mut sums: [[T; N]; WINDOWS] = [load(windows.bias.as_ptr()); WINDOWS];
        for row in 0..windows.n_rows {
            let (tap, pixel) = (windows.taps.as_ptr().add(row * tap_row), windows.pixels.as_ptr().add(row * pixel_row));
            let pixels: [[T; N]; P] = array::from_fn(|place| load(pixel.add(place * pixel_column)));
            for column in 0..K {
                let taps: [T; N] = load(tap.add(column * tap_column));
                for (window, sums) in sums.iter_mut().enumerate() {
                    for (index, sum) in sums.iter_mut().enumerate() {
                        *sum = pixels[window * S + column][index].multiply_add(taps[index], *sum);
                    }
                }
            }
        }
        for (window, sums) in sums.iter().enumerate() {
            for (index, sum) in sums.iter().enumerate() {
                sum.store_first(out.add(window * step + index * T::WIDTH), T::WIDTH);
            }
        }
    }
}

/// Sums `W` windows of `N` registers each.
///
/// # Safety
/// The processor has the instructions; [`sum_windows`] has checked all lengths.
#[inline(always)]
pub(super) unsafe fn sum<T: Register, const W: usize, const N: usize>(
    windows: &Windows<'_>,
    out: *mut f32,
    step: usize,
) {
    let [tap_row, tap_column] = windows.tap_steps;
    let [pixel_row, pixel_column, between] = windows.pixel_steps;
    // SAFETY: the caller upholds the conditions.
    unsafe {
        let register = |from: *const f32, index: usize| from.add(index * T::WIDTH);
        let mut sums = [[T::load_first(windows.bias.as_ptr(), T::WIDTH); N]; W];
        for sums in &mut sums {
            for (index, sum) in sums.iter_mut().enumerate() {
                *sum = T::load_first(register(windows.bias.as_ptr(), index), T::WIDTH);
            }
        }
        for row in 0..windows.n_rows {
            for column in 0..windows.n_columns {
                let tap = windows.taps.as_ptr().add(row * tap_row + column * tap_column);
                let pixel = windows.pixels.as_ptr().add(row * pixel_row + column * pixel_column);
                let mut taps = sums[0];
                for (index, value) in taps.iter_mut().enumerate() {
                    *value = T::load_first(register(tap, index), T::WIDTH);
                }
                for (window, sums) in sums.iter_mut().enumerate() {
                    let pixel = pixel.add(window * between);
                    for (index, (sum, tap)) in sums.iter_mut().zip(taps).enumerate() {
                        let value = T::load_first(register(pixel, index), T::WIDTH);
                        *sum = value.multiply_add(tap, *sum);
                    }
                }
            }
        }
        for (window, sums) in sums.iter().enumerate() {
            for (index, sum) in sums.iter().enumerate() {
                sum.store_first(out.add(window * step + index * T::WIDTH), T::WIDTH);
            }
        }
    }
}
