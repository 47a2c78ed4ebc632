//! The regularised incomplete beta function, accurate for the large degrees of freedom of surveys.
//!
//! Thousands of items times tens of raters make parameters of 10⁴ and more. Computed from logarithms of gamma
//! functions, as in existing crates, only eleven digits remain. Here the leading term is Loader's saddle-point form, in
//! which no large terms cancel, and both tails are computed without subtracting one from 1.

use std::f64::consts::TAU;

/// The share of a beta(a, b) distribution below `x` and above it.
///
/// `x` and `y` add up to 1 and are both given, since 1 − x loses the digits of a small y. The
/// parameters are positive.
pub fn beta_tails(a: f64, b: f64, x: f64, y: f64) -> (f64, f64) {
    if x <= 0.0 {
        (0.0, 1.0)
    } else if y <= 0.0 {
        (1.0, 0.0)
    } else if x < (a + 1.0) / (a + b + 2.0) {
        let below = beta_kernel(a, b, x, y) / continued_fraction(a, b, x, y);
        (below, 1.0 - below)
    } else {
        let above = beta_kernel(b, a, y, x) / continued_fraction(b, a, y, x);
        (1.0 - above, above)
    }
}

/// xᵃ·yᵇ / B(a, b), which is also x·y times the density.
pub(crate) fn beta_kernel(a: f64, b: f64, x: f64, y: f64) -> f64 {
    let n = a + b;
    let correction = stirling_error(n) - stirling_error(a) - stirling_error(b);
    let deviance = deviance(a, n * x) + deviance(b, n * y);
    (a / TAU * (b / n)).sqrt() * (correction - deviance).exp()
}

/// ln Γ(z + 1) minus Stirling's (z + ½)·ln z − z + ½·ln 2π.
fn stirling_error(mut z: f64) -> f64 {
    let mut shift = 0.0;
    // The series below is not exact for small z, so step upwards by the recurrence of Γ.
    while z < 16.0 {
        shift += (z + 0.5) * (1.0 / z).ln_1p() - 1.0;
        z += 1.0;
    }
    const SERIES: [f64; 7] =
        [1.0 / 12.0, -1.0 / 360.0, 1.0 / 1260.0, -1.0 / 1680.0, 1.0 / 1188.0, -691.0 / 360_360.0, 1.0 / 156.0];
    let square = z * z;
    let sum = SERIES.iter().rev().fold(0.0, |sum, term| sum / square + term);
    shift + sum / z
}

/// a·ln(a/m) + m − a, which is small if `m` is near `a`, although its terms are large.
fn deviance(a: f64, m: f64) -> f64 {
    let difference = a - m;
    if difference.abs() >= 0.1 * (a + m) {
        return a * (a / m).ln() - difference;
    }
    // With v = (a − m)/(a + m), ln(a/m) = 2·(v + v³/3 + v⁵/5 + ...).
    let v = difference / (a + m);
    let mut sum = difference * v;
    let mut power = 2.0 * a * v;
    for odd in (3..).step_by(2).map(f64::from) {
        power *= v * v;
        let next = sum + power / odd;
        if next == sum || next.is_nan() {
            break;
        }
        sum = next;
    }
    sum
}

/// The continued fraction of DiDonato and Morris (1992, equation 9), which divides the kernel; it
/// converges fast for x below the mean.
fn continued_fraction(a: f64, b: f64, x: f64, y: f64) -> f64 {
    const TINY: f64 = 1e-300;
    const MOST_TERMS: u32 = 100_000;
    let mean_distance = a * y - b * x;
    let denominator = |n: f64| {
        n + n * (b - n) * x / (a + 2.0 * n - 1.0)
            + (a + n) * (mean_distance + 1.0 + n * (1.0 + y)) / (a + 2.0 * n + 1.0)
    };
    let numerator = |n: f64| {
        let odd = a + 2.0 * n - 1.0;
        (a + n - 1.0) / odd * ((a + b + n - 1.0) / odd) * (n * (b - n)) * (x * x)
    };
    // Lentz's evaluation from the front.
    let mut fraction = a * (mean_distance + 1.0) / (a + 1.0);
    let (mut c, mut d) = (fraction, 0.0);
    for n in (1..MOST_TERMS).map(f64::from) {
        let (over, under) = (numerator(n), denominator(n));
        d = nonzero(under + over * d, TINY).recip();
        c = nonzero(under + over / c, TINY);
        let factor = c * d;
        fraction *= factor;
        if (factor - 1.0).abs() <= f64::EPSILON {
            break;
        }
    }
    fraction
}

fn nonzero(value: f64, tiny: f64) -> f64 {
    if value == 0.0 { tiny } else { value }
}
