//! Pearson's correlation.

use crate::StatsError;
use crate::error::check_lengths;
use crate::summation::{sum_over, sum_over_pairs};
use multiversion::multiversion;
use neurogauge_core::{Outcome, Side, Undefined};

/// Pearson's correlation of two paired samples,
/// r = Σ(x−x̄)(y−ȳ) / √(Σ(x−x̄)² · Σ(y−ȳ)²).
///
/// - Shapes: `x` and `y` have `n` values each, `f32` or `f64`; all arithmetic is `f64`, in two
///   passes (means, then products of deviations) and in the fixed order of
///   [`summation`](crate::summation).
/// - Range: -1 to 1 (clipped, as `numpy.corrcoef` does); higher is more alike; chance level 0.
/// - Undefined, in this order: no values (`Empty`, side `Gt`); a NaN or an infinity in `x`
///   (`NonFinite`, side `Gt`) or in `y` (side `Recon`); all values of `x` equal (`Constant`, side
///   `Gt`) or of `y` (side `Recon`). Equal means equal as numbers: no tolerance turns a nearly constant sample into a
///   constant one. The first value is subtracted before the mean, which keeps deviations exact if the spread is small
///   relative to the mean, so a sample that only varies in its last bits still gets the correlation of those bits.
/// - Errors: samples of different lengths.
/// - Reference: `scipy.stats.pearsonr` 1.17.1 to 1e-12 (it adds in another order).
///
/// ```
/// use neurogauge_stats::pearson;
/// let r = pearson(&[1.0, 2.0, 3.0], &[1.0, 3.0, 2.0]).unwrap().unwrap();
/// assert!((r - 0.5).abs() < 1e-15);
/// ```
pub fn pearson<T: Copy + Into<f64>>(x: &[T], y: &[T]) -> Result<Outcome, StatsError> {
    check_lengths(x.len(), y.len())?;
    if x.is_empty() {
        return Ok(Err(Undefined::Empty(Side::Gt)));
    }
    let moments = Moments::of(x, y);
    if moments.usable() {
        return Ok(Ok(moments.correlation()));
    }
    Ok(pearson_of_awkward(x, y))
}

/// One minus Pearson's correlation, d = 1 − r.
///
/// - Shapes: `n_features` values each.
/// - Range: 0 to 2; lower is more alike; chance level 1.
/// - Undefined and errors: as [`pearson`].
/// - Reference: `scipy.spatial.distance.correlation` 1.17.1 to 1e-6 on `f32` vectors, for which it
///   stays in `f32`, and to 1e-12 on `f64`.
///
/// ```
/// use neurogauge_stats::correlation_distance;
/// let d = correlation_distance(&[1.0, 2.0], &[2.0, 1.0]).unwrap().unwrap();
/// assert!((d - 2.0).abs() < 1e-15);
/// ```
pub fn correlation_distance<T: Copy + Into<f64>>(x: &[T], y: &[T]) -> Result<Outcome, StatsError> {
    Ok(pearson(x, y)?.map(|r| (1.0 - r).clamp(0.0, 2.0)))
}

/// Sums of squares and products of deviations from the means.
struct Moments {
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Moments {
    /// `x` and `y` are not empty.
    fn of<T: Copy + Into<f64>>(x: &[T], y: &[T]) -> Self {
        let [xx, yy, xy] = squares_and_products(x, y);
        Moments { xx, yy, xy }
    }

    /// False if a sample is constant or contains a NaN, or if squares exceed the range of `f64`.
    fn usable(&self) -> bool {
        self.xx.is_normal() && self.yy.is_normal()
    }

    fn correlation(&self) -> f64 {
        (self.xy / self.xx.sqrt() / self.yy.sqrt()).clamp(-1.0, 1.0)
    }
}

/// Sums of (x−x̄)², (y−ȳ)² and (x−x̄)(y−ȳ).
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn squares_and_products<T: Copy + Into<f64>>(x: &[T], y: &[T]) -> [f64; 3] {
    let (x0, y0): (f64, f64) = (x[0].into(), y[0].into());
    let n = x.len() as f64;
    let x_mean = sum_over(x, |x| x.into() - x0) / n;
    let y_mean = sum_over(y, |y| y.into() - y0) / n;
    let dx = |x: T| (x.into() - x0) - x_mean;
    let dy = |y: T| (y.into() - y0) - y_mean;
    let xx = sum_over(x, |x| dx(x) * dx(x));
    let yy = sum_over(y, |y| dy(y) * dy(y));
    let xy = sum_over_pairs(x, y, |x, y| dx(x) * dy(y));
    [xx, yy, xy]
}

fn pearson_of_awkward<T: Copy + Into<f64>>(x: &[T], y: &[T]) -> Outcome {
    let x = Scaled::of(x, Side::Gt)?;
    let y = Scaled::of(y, Side::Recon)?;
    let (x, y) = (x.varying()?, y.varying()?);
    let moments = Moments::of(&x, &y);
    // Values that differ can become equal when they are scaled out of the subnormal range.
    if !moments.xx.is_normal() {
        return Err(Undefined::Constant(Side::Gt));
    }
    if !moments.yy.is_normal() {
        return Err(Undefined::Constant(Side::Recon));
    }
    Ok(moments.correlation())
}

/// A finite sample, divided by its largest magnitude.
struct Scaled {
    values: Vec<f64>,
    side: Side,
}

impl Scaled {
    fn of<T: Copy + Into<f64>>(sample: &[T], side: Side) -> Result<Self, Undefined> {
        let mut values: Vec<f64> = sample.iter().map(|&v| v.into()).collect();
        if values.iter().any(|v| !v.is_finite()) {
            return Err(Undefined::NonFinite(side));
        }
        let largest = values.iter().fold(0.0, |max: f64, v| max.max(v.abs()));
        if largest > 0.0 {
            values.iter_mut().for_each(|v| *v /= largest);
        }
        Ok(Scaled { values, side })
    }

    fn varying(self) -> Result<Vec<f64>, Undefined> {
        if self.values.iter().all(|v| *v == self.values[0]) {
            return Err(Undefined::Constant(self.side));
        }
        Ok(self.values)
    }
}
