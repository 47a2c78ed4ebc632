//! Means over subjects who all saw the same stimuli, for other subjects and other stimuli.

use crate::TestedMean;
use crate::distributions::{t_exceeded_with, t_two_sided};
use crate::summation::sum;

/// With fewer subjects nothing is said of others: what four or fewer show of how subjects vary is too little to make an interval of.
pub const FEWEST_SUBJECTS: usize = 5;

/// The mean of a table of K subjects by n stimuli, as one of all subjects and all stimuli that there could be: its interval, and the p
/// value of a mean of zero.
///
/// Of y_si = μ + a_s + b_i + e_si with independent a, b and e, the variance of the mean is σ²_a / K + σ²_b / n + σ²_e / (K n). Its estimate
/// is that of the two-way analysis of variance (Cornfield and Tukey, 1956), V = max(MS_a + MS_b − MS_e, MS_a, MS_b) / (K n), with
/// Satterthwaite's degrees of freedom, (V K n)² / (MS_a² / (K − 1) + MS_b² / (n − 1) + MS_e² / ((K − 1)(n − 1))), which are
/// close to K − 1 where subjects differ and to n − 1 where they do not. The interval is the mean ± Student's quantile · √V, so p ≤ 1 − `level`
/// exactly where it leaves out 0.
///
/// - Shapes: `table` holds n values for each of K subjects, stimuli in the same order.
/// - Undefined: `None` below two subjects or two stimuli, and where nothing varies.
/// - Reference: NumPy on the formula, and `scipy.stats.t`, to 1e-9; `docs/pages/project/calibration.md` has the coverage.
///
/// ```
/// use neurogauge_stats::crossed_mean;
/// // Stimuli do not differ: what is left is Student's t over the subjects' means 1, 2 and 3.
/// let found = crossed_mean(&[vec![1.0, 1.0], vec![2.0, 2.0], vec![3.0, 3.0]], 0.95).unwrap();
/// let (low, high) = found.interval.unwrap();
/// assert!((high - (2.0 + 4.3027 / 3_f64.sqrt())).abs() < 1e-4 && (low + high - 4.0).abs() < 1e-12);
/// ```
pub fn crossed_mean(table: &[Vec<f64>], level: f64) -> Option<TestedMean> {
    let (n_subjects, n_stimuli) = (table.len(), table.first().map_or(0, Vec::len));
    if n_subjects < 2 || n_stimuli < 2 {
        return None;
    }
    let (k, n) = (n_subjects as f64, n_stimuli as f64);
    let of_subjects: Vec<f64> = table.iter().map(|values| sum(values) / n).collect();
    let of_stimulus = |i: usize| table.iter().map(|values| values[i]).sum::<f64>() / k;
    let of_stimuli: Vec<f64> = (0..n_stimuli).map(of_stimulus).collect();
    let mean = sum(&of_subjects) / k;
    let squares = |values: &[f64]| values.iter().map(|v| (v - mean).powi(2)).sum::<f64>();
    let rest = table.iter().zip(&of_subjects).map(|(values, subject)| {
        let cells = values.iter().zip(&of_stimuli);
        let rest = cells.map(|(value, stimulus)| (value - subject - stimulus + mean).powi(2));
        rest.sum::<f64>()
    });
    let by_subject = n * squares(&of_subjects) / (k - 1.0);
    let by_stimulus = k * squares(&of_stimuli) / (n - 1.0);
    let residual = rest.sum::<f64>() / ((k - 1.0) * (n - 1.0));
    let total = (by_subject + by_stimulus - residual).max(by_subject.max(by_stimulus));
    let variance = total / (k * n);
    let largest = table.iter().flatten().fold(0.0_f64, |l, v| l.max(v.abs()));
    if variance.sqrt() <= 1e-12 * largest || variance == 0.0 {
        return None;
    }
    let df = total * total
        / (by_subject.powi(2) / (k - 1.0)
            + by_stimulus.powi(2) / (n - 1.0)
            + residual.powi(2) / ((k - 1.0) * (n - 1.0)));
    let standard_error = variance.sqrt();
    let reach = t_exceeded_with((1.0 - level) / 2.0, df) * standard_error;
    Some(TestedMean {
        p_value: t_two_sided(mean / standard_error, df),
        interval: Some((mean - reach, mean + reach)),
    })
}
