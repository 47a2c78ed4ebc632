//! Metrics of feature rows.

use super::{Columns, Context};
use crate::Error;
use crate::selection::{Origin, Selection};
use neurogauge_metrics::Compute;

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
        let outcomes = features
            .pairs
            .iter()
            .map(|pair| {
                compare(
                    features.sides.gt.row(pair.gt),
                    features.sides.recon.row(pair.recon),
                )
                .map_err(|source| Error::Metric {
                    pair: pair.stem.clone(),
                    metric: id,
                    source,
                })
            })
            .collect::<Result<Vec<_>, Error>>()?;
        columns.push((id, outcomes));
    }
    Ok(columns)
}
