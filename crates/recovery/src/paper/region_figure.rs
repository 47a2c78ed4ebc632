//! Coverage of single directions beside their weights, by region (Figure 7).

use crate::aligned::{Aligned, Kind};
use neurogauge::align::{FitResult, MAIN_LENGTH};
use neurogauge::report::figures::{Band, Curve, CurvePanel, Curves};
use neurogauge::stats::mean;

/// A panel for each region.
pub(super) fn by_region(aligned: &Aligned) -> Curves {
    let n = aligned.settings().prefixes.min(MAIN_LENGTH);
    let regions = aligned.regions();
    let panels = regions.iter().map(|region| panel(aligned, region, n));
    Curves {
        title: "Single directions by region".to_owned(),
        x_label: "direction, by its rank in each fold's reference".to_owned(),
        y_label: "coverage (DirCov)".to_owned(),
        y_reaches: vec![0.0, 1.0],
        panels: panels.collect(),
        caption:
            "Lines: mean over sources, target units and folds. Area: share of the reference weight, mean over target \
                  units and folds. Late directions have little weight and vary from fold to fold."
                .to_owned(),
        ..Curves::default()
    }
}

fn panel(aligned: &Aligned, region: &str, n: usize) -> CurvePanel {
    let units = || aligned.units.iter().filter(|unit| unit.unit.roi == region);
    let references = || units().flat_map(|unit| &unit.references);
    let share = |direction: usize| {
        mean(references().filter_map(|own| {
            let total: f64 = own.weights.iter().sum();
            let weight = own.weights.get(direction).copied().unwrap_or(0.0);
            (total > 0.0).then(|| weight / total)
        }))
    };
    let place = |direction: usize| (direction + 1) as f64;
    let weights = (0..n).filter_map(|direction| Some((place(direction), 0.0, share(direction)?)));
    let curves = Kind::ALL.into_iter().filter_map(|kind| {
        let fits: Vec<&FitResult> = units()
            .flat_map(|unit| unit.sources.iter().map(move |source| (&unit.unit, source)))
            .filter(|(unit, source)| {
                let mut entries = aligned.of_unit(unit);
                let own = entries.find(|e| e.source == source.source && e.donor == source.donor);
                own.is_some_and(|entry| aligned.kind_of(entry) == kind)
            })
            .flat_map(|(_, source)| &source.fits)
            .collect();
        let covered = |direction: usize| {
            mean(fits.iter().filter_map(|fit| fit.profile.as_ref().ok()?.directional.get(direction).copied()))
        };
        let points: Vec<(f64, Option<f64>)> = (0..n).map(|direction| (place(direction), covered(direction))).collect();
        points.iter().any(|(_, value)| value.is_some()).then(|| Curve {
            label: kind.label().to_owned(),
            points,
            markers: true,
            dashed: kind == Kind::Subject,
            ..Curve::default()
        })
    });
    CurvePanel {
        title: region.to_owned(),
        bands: vec![Band {
            label: "reference weight".to_owned(),
            points: weights.collect(),
        }],
        curves: curves.collect(),
        ..CurvePanel::default()
    }
}
