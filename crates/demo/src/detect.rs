//! The result of a perfect detector.

use crate::Scene;
use neurogauge::core::synthetic::Synthetic;
use neurogauge::core::{BoxXyxy, Detection, Detections, LabelList, Seed};

/// The objects of a scene with their exact boxes, in descending order of made-up scores.
///
/// `confidence` (0 to 1) sets how high the scores are: they are within 0.3 below `0.35 + 0.6 * confidence`, larger
/// objects higher. Objects whose category is not in the list are left out, as if the detector had not been asked for
/// them.
///
/// ```
/// use neurogauge_demo::{detections, stimuli};
/// use neurogauge::core::{LabelList, Seed};
/// let scene = &stimuli()?[0];
/// let found = detections(scene, &LabelList::coco(), Seed(1), 1.0);
/// assert_eq!(found.items.len(), scene.objects.len());
/// assert!(found.is_descending());
/// # Ok::<(), neurogauge::Error>(())
/// ```
pub fn detections(scene: &Scene, labels: &LabelList, seed: Seed, confidence: f64) -> Detections {
    let (width, height) = (scene.image.width_px() as f64, scene.image.height_px() as f64);
    let highest = 0.35 + 0.6 * confidence.clamp(0.0, 1.0).max(0.0);
    let chance = Synthetic::new(&format!("scores of {}", scene.stem), seed.0);
    let mut items: Vec<Detection> = (scene.objects.iter().zip(0..))
        .filter_map(|(object, place)| {
            let [x0, y0, x1, y1] = object.bbox;
            let bbox = BoxXyxy { x0, y0, x1, y1 };
            let smallness = 1.0 - (4.0 * bbox.area_px2() / (width * height)).min(1.0);
            Some(Detection {
                category: labels.index_of(&object.category)?,
                score: highest - 0.2 * smallness - 0.1 * f64::from(chance.uniform(place)),
                bbox,
            })
        })
        .collect();
    items.sort_by(|a, b| b.score.total_cmp(&a.score));
    Detections::of(items, Some((width, height)))
}
