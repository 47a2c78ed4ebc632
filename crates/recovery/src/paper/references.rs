//! Weights and directions of references (Figures 2 and 7), and the regularisations selected in fits (Appendix B).

use crate::aligned::{Aligned, Kind};
use itertools::Itertools;
use neurogauge::align::{Correlations, FitResult, MAIN_LENGTH, ReferenceResult};
use neurogauge::stats::{mean, quantile};
use serde_json::{Value, json};

/// Of the `n` references with a positive weight: mean share of the weight in the first k directions, for k = 1, 2, ..., up
/// to `n_shares`, in all and by region; and medians over target units of ranks, averaged over folds.
pub(super) fn weights(aligned: &Aligned, n_shares: usize) -> Value {
    let weighted = |region: Option<&str>| -> Vec<&ReferenceResult> {
        let own = aligned.units.iter().filter(|unit| region.is_none_or(|region| unit.unit.roi == region));
        own.flat_map(|unit| &unit.references).filter(|own| total(own) > 0.0).collect()
    };
    let cumulative = |references: &[&ReferenceResult]| -> Vec<f64> {
        let longest = references.iter().map(|own| own.weights.len()).max().unwrap_or(0);
        let first = |own: &ReferenceResult, k: usize| own.weights.iter().take(k).sum::<f64>();
        let share = |k: usize| mean(references.iter().map(|own| first(own, k) / total(own)));
        (1..=n_shares.min(longest)).filter_map(share).collect()
    };
    let median = |of: &dyn Fn(&ReferenceResult) -> Option<f64>| {
        let units = aligned.units.iter().filter_map(|unit| mean(unit.references.iter().filter_map(of)));
        quantile(&units.collect_vec(), 0.5).ok()
    };
    let all = weighted(None);
    let by_region = aligned.regions().into_iter().map(|region| (region, cumulative(&weighted(Some(region)))));
    json!({
        "n": all.len(),
        "cumulative": cumulative(&all),
        "by_region": by_region.filter(|(_, shares)| !shares.is_empty()).collect_vec(),
        "median_effective_rank": median(&|own| own.effective_rank),
        "median_consensus_rank": median(&ReferenceResult::rank_of_consensus),
    })
}

fn total(reference: &ReferenceResult) -> f64 {
    reference.weights.iter().sum()
}

/// The regularisations of all fits of sources: quartiles, the share of fits in which both are equal, Pearson's r of their
/// logarithms and Spearman's rho; null without a fit.
pub(super) fn penalties(aligned: &Aligned) -> Value {
    let fits = aligned.units.iter().flat_map(|unit| &unit.sources).flat_map(|source| &source.fits);
    let (subspace, readout): (Vec<f64>, Vec<f64>) = fits.map(|fit| (fit.selection.alpha, fit.readout_alpha)).unzip();
    if subspace.is_empty() {
        return Value::Null;
    }
    let n_equal = subspace.iter().zip(&readout).filter(|(one, other)| one == other).count();
    let [logs, of_readout] = [&subspace, &readout].map(|all| all.iter().map(|alpha| alpha.log10()).collect_vec());
    let quartiles = |all: &[f64]| json!({"quartiles": ([0.25, 0.5, 0.75].map(|q| quantile(all, q).ok()))});
    let mut found = json!(Correlations::new(&logs, &of_readout));
    found["subspace"] = quartiles(&subspace);
    found["readout"] = quartiles(&readout);
    found["equal"] = json!(n_equal as f64 / subspace.len() as f64);
    found
}

/// For each region, by the rank of directions in each fold: mean share of the reference weight, and mean DirCov over
/// sources, target units and folds by kind of source.
pub(super) fn directions(aligned: &Aligned) -> Vec<Value> {
    let n = aligned.settings().prefixes.min(MAIN_LENGTH);
    let of_region = |region: &str| {
        let units = || aligned.units.iter().filter(|unit| unit.unit.roi == region);
        let share = |direction: usize| {
            let references = units().flat_map(|unit| &unit.references).filter(|own| total(own) > 0.0);
            mean(references.map(|own| own.weights.get(direction).copied().unwrap_or(0.0) / total(own)))
        };
        let coverage = Kind::ALL.into_iter().filter_map(|kind| {
            let sources = units().flat_map(|unit| &unit.sources);
            let own = sources.filter(|source| aligned.kind((&source.source, source.donor)) == kind);
            let fits: Vec<&FitResult> = own.flat_map(|source| &source.fits).collect();
            let at =
                |fit: &&FitResult, direction: usize| fit.profile.as_ref().ok()?.directional.get(direction).copied();
            let covered = (0..n).map(|direction| mean(fits.iter().filter_map(|fit| at(fit, direction)))).collect_vec();
            covered.iter().any(Option::is_some).then(|| (kind.label(), covered))
        });
        json!({"region": region, "weights": (0..n).filter_map(share).collect_vec(), "coverage": coverage.collect_vec()})
    };
    aligned.regions().into_iter().map(of_region).collect()
}
