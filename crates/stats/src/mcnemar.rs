//! A test whether two systems fail equally often.

use crate::incomplete_beta::beta_tails;

/// The p value of McNemar's exact test (1947): among the items at which only one of two systems fails, is each system
/// equally likely to be the one?
///
/// If so, the number of these n items at which a given system fails is binomial(n, 1/2), and p = min(1, 2 P(X ≤ min(b,
/// c))).
///
/// - Range: 0 to 1; 1 if there is no such item.
/// - Reference: `scipy.stats.binomtest(b, b + c).pvalue` 1.17.1, to 1e-12.
///
/// ```
/// // Six items fail for one system alone, none for the other: 2 / 2⁶.
/// assert!((neurogauge_stats::mcnemar_test(6, 0) - 1.0 / 32.0).abs() < 1e-15);
/// ```
pub fn mcnemar_test(only_one: usize, only_other: usize) -> f64 {
    let (fewer, n) = (only_one.min(only_other), only_one + only_other);
    match 2 * fewer == n {
        true => 1.0,
        // P(X ≤ k) is the share of a beta(n − k, k + 1) distribution below one half.
        false => (2.0 * beta_tails((n - fewer) as f64, fewer as f64 + 1.0, 0.5, 0.5).0).min(1.0),
    }
}
