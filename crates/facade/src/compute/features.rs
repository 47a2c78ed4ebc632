//! Metrics of feature rows.

use super::{Columns, Context, keep_details, outcomes, transpose};
use crate::Error;
use crate::dataset::Paired;
use crate::selection::{MetricSource, Selection};
use neurogauge_core::pair::clips_of;
use neurogauge_core::{Explained, Outcome, PairDetails, Side, Undefined};
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
        let MetricSource::Features(model) = &selected.source else {
            continue;
        };
        let id = selected.metric.spec.id;
        let Some(features) = context.dataset.features_of(model) else {
            continue;
        };
        let compare = match &selected.metric.compute {
            Compute::Features { compare, .. } => compare,
            Compute::Frames { side, compare, .. } => {
                columns.push((id, of_frames(features, *side, *compare)?));
                continue;
            }
            _ => continue,
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
                outcomes(&[(id, compare)], pair, |compare| compare.compare(&rows, &context.request.options))
            })
            .collect::<Result<Vec<Vec<Explained>>, Error>>()?;
        let rows = context.dataset.of_pairs(&features.pairs, rows);
        columns.extend(transpose(&[id], keep_details(rows, details)));
    }
    Ok(columns)
}

/// The outcome of each clip of a side, for each of its frames.
fn of_frames(
    features: &Paired<StoredFeatures>,
    side: Side,
    compare: fn(&[&[f64]]) -> Outcome,
) -> Result<Vec<Outcome>, Error> {
    let rows = features.sides.side(side);
    let stems: Vec<String> = features.pairs.iter().map(|pair| pair.stem.clone()).collect();
    let clips = clips_of(&stems).into_par_iter().map(|(_, frames)| {
        let frames = &features.pairs[frames];
        if frames.iter().any(|pair| !rows.has(pair.of(side))) {
            return Ok(vec![Err(Undefined::NoFeatures(side)); frames.len()]);
        }
        let of_frames = frames.iter().map(|pair| rows.row(pair.of(side)));
        let of_frames = of_frames.collect::<Result<Vec<_>, _>>()?;
        let of_frames: Vec<&[f64]> = of_frames.iter().map(Vec::as_slice).collect();
        Ok(vec![compare(&of_frames); frames.len()])
    });
    let clips = clips.collect::<Result<Vec<_>, Error>>()?;
    Ok(clips.concat())
}
