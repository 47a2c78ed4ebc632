//! Turns pairs of uniform variates into pairs of normal ones, with the same bits as torch on x86.
//!
//! torch does not call the C library here: it evaluates the single-precision polynomials of the Cephes
//! library (Moshier) for the logarithm, sine and cosine, eight lanes at a time, and its compiler fuses
//! the multiplications and additions. The same polynomials with the same fusions, each of which is one
//! correctly rounded IEEE operation, give the same bits on any machine, with or without such
//! instructions. An exact logarithm and sine would differ from torch by up to 4e-7 of a tensor's
//! largest value, and by far more, relatively, where a sine is near zero.

use rayon::prelude::*;

/// Values that are transformed together: the first half are radii, the second half angles.
pub(super) const BLOCK: usize = 16;
const LANES: usize = BLOCK / 2;
/// Values that one task transforms.
const TASK: usize = BLOCK * 4096;

/// Turns uniform variates in [0, 1), whole blocks of them, into normal ones.
pub(super) fn transform(values: &mut [f32], mean: f32, std: f32) {
    values.par_chunks_mut(TASK).for_each(|task| transform_blocks(task, mean, std));
}

#[multiversion::multiversion(targets("x86_64+avx2+fma", "aarch64+neon"))]
fn transform_blocks(values: &mut [f32], mean: f32, std: f32) {
    for block in values.chunks_exact_mut(BLOCK) {
        let (first, second) = block.split_at_mut(LANES);
        for (a, b) in first.iter_mut().zip(second) {
            // The uniform variate may be 0, which has no logarithm; 1 minus it is in (0, 1].
            let radius = (-2.0 * ln(1.0 - *a)).sqrt();
            let (sine, cosine) = sine_and_cosine(std::f32::consts::TAU * *b);
            *a = (radius * cosine).mul_add(std, mean);
            *b = (radius * sine).mul_add(std, mean);
        }
    }
}

/// Evaluates a polynomial in `x`; the coefficient of the highest power comes first.
#[inline(always)]
fn horner<const N: usize>(coefficients: [f32; N], x: f32) -> f32 {
    let mut value = coefficients[0];
    for &coefficient in &coefficients[1..] {
        value = value.mul_add(x, coefficient);
    }
    value
}

/// Natural logarithm of a normal number in (0, 1].
#[inline(always)]
pub fn ln(x: f32) -> f32 {
    const POLYNOMIAL: [f32; 9] = [
        7.037_683_6e-2,
        -1.151_461e-1,
        1.167_699_84e-1,
        -1.242_014_1e-1,
        1.424_932_3e-1,
        -1.666_805_8e-1,
        2.000_071_4e-1,
        -2.499_999_4e-1,
        3.333_333e-1,
    ];
    // ln 2 in two parts, the larger of few bits.
    const LN_2_HIGH: f32 = 355.0 / 512.0;
    const LN_2_LOW: f32 = -2.121_944_4e-4;

    // x = mantissa * 2^exponent with the mantissa in [1/2, 1), then in [1/sqrt 2, sqrt 2), less 1.
    let bits = x.to_bits();
    let mantissa = f32::from_bits((bits & 0x007F_FFFF) | 0x3F00_0000);
    let exponent = (bits >> 23) as i32 - 126;
    let small = mantissa < std::f32::consts::FRAC_1_SQRT_2;
    let exponent = (exponent - i32::from(small)) as f32;
    let m = mantissa - 1.0 + if small { mantissa } else { 0.0 };

    let square = m * m;
    let tail = (horner(POLYNOMIAL, m) * m).mul_add(square, exponent * LN_2_LOW);
    let tail = square.mul_add(-0.5, tail);
    exponent.mul_add(LN_2_HIGH, m + tail)
}

/// Sine and cosine of an angle in [0, 2 pi].
#[inline(always)]
pub fn sine_and_cosine(angle: f32) -> (f32, f32) {
    const SINE: [f32; 3] = [-1.951_529_6e-4, 8.332_161e-3, -1.666_665_5e-1];
    const COSINE: [f32; 3] = [2.443_315_7e-5, -1.388_731_6e-3, 4.166_664_6e-2];
    // pi / 4 in three parts, the larger ones of few bits.
    const QUARTER_PI: [f32; 3] = [0.785_156_25, 2.418_756_5e-4, 3.774_895e-8];
    const FOUR_OVER_PI: f32 = 1.273_239_5;

    // The octant, rounded up to an even one, so that the rest is in [-pi/4, pi/4].
    let octant = ((angle * FOUR_OVER_PI) as i32 + 1) & !1;
    let n = octant as f32;
    let mut rest = angle;
    for part in QUARTER_PI {
        rest = n.mul_add(-part, rest);
    }
    let square = rest * rest;
    let cosine = (horner(COSINE, square) * square).mul_add(square, -(square * 0.5)) + 1.0;
    let sine = (horner(SINE, square) * square).mul_add(rest, rest);

    let (s, c) = if octant & 2 == 0 {
        (sine, cosine)
    } else {
        (cosine, sine)
    };
    let s = if octant & 4 == 0 { s } else { -s };
    let c = if (octant + 2) & 4 == 0 { c } else { -c };
    (s, c)
}
