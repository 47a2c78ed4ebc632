//! Coverage of single directions and their weights, by region (Figure 7).

use super::PaperReport;
use crate::aligned::{Aligned, Kind};
use neurogauge::Drawn;
use neurogauge::align::{FitResult, MAIN_LENGTH};
use neurogauge::report::figures::{Band, Curve, CurvePanel, Curves};
use neurogauge::stats::mean;

/// One panel for each region; `None` without a reference.
pub(super) fn by_region(report: &PaperReport) -> Drawn {
    let aligned = &report.aligned;
    let n = aligned.settings().prefixes.min(MAIN_LENGTH);
    let panels = aligned.regions().into_iter().map(|region| panel(aligned, region, n));
    let caption = "Lines: mean over sources, target units and folds. Area: share of the reference weight, mean over target \
                   units and folds. Late directions have little weight and vary from fold to fold.";
    let figure = Curves {
        x_label: "direction, by its rank in each fold's reference".to_owned(),
        y_label: "coverage (DirCov)".to_owned(),
        y_reaches: vec![0.0, 1.0],
        ..Curves::of("Single directions by region", panels.collect(), caption)
    };
    (!report.record.references.cumulative.is_empty()).then(|| figure.draw())
}

fn panel(aligned: &Aligned, region: &str, n: usize) -> CurvePanel {
    let units = || aligned.units.iter().filter(|unit| unit.unit.roi == region);
    let share = |direction: usize| {
        mean(units().flat_map(|unit| &unit.references).filter_map(|own| {
            let total: f64 = own.weights.iter().sum();
            let weight = own.weights.get(direction).copied().unwrap_or(0.0);
            (total > 0.0).then(|| weight / total)
        }))
    };
    let weights = (0..n).filter_map(|direction| Some(((direction + 1) as f64, 0.0, share(direction)?)));
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
        let covered = (0..n).map(|direction| {
            mean(fits.iter().filter_map(|fit| fit.profile.as_ref().ok()?.directional.get(direction).copied()))
        });
        let curve = Curve {
            dashed: kind == Kind::Subject,
            ..Curve::from_one(kind.label(), covered)
        };
        curve.points.iter().any(|(_, value)| value.is_some()).then_some(curve)
    });
    CurvePanel {
        bands: vec![Band {
            label: "reference weight".to_owned(),
            points: weights.collect(),
        }],
        ..CurvePanel::of(region, curves)
    }
}
