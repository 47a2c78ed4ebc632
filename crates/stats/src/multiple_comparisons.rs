//! p values corrected for multiple comparisons.

use crate::StatsError;
use crate::error::check_lengths;
use crate::ranks::ascending;

/// Holm's correction: the probability of any false discovery among all comparisons stays below the level that the
/// corrected p values are compared with.
///
/// The i-th smallest of m p values is multiplied by m − i + 1; none becomes smaller than the previous one, or larger
/// than 1.
///
/// - Shapes: `m` p values in, `m` corrected ones out, in the same order.
/// - Errors: a p value outside 0 to 1 or NaN.
/// - Reference: `pingouin.multicomp(method="holm")` 0.7.0 to 1e-15.
///
/// ```
/// use neurogauge_stats::holm;
/// assert_eq!(holm(&[0.5, 0.125, 0.03125]).unwrap(), [0.5, 0.25, 0.09375]);
/// ```
pub fn holm(p_values: &[f64]) -> Result<Vec<f64>, StatsError> {
    check(p_values)?;
    let m = p_values.len();
    let mut corrected = vec![0.0; m];
    let mut largest = 0.0_f64;
    for (before, index) in ascending(p_values).into_iter().enumerate() {
        largest = largest.max((p_values[index] * (m - before) as f64).min(1.0));
        corrected[index] = largest;
    }
    Ok(corrected)
}

/// The tests that could reject at `alpha` after Holm's correction: those that would reject if their p value were the
/// smallest possible and all others stayed the same.
///
/// If a test could not reject, its failure to reject means nothing: there are too few pairs, or too many tests.
///
/// - Shapes: `m` p values, and for each the smallest p value that its test can give.
/// - Errors: those of [`holm`], and samples of different lengths.
/// - Reference: `pingouin.multicomp(method="holm")` 0.7.0 with each p value in turn replaced.
///
/// ```
/// use neurogauge_stats::holm_can_reject;
/// // Three tests of five pairs cannot reject, three tests of eight pairs can.
/// assert_eq!(holm_can_reject(&[0.5, 0.75, 1.0], &[0.0625; 3], 0.05).unwrap(), [false; 3]);
/// assert_eq!(holm_can_reject(&[0.5, 0.75, 1.0], &[1.0 / 128.0; 3], 0.05).unwrap(), [true; 3]);
/// ```
pub fn holm_can_reject(p_values: &[f64], smallest: &[f64], alpha: f64) -> Result<Vec<bool>, StatsError> {
    check(p_values)?;
    check(smallest)?;
    check_lengths(p_values.len(), smallest.len())?;
    let mut ordered = p_values.to_vec();
    ordered.sort_unstable_by(f64::total_cmp);
    let factor = |before: usize| (ordered.len() - before) as f64;
    let is_rejected = |&place: &usize| ordered[place] * factor(place) <= alpha;
    // Corrected p values do not decrease, so all smaller ones must be rejected too.
    let n_rejected = (0..ordered.len()).take_while(is_rejected).count();
    let could = |(p, smallest): (&f64, &f64)| {
        let smallest = smallest.min(*p);
        let before = ordered.partition_point(|own| *own < smallest);
        before <= n_rejected && smallest * factor(before) <= alpha
    };
    Ok(p_values.iter().zip(smallest).map(could).collect())
}

fn check(p_values: &[f64]) -> Result<(), StatsError> {
    match p_values.iter().find(|p| !(0.0..=1.0).contains(*p)) {
        Some(p) => Err(StatsError::option("p value", p, "a number from 0 to 1")),
        None => Ok(()),
    }
}
