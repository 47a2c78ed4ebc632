//! Sums over windows of each channel, several windows and channels at once.

use super::DepthwiseConvolution;
use crate::blocks::kernel::{Instructions, WINDOWS, Windows, sum_windows};
use crate::blocks::maps::{MapShape, Window};
use crate::blocks::slices::{LANES, multiply_add};

#[multiversion::multiversion(targets = "simd")]
pub(super) fn row_of_windows(
    layer: &DepthwiseConvolution,
    map: &MapShape,
    top: usize,
    image: &[f32],
    y: usize,
    out: &mut [f32],
) {
    const FUSED: bool = multiversion::target::target_cfg_f!(target_feature = "fma");
    let Window {
        height,
        width,
        stride,
        padding,
        ..
    } = layer.window;
    let n = layer.n_channels;
    let rows = layer.window.covers(y, height, padding.0, map.height);
    let tap_row = rows.start + padding.0 - y * stride;
    // The windows that do not extend beyond the sides.
    let first = padding.1.div_ceil(stride);
    let end = (map.width + padding.1).checked_sub(width).map_or(0, |room| room / stride + 1);
    let n_windows = out.len() / n;
    let mut tiles = Vec::with_capacity(n_windows);
    let mut x = 0;
    while x < n_windows {
        let inside = x >= first && x < end;
        // The last tile may overlap the one before it; it then computes some windows twice, with the same bits.
        if inside && end - first >= WINDOWS {
            x = x.min(end - WINDOWS);
        }
        let tile = inside && x >= first && x + WINDOWS <= end;
        let columns = layer.window.covers(x, width, padding.1, map.width);
        tiles.push(TilePosition {
            x,
            n_windows: if tile { WINDOWS } else { 1 },
            n_rows: if columns.is_empty() { 0 } else { rows.len() },
            n_columns: columns.len(),
            tap: tap_row * width + columns.start + padding.1 - x * stride,
            pixel: (rows.start - top) * map.width + columns.start,
            width: map.width,
        });
        x += if tile { WINDOWS } else { 1 };
    }
    // Some channels of all tiles at a time, so that their taps and pixels stay in the first-level cache.
    let mut first = 0;
    while first < n {
        let mut summed = n;
        for tile in &tiles {
            summed = tile_of_windows::<FUSED>(layer, image, tile, first, out);
        }
        first += summed;
    }
    layer.activation.apply::<FUSED>(out);
}

/// Position of a tile's first window on the map.
struct TilePosition {
    x: usize,
    n_windows: usize,
    /// Rows and columns of a window that are on the map; no rows if there are no columns.
    n_rows: usize,
    n_columns: usize,
    /// The first tap on the map, and its pixel.
    tap: usize,
    pixel: usize,
    width: usize,
}

/// Sums adjacent windows over some channels from `first` on, and returns how many. Every sum is one chain of additions,
/// in the order of the taps.
#[inline(always)]
fn tile_of_windows<const FUSED: bool>(
    layer: &DepthwiseConvolution,
    image: &[f32],
    place: &TilePosition,
    first: usize,
    out: &mut [f32],
) -> usize {
    let (n, whole) = (layer.n_channels, layer.bias.len());
    let windows = Windows {
        n_windows: place.n_windows,
        n_rows: place.n_rows,
        n_columns: place.n_columns,
        taps: layer.taps.get(place.tap * whole + first..).unwrap_or_default(),
        tap_steps: [layer.window.width * whole, whole],
        pixels: image.get(place.pixel * n + first..).unwrap_or_default(),
        pixel_steps: [place.width * n, n, layer.window.stride * n],
        bias: &layer.bias[first..],
    };
    let out = &mut out[place.x * n + first..];
    match sum_windows(Instructions::best(), &windows, n - first, out, n) {
        0 => {
            some_channels::<FUSED>(&windows, n - first, out, n);
            LANES
        }
        summed => summed,
    }
}

/// Sums the first channels, at most one lane each, in plain code.
#[inline(always)]
fn some_channels<const FUSED: bool>(windows: &Windows<'_>, n_channels: usize, out: &mut [f32], step: usize) {
    let n_channels = n_channels.min(LANES);
    let [pixel_row, pixel_column, between] = windows.pixel_steps;
    for window in 0..windows.n_windows {
        let mut sums = [0.0_f32; LANES];
        sums.copy_from_slice(&windows.bias[..LANES]);
        for row in 0..windows.n_rows {
            for column in 0..windows.n_columns {
                let taps = &windows.taps[row * windows.tap_steps[0] + column * windows.tap_steps[1]..];
                let pixel = row * pixel_row + column * pixel_column + window * between;
                let pixel = &windows.pixels[pixel..][..n_channels];
                for ((sum, x), w) in sums.iter_mut().zip(pixel).zip(taps) {
                    *sum = multiply_add::<FUSED>(*x, *w, *sum);
                }
            }
        }
        out[window * step..][..n_channels].copy_from_slice(&sums[..n_channels]);
    }
}
