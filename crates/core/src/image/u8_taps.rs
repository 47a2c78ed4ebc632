//! Taps of 8-bit images: Pillow's kernels in double precision, then fixed point.

use std::f64::consts::PI;

use super::Filter;
use super::taps::{Tap, Taps};

/// Fractional bits of a weight: 32 bits minus the 8 of a pixel and 2 for overshoot and sign.
pub(super) const FRACTION_BITS: u32 = 22;

/// Taps of one axis. The kernel widens with the scale when the image shrinks.
pub(super) fn fixed_point(n_source: usize, n_target: usize, filter: Filter) -> Taps<i32> {
    let scale = n_source as f64 / n_target as f64;
    let widening = scale.max(1.0);
    let reach = f64::from(filter.reach_px()) * widening;
    let narrowing = 1.0 / widening;
    let mut taps = Taps::with_capacity(n_target);
    let mut weights = Vec::new();
    for i in 0..n_target {
        let centre = (i as f64 + 0.5) * scale;
        // Conversion to an unsigned integer truncates and maps negative numbers to 0.
        let first = (centre - reach + 0.5) as usize;
        let end = ((centre + reach + 0.5) as usize).min(n_source);
        weights.extend((first..end).map(|j| kernel(filter, (j as f64 - centre + 0.5) * narrowing)));
        let total: f64 = weights.iter().sum();
        let fixed = weights.drain(..).map(|w| to_fixed(if total == 0.0 { w } else { w / total }));
        // Weights of zero are dropped; between equal sizes only the pixel itself remains.
        let weighted = (first..).zip(fixed).filter(|&(_, weight)| weight != 0);
        taps.push(weighted.map(|(source, weight)| Tap { source, weight }));
    }
    taps
}

/// Rounds half away from zero.
fn to_fixed(weight: f64) -> i32 {
    (weight * f64::from(1 << FRACTION_BITS) + 0.5_f64.copysign(weight)) as i32
}

fn kernel(filter: Filter, x: f64) -> f64 {
    match filter {
        Filter::Bilinear => (1.0 - x.abs()).max(0.0),
        Filter::Bicubic => cubic(x.abs()),
        Filter::Lanczos if (-3.0..3.0).contains(&x) => sinc(x) * sinc(x / 3.0),
        Filter::Lanczos => 0.0,
    }
}

fn cubic(x: f64) -> f64 {
    const A: f64 = -0.5;
    if x < 1.0 {
        ((A + 2.0) * x - (A + 3.0)) * x * x + 1.0
    } else if x < 2.0 {
        (((x - 5.0) * x + 8.0) * x - 4.0) * A
    } else {
        0.0
    }
}

fn sinc(x: f64) -> f64 {
    if x == 0.0 { 1.0 } else { (x * PI).sin() / (x * PI) }
}
