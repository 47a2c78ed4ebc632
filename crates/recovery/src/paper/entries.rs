//! What entries (a source and a target unit) and references show: scores as points and quartiles, whether profiles hold on
//! the next fold (Figure 12), weights and directions (Figures 2 and 7), and the regularisations selected in fits
//! (Appendix B).

use crate::aligned::{Aligned, Kind};
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::align::{Correlations, MAIN_LENGTH, ReferenceResult, UnitScore};
use neurogauge::stats::{mean, quantile};
use serde_json::{Value, json};

/// All entries. `next_fold` is ProfileMean against the next fold's reference, `next_ratio` that over the same fold's.
pub(super) fn all(aligned: &Aligned) -> Result<Vec<Value>, Error> {
    let of = |entry: &UnitScore| {
        let row = json!({
            "kind": aligned.kind_of(entry),
            "next_fold": of_both_folds(entry).map(|(_, next)| next),
            "next_ratio": next_ratio(entry),
            "stability": entry.stability,
        });
        aligned.with(row, |quantity| Ok(quantity(entry)))
    };
    aligned.entries.iter().map(of).collect()
}

/// The lowest accuracy in the highest quarter of models' entries; null without a model that has a BrainRefScore.
pub(super) fn high_accuracy(aligned: &Aligned) -> Value {
    let scored = aligned.of_models().filter(|entry| entry.brain_ref_score().is_some());
    let accuracies: Vec<f64> = scored.map(|entry| entry.accuracy).collect();
    let threshold = quantile(&accuracies, 0.75).ok();
    json!(threshold.map(|threshold| json!({"threshold": threshold, "n_entries": accuracies.len()})))
}

/// ProfileMean of models against the next fold's reference beside that against their own; null if no entry has both.
pub(super) fn next_fold(aligned: &Aligned) -> Value {
    if !aligned.entries.iter().any(|entry| next_ratio(entry).is_some()) {
        return Value::Null;
    }
    let (same, next): (Vec<f64>, Vec<f64>) = aligned.of_models().filter_map(of_both_folds).unzip();
    let mut found = json!(Correlations::new(&same, &next));
    found["mean_ratio"] = json!(mean(aligned.of_models().filter_map(next_ratio)));
    found
}

/// ProfileMean of an entry against the reference of its own fold and of the next one.
fn of_both_folds(entry: &UnitScore) -> Option<(f64, f64)> {
    Some((entry.profile_mean()?, entry.recovered()?.next_fold?))
}

/// The next fold's over the same fold's, unless that is 0.
fn next_ratio(entry: &UnitScore) -> Option<f64> {
    of_both_folds(entry).filter(|(same, _)| *same != 0.0).map(|(same, next)| next / same)
}

/// Of the `n` references with a positive weight: mean share of the weight in the first k directions, for k = 1, 2, ..., up
/// to `n_shares`, in all and by region; and medians over target units of ranks, averaged over folds.
pub(super) fn weights(aligned: &Aligned, n_shares: usize) -> Value {
    let cumulative = |region: Option<&str>| {
        let (_, shares) = shares(aligned, region);
        (1..=shares.len().min(n_shares)).map(|k| shares[..k].iter().sum::<f64>()).collect_vec()
    };
    let median = |of: &dyn Fn(&ReferenceResult) -> Option<f64>| {
        let units = aligned.units.iter().filter_map(|unit| mean(unit.references.iter().filter_map(of)));
        quantile(&units.collect_vec(), 0.5).ok()
    };
    let by_region = aligned.regions().into_iter().map(|region| (region, cumulative(Some(region))));
    json!({
        "n": shares(aligned, None).0,
        "cumulative": cumulative(None),
        "by_region": by_region.filter(|(_, shares)| !shares.is_empty()).collect_vec(),
        "median_effective_rank": median(&|own| own.effective_rank),
        "median_consensus_rank": median(&ReferenceResult::rank_of_consensus),
    })
}

/// The number of references of a region, or of all, with a positive weight, and the mean share of each direction in it.
fn shares(aligned: &Aligned, region: Option<&str>) -> (usize, Vec<f64>) {
    let units = aligned.units.iter().filter(|unit| region.is_none_or(|region| unit.unit.roi == region));
    let all = units.flat_map(|unit| &unit.references).map(|own| (own, own.weights.iter().sum::<f64>()));
    let weighted = all.filter(|(_, total)| *total > 0.0).collect_vec();
    let longest = weighted.iter().map(|(own, _)| own.weights.len()).max().unwrap_or(0);
    let share = |k: usize| mean(weighted.iter().map(|(own, total)| own.weights.get(k).unwrap_or(&0.0) / total));
    (weighted.len(), (0..longest).filter_map(share).collect())
}

/// The regularisations of all fits of sources: quartiles, the share of fits in which both are equal, Pearson's r of their
/// logarithms and Spearman's rho; null without a fit.
pub(super) fn penalties(aligned: &Aligned) -> Value {
    let fits = aligned.units.iter().flat_map(|unit| &unit.sources).flat_map(|source| &source.fits);
    let (subspace, readout): (Vec<f64>, Vec<f64>) = fits.map(|fit| (fit.selection.alpha, fit.readout_alpha)).unzip();
    let Some(equal) = mean(subspace.iter().zip(&readout).map(|(one, other)| f64::from(one == other))) else {
        return Value::Null;
    };
    let [logs, of_readout] = [&subspace, &readout].map(|all| all.iter().map(|alpha| alpha.log10()).collect_vec());
    let quartiles = |all: &[f64]| json!({"quartiles": ([0.25, 0.5, 0.75].map(|q| quantile(all, q).ok()))});
    let mut found = json!(Correlations::new(&logs, &of_readout));
    found["subspace"] = quartiles(&subspace);
    found["readout"] = quartiles(&readout);
    found["equal"] = json!(equal);
    found
}

/// For each region, by the rank of directions in each fold: mean share of the reference weight, and mean DirCov over
/// sources, target units and folds by kind of source.
pub(super) fn directions(aligned: &Aligned) -> Vec<Value> {
    let n = aligned.config.settings.prefixes.min(MAIN_LENGTH);
    let of_region = |region: &str| {
        let coverage = Kind::ALL.into_iter().filter_map(|kind| {
            let units = aligned.units.iter().filter(|unit| unit.unit.roi == region);
            let sources = units.flat_map(|unit| &unit.sources);
            let own = sources.filter(|source| aligned.kind(&source.source, source.donor) == kind);
            let profiles =
                own.flat_map(|source| &source.fits).filter_map(|fit| fit.profile.as_ref().ok()).collect_vec();
            let at = |k: usize| mean(profiles.iter().filter_map(|profile| profile.directional.get(k).copied()));
            let covered = (0..n).map(at).collect_vec();
            covered.iter().any(Option::is_some).then_some((kind, covered))
        });
        let (n_weighted, mut weights) = shares(aligned, Some(region));
        weights.resize(if n_weighted > 0 { n } else { 0 }, 0.0);
        json!({"region": region, "weights": weights, "coverage": coverage.collect_vec()})
    };
    aligned.regions().into_iter().map(of_region).collect()
}
