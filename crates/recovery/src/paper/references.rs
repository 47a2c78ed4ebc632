//! The number of directions of references (Figure 2), and the regularisations selected in fits (Appendix B).

use super::high_accuracy::Quartiles;
use crate::aligned::Aligned;
use neurogauge::align::{FitResult, ReferenceResult};
use neurogauge::core::{Outcome, Undefined};
use neurogauge::stats::{mean, pearson, quantile, spearman};
use serde::Serialize;

/// Weights of all references; there is one for each target unit and fold.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ReferenceWeights {
    /// Number of references with a positive weight.
    pub n: usize,
    /// Mean share of the weight in the first k directions, for k = 1, 2, ...
    pub cumulative: Vec<f64>,
    /// The shares for each region, in the order of the units.
    pub by_region: Vec<(String, Vec<f64>)>,
    /// Median over target units of the effective rank, averaged over folds; `None` without a reference.
    pub median_effective_rank: Option<f64>,
    /// Median over target units of the rank of the consensus, averaged over folds; `None` without a reference.
    pub median_consensus_rank: Option<f64>,
}

/// The regularisations that were selected in all fits of sources.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SelectedPenalties {
    pub n: usize,
    pub subspace: Quartiles,
    pub readout: Quartiles,
    /// Share of fits in which both regularisations are equal.
    pub equal: f64,
    /// Pearson's r of their logarithms, or the reason why there is none.
    #[serde(with = "neurogauge::core::recorded")]
    pub pearson: Outcome,
    /// Spearman's rho of the two, or the reason why there is none.
    #[serde(with = "neurogauge::core::recorded")]
    pub spearman: Outcome,
}

/// The weights with `n_shares` shares, or fewer if references have fewer directions.
pub(super) fn weights(aligned: &Aligned, n_shares: usize) -> ReferenceWeights {
    let weighted = |region: Option<&str>| -> Vec<&ReferenceResult> {
        let own = aligned.units.iter().filter(|unit| region.is_none_or(|region| unit.unit.roi == region));
        own.flat_map(|unit| &unit.references).filter(|own| total(own) > 0.0).collect()
    };
    let regions = aligned.regions().into_iter();
    let all = weighted(None);
    let median = |of: &dyn Fn(&ReferenceResult) -> Option<f64>| {
        let units = aligned.units.iter().filter_map(|unit| mean(unit.references.iter().filter_map(of)));
        quantile(&units.collect::<Vec<f64>>(), 0.5).ok()
    };
    ReferenceWeights {
        n: all.len(),
        cumulative: cumulative(&all, n_shares),
        by_region: regions
            .map(|region| (region.to_owned(), cumulative(&weighted(Some(region)), n_shares)))
            .filter(|(_, shares)| !shares.is_empty())
            .collect(),
        median_effective_rank: median(&|own| own.effective_rank),
        median_consensus_rank: median(&ReferenceResult::rank_of_consensus),
    }
}

fn total(reference: &ReferenceResult) -> f64 {
    reference.weights.iter().sum()
}

/// The mean share of the weight that the first k directions have, for k = 1, 2, ...
fn cumulative(references: &[&ReferenceResult], n_shares: usize) -> Vec<f64> {
    let longest = references.iter().map(|own| own.weights.len()).max();
    let share = |k: usize| {
        mean(references.iter().map(|own| {
            let first: f64 = own.weights.iter().take(k).sum();
            first / total(own)
        }))
    };
    (1..=n_shares.min(longest.unwrap_or(0))).filter_map(share).collect()
}

/// The regularisations; `None` without a fit.
pub(super) fn penalties(aligned: &Aligned) -> Option<SelectedPenalties> {
    let sources = aligned.units.iter().flat_map(|unit| &unit.sources);
    let fits: Vec<&FitResult> = sources.flat_map(|source| &source.fits).collect();
    let subspace: Vec<f64> = fits.iter().map(|fit| fit.selection.alpha).collect();
    let readout: Vec<f64> = fits.iter().map(|fit| fit.readout_alpha).collect();
    let n_equal = subspace.iter().zip(&readout).filter(|(one, other)| one == other).count();
    let logs = |values: &[f64]| values.iter().map(|alpha| alpha.log10()).collect::<Vec<f64>>();
    let too_few = Err(Undefined::TooFewItems);
    Some(SelectedPenalties {
        n: fits.len(),
        subspace: Quartiles::of(&subspace)?,
        readout: Quartiles::of(&readout)?,
        equal: n_equal as f64 / fits.len() as f64,
        pearson: pearson(&logs(&subspace), &logs(&readout)).unwrap_or(too_few.clone()),
        spearman: spearman(&subspace, &readout).unwrap_or(too_few),
    })
}
