//! Sources beside the subjects of a region, from resamples of stimuli: what RSA and encoding models have in common.

use crate::{AlignmentError, TwoFactorEstimate};
use neurogauge_core::Outcome;
use neurogauge_stats::{BootstrapOptions, resample};
use serde::Serialize;

/// What is estimated of a source. From `R` on, the value is a mean over voxels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Quantity {
    /// Of the dissimilarities of source and subject.
    Similarity,
    /// The similarity of a subject to the mean of the others: what a source that knows what subjects share reaches at
    /// least.
    LowerCeiling,
    /// The similarity of a subject to the mean of all: no source exceeds it, or hardly.
    UpperCeiling,
    /// The lower ceiling minus the similarity.
    BelowCeiling,
    R,
    /// r², whose mean is above 0 for a source without information.
    RSquared,
    /// The share of variance that predictions explain, R².
    Explained,
    /// The largest r: the root of the reliability, 0 if that is negative.
    RCeiling,
    /// The explainable share of the variance: the reliability.
    Explainable,
    RRelative,
    RSquaredRelative,
    ExplainedRelative,
}

/// The difference between two sources.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RegionDifference {
    /// Positions of the sources.
    pub minuend: usize,
    pub subtrahend: usize,
    /// Of their first quantity.
    pub estimate: TwoFactorEstimate,
}

/// The sources in a region of several subjects.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RegionEstimates {
    /// Number of stimuli that all subjects and sources have.
    pub n_shared: usize,
    /// For each source every quantity; ceilings of similarity only for two and more subjects.
    pub sources: Vec<Vec<(Quantity, TwoFactorEstimate)>>,
    pub differences: Vec<RegionDifference>,
}

impl RegionEstimates {
    pub fn get(&self, source: usize, quantity: Quantity) -> Option<&TwoFactorEstimate> {
        self.sources.get(source)?.iter().find(|(own, _)| *own == quantity).map(|(_, found)| found)
    }
}

/// The quantities of each source, for each subject.
pub(crate) type SubjectValues = Vec<Vec<Vec<Outcome>>>;

/// Estimates from `values`, which gets the number of copies of each stimulus in a resample.
///
/// Each quantity comes with whether a value of 0 is tested; sources are only tested against each other if their first one
/// is. p takes `variances` times the variance of resamples.
pub(crate) fn estimate_region(
    quantities: &[(Quantity, bool)],
    (n_stimuli, n_shared): (usize, usize),
    (options, variances): (&BootstrapOptions, f64),
    values: impl Fn(&[u32]) -> SubjectValues + Sync,
) -> Result<RegionEstimates, AlignmentError> {
    options.check()?;
    let observed = values(&vec![1; n_stimuli]);
    let drawn = resample(n_stimuli, options, |drawn| {
        let mut counts = vec![0; n_stimuli];
        drawn.iter().for_each(|&stimulus| counts[stimulus as usize] += 1);
        values(&counts)
    })?;
    let estimate = |of: &dyn Fn(&[Vec<Outcome>]) -> Outcome, is_tested: bool| {
        let all = |values: &SubjectValues| values.iter().map(|own| of(own)).collect::<Vec<Outcome>>();
        let drawn = drawn.iter().filter_map(|values| all(values).into_iter().collect::<Result<Vec<f64>, _>>().ok());
        let drawn: Vec<Vec<f64>> = drawn.collect();
        let spread = (options.level, variances);
        let mut found = TwoFactorEstimate::new(all(&observed), &drawn, n_shared, spread);
        found.p = found.p.filter(|_| is_tested);
        found
    };
    let n_sources = observed.first().map_or(0, Vec::len);
    let of_source = |source: usize| {
        let of = |(place, &(quantity, is_tested)): (usize, &(Quantity, bool))| {
            (quantity, estimate(&|own| own[source][place].clone(), is_tested))
        };
        quantities.iter().enumerate().map(of).collect()
    };
    let mut sources: Vec<Vec<(Quantity, TwoFactorEstimate)>> = (0..n_sources).map(of_source).collect();
    for place in 0..quantities.len() {
        TwoFactorEstimate::correct(sources.iter_mut().map(|own| &mut own[place].1))?;
    }
    let pairs = (0..n_sources).flat_map(|a| (a + 1..n_sources).map(move |b| (a, b)));
    let is_tested = quantities.first().is_some_and(|(_, is_tested)| *is_tested);
    let difference = |(minuend, subtrahend): (usize, usize)| RegionDifference {
        minuend,
        subtrahend,
        estimate: estimate(&|own| Ok(own[minuend][0].clone()? - own[subtrahend][0].clone()?), is_tested),
    };
    let mut differences: Vec<RegionDifference> = pairs.map(difference).collect();
    TwoFactorEstimate::correct(differences.iter_mut().map(|own| &mut own.estimate))?;
    Ok(RegionEstimates {
        n_shared,
        sources,
        differences,
    })
}
