//! The differences between systems, with their tests corrected for many comparisons.

use super::options::{CompareOptions, HolmFamily};
use crate::Error;
use neurogauge_core::Dimension;
use neurogauge_stats::{Comparison, Verdict};
use serde::Serialize;

/// A difference between two systems, with names.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NamedDifference {
    /// Metric id.
    pub metric: &'static str,
    /// The dimension of the metric, where it is compared by dimension.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dimension: Option<Dimension>,
    /// The system subtracted from.
    pub minuend: String,
    /// The system subtracted.
    pub subtrahend: String,
    /// The difference, `None` where it is undefined.
    pub difference: Option<f64>,
    /// Number of pairs behind it.
    pub n: usize,
    /// Number of stimuli that they show, where several show the same one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_stimuli: Option<usize>,
    /// The differences that the test does not reject (convention `paired-test`).
    pub interval: Option<(f64, f64)>,
    /// Two-sided p value of the test (convention `paired-test`), not corrected for many comparisons. `None` where nothing
    /// is tested: for placeholder models, and for metrics that were only reported along with a requested one.
    pub p_value: Option<f64>,
    /// The smallest p value that the test could give for so many pairs and differences.
    pub smallest_p: Option<f64>,
    /// The p value after Holm's correction over its [`HolmFamily`].
    pub p_holm: Option<f64>,
    /// The verdict at significance level 1 − the level of the intervals.
    pub verdict: Option<Verdict>,
    /// The skewness of the pairs' differences, where it is strong (convention `strong-skewness`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub strong_skewness: Option<f64>,
}

impl NamedDifference {
    /// Is the other one a difference by the same metric and dimension?
    pub(super) fn is_by_same(&self, other: &NamedDifference) -> bool {
        (self.metric, self.dimension) == (other.metric, other.dimension)
    }

    /// The name of its dimension or metric.
    pub(super) fn by(&self) -> String {
        match self.dimension {
            Some(dimension) => dimension.label(),
            None => self.metric.to_owned(),
        }
    }
}

/// A comparison with its name.
pub(super) struct Tested<'a> {
    /// Metric id.
    pub(super) id: &'static str,
    /// The dimension of the metric, if it is one.
    pub(super) dimension: Option<Dimension>,
    /// Do its p values count?
    pub(super) is_tested: bool,
    pub(super) comparison: &'a Comparison,
}

/// Every difference between two systems, comparison by comparison.
pub(super) fn differences<'a>(
    systems: &[String],
    compared: impl Iterator<Item = Tested<'a>>,
    n_family: usize,
    options: &CompareOptions,
) -> Result<Vec<NamedDifference>, Error> {
    let of_metric = |tested: Tested<'a>| {
        let Tested {
            id,
            dimension,
            is_tested,
            comparison,
        } = tested;
        let found = comparison.differences.iter();
        let smallest = options.smallest_p(comparison.n_stimuli, n_family);
        let (n_pairs, n_stimuli) = (comparison.n_shared, comparison.n_stimuli);
        let named = found.map(move |difference| {
            let p_value = difference.p_value.filter(|_| is_tested);
            NamedDifference {
                metric: id,
                dimension,
                minuend: systems[difference.minuend].clone(),
                subtrahend: systems[difference.subtrahend].clone(),
                difference: difference.value.as_ref().ok().copied(),
                n: n_pairs,
                n_stimuli: Some(n_stimuli).filter(|n| *n != n_pairs),
                interval: difference.interval,
                p_value,
                smallest_p: p_value.map(|_| smallest),
                p_holm: None,
                verdict: None,
                strong_skewness: difference.strong_skewness,
            }
        });
        named.collect::<Vec<_>>()
    };
    let mut found: Vec<NamedDifference> = compared.flat_map(of_metric).collect();
    let alpha = 1.0 - options.bootstrap.level;
    match options.holm {
        HolmFamily::Metric => found
            .chunk_by_mut(|one, next| one.is_by_same(next))
            .try_for_each(|family| correct(family, alpha))?,
        HolmFamily::All => correct(&mut found, alpha)?,
    }
    Ok(found)
}

/// Holm's correction over these differences.
fn correct(family: &mut [NamedDifference], alpha: f64) -> Result<(), Error> {
    let tested = |found: &NamedDifference| Some((found.p_value?, found.smallest_p?));
    let tests: Vec<(f64, f64)> = family.iter().filter_map(tested).collect();
    let corrected = Verdict::corrected(&tests, alpha)?;
    let with_p = family.iter_mut().filter(|found| found.p_value.is_some());
    for (difference, (p, verdict)) in with_p.zip(corrected) {
        (difference.p_holm, difference.verdict) = (Some(p), Some(verdict));
    }
    Ok(())
}
