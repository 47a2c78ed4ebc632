//! Metrics of detections: one pair of files in memory per thread.

use super::nothing_seen::{content, sameness};
use super::{Columns, Context, keep_details, of_kind, outcomes, transpose};
use crate::Error;
use crate::option_names::SCORE_ORDER_ANY;
use crate::selection::Selection;
use neurogauge_core::option_words::option;
use neurogauge_core::{
    BoxXyxy, Detections, Explained, Finding, Pair, PairDetails, Side, Sides, Undefined, first_names,
};
use neurogauge_formats::Problem;
use neurogauge_formats::detections::DetectionSource;
use neurogauge_metrics::{Compute, MetricError, Options, Taxonomy};
use rayon::prelude::*;
use std::path::Path;

/// How many inverted boxes a warning names.
const BOXES_NAMED: usize = 5;

type DetectionMetric = fn(&Detections, &Detections, &Taxonomy, &Options) -> Result<Explained, MetricError>;

pub(super) fn compute(
    selection: &Selection,
    context: &Context<'_>,
    findings: &mut Vec<Finding>,
    details: &mut [PairDetails],
) -> Result<Columns, Error> {
    let metrics: Vec<(&'static str, DetectionMetric)> = of_kind(selection, |compute| match compute {
        Compute::Detections(function) => Some(*function),
        _ => None,
    });
    let (Some(detections), false) = (&context.dataset.detections, metrics.is_empty()) else {
        return Ok(Columns::new());
    };
    let taxonomy = Taxonomy::new(context.labels);
    context.progress.start("comparing detections", detections.pairs.len() as u64, 0);
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
                    contents: Sides::default(),
                    n_small: 0,
                    n_boxes: 0,
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
            let areas = gt.items.iter().chain(&recon.items).map(|item| item.bbox.area_px2());
            let smallest = options.objects.smallest_area_px2();
            Ok(Row {
                explained,
                contents: Sides {
                    gt: content(&gt.items),
                    recon: content(&recon.items),
                },
                n_boxes: areas.clone().count(),
                n_small: areas.filter(|area| (0.0..smallest).contains(area)).count(),
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
    findings.extend(small_boxes(&rows, context));
    findings.extend(
        Side::BOTH
            .iter()
            .filter_map(|&side| sameness(side, "detections", rows.iter().map(|row| *row.contents.side(side)))),
    );
    let ids: Vec<&'static str> = metrics.iter().map(|(id, _)| *id).collect();
    let rows = rows.into_iter().map(|row| row.explained).collect();
    Ok(transpose(&ids, keep_details(rows, details)))
}

/// The outcomes of one pair, and its inverted boxes.
struct Row {
    explained: Vec<Explained>,
    descending: bool,
    inverted: Vec<String>,
    /// What is on each side.
    contents: Sides<Option<u64>>,
    n_boxes: usize,
    /// How many boxes are too small to count.
    n_small: usize,
}

/// A warning that most boxes are too small to count.
fn small_boxes(rows: &[Row], context: &Context<'_>) -> Option<Finding> {
    let n_small: usize = rows.iter().map(|row| row.n_small).sum();
    let n_boxes: usize = rows.iter().map(|row| row.n_boxes).sum();
    let smallest = context.request.options.objects.smallest_area_px2();
    (2 * n_small > n_boxes).then(|| {
        let message = format!("{n_small} of {n_boxes} boxes are smaller than {smallest} px² and do not count");
        let advice = format!("{} counts them", option("min-box-area", "0"));
        Finding::warning("small_boxes", "detections", message).advise(advice)
    })
}

/// A box whose right edge is left of its left one is most likely an error of the program that wrote the file.
fn inverted_boxes(rows: &[Row]) -> Option<Finding> {
    let boxes: Vec<&str> = rows.iter().flat_map(|row| row.inverted.iter().map(String::as_str)).collect();
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
pub(super) fn load(side: Side, index: usize, pair: &Pair, context: &Context<'_>) -> Result<Detections, Error> {
    let Some(source) = &context.dataset.detections else {
        return Ok(Detections::default());
    };
    let mut detections = source.sides.side(side).load(pair.of(side))?;
    if context.request.box_units.is_none()
        && let Some(images) = &context.dataset.images
    {
        let size = images.sides.side(side).size_px(images.pairs[index].of(side));
        refuse_beyond(source.sides.side(side).path(), pair, &detections, size)?;
    }
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

/// How far beyond an image's edges a box in its pixels may be, as a multiple of its size. Detectors go a little beyond
/// them.
const MOST_BEYOND: f64 = 1.5;

/// Refuses boxes far outside their image, which have another unit or are of an image of another size.
fn refuse_beyond(path: &Path, pair: &Pair, found: &Detections, size_px: Option<(usize, usize)>) -> Result<(), Error> {
    let Some((width, height)) = size_px else {
        return Ok(());
    };
    let beyond = found.items.iter().find(|item| {
        let [right, bottom] = [item.bbox.x0.max(item.bbox.x1), item.bbox.y0.max(item.bbox.y1)];
        right > MOST_BEYOND * width as f64 || bottom > MOST_BEYOND * height as f64
    });
    let Some(BoxXyxy { x0, y0, x1, y1 }) = beyond.map(|item| item.bbox) else {
        return Ok(());
    };
    let reason = format!(
        "the box {:?} lies far outside the image of {width} x {height} px; {} takes boxes as pixels of an image of another size",
        [x0, y0, x1, y1],
        option("box-units", "pixels")
    );
    Err(Problem::invalid(&pair.stem, reason).at(path).into())
}
