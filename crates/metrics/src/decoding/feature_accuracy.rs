//! The accuracy of decoded features, as reported in papers on feature decoding.

use neurogauge_core::{Estimate, Outcome, Side, Undefined};
use neurogauge_stats::u_statistic::jackknifed;
use neurogauge_stats::{BootstrapOptions, StatsError, pearson};

/// Profile correlation: for each feature, Pearson's correlation over stimuli between decoded and true values, averaged
/// over features.
///
/// - Equation: (1/d) Σ_u r((x̂_1u, …, x̂_nu), (x_1u, …, x_nu)).
/// - Shapes: both row-major, (n_stimuli, `n_features`).
/// - Range: −1 to 1; larger is better; chance 0.
/// - Interval: for new stimuli, by the jackknife over stimuli.
/// - Undefined: if no feature varies on both sides. Other features are left out, as bdpy leaves out NaN.
/// - Reference: bdpy's `profile_correlation`.
///
/// ```
/// use neurogauge_metrics::decoding::feature_accuracy::profile_correlation;
/// let (decoded, test) = ([1.0, 5.0, 2.0, 4.0, 3.0, 3.5], [1.0, 1.0, 2.0, 2.0, 3.0, 3.0]);
/// let (of_features, mean) = profile_correlation(&decoded, &test, 2, &Default::default()).unwrap();
/// assert_eq!(of_features.len(), 2);
/// assert!((mean.value.unwrap() - (1.0 - 0.98198) / 2.0).abs() < 1e-5);
/// ```
pub fn profile_correlation(
    decoded: &[f64],
    test: &[f64],
    n_features: usize,
    options: &BootstrapOptions,
) -> Result<(Vec<Outcome>, Estimate), StatsError> {
    let n = test.len() / n_features.max(1);
    // Sums of correlations, and numbers of features that have one: for all stimuli, and without each of them.
    let (mut all, mut without) = ((0.0, 0.0), vec![(0.0, 0.0); n]);
    let mut of_features = Vec::with_capacity(n_features);
    for feature in 0..n_features {
        let column =
            |values: &[f64]| -> Vec<f64> { values.iter().skip(feature).step_by(n_features).copied().collect() };
        let (x, y) = (column(decoded), column(test));
        let found = correlation(&x, &y)?;
        of_features.push(found.clone());
        let Ok(correlation) = found else {
            continue;
        };
        all = (all.0 + correlation, all.1 + 1.0);
        let sums = Sums::of(&x, &y);
        for (stimulus, (sum, count)) in without.iter_mut().enumerate() {
            if let Some(correlation) = sums.without(x[stimulus], y[stimulus]) {
                (*sum, *count) = (*sum + correlation, *count + 1.0);
            }
        }
    }
    let first = of_features.iter().find_map(|found| found.clone().err());
    let nothing = Estimate {
        value: Err(first.unwrap_or(Undefined::Empty(Side::Gt))),
        interval: None,
        n: 0,
        n_undefined: n,
    };
    if all.1 == 0.0 {
        return Ok((of_features, nothing));
    }
    let value = all.0 / all.1;
    let without: Option<Vec<f64>> = without.iter().map(|(sum, count)| (*count > 0.0).then(|| sum / count)).collect();
    let mean = match without {
        Some(without) => jackknifed(value, &without, options)?.within((-1.0, 1.0)),
        None => Estimate {
            value: Ok(value),
            n,
            n_undefined: 0,
            ..nothing
        },
    };
    Ok((of_features, mean))
}

/// Pattern correlation: for each stimulus, Pearson's correlation over features between decoded and true values, both
/// z-scored by the mean and the standard deviation of each feature over training stimuli.
///
/// - Equation: r((x̂_iu − μ_u) / σ_u, (x_iu − μ_u) / σ_u) over u.
/// - Shapes: `decoded` and `test` row-major, (n_stimuli, d); `mean` and `sd` of length d.
/// - Range: −1 to 1; larger is better; chance 0.
/// - Undefined: a row that is constant after z-scoring, or that equals the mean over training stimuli within the
///   precision of f32. Features with σ = 0 are left out.
/// - Reference: bdpy's `pattern_correlation`.
///
/// ```
/// use neurogauge_metrics::decoding::feature_accuracy::pattern_correlation;
/// let found = pattern_correlation(&[1.0, 2.0, 4.0], &[1.0, 3.0, 5.0], &[0.0; 3], &[1.0, 1.0, 2.0]).unwrap();
/// assert!((found[0].clone().unwrap() - 0.97073).abs() < 1e-5);
/// ```
pub fn pattern_correlation(
    decoded: &[f64],
    test: &[f64],
    mean: &[f64],
    sd: &[f64],
) -> Result<Vec<Outcome>, StatsError> {
    let scaled = |row: &[f64]| -> Vec<f64> {
        let values = row.iter().zip(mean).zip(sd).filter(|(_, sd)| **sd > 0.0);
        values.map(|((value, mean), sd)| (value - mean) / sd).collect()
    };
    // A decoder that always returns the mean has differences that are only rounding.
    let is_mean = |row: &[f64]| {
        let mut values = row.iter().zip(mean).zip(sd).filter(|(_, sd)| **sd > 0.0);
        values.all(|((value, mean), _)| *value == f64::from(*mean as f32))
    };
    let varies = sd.iter().any(|sd| *sd > 0.0);
    let width = mean.len().max(1);
    let rows = decoded.chunks_exact(width).zip(test.chunks_exact(width));
    rows.map(|(decoded, test)| {
        if !varies {
            let reason = "no feature varies over the training stimuli";
            return Ok(Err(Undefined::Because(reason.into())));
        }
        for (row, side) in [(test, Side::Gt), (decoded, Side::Recon)] {
            if is_mean(row) {
                let reason = format!("the {side} is the mean of the training stimuli");
                return Ok(Err(Undefined::Because(reason.into())));
            }
        }
        correlation(&scaled(decoded), &scaled(test))
    })
    .collect()
}

/// Pearson's correlation, or the reason why there is none. [`pearson`] takes the stimulus as its first sample, and
/// divides by its spread first.
fn correlation(decoded: &[f64], test: &[f64]) -> Result<Outcome, StatsError> {
    match pearson(decoded, test)? {
        Ok(correlation) => Ok(Ok(correlation)),
        Err(_) => pearson(test, decoded),
    }
}

/// Sums of deviations of two columns, from which one stimulus can be removed.
struct Sums {
    n: f64,
    mean: (f64, f64),
    xx: f64,
    yy: f64,
    xy: f64,
}

impl Sums {
    fn of(x: &[f64], y: &[f64]) -> Self {
        let n = x.len() as f64;
        let mean = (x.iter().sum::<f64>() / n, y.iter().sum::<f64>() / n);
        let mut sums = Sums {
            n,
            mean,
            xx: 0.0,
            yy: 0.0,
            xy: 0.0,
        };
        for (x, y) in x.iter().zip(y) {
            let (x, y) = (x - mean.0, y - mean.1);
            (sums.xx, sums.yy, sums.xy) = (sums.xx + x * x, sums.yy + y * y, sums.xy + x * y);
        }
        sums
    }

    /// The correlation without one stimulus. Removing a deviation removes n / (n − 1) of its square from the sum of
    /// squares.
    fn without(&self, x: f64, y: f64) -> Option<f64> {
        let (x, y) = (x - self.mean.0, y - self.mean.1);
        let share = self.n / (self.n - 1.0);
        let (xx, yy) = (self.xx - share * x * x, self.yy - share * y * y);
        let rounding = 1e-12;
        (xx > rounding * self.xx && yy > rounding * self.yy)
            .then(|| ((self.xy - share * x * y) / (xx * yy).sqrt()).clamp(-1.0, 1.0))
    }
}
