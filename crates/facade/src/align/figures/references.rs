//! What the target references are like.

use crate::align::{Alignment, UnitResult};
use neurogauge_report::figures::{Curve, CurvePanel, Curves};
use neurogauge_stats::{mean, quantile};

/// Weights by direction, and how few partitions would be enough.
pub(super) fn of_units(alignment: &Alignment) -> Curves {
    let mut panels = vec![CurvePanel {
        title: "Reference weights".to_owned(),
        x_label: "direction, by its weight".to_owned(),
        curves: vec![spectrum(alignment)],
        ..CurvePanel::default()
    }];
    let convergence = &alignment.record.summary.references.convergence;
    if !convergence.is_empty() {
        let names = ["coverage", "purity"].iter().enumerate();
        let curves = names.map(|(place, name)| Curve {
            label: (*name).to_owned(),
            points: convergence.iter().map(|(m, found)| (*m as f64, Some(found[place]))).collect(),
            markers: true,
            ..Curve::default()
        });
        panels.push(CurvePanel {
            title: "Convergence".to_owned(),
            x_label: "number of partitions".to_owned(),
            curves: curves.collect(),
            ..CurvePanel::default()
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
             coverage: share of all {n}'s that the few cover; purity: share of the few's that is within it."
        ));
    }
    Curves {
        title: "Target references".to_owned(),
        y_reaches: vec![0.0, 1.0],
        panels,
        caption,
        ..Curves::default()
    }
}

/// The weights of the directions that profiles reach.
fn spectrum(alignment: &Alignment) -> Curve {
    let units = &alignment.run.units;
    let longest = units.iter().flat_map(|unit| &unit.references).map(|reference| reference.weights.len()).max();
    let n = alignment.record.config.settings.prefixes;
    let n = longest.unwrap_or(0).min(n);
    let at = |direction: usize| -> Vec<f64> { units.iter().filter_map(|unit| weight(unit, direction)).collect() };
    let place = |direction: usize| (direction + 1) as f64;
    let interval = (0..n).filter_map(|direction| {
        let weights = at(direction);
        let (low, high) = (quantile(&weights, 0.25).ok()?, quantile(&weights, 0.75).ok()?);
        (weights.len() > 1).then_some((place(direction), low, high))
    });
    Curve {
        label: "weight".to_owned(),
        points: (0..n).map(|direction| (place(direction), mean(at(direction)))).collect(),
        interval: interval.collect(),
        markers: true,
        ..Curve::default()
    }
}

/// Mean over folds.
fn weight(unit: &UnitResult, direction: usize) -> Option<f64> {
    let weights = unit.references.iter();
    mean(weights.map(|reference| reference.weights.get(direction).copied().unwrap_or(0.0)))
}
