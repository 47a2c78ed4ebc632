//! Means over subjects and stimuli that generalise to other subjects and other stimuli.

use crate::TestedMean;
use crate::distributions::{t_exceeded_with, t_two_sided};
use crate::summation::sum;

/// With fewer subjects, nothing is inferred about others: four or fewer show too little of how subjects vary.
pub const FEWEST_SUBJECTS: usize = 5;

/// The mean of a table of K subjects by n stimuli, as an estimate for all possible subjects and stimuli: its interval,
/// and the p value of a mean of zero. Cells may be missing; the mean is that of the K subjects' means, each over its
/// n_s cells.
///
/// For y_si = μ + a_s + b_i + e_si with independent a, b and e, the variance of the mean is that of independent
/// subjects plus what their means share through stimuli, V = A + C with
///
/// - A = Σ_s (m_s − m)² / (K (K − 1)),
/// - C, the mean over pairs of subjects s ≠ t of n_st c_st / (n_s n_t), where c_st is the covariance of their values at
///   the n_st stimuli that both have;
///
/// but at least A, and at least the variance over stimuli alone, B = Σ_i (Σ_s (y_si − m_s) / √(n_s (n_s − 1)))² / K².
/// Without missing cells this is the two-way analysis of variance (Cornfield and Tukey, 1956), max(MS_a + MS_b − MS_e,
/// MS_a, MS_b) / (K n). Subjects may also have separate stimuli; then C is 0. Student's t has Satterthwaite's degrees
/// of freedom, V² / (A² / (K − 1) + B² / (n − 1) + f (B − C)² / d) with d = cells − K − n + 1 and f the share of a
/// subject's stimuli that another one has on average. They are close to K − 1 if subjects differ and to n − 1 if they
/// do not. The interval is the mean ± Student's quantile · √V, so p ≤ 1 − `level` exactly if it excludes 0.
///
/// - Shapes: `table` holds n cells for each of K subjects, stimuli in the same order.
/// - Missing cells are assumed to be missing at random, for reasons unrelated to their values.
/// - Undefined: `None` below two subjects, if a subject has fewer than two cells, and if nothing varies.
/// - Reference: without missing cells the analysis of variance by hand, to 1e-12, and REML by statsmodels 0.15
///   (`MixedLM` with crossed effects), whose standard error it matches to 1e-5, and to 2% with 15% missing cells.
///   `docs/pages/project/calibration.md` has the coverage.
///
/// ```
/// use neurogauge_stats::crossed_mean;
/// // Stimuli do not differ: what is left is Student's t over the subjects' means 1, 2 and 3.
/// let table = [vec![Some(1.0), Some(1.0)], vec![Some(2.0), Some(2.0)], vec![Some(3.0), Some(3.0)]];
/// let (low, high) = crossed_mean(&table, 0.95).unwrap().interval.unwrap();
/// assert!((high - (2.0 + 4.3027 / 3_f64.sqrt())).abs() < 1e-4 && (low + high - 4.0).abs() < 1e-12);
/// ```
pub fn crossed_mean(table: &[Vec<Option<f64>>], level: f64) -> Option<TestedMean> {
    let n_columns = table.first().map_or(0, Vec::len);
    let counts: Vec<f64> = (table.iter()).map(|cells| cells.iter().flatten().count() as f64).collect();
    if table.len() < 2 || counts.iter().any(|&n| n < 2.0) {
        return None;
    }
    let of_subject = |(cells, n): (&Vec<Option<f64>>, &f64)| cells.iter().flatten().sum::<f64>() / n;
    let of_subjects: Vec<f64> = table.iter().zip(&counts).map(of_subject).collect();
    let k = table.len() as f64;
    let mean = sum(&of_subjects) / k;
    let stimuli: Vec<usize> = (0..n_columns).filter(|&i| table.iter().any(|cells| cells[i].is_some())).collect();
    let n = stimuli.len() as f64;

    let by_subject = of_subjects.iter().map(|own| (own - mean).powi(2)).sum::<f64>() / (k * (k - 1.0));
    let of_stimulus = |&i: &usize| {
        let cells = table.iter().zip(of_subjects.iter().zip(&counts));
        let scaled = |deviation: f64, of: f64| deviation / (of * (of - 1.0)).sqrt();
        cells.filter_map(|(cells, (own, of))| Some(scaled(cells[i]? - own, *of))).sum::<f64>().powi(2)
    };
    let by_stimulus = stimuli.iter().map(of_stimulus).sum::<f64>() / (k * k);
    let n_pairs = k * (k - 1.0) / 2.0;
    let pairs = (0..table.len()).flat_map(|s| (0..s).map(move |t| (s, t)));
    let (common, n_common) = pairs.fold((0.0, 0.0), |(common, n_common), (s, t)| {
        let (n, covariance) = shared_covariance(&table[s], &table[t]);
        (common + n * covariance / (counts[s] * counts[t]), n_common + n)
    });
    let common = common / n_pairs;
    let share = n_common / n_pairs / (sum(&counts) / k);

    let variance = (by_subject + common).max(by_subject.max(by_stimulus));
    let largest = table.iter().flatten().flatten().fold(0.0_f64, |l, v| l.max(v.abs()));
    if variance.sqrt() <= 1e-12 * largest || variance == 0.0 {
        return None;
    }
    let rest = (by_stimulus - common).max(0.0);
    let of_rest = (sum(&counts) - k - n + 1.0).max(1.0);
    let df = variance * variance
        / (by_subject.powi(2) / (k - 1.0) + by_stimulus.powi(2) / (n - 1.0) + share * rest.powi(2) / of_rest);
    let standard_error = variance.sqrt();
    let reach = t_exceeded_with((1.0 - level) / 2.0, df) * standard_error;
    Some(TestedMean {
        p_value: t_two_sided(mean / standard_error, df),
        interval: Some((mean - reach, mean + reach)),
    })
}

/// The number of stimuli that two subjects have in common, and the covariance of their values there; 0 with fewer than
/// two.
fn shared_covariance(one: &[Option<f64>], other: &[Option<f64>]) -> (f64, f64) {
    let both = || (one.iter().zip(other)).filter_map(|(a, b)| Some(((*a)?, (*b)?)));
    let n = both().count() as f64;
    if n < 2.0 {
        return (n, 0.0);
    }
    let (of_one, of_other) = both().fold((0.0, 0.0), |(a, b), (x, y)| (a + x / n, b + y / n));
    let products = both().map(|(x, y)| (x - of_one) * (y - of_other));
    (n, products.sum::<f64>() / (n - 1.0))
}
