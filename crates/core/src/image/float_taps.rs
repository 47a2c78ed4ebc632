//! Taps of float images, in single precision as in ATen.
//!
//! The rounding of every step is part of the result: weights computed in double precision give
//! images that differ from the reference by up to 2.5e-5.

use super::Filter;
use super::taps::{Tap, Taps};

/// Antialiased taps: the kernel widens with the scale when the image shrinks.
pub(super) fn antialiased(n_source: usize, n_target: usize, filter: Filter) -> Taps<f32> {
    let scale = n_source as f32 / n_target as f32;
    let widening = scale.max(1.0);
    let reach = f32::from(filter.reach_px()) * widening;
    let narrowing = (1.0 / f64::from(widening)) as f32;
    let mut taps = Taps::with_capacity(n_target);
    let mut weights = Vec::new();
    for i in 0..n_target {
        let centre = (f64::from(scale) * (i as f64 + 0.5)) as f32;
        // Conversion to an unsigned integer truncates and maps negative numbers to 0.
        let first = (f64::from(centre - reach) + 0.5) as usize;
        let end = ((f64::from(centre + reach) + 0.5) as usize).min(n_source);
        weights.extend((first..end).map(|j| {
            let distance = f64::from(j as f32 - centre) + 0.5;
            antialiased_kernel(filter, (distance * f64::from(narrowing)) as f32)
        }));
        let total: f32 = weights.iter().sum();
        if total != 0.0 {
            weights.iter_mut().for_each(|w| *w /= total);
        }
        let weighted = (first..).zip(weights.drain(..));
        taps.push(weighted.map(|(source, weight)| Tap { source, weight }));
    }
    taps
}

/// Taps without antialiasing: 2 (bilinear) or 4 (bicubic), at any scale. Those that fall
/// outside the image are laid on its border pixel.
pub(super) fn plain(n_source: usize, n_target: usize, filter: Filter) -> Taps<f32> {
    let scale = n_source as f32 / n_target as f32;
    let last = n_source as i64 - 1;
    let tap = |source: i64, weight: f32| Tap {
        source: source.clamp(0, last) as usize,
        weight,
    };
    let mut taps = Taps::with_capacity(n_target);
    for i in 0..n_target {
        // The reference's compiled code fuses this; it decides the last bits of the position.
        let position = scale.mul_add(i as f32 + 0.5, -0.5);
        let bicubic = filter == Filter::Bicubic;
        let position = if bicubic { position } else { position.max(0.0) };
        let below = (position.floor() as i64).min(last);
        let t = (position - below as f32).clamp(0.0, 1.0);
        // The reference's compiled code begins its sums with the second tap.
        if bicubic {
            let [w0, w1, w2, w3] = plain_bicubic(t);
            taps.push([tap(below, w1), tap(below - 1, w0), tap(below + 1, w2), tap(below + 2, w3)]);
        } else {
            taps.push([tap(below + 1, t), tap(below, 1.0 - t)]);
        }
    }
    taps
}

fn antialiased_kernel(filter: Filter, x: f32) -> f32 {
    const A: f32 = -0.5;
    let x = x.abs();
    match filter {
        Filter::Bilinear if x < 1.0 => 1.0 - x,
        Filter::Bicubic if x < 1.0 => inner_slope(x, A).mul_add(x, 1.0),
        Filter::Bicubic if x < 2.0 => outer_slope(x, A).mul_add(x, -4.0 * A),
        _ => 0.0,
    }
}

/// The four weights of a position `t` beyond the second tap. Unlike the antialiased kernel, the
/// reference's compiled code does not fuse the last step here.
fn plain_bicubic(t: f32) -> [f32; 4] {
    const A: f32 = -0.75;
    let inner = |x: f32| inner_slope(x, A) * x + 1.0;
    let outer = |x: f32| outer_slope(x, A) * x - 4.0 * A;
    [outer(t + 1.0), inner(t), inner(1.0 - t), outer(1.0 - t + 1.0)]
}

/// Cubic convolution within one pixel of the centre, minus its constant term, divided by x. Fused: the terms cancel,
/// and separate roundings would be off by 1e-6.
fn inner_slope(x: f32, a: f32) -> f32 {
    (a + 2.0).mul_add(x, -(a + 3.0)) * x
}

/// The counterpart of `inner_slope` between one and two pixels from the centre.
fn outer_slope(x: f32, a: f32) -> f32 {
    a.mul_add(x, -5.0 * a).mul_add(x, 8.0 * a)
}
