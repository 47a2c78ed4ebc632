//! Metrics of the boxes of the stimulus's categories.

use super::compared::both;
use super::{DetectionKind, ObservedKind};
use crate::Error;
use crate::compute::{Computed, Context};
use neurogauge_core::{Outcome, Side, Undefined};
use neurogauge_metrics::Compute;
use neurogauge_metrics::decoding::grounding::{GroundedBox, box_shares, grounded_boxes};
use rayon::prelude::*;

/// Computes the mean over the boxes of each pair, and what each pair adds to the mean over the boxes of all pairs.
pub(super) fn compute(context: &Context<'_>, computed: &mut Computed) -> Result<(), Error> {
    let metrics = context.metrics(|compute| match compute {
        Compute::GroundedBoxes(score) => Some(*score),
        _ => None,
    });
    let (Some(detections), false) = (DetectionKind::of(context.dataset), metrics.is_empty()) else {
        return Ok(());
    };
    let boxes: Vec<Result<Vec<GroundedBox>, Undefined>> =
        (0..detections.pairs.len())
            .into_par_iter()
            .map(|place| {
                let found = both::<DetectionKind>(detections, place, context)?;
                Ok(found
                    .map(|sides| grounded_boxes(&sides.gt, &sides.recon).into_iter().map(|(_, boxes)| boxes).collect()))
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
        computed.add_column(id, means);
        let share = |sums: &Result<(f64, f64), Undefined>| -> Outcome {
            sums.clone().map(|_| of_all.next().unwrap_or_default())
        };
        computed.add_pseudo_values(id, sums.iter().map(share).collect());
    }
    Ok(())
}
