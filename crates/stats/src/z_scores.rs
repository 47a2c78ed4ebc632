//! Values scaled to mean 0 and standard deviation 1.

use crate::summation::sum;

/// The values minus their mean, divided by their standard deviation (over n); `None` if there are none, if all are
/// equal, or if their spread is not finite.
///
/// - Reference: `scipy.stats.zscore` 1.17.1, to 1e-12.
///
/// ```
/// use neurogauge_stats::z_scores;
/// assert_eq!(z_scores(&[1.0, 3.0, 1.0, 3.0]).unwrap(), [-1.0, 1.0, -1.0, 1.0]);
/// assert_eq!(z_scores(&[0.1, 0.1, 0.1]), None);
/// ```
pub fn z_scores(values: &[f64]) -> Option<Vec<f64>> {
    // The sum of n equal values need not be n times the value, so rounding would look like spread.
    if values.windows(2).all(|two| two[0] == two[1]) {
        return None;
    }
    let n = values.len() as f64;
    let mean = sum(values) / n;
    let squares: Vec<f64> = values.iter().map(|v| (v - mean) * (v - mean)).collect();
    let deviation = (sum(&squares) / n).sqrt();
    let is_finite = deviation.is_finite() && deviation > 0.0;
    is_finite.then(|| values.iter().map(|v| (v - mean) / deviation).collect())
}
