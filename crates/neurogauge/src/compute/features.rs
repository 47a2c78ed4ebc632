//! Metrics of feature rows.

use super::{Columns, Context, outcomes, transpose};
use crate::Error;
use crate::selection::{MetricSource, Selection};
use neurogauge_core::{Outcome, Undefined};
use neurogauge_formats::features::StoredFeatures;
use neurogauge_metrics::{Compute, FeatureRows};
use rayon::prelude::*;

pub(super) fn compute(selection: &Selection, context: &Context<'_>) -> Result<Columns, Error> {
    let mut columns = Columns::new();
    for selected in &selection.metrics {
        let (Compute::Features { compare, .. }, MetricSource::Features(model)) =
            (&selected.metric.compute, &selected.source)
        else {
            continue;
        };
        let id = selected.metric.spec.id;
        let Some(features) = context.dataset.features_of(model) else {
            continue;
        };
        let rows = features
            .pairs
            .par_iter()
            .enumerate()
            .map(|(position, pair)| {
                if let Some(side) = features.side_without(pair, StoredFeatures::has) {
                    return Ok(vec![Err(Undefined::NoFeatures(side))]);
                }
                let gt = features.sides.gt.row(pair.gt)?;
                let recon = features.sides.recon.row(pair.recon)?;
                let rows = FeatureRows {
                    gt: &gt,
                    recon: &recon,
                    pair: position,
                };
                outcomes(&[(id, compare)], pair, |compare| {
                    compare(&rows, &context.request.options)
                })
            })
            .collect::<Result<Vec<Vec<Outcome>>, Error>>()?;
        columns.extend(transpose(&[id], rows));
    }
    Ok(columns)
}
