//! A detector's preparation and post-processing, against Pillow and NumPy (`reference/detection.py`).

use crate::parity::typed_golden;
use crate::photographs;

use neurogauge_core::synthetic::Synthetic;
use neurogauge_core::{Image, LabelList, ModelIdentity};
use neurogauge_models::detection::{
    DetectionOptions, Detector, DetectorPreprocessing, GroundingNetwork, PromptTokens, RawDetections, postprocess,
};
use neurogauge_models::{ColourBoxes, ModelError};
use photographs::{photograph, window};
use serde::Deserialize;
use std::ops::Range;

#[derive(Deserialize)]
struct Golden {
    sizes: Vec<[usize; 4]>,
    probes: usize,
    images: Vec<ImageCase>,
    outputs: Vec<OutputCase>,
}

#[derive(Deserialize)]
struct ImageCase {
    image: String,
    width: usize,
    height: usize,
    shape: [usize; 3],
    values: Vec<f32>,
}

#[derive(Deserialize)]
struct OutputCase {
    name: String,
    n_queries: usize,
    n_tokens: usize,
    n_padded: usize,
    categories: Vec<[usize; 2]>,
    original: (usize, usize),
    most: usize,
    labels: Vec<usize>,
    scores: Vec<f64>,
    boxes: Vec<[f64; 4]>,
}

fn golden() -> Golden {
    typed_golden("../detection")
}

#[test]
fn sizes_are_truncated_as_mmdetection_truncates_them() {
    for [width, height, prepared_width, prepared_height] in golden().sizes {
        let found = DetectorPreprocessing::mmdetection().size(width, height);
        assert_eq!(found, (prepared_width, prepared_height), "{width} {height}");
    }
}

#[derive(Deserialize)]
struct SquareCase {
    image: String,
    width: usize,
    height: usize,
    side: usize,
    sum: u64,
    values: Vec<u8>,
}

/// Images are reduced by a whole factor and by others, unchanged, and enlarged.
#[test]
fn images_in_squares_equal_opencv_to_the_bit() {
    #[derive(Deserialize)]
    struct Golden {
        cases: Vec<SquareCase>,
    }
    let golden: Golden = typed_golden("../detection_yolo_world");
    assert_eq!(golden.cases.len(), 7);
    for case in golden.cases {
        let image = window(&photograph(&case.image), case.width, case.height);
        let steps = DetectorPreprocessing::yolo_world(case.side);
        let input = steps.apply(&image.to_unit_float()).unwrap().image;
        assert_eq!((input.width_px(), input.height_px()), (case.side, case.side));
        let levels: Vec<u8> = input.data().iter().map(|value| (value * 255.0).round() as u8).collect();
        let probe = Synthetic::new("probe", 0);
        for (k, value) in (0..).zip(&case.values) {
            let place = (probe.bits(k) % levels.len() as u64) as usize;
            assert_eq!(levels[place], *value, "{} {} {k}", case.image, case.side);
        }
        assert_eq!(levels.iter().map(|&level| u64::from(level)).sum::<u64>(), case.sum);
    }
}

#[test]
fn prepared_images_equal_pillow_and_numpy_to_the_bit() {
    let golden = golden();
    for case in &golden.images {
        let image = window(&photograph(&case.image), case.width, case.height);
        let steps = DetectorPreprocessing::mmdetection();
        let input = steps.apply(&image.to_unit_float()).unwrap();
        let (width, height) = (input.image.width_px(), input.image.height_px());
        assert_eq!([height, width, 3], case.shape);
        assert_eq!(input.original_px, (case.width, case.height));
        assert_eq!(case.values.len(), golden.probes);
        let probe = Synthetic::new("probe", 0);
        for (k, value) in case.values.iter().enumerate() {
            let place = (probe.bits(k as u64) % (width * height * 3) as u64) as usize;
            assert_eq!(input.image.data()[place], *value, "{} {k}", case.image);
        }
    }
}

#[test]
fn objects_equal_numpy_s() {
    for case in golden().outputs {
        let noise = Synthetic::new(&format!("{} logits", case.name), 0);
        let n_tokens = case.n_tokens as u64;
        let logit = |place: u64| {
            if place % n_tokens >= n_tokens - case.n_padded as u64 {
                return f32::NEG_INFINITY;
            }
            noise.uniform(place) * 16.0 - 12.0
        };
        let boxes = Synthetic::new(&format!("{} boxes", case.name), 0);
        let bbox = |query: u64| -> [f32; 4] {
            std::array::from_fn(|edge| {
                let extent = if edge < 2 { 1.0 } else { 0.7 };
                boxes.uniform(4 * query + edge as u64) * extent
            })
        };
        let raw = RawDetections {
            logits: (0..case.n_queries as u64 * n_tokens).map(logit).collect(),
            n_tokens: case.n_tokens,
            boxes: (0..case.n_queries as u64).map(bbox).collect(),
        };
        let categories: Vec<_> = case.categories.iter().map(|c| c[0]..c[1]).collect();
        let (width, height) = case.original;
        let prepared = DetectorPreprocessing::mmdetection().size(width, height);
        let found = postprocess(&raw, &categories, prepared, case.original, case.most).unwrap();

        assert_eq!(found.items.len(), case.labels.len());
        assert!(found.is_descending());
        assert_eq!(found.image_size_px, Some((width as f64, height as f64)));
        let n = case.scores.len();
        let mut n_apart = 0;
        for (rank, item) in found.items.iter().enumerate() {
            assert!((item.score - case.scores[rank]).abs() <= 2e-7, "{rank}");
            // Rounding may exchange two nearly equal scores.
            let gap = |other: usize| case.scores[other.min(n - 1)] - case.scores[rank];
            let is_apart = |other: usize| other == rank || gap(other).abs() > 1e-6;
            if !is_apart(rank.saturating_sub(1)) || !is_apart((rank + 1).min(n - 1)) {
                continue;
            }
            n_apart += 1;
            assert_eq!(item.category, case.labels[rank], "{rank}");
            if let Some(expected) = case.boxes.get(rank) {
                let bbox = &item.bbox;
                let edges = [bbox.x0, bbox.y0, bbox.x1, bbox.y1];
                for (edge, expected) in edges.iter().zip(expected) {
                    let most = 2e-7 * width.max(height) as f64;
                    assert!((edge - expected).abs() <= most, "{rank}: {edge} {expected}");
                }
            }
        }
        assert!(n_apart * 10 > n * 9, "{n_apart} of {n}");
    }
}

/// The placeholder with prompts of a limited length, cut as by a tokenizer.
struct Limited(ColourBoxes, usize);

impl GroundingNetwork for Limited {
    fn model(&self) -> &ModelIdentity {
        self.0.identity()
    }

    fn tokens(&self, prompt: &str) -> Result<(PromptTokens, Vec<Range<usize>>), ModelError> {
        let (mut tokens, mut bytes) = self.0.tokens(prompt)?;
        if tokens.ids.len() > self.1 {
            let end = tokens.ids[tokens.ids.len() - 1];
            tokens.ids.truncate(self.1 - 1);
            tokens.ids.push(end);
            bytes.truncate(self.1 - 1);
            bytes.push(0..0);
        }
        Ok((tokens, bytes))
    }

    fn look(&self, image: &Image<f32>, prompt: &PromptTokens) -> Result<RawDetections, ModelError> {
        assert!(prompt.ids.len() <= self.1);
        self.0.look(image, prompt)
    }
}

#[test]
fn several_prompts_find_what_each_finds_alone() {
    let steps = DetectorPreprocessing::mmdetection();
    let images = ["astronaut", "coffee"].map(|name| {
        let image = photograph(name).to_unit_float();
        steps.apply(&image).unwrap()
    });
    let names = ["dog", "traffic light", "cat", "stop sign", "tie", "hot dog", "cup"];
    let options = DetectionOptions {
        most: 12,
        ..DetectionOptions::default()
    };
    let detect = |limit: usize, names: &[&str]| {
        let network = Limited(ColourBoxes, limit);
        let labels = LabelList::new("some", names);
        network.detect(&images, &labels, &options, &|_| {}).unwrap()
    };
    // [CLS] dog . traffic light . cat . [SEP] are nine tokens, and "stop sign ." would make twelve.
    let together = detect(10, &names);
    let mut merged = [Vec::new(), Vec::new()];
    for (first, part) in [(0, &names[..3]), (3, &names[3..6]), (6, &names[6..])] {
        for (all, found) in merged.iter_mut().zip(detect(100, part)) {
            all.extend(found.items.into_iter().map(|mut item| {
                item.category += first;
                item
            }));
        }
    }
    for (found, mut merged) in together.iter().zip(merged) {
        merged.sort_by(|a, b| b.score.total_cmp(&a.score));
        assert!(found.items.len() == 29 && found.is_descending());
        assert_eq!(found.items, merged);
    }
    let labels = LabelList::new("some", names);
    let whole = ColourBoxes.detect(&images, &labels, &options, &|_| {});
    assert_eq!(detect(100, &names), whole.unwrap());
    let network = Limited(ColourBoxes, 4);
    let labels = LabelList::new("some", ["dog", "a very long name"]);
    let error = network.detect(&images, &labels, &options, &|_| {});
    let message = error.unwrap_err().to_string();
    assert!(message.contains("a very long name") && message.contains("4 tokens"), "{message}");
}
