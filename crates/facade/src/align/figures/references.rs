//! Figures of the target references.

use crate::align::{Alignment, UnitResult};
use crate::figure_files::Drawn;
use neurogauge_report::figures::{Curve, CurvePanel, Curves};
use neurogauge_stats::{mean, quantile};

/// Weights by direction, and how few partitions would be enough.
pub(super) fn of_units(alignment: &Alignment) -> Drawn {
    let mut panels = vec![CurvePanel {
        x_label: "direction, by its weight".to_owned(),
        ..CurvePanel::of("Reference weights", [spectrum(alignment)])
    }];
    let convergence = &alignment.record.summary.references.convergence;
    if !convergence.is_empty() {
        let of = |place: usize| convergence.iter().map(move |(m, found)| (*m as f64, Some(found[place])));
        panels.push(CurvePanel {
            x_label: "number of partitions".to_owned(),
            ..CurvePanel::of(
                "Convergence",
                [("coverage", 0), ("purity", 1), ("rank ratio", 2)].map(|(name, place)| Curve::of(name, of(place))),
            )
        });
    }
    let shade = match alignment.run.units.len() {
        1 => "",
        _ => " shade: quartiles over units;",
    };
    let mut caption = format!(
        "Weights: mean over target units of the mean over outer folds;{shade} a direction that a reference lacks has \
         weight 0."
    );
    if panels.len() > 1 {
        let n = alignment.record.config.settings.partitions;
        caption.push_str(&format!(
            " Convergence: the consensus of the first partitions beside that of all {n}, mean over units and folds; \
             coverage: share of all {n}'s that the few cover; purity: share of the few's that is within it; rank ratio: dimensions of \
             the few's over those of all {n}'s."
        ));
    }
    let figure = Curves {
        y_reaches: vec![0.0, 1.0],
        ..Curves::of("Target references", panels, caption)
    };
    Some(figure.draw())
}

/// The weights of the directions that profiles reach.
fn spectrum(alignment: &Alignment) -> Curve {
    let units = &alignment.run.units;
    let longest = units.iter().flat_map(|unit| &unit.references).map(|reference| reference.weights.len()).max();
    let n = longest.unwrap_or(0).min(alignment.record.config.settings.prefixes);
    let at = |direction: usize| -> Vec<f64> { units.iter().filter_map(|unit| weight(unit, direction)).collect() };
    let interval = (0..n).filter_map(|direction| {
        let weights = at(direction);
        let (low, high) = (quantile(&weights, 0.25).ok()?, quantile(&weights, 0.75).ok()?);
        (weights.len() > 1).then_some(((direction + 1) as f64, low, high))
    });
    Curve {
        interval: interval.collect(),
        ..Curve::from_one("weight", (0..n).map(|direction| mean(at(direction))))
    }
}

/// Mean over folds.
fn weight(unit: &UnitResult, direction: usize) -> Option<f64> {
    let weights = unit.references.iter();
    mean(weights.map(|reference| reference.weights.get(direction).copied().unwrap_or(0.0)))
}
