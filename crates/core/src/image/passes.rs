//! The two passes over an image: along rows, then down columns.

use multiversion::multiversion;

use super::Image;
use super::sample::Sample;
use super::taps::{Tap, Taps, span};

/// Source rows resampled together, so that a tap is looked up once for all of them.
const BAND: usize = 4;

/// Values of a target row summed together: few enough for their sums to stay in registers.
const BLOCK: usize = 32;

/// The resized float image.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw+fma", "x86_64+avx2+fma"))]
pub(super) fn resample_f32(image: &Image<f32>, columns: &Taps<f32>, rows: &Taps<f32>) -> Vec<f32> {
    resample(image, columns, rows)
}

/// The resized 8-bit image.
#[multiversion(targets("x86_64+avx512f+avx512vl+avx512bw+fma", "x86_64+avx2+fma"))]
pub(super) fn resample_u8(image: &Image<u8>, columns: &Taps<i32>, rows: &Taps<i32>) -> Vec<u8> {
    resample(image, columns, rows)
}

/// A band of source rows is resampled when the first target row needs it, and only as many bands
/// as one target row needs are held, so that they stay in the nearest cache.
#[inline(always)]
fn resample<T: Sample>(image: &Image<T>, columns: &Taps<T::Sum>, rows: &Taps<T::Sum>) -> Vec<T> {
    let n_source = image.width_px() * 3;
    let n_values = columns.len() * 3;
    let stride = n_values + 1;
    let longest = rows.iter().map(span).map(|(first, end)| end - first).max();
    // A run of rows may begin with the last row of a band.
    let n_held = (longest.unwrap_or(1) + BAND - 1).next_multiple_of(BAND);
    let mut held = vec![T::default(); n_held * stride];
    let mut last_band = vec![T::default(); BAND * n_source + 1];
    let mut next_band = 0;
    let mut placed = Vec::new();
    let mut data = Vec::with_capacity(n_values * rows.len());
    for taps in rows.iter() {
        let (first, end) = span(taps);
        for band in next_band.max(first / BAND)..end.div_ceil(BAND) {
            let mut source = &image.data()[band * BAND * n_source..];
            if source.len() <= BAND * n_source {
                last_band[..source.len()].copy_from_slice(source);
                source = &last_band;
            }
            let slot = band * BAND % n_held * stride;
            resample_band(source, columns, n_source, &mut held[slot..slot + BAND * stride]);
        }
        next_band = end.div_ceil(BAND);
        let place = |tap: &Tap<T::Sum>| Tap {
            source: tap.source % n_held * stride,
            weight: tap.weight,
        };
        placed.clear();
        placed.extend(taps.iter().map(place));
        let start = data.len();
        data.resize(start + n_values, T::default());
        // Bilinear without antialias: two rows are summed directly, without zeros as a start.
        if let [a, b] = placed[..] {
            // No closure: it would be compiled without the processor's fused operation.
            let values = held[a.source..].iter().zip(&held[b.source..][..n_values]);
            for (value, (x, y)) in data[start..].iter_mut().zip(values) {
                *value = T::finish(y.add(b.weight, x.add(a.weight, T::START)));
            }
            continue;
        }
        sum_rows(&held, &placed, &mut data[start..]);
    }
    data
}

/// Handles four values at a time: a pixel and one value of the next, which the next overwrites.
/// `source` and each row of `target` therefore have at least one value more than they need.
#[inline(always)]
fn resample_band<T: Sample>(source: &[T], columns: &Taps<T::Sum>, n_source: usize, target: &mut [T]) {
    let mut rows = target.chunks_exact_mut(columns.len() * 3 + 1);
    let mut next_row = || rows.next().unwrap_or_default();
    let mut targets: [&mut [T]; BAND] = std::array::from_fn(|_| next_row());
    let sources: [&[T]; BAND] = std::array::from_fn(|r| &source[r * n_source..=(r + 1) * n_source]);
    for (i, taps) in columns.iter().enumerate() {
        let mut sums = [[T::START; 4]; BAND];
        for tap in taps {
            for (sums, row) in sums.iter_mut().zip(sources) {
                for (sum, value) in sums.iter_mut().zip(&row[tap.source * 3..][..4]) {
                    *sum = value.add(tap.weight, *sum);
                }
            }
        }
        for (row, sums) in targets.iter_mut().zip(sums) {
            row[i * 3..][..4].copy_from_slice(&sums.map(T::finish));
        }
    }
}

/// Sums rows of `held`. A tap's source is where its row begins there.
#[inline(always)]
fn sum_rows<T: Sample>(held: &[T], taps: &[Tap<T::Sum>], target: &mut [T]) {
    let (blocks, rest) = target.as_chunks_mut::<BLOCK>();
    let n_blocks = blocks.len();
    for (i, block) in blocks.iter_mut().enumerate() {
        sum_block(&held[i * BLOCK..], taps, block);
    }
    sum_block(&held[n_blocks * BLOCK..], taps, rest);
}

#[inline(always)]
fn sum_block<T: Sample>(held: &[T], taps: &[Tap<T::Sum>], target: &mut [T]) {
    let mut sums = [T::START; BLOCK];
    for tap in taps {
        let values = &held[tap.source..][..target.len()];
        for (sum, value) in sums.iter_mut().zip(values) {
            *sum = value.add(tap.weight, *sum);
        }
    }
    for (value, sum) in target.iter_mut().zip(sums) {
        *value = T::finish(sum);
    }
}
