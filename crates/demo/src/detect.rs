//! The result of a perfect detector.

use super::chance::Chance;
use super::scene::Scene;
use neurogauge::core::{Detection, Detections, LabelList, Seed};

/// The objects of a scene with their exact boxes, in descending order of made-up scores.
///
/// `confidence` (0 to 1) sets how high the scores are: they are within 0.3 below `0.35 + 0.6 * confidence`, larger
/// objects higher. Objects whose category is not in the list are left out, as by a detector that was not asked for
/// them.
///
/// ```
/// use neurogauge_demo::{detections, scenes};
/// use neurogauge::core::{LabelList, Seed};
/// let scene = &scenes(Seed(1), 1)[0];
/// let found = detections(scene, &LabelList::coco(), Seed(1), 1.0);
/// assert_eq!(found.items.len(), scene.objects.len());
/// assert!(found.is_descending());
/// ```
pub fn detections(scene: &Scene, labels: &LabelList, seed: Seed, confidence: f64) -> Detections {
    let image_px2 = (scene.width_px * scene.height_px) as f64;
    let highest = 0.35 + 0.6 * confidence.clamp(0.0, 1.0).max(0.0);
    let mut chance = Chance::new(seed, &format!("scores of {}", scene.stem));
    let mut items: Vec<Detection> = Vec::new();
    for object in &scene.objects {
        let smallness = 1.0 - (4.0 * object.bbox.area_px2() / image_px2).min(1.0);
        let score = highest - 0.2 * smallness - 0.1 * chance.share();
        if let Some(category) = labels.index_of(object.category()) {
            items.push(Detection {
                category,
                score,
                bbox: object.bbox,
            });
        }
    }
    items.sort_by(|a, b| b.score.total_cmp(&a.score));
    Detections {
        items,
        image_size_px: Some((scene.width_px as f64, scene.height_px as f64)),
    }
}
