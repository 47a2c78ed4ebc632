//! Metrics of feature rows.

use super::{Columns, Context, outcomes, transpose};
use crate::Error;
use crate::selection::{Origin, Selection};
use neurogauge_core::Outcome;
use neurogauge_metrics::{Compute, FeatureRows};
use rayon::prelude::*;

pub(super) fn compute(selection: &Selection, context: &Context<'_>) -> Result<Columns, Error> {
    let mut columns = Columns::new();
    for selected in &selection.metrics {
        let (Compute::Features { compare, .. }, Origin::Features(model)) =
            (&selected.metric.compute, &selected.origin)
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
