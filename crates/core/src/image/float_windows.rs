//! Weights of float images, in single precision as ATen computes them.
//!
//! The rounding of every step is part of the result: weights computed in double precision give
//! images that differ from the reference by up to 2.5e-5.

use super::Filter;
use super::window::Windows;

/// Antialiased windows: the kernel widens with the scale when the image shrinks.
pub(super) fn antialiased(n_source: usize, n_target: usize, filter: Filter) -> Windows<f32> {
    let scale = n_source as f32 / n_target as f32;
    let widening = scale.max(1.0);
    let reach = f32::from(filter.reach_px()) * widening;
    let narrowing = (1.0 / f64::from(widening)) as f32;
    let mut windows = Windows::with_capacity(n_target);
    let mut weights = Vec::new();
    for i in 0..n_target {
        let centre = (f64::from(scale) * (i as f64 + 0.5)) as f32;
        // Conversion to an unsigned integer truncates and takes negative numbers to 0.
        let first = (f64::from(centre - reach) + 0.5) as usize;
        let end = ((f64::from(centre + reach) + 0.5) as usize).min(n_source);
        weights.clear();
        weights.extend((first..end).map(|j| {
            let distance = f64::from(j as f32 - centre) + 0.5;
            kernel(filter, (distance * f64::from(narrowing)) as f32)
        }));
        let total: f32 = weights.iter().sum();
        if total != 0.0 {
            weights.iter_mut().for_each(|w| *w /= total);
        }
        windows.push(first, &weights);
    }
    windows
}

/// Windows without antialiasing: 2 (bilinear) or 4 (bicubic) taps whatever the scale. Taps that
/// fall outside the image are laid on its border pixel.
pub(super) fn plain(n_source: usize, n_target: usize, filter: Filter) -> Windows<f32> {
    let scale = n_source as f32 / n_target as f32;
    let last = n_source as i64 - 1;
    let mut windows = Windows::with_capacity(n_target);
    for i in 0..n_target {
        // Fused, because the reference is compiled so; it decides the last bits of the position.
        let position = scale.mul_add(i as f32 + 0.5, -0.5);
        let bicubic = filter == Filter::Bicubic;
        let position = if bicubic { position } else { position.max(0.0) };
        let below = (position.floor() as i64).min(last);
        let t = (position - below as f32).clamp(0.0, 1.0);
        let (first_tap, taps) = if bicubic {
            (
                below - 1,
                [
                    outer(t + 1.0, -0.75),
                    inner(t, -0.75),
                    inner(1.0 - t, -0.75),
                    outer(2.0 - t, -0.75),
                ],
            )
        } else {
            (below, [1.0 - t, t, 0.0, 0.0])
        };
        let taps = &taps[..2 * usize::from(filter.reach_px())];
        push_clamped(&mut windows, first_tap, taps, last);
    }
    windows
}

fn push_clamped(windows: &mut Windows<f32>, first_tap: i64, taps: &[f32], last: i64) {
    let clamped = |tap: usize| (first_tap + tap as i64).clamp(0, last) as usize;
    let first = clamped(0);
    let mut merged = [0.0; 4];
    for (tap, weight) in taps.iter().enumerate() {
        merged[clamped(tap) - first] += weight;
    }
    windows.push(first, &merged[..=clamped(taps.len() - 1) - first]);
}

fn kernel(filter: Filter, x: f32) -> f32 {
    let x = x.abs();
    match filter {
        Filter::Bilinear if x < 1.0 => 1.0 - x,
        Filter::Bicubic if x < 1.0 => inner(x, -0.5),
        Filter::Bicubic if x < 2.0 => outer(x, -0.5),
        _ => 0.0,
    }
}

/// Cubic convolution within one pixel of the centre. Fused, because the reference is compiled so:
/// the terms cancel, and separate roundings would be off by 1e-6.
fn inner(x: f32, a: f32) -> f32 {
    ((a + 2.0).mul_add(x, -(a + 3.0)) * x).mul_add(x, 1.0)
}

/// Cubic convolution between one and two pixels from the centre, fused likewise.
fn outer(x: f32, a: f32) -> f32 {
    a.mul_add(x, -5.0 * a)
        .mul_add(x, 8.0 * a)
        .mul_add(x, -4.0 * a)
}
