//! Metrics of detections: one pair of files in memory per thread.

use super::{Columns, Context, keep_details, of_kind, outcomes, transpose};
use crate::Error;
use crate::option_names::SCORE_ORDER_ANY;
use crate::selection::Selection;
use neurogauge_core::{
    Detections, Explained, Finding, Pair, PairDetails, Side, Undefined, first_names,
};
use neurogauge_formats::detections::DetectionSource;
use neurogauge_metrics::{Compute, MetricError, Options, Taxonomy};
use rayon::prelude::*;

/// How many inverted boxes a warning names.
const BOXES_NAMED: usize = 5;

type DetectionMetric =
    fn(&Detections, &Detections, &Taxonomy, &Options) -> Result<Explained, MetricError>;

pub(super) fn compute(
    selection: &Selection,
    context: &Context<'_>,
    findings: &mut Vec<Finding>,
    details: &mut [PairDetails],
) -> Result<Columns, Error> {
    let metrics: Vec<(&'static str, DetectionMetric)> =
        of_kind(selection, |compute| match compute {
            Compute::Detections(function) => Some(*function),
            _ => None,
        });
    let (Some(detections), false) = (&context.dataset.detections, metrics.is_empty()) else {
        return Ok(Columns::new());
    };
    let taxonomy = Taxonomy::new(context.labels);
    context
        .progress
        .start("comparing detections", detections.pairs.len() as u64, 0);
    let rows: Result<Vec<Row>, Error> = detections
        .pairs
        .par_iter()
        .enumerate()
        .map(|(index, pair)| {
            if let Some(side) = detections.side_without(pair, DetectionSource::has) {
                context.progress.advance(1);
                return Ok(Row {
                    explained: vec![Err(Undefined::NoDetections(side)).into(); metrics.len()],
                    descending: true,
                    inverted: Vec::new(),
                });
            }
            let gt = load(Side::Gt, index, pair, context)?;
            let recon = load(Side::Recon, index, pair, context)?;
            let options = &context.request.options;
            let compare = |function: &DetectionMetric| function(&gt, &recon, &taxonomy, options);
            let explained = outcomes(&metrics, pair, compare)?;
            context.progress.advance(1);
            let mut inverted = detections.sides.gt.inverted(pair.gt, &gt);
            inverted.extend(detections.sides.recon.inverted(pair.recon, &recon));
            Ok(Row {
                explained,
                descending: gt.is_descending() && recon.is_descending(),
                inverted,
            })
        })
        .collect();
    context.progress.finish();
    let rows = rows?;

    let unordered: Vec<&str> = detections
        .pairs
        .iter()
        .zip(&rows)
        .filter(|(_, row)| !row.descending)
        .map(|(pair, _)| pair.stem.as_str())
        .collect();
    if let Some(first) = unordered.first()
        && context.request.options.objects.stops_at_first_below()
    {
        findings.push(Finding::warning(
            "scores_not_descending",
            *first,
            format!(
                "{} of {} pairs have detections whose scores are not in descending order; SEED's \
                 code stops reading a file at the first score below the threshold, and so does \
                 this preset ({SCORE_ORDER_ANY} reads all)",
                unordered.len(),
                rows.len()
            ),
        ));
    }
    findings.extend(inverted_boxes(&rows));
    let ids: Vec<&'static str> = metrics.iter().map(|(id, _)| *id).collect();
    let rows = rows.into_iter().map(|row| row.explained).collect();
    Ok(transpose(&ids, keep_details(rows, details)))
}

/// The outcomes of one pair, and its inverted boxes.
struct Row {
    explained: Vec<Explained>,
    descending: bool,
    inverted: Vec<String>,
}

/// A box whose right edge is left of its left one is most likely an error of the program that wrote the file.
fn inverted_boxes(rows: &[Row]) -> Option<Finding> {
    let boxes: Vec<&str> = rows
        .iter()
        .flat_map(|row| row.inverted.iter().map(String::as_str))
        .collect();
    if boxes.is_empty() {
        return None;
    }
    let message = format!(
        "inverted boxes (a box is [left, top, right, bottom]): {}; as in SEED's code, such a box does not count \
         unless both axes are inverted, which makes its area positive",
        first_names(&boxes, BOXES_NAMED),
    );
    Some(Finding::warning("inverted_boxes", "detections", message))
}

/// Reads the detections of one image; the image's size is looked up only where it matters.
pub(super) fn load(
    side: Side,
    index: usize,
    pair: &Pair,
    context: &Context<'_>,
) -> Result<Detections, Error> {
    let Some(source) = &context.dataset.detections else {
        return Ok(Detections::default());
    };
    let mut detections = source.sides.side(side).load(pair.of(side))?;
    let variant = context.request.options.objects.variant;
    if variant.needs_image_size() && detections.image_size_px.is_none() {
        detections.image_size_px = match (context.request.image_size_px, &context.dataset.images) {
            (Some(size), _) => Some(size),
            (None, Some(images)) => {
                let place = images.pairs[index].of(side);
                let image = images.sides.side(side).load(place)?;
                Some((image.width_px() as f64, image.height_px() as f64))
            }
            (None, None) => None,
        };
    }
    Ok(detections)
}
