//! COCO's evaluation of masks, from its files.

use crate::Error;
use neurogauge_core::Finding;
use neurogauge_formats::masks::{CocoInstances, CocoResult, read_coco_instances, read_coco_results};
use neurogauge_metrics::masks::coco::{CocoMask, CocoPrediction, CocoSummary, ImageMasks, evaluate, iou_thresholds};
use std::collections::HashMap;
use std::path::Path;

/// The twelve numbers of COCO's evaluation of masks, and findings about its files.
///
/// **Reference.** `COCOeval(..., "segm")`, pycocotools 2.0.11, the same bits.
///
/// # Errors
/// A file is faulty.
pub fn coco_summary(instances: &Path, results: &Path) -> Result<(CocoSummary, Vec<Finding>), Error> {
    let truth = read_coco_instances(instances)?;
    let found = read_coco_results(results, &truth)?;
    let findings = id_zero(instances, &truth).into_iter().collect();
    let n_categories = truth.categories.len();
    let images = by_image(truth, found);
    let curves = evaluate(&images, n_categories, &iou_thresholds());
    let curves = curves.map_err(|source| Error::Usage(format!("{}: {source}", results.display())))?;
    Ok((curves.summary(), findings))
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
fn by_image(truth: CocoInstances, found: Vec<CocoResult>) -> Vec<ImageMasks> {
    let places = |ids: &mut dyn Iterator<Item = i64>| -> HashMap<i64, usize> { ids.zip(0..).collect() };
    let image_of = places(&mut truth.images.iter().map(|image| image.id));
    let category_of = places(&mut truth.categories.iter().map(|category| category.id));
    let mut images = vec![ImageMasks::default(); truth.images.len()];
    for annotation in truth.annotations {
        let place = (image_of.get(&annotation.image_id), category_of.get(&annotation.category_id));
        if let (Some(&image), Some(&category)) = place {
            images[image].reference.push(CocoMask {
                category,
                mask: annotation.mask,
                area_px2: annotation.area_px2,
                is_crowd: annotation.is_crowd,
                has_id_zero: annotation.id == 0,
            });
        }
    }
    for result in found {
        let place = (image_of.get(&result.image_id), category_of.get(&result.category_id));
        if let (Some(&image), Some(&category)) = place {
            images[image].predicted.push(CocoPrediction {
                category,
                mask: result.mask,
                area_px2: result.area_px2,
                score: result.score,
            });
        }
    }
    images
}
