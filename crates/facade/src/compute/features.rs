//! Metrics of feature rows.

use super::{Columns, Context, keep_details, outcomes, transpose};
use crate::Error;
use crate::selection::{MetricSource, Selection};
use neurogauge_core::{Explained, PairDetails, Undefined};
use neurogauge_formats::features::StoredFeatures;
use neurogauge_metrics::{Compute, FeatureRows};
use rayon::prelude::*;

pub(super) fn compute(
    selection: &Selection,
    context: &Context<'_>,
    details: &mut [PairDetails],
) -> Result<Columns, Error> {
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
                    return Ok(vec![Explained::from(Err(Undefined::NoFeatures(side)))]);
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
            .collect::<Result<Vec<Vec<Explained>>, Error>>()?;
        columns.extend(transpose(&[id], keep_details(rows, details)));
    }
    Ok(columns)
}
