//! BASIC-H by dimension: the scores of a run, its file and its table.

use crate::Error;
use crate::run_record::RunRecord;
use neurogauge_core::{Input, PairDetails};
use neurogauge_metrics::decoding::basic_h::{DimensionScores, dimension_counts, dimension_scores};
use neurogauge_metrics::{BASIC_H, details_of};
use neurogauge_report::{Cell, Table};
use std::collections::BTreeMap;

/// The scores of each dimension in the details of a run. For intervals, pairs of one stimulus or of one cluster of
/// stimuli are one item. There are no intervals if several pairs are parts of an item, and no scores if only some
/// samples of an item count.
pub(super) fn of_details(details: &[PairDetails], record: &RunRecord) -> Result<Vec<DimensionScores>, Error> {
    let inputs = &record.request.inputs;
    if !record.request.samples.is_mean() || inputs.get(Input::ChosenSamples).is_some() {
        return Ok(Vec::new());
    }
    let stems: Vec<String> = details.iter().map(|pair| pair.stem.clone()).collect();
    let stimuli = match record.parts {
        Some(_) => vec![0; stems.len()],
        None => record.clusters_of(&stems),
    };
    let mut levels = BTreeMap::<usize, Vec<_>>::new();
    for (pair, stimulus) in details.iter().zip(stimuli) {
        let found = pair.metrics.get(BASIC_H).into_iter();
        levels.entry(stimulus).or_default().extend(found.flat_map(BTreeMap::values));
    }
    let items: Vec<_> = levels.into_values().map(dimension_counts).collect();
    Ok(dimension_scores(&items, &record.request.bootstrap)?)
}

pub(super) fn csv(scores: &[DimensionScores]) -> String {
    let table = Table::of("", scores)
        .column("dimension", |of| Cell::text(of.dimension.id()))
        .column("n_reference", |of| Cell::Count(of.n.gt))
        .column("n_reconstruction", |of| Cell::Count(of.n.recon))
        .column("recall", |of| Cell::number(&of.recall.value))
        .ends(["recall_low", "recall_high"], |of| of.recall.interval)
        .column("precision", |of| Cell::number(&of.precision.value))
        .ends(["precision_low", "precision_high"], |of| of.precision.interval)
        .column("f1", |of| Cell::number(of.f1));
    table.noted(Vec::new()).csv()
}

/// The scores as a readable table; `None` without any.
pub(super) fn table(scores: Vec<DimensionScores>, name: &str, record: &RunRecord) -> Option<Table> {
    if scores.is_empty() {
        return None;
    }
    let mut notes = vec![
        "Sums over all pairs. Which element belongs to which dimension of BASIC's Table 1 is a rule of this toolkit (convention \
         basic-dimensions)."
            .to_owned(),
    ];
    if record.metrics.iter().any(|metric| metric.stand_in && details_of(&metric.id) == Some(BASIC_H)) {
        notes.push("Rests on a placeholder model: the numbers mean nothing.".to_owned());
    }
    let table = Table::of(format!("BASIC-H by dimension: {name}"), scores)
        .column("dimension", |of| Cell::text(of.dimension.label()))
        .column("recall", |of| Cell::estimate(&of.recall.value, of.recall.interval))
        .column("precision", |of| Cell::estimate(&of.precision.value, of.precision.interval))
        .column("F1", |of| Cell::number(of.f1))
        .column("n stimulus", |of| Cell::Count(of.n.gt))
        .column("n reconstruction", |of| Cell::Count(of.n.recon));
    Some(table.noted(notes))
}
