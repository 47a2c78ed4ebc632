//! Coverage of single directions and their weights, by region (Figure 7).

use crate::aligned::{Aligned, Kind};
use neurogauge::align::{FitResult, MAIN_LENGTH};
use neurogauge::stats::mean;
use serde::Serialize;

/// The directions of a region's references, by their rank in each fold.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RegionDirections {
    pub region: String,
    /// Mean share of the reference weight over target units and folds.
    pub weights: Vec<f64>,
    /// Mean DirCov over sources, target units and folds, by kind of source.
    pub coverage: Vec<(String, Vec<Option<f64>>)>,
}

/// One for each region.
pub(super) fn by_region(aligned: &Aligned) -> Vec<RegionDirections> {
    let n = aligned.settings().prefixes.min(MAIN_LENGTH);
    aligned.regions().into_iter().map(|region| of_region(aligned, region, n)).collect()
}

fn of_region(aligned: &Aligned, region: &str, n: usize) -> RegionDirections {
    let units = || aligned.units.iter().filter(|unit| unit.unit.roi == region);
    let share = |direction: usize| {
        mean(units().flat_map(|unit| &unit.references).filter_map(|own| {
            let total: f64 = own.weights.iter().sum();
            let weight = own.weights.get(direction).copied().unwrap_or(0.0);
            (total > 0.0).then(|| weight / total)
        }))
    };
    let coverage = Kind::ALL.into_iter().filter_map(|kind| {
        let fits: Vec<&FitResult> = units()
            .flat_map(|unit| unit.sources.iter().map(move |source| (&unit.unit, source)))
            .filter(|(unit, source)| {
                let mut entries = aligned.of_unit(unit);
                let own = entries.find(|e| e.source == source.source && e.donor == source.donor);
                own.is_some_and(|entry| aligned.kind_of(entry) == kind)
            })
            .flat_map(|(_, source)| &source.fits)
            .collect();
        let covered = (0..n).map(|direction| {
            mean(fits.iter().filter_map(|fit| fit.profile.as_ref().ok()?.directional.get(direction).copied()))
        });
        let covered: Vec<Option<f64>> = covered.collect();
        covered.iter().any(Option::is_some).then(|| (kind.label().to_owned(), covered))
    });
    RegionDirections {
        region: region.to_owned(),
        weights: (0..n).filter_map(share).collect(),
        coverage: coverage.collect(),
    }
}
