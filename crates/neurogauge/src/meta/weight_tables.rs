//! The tables of fitted weights made for reading.

use super::combination_tables::{
    headings, labels, number, over_items, reasons, scaling, text, why_missing,
};
use neurogauge_report::TextTable;
use neurogauge_stats::combination::{CombinationResult, HeldOut, MetricWeight, StatisticValue};

pub(super) fn weight_table(found: &CombinationResult, weights: &[MetricWeight]) -> TextTable {
    let rows = weights.iter().map(|weight| {
        let folds = weight.in_folds.iter().flatten().copied();
        let mut row = vec![text(&weight.metric), number(Some(weight.weight))];
        row.push(number(folds.clone().reduce(f64::min)));
        row.push(number(folds.reduce(f64::max)));
        row
    });
    TextTable {
        title: format!("Weights that follow people ({})", scaling(found)),
        headings: headings(
            &["Metric", "weight", "lowest in folds", "highest in folds"],
            [],
        ),
        rows: rows.collect(),
        notes: vec![
            "Not negative, adding up to 1; least squares of the human score. Lowest and highest: fitted \
             without each fold in turn."
                .to_owned(),
        ],
    }
}

pub(super) fn fitted(found: &CombinationResult) -> TextTable {
    let weights = &found.weights;
    let values = |figures: &[StatisticValue]| -> Vec<Option<f64>> {
        let figures = figures.iter();
        figures.map(|figure| figure.value.clone().ok()).collect()
    };
    let means = |figures: &[HeldOut]| -> Vec<Option<f64>> {
        let figures = figures.iter();
        figures.map(|figure| figure.value.clone().ok()).collect()
    };
    let rows = [
        (
            "fitted weights, on what they were fitted to",
            values(&weights.in_sample),
        ),
        ("fitted weights, held out", means(&weights.cross_validated)),
        ("equal weights", values(&weights.equal)),
        (
            "equal weights, held out",
            means(&weights.equal_cross_validated),
        ),
    ];
    let rows = rows.into_iter().map(|(name, values)| {
        let cells = values.into_iter().map(number);
        [text(name)].into_iter().chain(cells).collect()
    });
    let mut notes = vec![
        over_items(weights.n_items, weights.n_left_out),
        format!(
            "Held out: each of {} folds is scored by weights and scales from the others, and measured \
             for itself; the mean over folds. Compare the two held-out lines with each other.",
            found.options.folds
        ),
    ];
    notes.extend(
        why_missing(&weights.in_sample, &weights.cross_validated)
            .into_iter()
            .chain(
                reasons(weights.equal.iter().map(|figure| &figure.value))
                    .into_iter()
                    .map(|reason| format!("Equal weights: {reason}.")),
            ),
    );
    TextTable {
        title: "Average of all metrics, with fitted and with equal weights".to_owned(),
        headings: headings(&["Weights"], labels()),
        rows: rows.collect(),
        notes,
    }
}
