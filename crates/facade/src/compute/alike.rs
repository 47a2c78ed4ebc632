//! Tests whether neighbouring stimuli of a run are alike, like clips of one scene (convention `alike-stimuli`).

use super::{Computed, Context};
use crate::Error;
use crate::dataset::of_pairs;
use crate::selected::MetricSource;
use neurogauge_core::option_words::option;
use neurogauge_core::words::is_default;
use neurogauge_core::{Finding, ScoreTable};
use neurogauge_metrics::Compute;
use neurogauge_stats::neighbours;
use std::collections::HashSet;

/// The probability with which independent stimuli are found alike.
const STRINGENT: f64 = 0.001;
/// Features of each stimulus that the test uses.
const FEATURES: usize = 32;

/// A note if stimuli that follow each other by name have features, or else scores, that are alike. `None` if the run
/// has clusters, or if the user says that there are none.
pub(crate) fn neighbours_are_alike(computed: &Computed, context: &Context<'_>) -> Result<Option<Finding>, Error> {
    if context.clusters.is_some() || !is_default(&context.request.cluster) {
        return Ok(None);
    }
    let Computed {
        scores,
        repeated_stimuli,
        ..
    } = computed;
    let of_items = (context.items).map(|items| items.reduce(scores, &ScoreTable::new(Vec::new())).0);
    let scores = of_items.as_ref().unwrap_or(scores);
    // Pairs of one stimulus are alike anyway.
    let copies: HashSet<&String> = repeated_stimuli.iter().flat_map(|stems| &stems[1..]).collect();
    let is_first = |place: &usize| !copies.contains(&scores.pairs[*place]);
    let shown: Vec<usize> = (0..scores.pairs.len()).filter(is_first).collect();
    let of_scores = scores.columns.iter().map(|(_, column)| {
        let value = |&place: &usize| column[place].as_ref().ok().copied();
        shown.iter().map(value).collect()
    });
    let seed = context.request.bootstrap.seed;
    for (what, columns) in [("features", features(context, &shown)?), ("scores", of_scores.collect())] {
        let found = neighbours(&columns, seed).filter(|found| found.p_value < STRINGENT);
        if let Some(found) = found {
            let message = format!(
                "{what} of stimuli that follow each other are alike, so intervals are too narrow if neighbours are of one scene or concept"
            );
            let evidence = format!("their mean correlation is {:.2}; p < 0.001 among random orders", found.correlation);
            let note = Finding::note("alike_neighbours", "order of stimuli", message)
                .on_evidence(evidence)
                .advise(format!("{} takes those of a cluster together", option("cluster", "PATTERN")));
            return Ok(Some(note));
        }
    }
    Ok(None)
}

/// Some features of each of these stimuli, from the smallest model that identifies them; empty if items have several
/// pairs.
fn features(context: &Context<'_>, shown: &[usize]) -> Result<Vec<Vec<Option<f64>>>, Error> {
    let models = context.selection.metrics.iter().filter_map(|selected| {
        let is_meant = matches!(selected.metric.compute, Compute::Identification { .. });
        match &selected.source {
            MetricSource::Features(model, _) if is_meant => context.dataset.features_of(model),
            _ => None,
        }
    });
    let smallest = models.min_by_key(|features| features.sides.gt.n_features());
    let Some(features) = smallest.filter(|_| context.items.is_none()) else {
        return Ok(Vec::new());
    };
    let gt = &features.sides.gt;
    let n = gt.n_features().min(FEATURES);
    let mut columns = vec![vec![None; shown.len()]; n];
    let rows = features.pairs.iter().map(|pair| Some(pair.gt)).collect();
    let rows = of_pairs(&context.dataset.stems, &features.pairs, rows);
    for (place, row) in shown.iter().map(|&pair| rows[pair]).enumerate() {
        if let Some(row) = row.filter(|row| gt.has(*row)) {
            let values = gt.values(row, 0..n)?.to_double();
            let of_row = columns.iter_mut().zip(values);
            of_row.for_each(|(column, value)| column[place] = Some(value));
        }
    }
    Ok(columns)
}
