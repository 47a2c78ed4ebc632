//! The two passes over a float image: along rows, then down columns.

use multiversion::multiversion;

use super::Image;
use super::taps::{Tap, Taps, span};

/// Values of the resized image.
///
/// Source rows are resampled when the first target row needs them, and only as many as one target
/// row needs are held, so that they stay in the nearest cache. Products are added by fused
/// multiply-add: that is what the reference's compiled code does, and it is defined to the last
/// bit, so that each version compiled here gives the same image.
#[multiversion(targets("x86_64+avx2+fma", "x86_64+avx512f+avx512vl+fma"))]
pub(super) fn resample(image: &Image<f32>, columns: &Taps<f32>, rows: &Taps<f32>) -> Vec<f32> {
    let n_source = image.width_px() * 3;
    let n_values = columns.len() * 3;
    let longest = rows.iter().map(span).map(|(first, end)| end - first).max();
    let n_held = longest.unwrap_or(1);
    let mut held = vec![vec![0.0; n_values + 1]; n_held];
    let mut padded = vec![0.0; n_source + 1];
    let mut next = 0;
    let mut data = vec![0.0; n_values * rows.len()];
    for (taps, target) in rows.iter().zip(data.chunks_exact_mut(n_values)) {
        let (first, end) = span(taps);
        for y in next.max(first)..end {
            padded[..n_source].copy_from_slice(&image.data()[y * n_source..][..n_source]);
            resample_row(&padded, columns, &mut held[y % n_held]);
        }
        next = end;
        let row = |tap: Tap<f32>| (&held[tap.source % n_held][..n_values], tap.weight);
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

/// Handles four values at a time, of which the last belongs to the next pixel and is overwritten
/// with it: `source` and `target` have one value of padding.
#[inline(always)]
fn resample_row(source: &[f32], columns: &Taps<f32>, target: &mut [f32]) {
    for (i, taps) in columns.iter().enumerate() {
        let mut sum = [0.0_f32; 4];
        for tap in taps {
            let values = &source[tap.source * 3..][..4];
            for c in 0..4 {
                sum[c] = values[c].mul_add(tap.weight, sum[c]);
            }
        }
        target[i * 3..][..4].copy_from_slice(&sum);
    }
}

#[inline(always)]
fn add_rows<const N: usize>(weighted: [(&[f32], f32); N], target: &mut [f32]) {
    for (i, value) in target.iter_mut().enumerate() {
        let mut sum = *value;
        for (row, weight) in weighted {
            sum = row[i].mul_add(weight, sum);
        }
        *value = sum;
    }
}
