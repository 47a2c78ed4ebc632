//! Sums over windows of each channel, several windows and channels at once.

use super::DepthwiseConvolution;
use crate::blocks::maps::{MapShape, Window};
use crate::blocks::slices::{LANES, multiply_add};

/// Windows that are summed at once, so that weights are loaded once for several.
const TILE: usize = 4;
/// Channels that are summed at once: with the tile, eight registers of sums, which hide the latency of
/// the multiplications.
const CHANNELS: usize = 2 * LANES;

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
    // The windows that do not reach over the sides.
    let first = padding.1.div_ceil(stride);
    let end = (map.width + padding.1)
        .checked_sub(width)
        .map_or(0, |room| room / stride + 1);
    let n_windows = out.len() / n;
    let mut x = 0;
    while x < n_windows {
        let inside = x >= first && x < end;
        // A last tile that overlaps the one before it computes some windows twice, to the same bits.
        if inside && end - first >= TILE {
            x = x.min(end - TILE);
        }
        let tile = inside && x >= first && x + TILE <= end;
        let columns = layer.window.covers(x, width, padding.1, map.width);
        let place = Place {
            n_rows: if columns.is_empty() { 0 } else { rows.len() },
            n_columns: columns.len(),
            tap: tap_row * width + columns.start + padding.1 - x * stride,
            pixel: (rows.start - top) * map.width + columns.start,
            width: map.width,
        };
        if tile {
            tile_of_windows::<FUSED, TILE>(layer, image, &place, &mut out[x * n..][..TILE * n]);
            x += TILE;
        } else {
            tile_of_windows::<FUSED, 1>(layer, image, &place, &mut out[x * n..][..n]);
            x += 1;
        }
    }
}

/// Where the first window of a tile is on the map.
struct Place {
    /// Rows and columns of a window that are on the map; no rows if there are no columns.
    n_rows: usize,
    n_columns: usize,
    /// The first tap that counts, and its pixel.
    tap: usize,
    pixel: usize,
    /// Columns of the map.
    width: usize,
}

/// `T` windows side by side, all channels.
#[inline(always)]
fn tile_of_windows<const FUSED: bool, const T: usize>(
    layer: &DepthwiseConvolution,
    image: &[f32],
    place: &Place,
    out: &mut [f32],
) {
    let n = layer.n_channels;
    let mut first = 0;
    while first + CHANNELS <= n {
        channels::<FUSED, T, CHANNELS>(layer, image, place, first, out);
        first += CHANNELS;
    }
    while first + LANES <= n {
        channels::<FUSED, T, LANES>(layer, image, place, first, out);
        first += LANES;
    }
    if first < n {
        rest_of_channels::<FUSED>(layer, image, place, first, T, out);
    }
}

/// `N` channels of one window or of a tile, from channel `first`. Every sum is one chain of additions, in
/// the order of the taps.
#[inline(always)]
fn channels<const FUSED: bool, const T: usize, const N: usize>(
    layer: &DepthwiseConvolution,
    image: &[f32],
    place: &Place,
    first: usize,
    out: &mut [f32],
) {
    let (n, whole) = (layer.n_channels, layer.bias.len());
    let (stride, width) = (layer.window.stride * n, layer.window.width);
    // One array for each window: only so does the compiler keep them in registers.
    let bias: &[f32; N] = at(&layer.bias, first);
    let (mut a, mut b, mut c, mut d) = (*bias, *bias, *bias, *bias);
    for row in 0..place.n_rows {
        let taps = &layer.taps[(place.tap + row * width) * whole + first..];
        let pixels = &image[(place.pixel + row * place.width) * n + first..];
        let (mut tap, mut pixel) = (0, 0);
        for _ in 0..place.n_columns {
            let taps: &[f32; N] = at(taps, tap);
            let x: &[f32; N] = at(pixels, pixel);
            if T == 1 {
                for lane in 0..N {
                    a[lane] = multiply_add::<FUSED>(x[lane], taps[lane], a[lane]);
                }
            } else {
                let y: &[f32; N] = at(pixels, pixel + stride);
                let z: &[f32; N] = at(pixels, pixel + 2 * stride);
                let u: &[f32; N] = at(pixels, pixel + 3 * stride);
                for lane in 0..N {
                    let w = taps[lane];
                    a[lane] = multiply_add::<FUSED>(x[lane], w, a[lane]);
                    b[lane] = multiply_add::<FUSED>(y[lane], w, b[lane]);
                    c[lane] = multiply_add::<FUSED>(z[lane], w, c[lane]);
                    d[lane] = multiply_add::<FUSED>(u[lane], w, d[lane]);
                }
            }
            tap += whole;
            pixel += n;
        }
    }
    let mut sums = [a, b, c, d];
    let sums = &mut sums[..T];
    layer.activation.apply::<FUSED>(sums.as_flattened_mut());
    for (t, sums) in sums.iter().enumerate() {
        out[t * n + first..][..N].copy_from_slice(sums);
    }
}

/// The channels from `first` on, fewer than the lanes.
#[inline(always)]
fn rest_of_channels<const FUSED: bool>(
    layer: &DepthwiseConvolution,
    image: &[f32],
    place: &Place,
    first: usize,
    n_windows: usize,
    out: &mut [f32],
) {
    let (n, whole) = (layer.n_channels, layer.bias.len());
    let (stride, width) = (layer.window.stride, layer.window.width);
    for t in 0..n_windows {
        let mut sums = [0.0_f32; LANES];
        sums.copy_from_slice(&layer.bias[first..first + LANES]);
        for row in 0..place.n_rows {
            for column in 0..place.n_columns {
                let taps = &layer.taps[(place.tap + row * width + column) * whole + first..];
                let pixel = place.pixel + row * place.width + t * stride + column;
                let pixel = &image[pixel * n + first..(pixel + 1) * n];
                for ((sum, x), w) in sums.iter_mut().zip(pixel).zip(taps) {
                    *sum = multiply_add::<FUSED>(*x, *w, *sum);
                }
            }
        }
        layer.activation.apply::<FUSED>(&mut sums);
        out[t * n + first..(t + 1) * n].copy_from_slice(&sums[..n - first]);
    }
}

/// The `N` values from `start` on.
#[inline(always)]
fn at<const N: usize>(values: &[f32], start: usize) -> &[f32; N] {
    match values[start..].first_chunk() {
        Some(values) => values,
        None => &[0.0; N],
    }
}
