//! The exponentials of attention, and log-probabilities.

use crate::blocks::slices::{LANES, lane_sum, multiply_add, polynomial};

/// e^r for |r| ≤ ln(2)/2: Taylor coefficients, which suffice in f32 (remainder below 1.2e-8).
const EXP: [f32; 8] = [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0, 1.0 / 720.0, 1.0 / 5040.0];

/// ln 2 in two parts, the first with so few bits that multiples of it are exact.
const LN_2_HIGH: f32 = 0.693_359_4;
const LN_2_LOW: f32 = -2.121_944_4e-4;

/// Adding it to a small number rounds that to an integer and leaves the integer in the low bits.
const ROUNDER: f32 = 12_582_912.0;

/// Below this, e^x is nearly 0 and loses precision as a subnormal number.
pub(crate) const SMALLEST: f32 = -87.0;

/// e^x for x ≤ 0, without branches. 0 below [`SMALLEST`].
#[inline(always)]
pub(crate) fn exp(x: f32) -> f32 {
    let vanishes = x < SMALLEST;
    let power = bounded_exp::<false>(if vanishes { 0.0 } else { x });
    if vanishes { 0.0 } else { power }
}

/// e^x for x from [`SMALLEST`] to its opposite.
#[inline(always)]
pub(crate) fn bounded_exp<const FUSED: bool>(x: f32) -> f32 {
    let shifted = multiply_add::<FUSED>(x, std::f32::consts::LOG2_E, ROUNDER);
    let n = shifted - ROUNDER;
    let r = multiply_add::<FUSED>(n, -LN_2_HIGH, x);
    let r = multiply_add::<FUSED>(n, -LN_2_LOW, r);
    let power_of_two = f32::from_bits((shifted.to_bits() << 23).wrapping_add(1.0_f32.to_bits()));
    polynomial::<FUSED, _>(&EXP, r) * power_of_two
}

/// Replaces the scores by `exp(score - largest score)` and returns their sum, by which they must still be divided.
/// Works on `LANES` scores at a time; only the first `n` count, the others become 0.
#[inline(always)]
pub fn exponentiate(scores: &mut [[f32; LANES]], n: usize) -> f32 {
    let (_, padding) = scores.as_flattened_mut().split_at_mut(n);
    padding.fill(f32::NEG_INFINITY);
    let mut largest = [f32::NEG_INFINITY; LANES];
    for chunk in scores.iter() {
        for (max, &score) in largest.iter_mut().zip(chunk) {
            *max = max.max(score);
        }
    }
    let largest = largest.into_iter().fold(f32::NEG_INFINITY, f32::max);
    for chunk in scores.iter_mut() {
        for score in chunk {
            *score = exp(*score - largest);
        }
    }
    let mut sums = [0.0_f32; LANES];
    for chunk in scores.iter() {
        for (sum, &value) in sums.iter_mut().zip(chunk) {
            *sum += value;
        }
    }
    sums.iter().sum()
}

/// Turns logits into log-probabilities in place: `x - max - ln Σ exp(x - max)`, in this order.
#[multiversion::multiversion(targets = "simd")]
pub fn log_softmax(logits: &mut [f32]) {
    let largest = logits.iter().fold(f32::NEG_INFINITY, |a, &b| a.max(b));
    let log_sum = lane_sum(logits, |logit| exp(logit - largest)).ln();
    for logit in logits {
        *logit = *logit - largest - log_sum;
    }
}
