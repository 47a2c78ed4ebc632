//! Metrics of the boxes of the stimulus's categories.

use super::detections::load;
use super::{Columns, Context, of_kind};
use crate::Error;
use crate::selection::Selection;
use neurogauge_core::{Outcome, Side, Undefined};
use neurogauge_formats::detections::DetectionSource;
use neurogauge_metrics::Compute;
use neurogauge_metrics::decoding::grounding::{GroundedBox, box_shares, grounded_boxes};
use rayon::prelude::*;

/// Columns of the mean over the boxes of each pair, and of what each pair adds to the mean over the boxes of all pairs.
pub(super) fn compute(selection: &Selection, context: &Context<'_>) -> Result<(Columns, Columns), Error> {
    let metrics = of_kind(selection, |compute| match compute {
        Compute::GroundedBoxes(score) => Some(*score),
        _ => None,
    });
    let (mut columns, mut shares) = (Columns::new(), Columns::new());
    let (Some(detections), false) = (&context.dataset.detections, metrics.is_empty()) else {
        return Ok((columns, shares));
    };
    let boxes: Vec<Result<Vec<GroundedBox>, Undefined>> = (detections.pairs.par_iter().enumerate())
        .map(|(index, pair)| {
            if let Some(side) = detections.side_without(pair, DetectionSource::has) {
                return Ok(Err(Undefined::NoDetections(side)));
            }
            let gt = load(Side::Gt, index, pair, context)?;
            let recon = load(Side::Recon, index, pair, context)?;
            Ok(Ok(grounded_boxes(&gt, &recon).into_iter().map(|(_, boxes)| boxes).collect()))
        })
        .collect::<Result<_, Error>>()?;
    for (id, score) in metrics {
        // Of each pair the sum over its boxes, and their number.
        let sums: Vec<Result<(f64, f64), Undefined>> = boxes
            .iter()
            .map(|boxes| {
                let scores: Vec<f64> = boxes.clone()?.iter().flat_map(score).collect();
                match scores.len() {
                    0 => Err(Undefined::NoCategories(Side::Gt)),
                    n => Ok((scores.iter().sum(), n as f64)),
                }
            })
            .collect();
        let mean = |sums: &Result<(f64, f64), Undefined>| sums.clone().map(|(y, x)| y / x);
        let means: Vec<Outcome> = sums.iter().map(mean).collect();
        let weights = match context.items {
            Some(items) => items.weights_of_pairs(id, &means),
            None => vec![1.0; means.len()],
        };
        let known = sums.iter().zip(weights).filter_map(|(sums, weight)| Some((*sums.as_ref().ok()?, weight)));
        let mut of_all = box_shares(&known.collect::<Vec<_>>()).into_iter();
        columns.push((id, means));
        let share = |sums: &Result<(f64, f64), Undefined>| -> Outcome {
            sums.clone().map(|_| of_all.next().unwrap_or_default())
        };
        shares.push((id, sums.iter().map(share).collect()));
    }
    Ok((columns, shares))
}
