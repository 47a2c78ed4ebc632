//! COCO's evaluation of masks and boxes, from its files.

use crate::Error;
use neurogauge_core::finding::TAKEN_FOR;
use neurogauge_core::pair::PairsOf;
use neurogauge_core::{Finding, Mask, Undefined, counted, first_names};
use neurogauge_formats::masks::{CocoAnnotation, CocoInstances, read_coco_instances, read_coco_results};
use neurogauge_metrics::masks::coco::{
    CocoBox, CocoMask, CocoPrediction, CocoShape, CocoSummary, ImageMasks, evaluate, iou_thresholds,
};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// COCO's twelve numbers of masks and of boxes.
#[derive(Debug, Clone, PartialEq)]
pub struct CocoSummaries {
    /// Undefined if an object of one of the files has no mask.
    pub masks: CocoSummary,
    /// An object without a box has the one around its mask.
    pub boxes: CocoSummary,
}

/// COCO's evaluation of masks and of boxes, and findings about its files.
///
/// With [`PairsOf::Shared`], results of images that the instances lack are left out. An image without a result is one
/// in which nothing was found.
///
/// **Reference.** `COCOeval(..., "segm")` and `COCOeval(..., "bbox")`, pycocotools 2.0.11, the same bits.
///
/// # Errors
/// A file is faulty.
pub fn coco_summary(instances: &Path, results: &Path, pairs: PairsOf) -> Result<(CocoSummaries, Vec<Finding>), Error> {
    let truth = read_coco_instances(instances)?;
    let (found, left_out) = read_coco_results(results, &truth, pairs)?;
    let faulty = |source| Error::Usage(format!("{}: {source}", results.display()));
    let boxes = summary(&truth, &found, |_, bbox| Some(CocoBox(bbox))).map_err(faulty)?;
    let without_masks = [
        (
            "the stimuli",
            truth.annotations.iter().filter(|item| item.mask.is_none()).count(),
            truth.annotations.len(),
        ),
        ("the results", found.iter().filter(|item| item.mask.is_none()).count(), found.len()),
    ];
    let masks = match without_masks.into_iter().find(|(_, n, _)| *n > 0) {
        Some((which, n, of)) => {
            let reason = format!("{n} of {of} objects of {which} have a box and no mask");
            CocoSummary {
                values: std::array::from_fn(|_| Err(Undefined::Because(reason.clone().into()))),
            }
        }
        None => summary(&truth, &found, |mask, _| mask.cloned()).map_err(faulty)?,
    };
    let ids: Vec<String> = left_out.iter().map(i64::to_string).collect();
    let strangers = (!ids.is_empty()).then(|| {
        let message = format!(
            "results of {} that the instances lack are left out: {}",
            counted(ids.len(), "image"),
            first_names(&ids)
        );
        Finding::warning("without_partner", results.display().to_string(), message)
    });
    let with_results: HashSet<i64> = found.iter().map(|result| result.image_id).collect();
    let taken = format!(
        "results of {} of {} by id, gt: COCO's instances, recon: COCO's results",
        with_results.len(),
        counted(truth.images.len(), "image")
    );
    let taken = Finding::note(TAKEN_FOR, "masks", taken);
    let findings = id_zero(instances, &truth).into_iter().chain(strangers).chain([taken]).collect();
    Ok((CocoSummaries { masks, boxes }, findings))
}

/// The numbers of one kind of shape, which `shape` takes from an object's mask and box.
fn summary<S: CocoShape>(
    truth: &CocoInstances,
    found: &[CocoAnnotation],
    shape: impl Fn(Option<&Mask>, [f64; 4]) -> Option<S>,
) -> Result<CocoSummary, neurogauge_metrics::MetricError> {
    let images = by_image(truth, found, shape);
    Ok(evaluate(&images, truth.categories.len(), &iou_thresholds())?.summary())
}

/// A warning about an annotation that pycocotools can never match.
fn id_zero(path: &Path, truth: &CocoInstances) -> Option<Finding> {
    let annotation = truth.annotations.iter().find(|annotation| annotation.id == 0)?;
    let message = format!(
        "the annotation of image {} with the id 0 counts as missed even if it is found, and its detection as wrong, as in pycocotools, \
         which takes 0 for no match",
        annotation.image_id
    );
    let finding = Finding::warning("annotation_id_zero", path.display().to_string(), message);
    Some(finding.advise("number annotations from 1"))
}

/// Truth and detections of each image, in the order of ids. Detections of categories that the truth does not list are
/// left out, as in pycocotools.
fn by_image<S>(
    truth: &CocoInstances,
    found: &[CocoAnnotation],
    shape: impl Fn(Option<&Mask>, [f64; 4]) -> Option<S>,
) -> Vec<ImageMasks<S>> {
    let places = |ids: &mut dyn Iterator<Item = i64>| -> HashMap<i64, usize> { ids.zip(0..).collect() };
    let image_of = places(&mut truth.images.iter().map(|image| image.id));
    let category_of = places(&mut truth.categories.iter().map(|category| category.id));
    let mut images: Vec<ImageMasks<S>> = truth.images.iter().map(|_| ImageMasks::default()).collect();
    let placed = |item: &CocoAnnotation| {
        let mask = shape(item.mask.as_ref(), item.bbox)?;
        Some((*image_of.get(&item.image_id)?, *category_of.get(&item.category_id)?, mask))
    };
    for annotation in &truth.annotations {
        if let Some((image, category, mask)) = placed(annotation) {
            images[image].reference.push(CocoMask {
                category,
                mask,
                area_px2: annotation.area_px2,
                is_crowd: annotation.is_crowd,
                has_id_zero: annotation.id == 0,
            });
        }
    }
    for result in found {
        if let Some((image, category, mask)) = placed(result) {
            images[image].predicted.push(CocoPrediction {
                category,
                mask,
                area_px2: result.area_px2,
                score: result.score.unwrap_or(1.0),
            });
        }
    }
    images
}
