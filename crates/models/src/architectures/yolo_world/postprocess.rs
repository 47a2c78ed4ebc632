//! Turns the head's outputs into objects.

use super::head::Places;
use crate::ModelError;
use crate::observers::detection::letterbox;
use neurogauge_core::{BoxXyxy, Detection, Detections};

/// Pixels of the prepared image per position of each of the three maps.
const STRIDES: [usize; 3] = [8, 16, 32];
/// Only scores above this are objects.
const LOWEST: f32 = 0.001;
/// At most this many pairs of position and name are considered, the best ones.
const MOST_CANDIDATES: usize = 30_000;
/// If two boxes of one name overlap (IoU) by more than this, the worse one is dropped.
const OVERLAP: f32 = 0.7;

/// The objects of an image, as mmyolo selects them for YOLO-World. Candidates are the pairs of position and name with
/// σ(logit) above 0.001, at most the 30,000 best. A box is dropped if a better one of the same name overlaps it by more
/// than 0.7. The `most` best of the rest are clipped to the image. Among equal scores the earlier position comes first,
/// then the earlier name. All arithmetic is in f32.
///
/// `side_px` is the side of the square that the image was prepared in.
pub(super) fn objects(
    places: &Places,
    side_px: usize,
    original_px: (usize, usize),
    most: usize,
) -> Result<Detections, ModelError> {
    let boxes = boxes(places, side_px, original_px)?;
    if let Some(place) = places.logits.iter().position(|logit| logit.is_nan()) {
        return Err(ModelError::raw_detections(format_args!(
            "a logit of place {} is NaN",
            place / places.n_names.max(1)
        )));
    }
    let scores = places.logits.iter().map(|&logit| 1.0 / (1.0 + (-logit).exp()));
    let mut candidates: Vec<(f32, usize)> = (scores.zip(0..)).collect();
    candidates.retain(|(score, _)| *score > LOWEST);
    candidates.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    candidates.truncate(MOST_CANDIDATES);
    let mut kept: Vec<Vec<[f32; 4]>> = vec![Vec::new(); places.n_names];
    let mut items = Vec::new();
    let (width, height) = (original_px.0 as f32, original_px.1 as f32);
    for (score, index) in candidates {
        if items.len() == most {
            break;
        }
        let (bbox, category) = (boxes[index / places.n_names], index % places.n_names);
        if kept[category].iter().any(|better| overlap(better, &bbox) > OVERLAP) {
            continue;
        }
        kept[category].push(bbox);
        let [x0, y0, x1, y1] = bbox;
        let across = |x: f32| f64::from(x.clamp(0.0, width));
        let down = |y: f32| f64::from(y.clamp(0.0, height));
        items.push(Detection {
            category,
            score: f64::from(score),
            bbox: BoxXyxy::of([across(x0), down(y0), across(x1), down(y1)]),
        });
    }
    Ok(Detections::of(items, Some((original_px.0 as f64, original_px.1 as f64))))
}

/// The box of each position in pixels of the original image: left, top, right, bottom.
fn boxes(places: &Places, side_px: usize, original_px: (usize, usize)) -> Result<Vec<[f32; 4]>, ModelError> {
    let (resized_px, padding_px) = letterbox(original_px, side_px);
    let scale = |resized: usize, original: usize| (resized as f64 / original as f64) as f32;
    let scale = (scale(resized_px.0, original_px.0), scale(resized_px.1, original_px.1));
    let (left, top) = (padding_px.0 as f32, padding_px.1 as f32);
    let mut boxes = Vec::with_capacity(places.distances.len());
    let mut distances = places.distances.iter();
    for (&(height, width), stride) in places.maps.iter().zip(STRIDES) {
        let stride = stride as f32;
        for (row, column) in (0..height).flat_map(|row| (0..width).map(move |column| (row, column))) {
            let Some(&[to_left, up, to_right, down]) = distances.next() else {
                return Err(ModelError::raw_detections("fewer boxes than places"));
            };
            let (x, y) = ((column as f32 + 0.5) * stride, (row as f32 + 0.5) * stride);
            let bbox = [
                (x - to_left * stride - left) / scale.0,
                (y - up * stride - top) / scale.1,
                (x + to_right * stride - left) / scale.0,
                (y + down * stride - top) / scale.1,
            ];
            if !bbox.iter().all(|edge| edge.is_finite()) {
                return Err(ModelError::raw_detections(format_args!("the box of place {} is {bbox:?}", boxes.len())));
            }
            boxes.push(bbox);
        }
    }
    Ok(boxes)
}

/// Intersection over union.
fn overlap(a: &[f32; 4], b: &[f32; 4]) -> f32 {
    let area = |[x0, y0, x1, y1]: [f32; 4]| (x1 - x0) * (y1 - y0);
    let width = (a[2].min(b[2]) - a[0].max(b[0])).max(0.0);
    let height = (a[3].min(b[3]) - a[1].max(b[1])).max(0.0);
    let common = width * height;
    common / (area(*a) + area(*b) - common)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::goldens::typed_golden;
    use neurogauge_core::synthetic::Synthetic;
    use serde::Deserialize;

    #[derive(Deserialize)]
    struct Golden {
        outputs: Vec<Case>,
    }

    #[derive(Default, Deserialize)]
    struct Case {
        name: String,
        n_names: usize,
        side: usize,
        original: (usize, usize),
        most: usize,
        labels: Vec<usize>,
        scores: Vec<f64>,
        boxes: Vec<[f64; 4]>,
    }

    fn places(case: &Case) -> Places {
        let maps: Vec<(usize, usize)> = STRIDES.map(|stride| (case.side / stride, case.side / stride)).into();
        let n = maps.iter().map(|(height, width)| height * width).sum::<usize>();
        let values = |what: &str, n: usize, scale: f32, shift: f32| -> Vec<f32> {
            let source = Synthetic::new(&format!("{} {what}", case.name), 0);
            (0..n as u64).map(|index| source.uniform(index) * scale + shift).collect()
        };
        Places {
            logits: values("logits", n * case.n_names, 12.0, -9.0),
            n_names: case.n_names,
            distances: values("sides", n * 4, 3.0, 0.0).as_chunks().0.to_vec(),
            maps,
        }
    }

    #[test]
    fn objects_equal_those_of_torchvision() {
        let golden: Golden = typed_golden("../detection_yolo_world");
        assert_eq!(golden.outputs.len(), 3);
        for case in golden.outputs {
            let found = objects(&places(&case), case.side, case.original, case.most).unwrap();
            let labels: Vec<usize> = found.items.iter().map(|item| item.category).collect();
            assert_eq!(labels, case.labels, "{}", case.name);
            for ((item, score), bbox) in found.items.iter().zip(&case.scores).zip(&case.boxes) {
                assert!((item.score - score).abs() < 2e-7, "{} {score}", item.score);
                let edges = [item.bbox.x0, item.bbox.y0, item.bbox.x1, item.bbox.y1];
                let error = edges.iter().zip(bbox).map(|(a, b)| (a - b).abs());
                assert!(error.fold(0.0, f64::max) < 1e-4, "{edges:?} {bbox:?}");
            }
        }
    }

    #[test]
    fn what_is_no_output_is_refused() {
        let case = Case {
            name: "faulty".to_owned(),
            n_names: 1,
            side: 32,
            original: (32, 32),
            most: 9,
            ..Case::default()
        };
        let refused = |places: &Places| objects(places, case.side, case.original, case.most).unwrap_err().to_string();
        let mut faulty = places(&case);
        faulty.logits[3] = f32::NAN;
        assert!(refused(&faulty).contains("a logit of place 3 is NaN"));
        faulty.distances[2][1] = f32::INFINITY;
        assert!(refused(&faulty).contains("the box of place 2"));
        faulty.distances.truncate(5);
        faulty.distances[2][1] = 0.0;
        assert!(refused(&faulty).contains("fewer boxes than places"));
    }
}
