//! The two passes over a float image: along rows, then down columns.

use multiversion::multiversion;

use super::Image;
use super::taps::{Tap, Taps, span};

/// Source rows resampled together, so that a tap is looked up once for all of them.
const BAND: usize = 4;

/// Values of the resized image.
///
/// A band of source rows is resampled when the first target row needs it, and only as many bands
/// as one target row needs are held, so that they stay in the nearest cache. Products are added by
/// fused multiply-add: that is what the reference's compiled code does, and it is defined to the
/// last bit, so that each version compiled here gives the same image.
#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
pub(super) fn resample(image: &Image<f32>, columns: &Taps<f32>, rows: &Taps<f32>) -> Vec<f32> {
    let n_source = image.width_px() * 3;
    let n_values = columns.len() * 3;
    let longest = rows.iter().map(span).map(|(first, end)| end - first).max();
    // A run of rows may begin with the last row of a band.
    let n_held = (longest.unwrap_or(1) + BAND - 1).next_multiple_of(BAND);
    let stride = n_values + 1;
    let mut held = vec![0.0; n_held * stride];
    let mut last_band = vec![0.0; BAND * n_source + 1];
    let mut next_band = 0;
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
        let start = data.len();
        data.resize(start + n_values, 0.0);
        let target = &mut data[start..];
        let row = |tap: Tap<f32>| (&held[tap.source % n_held * stride..][..n_values], tap.weight);
        let (fours, rest) = taps.as_chunks::<4>();
        for &four in fours {
            add_rows(four.map(row), target);
        }
        match *rest {
            [a] => add_rows([a].map(row), target),
            [a, b] => add_rows([a, b].map(row), target),
            [a, b, c] => add_rows([a, b, c].map(row), target),
            _ => {}
        }
    }
    data
}

/// Handles four values at a time: a pixel and one value of the next, which the next overwrites.
/// `source` and each row of `target` therefore have at least one value more than they need.
#[inline(always)]
fn resample_band(source: &[f32], columns: &Taps<f32>, n_source: usize, target: &mut [f32]) {
    let mut rows = target.chunks_exact_mut(columns.len() * 3 + 1);
    let mut next_row = || rows.next().unwrap_or_default();
    let mut targets: [&mut [f32]; BAND] = std::array::from_fn(|_| next_row());
    let sources: [&[f32]; BAND] = std::array::from_fn(|r| &source[r * n_source..=(r + 1) * n_source]);
    for (i, taps) in columns.iter().enumerate() {
        let mut sums = [[0.0_f32; 4]; BAND];
        for tap in taps {
            for (sum, row) in sums.iter_mut().zip(sources) {
                for (sum, value) in sum.iter_mut().zip(&row[tap.source * 3..][..4]) {
                    *sum = value.mul_add(tap.weight, *sum);
                }
            }
        }
        for (row, sum) in targets.iter_mut().zip(sums) {
            row[i * 3..][..4].copy_from_slice(&sum);
        }
    }
}

#[inline(always)]
fn add_rows<const N: usize>(weighted: [(&[f32], f32); N], target: &mut [f32]) {
    let weighted = weighted.map(|(row, weight)| (&row[..target.len()], weight));
    for (i, value) in target.iter_mut().enumerate() {
        let mut sum = *value;
        for (row, weight) in weighted {
            sum = row[i].mul_add(weight, sum);
        }
        *value = sum;
    }
}
