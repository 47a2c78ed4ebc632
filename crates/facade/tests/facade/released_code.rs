//! Presets named after released evaluations equal them: `reference/golden/released_code.json` has the results of the
//! released code itself.

use neurogauge::core::BoxXyxy;
use neurogauge::core::Image;
use neurogauge::core::synthetic::Synthetic;
use neurogauge::metrics::decoding::captioning::{clip_score, ref_clip_score};
use neurogauge::metrics::decoding::grounding::{GroundedBox, grounding_hit, grounding_iou};
use neurogauge::metrics::decoding::identification::identify;
use neurogauge::metrics::decoding::n_way_accuracy::n_way_accuracy;
use neurogauge::metrics::{Compute, find};
use neurogauge::{RELEASED, ScoreRequest};
use serde_json::{Map, Value};

fn golden() -> Value {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../reference/golden/released_code.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// The golden's `n` records about this subject, by code.
fn codes(what: &str, n: usize) -> Map<String, Value> {
    let codes = golden()[what].as_object().unwrap().clone();
    assert_eq!(codes.len(), n);
    codes
}

fn assert_near(found: f64, expected: &Value, within: f64, what: &str) {
    let difference = found - expected.as_f64().unwrap();
    assert!(difference.abs() < within, "{what}: {found}, {difference:e}");
}

/// The request with this preset.
fn request(name: &str) -> ScoreRequest {
    let code = RELEASED.iter().find(|code| code.name == name).unwrap();
    let mut request = ScoreRequest::default();
    request.apply_presets(code.preset.as_slice()).unwrap();
    request
}

/// The same as `ramps` of `reference/released_code.py`.
fn ramps(pair: usize, side: usize) -> Image<u8> {
    let value = |i: usize| {
        let (x, y, channel) = (i / 3 % side, i / 3 / side, i % 3);
        let phase = (x * (pair + 2) * (channel + 1) + y * (2 * pair + 1) + 40 * channel) % 512;
        u8::try_from(phase.min(511 - phase)).unwrap()
    };
    Image::new(side, side, (0..side * side * 3).map(value).collect()).unwrap()
}

/// The same as `veiled` of that script.
fn veiled(pair: usize, side: usize) -> Image<u8> {
    let noise = Synthetic::new("released", pair as u64);
    let mut image = ramps(pair, side);
    for (place, value) in image.data_mut().iter_mut().enumerate() {
        let sum = 3 * u16::from(*value) + u16::from(noise.byte(place as u64));
        *value = u8::try_from(sum / 4).unwrap();
    }
    image
}

/// The images of a pair: frames of video are small, and all of one size.
fn images(name: &str, pair: usize) -> (Image<f32>, Image<f32>) {
    let (gt, recon) = match name {
        "mindvideo" | "neurons" => (ramps(pair, 64), veiled(pair, 64)),
        _ => (ramps(pair, 425), veiled(pair, 512)),
    };
    (gt.to_unit_float(), recon.to_unit_float())
}

/// Single precision: the released code resizes tensors and partly filters images in f32.
const PIXELS_WITHIN: f64 = 2e-6;

#[test]
fn metrics_of_pixels_equal_the_released_code() {
    for (name, metrics) in &codes("pixels", 8) {
        let options = request(name).options.pixels;
        for (id, expected) in metrics.as_object().unwrap() {
            let Compute::Pixels(compare) = find(id).unwrap().compute else {
                panic!("{id}")
            };
            for (pair, expected) in expected.as_array().unwrap().iter().enumerate() {
                let (gt, recon) = images(name, pair);
                let (gt, recon) = (options.apply(gt).unwrap(), options.apply(recon).unwrap());
                let found = compare(&gt, &recon, &options).unwrap().unwrap();
                assert_near(found, expected, PIXELS_WITHIN * found.abs().max(1.0), &format!("{name}, {id}, {pair}"));
            }
        }
    }
}

#[test]
fn identification_equals_the_released_code() {
    let (n_rows, n_features) = (12, 40);
    let values = |name| uniform(name, 0, n_rows * n_features);
    let (gt, noise) = (values("released gt"), values("released recon"));
    let recon: Vec<f32> = gt.iter().zip(&noise).map(|(gt, noise)| 0.125 * gt + 0.875 * noise).collect();
    let rows = |values: &'static [f32]| values.chunks_exact(n_features);
    let (gt, recon): (&'static [f32], &'static [f32]) = (gt.leak(), recon.leak());
    for (name, expected) in &codes("identification", 6) {
        let options = request(name).options.identification;
        let mean = |recon: &'static [f32]| {
            let pairs: Vec<(&[f32], &[f32])> = rows(gt).zip(rows(recon)).collect();
            let found = identify(&pairs, None, &options).unwrap().outcomes;
            found.iter().map(|outcome| outcome.clone().unwrap()).sum::<f64>() / n_rows as f64
        };
        for (what, found) in [("similar", mean(recon)), ("perfect", mean(gt))] {
            assert_near(found, &expected[what], 1e-12, &format!("{name}, {what}"));
        }
    }
}

#[test]
fn models_see_what_the_released_code_shows_them() {
    for (name, models) in &codes("prepared", 6) {
        let perception = request(name).perception;
        let has_clip = RELEASED.iter().any(|code| code.name == name && code.metrics.contains(&"clip"));
        let models = models.as_object().unwrap().iter();
        for (model, expected) in models.filter(|(model, _)| has_clip || *model != "clip_vit_l_14") {
            let steps = perception.preset.preprocessing(model, perception.antialias);
            let seen = steps.unwrap().apply(&images(name, 0).1).unwrap();
            let size = serde_json::json!([seen.width_px(), seen.height_px()]);
            assert_eq!(size, expected["size"], "{name}, {model}");
            // torch's positions in an image of 512 px round differently from ours: by 512 * 2^-24, or 3e-5, of a pixel,
            // between pixels that differ by less than a half; normalisation divides by about a quarter. 8 bits are
            // equal.
            let row = expected["row"].as_array().unwrap();
            let start = seen.height_px() / 2 * seen.width_px() * 3;
            for (found, expected) in seen.data()[start..].iter().zip(row) {
                assert_near(f64::from(*found), expected, 5e-5, &format!("{name}, {model}"));
            }
            let mean = seen.data().iter().map(|v| f64::from(*v)).sum::<f64>() / seen.data().len() as f64;
            assert_near(mean, &expected["mean"], 5e-6, &format!("{name}, {model}"));
        }
    }
}

/// Uniform values, equal to those of `synthetic.uniform`.
fn uniform(name: &str, seed: u64, n: usize) -> Vec<f32> {
    let values = Synthetic::new(name, seed);
    (0..n).map(|i| values.uniform(i as u64)).collect()
}

/// The released functions draw classes without a seed; the expectation must be within four standard errors of 4000
/// draws.
#[test]
fn n_way_accuracy_is_the_expectation_of_the_released_draws() {
    for (name, of_ways) in &codes("n_way", 2) {
        let options = request(name).options.n_way_accuracy;
        for (ways, shares) in of_ways.as_object().unwrap() {
            for (pair, share) in shares.as_array().unwrap().iter().enumerate() {
                let gt = uniform("released classes", pair as u64, 60);
                let noise = uniform("released guesses", pair as u64, 60);
                let recon: Vec<f32> = gt.iter().zip(&noise).map(|(gt, noise)| 0.0625 * gt + 0.9375 * noise).collect();
                let ways = ways.parse().unwrap();
                let expected = n_way_accuracy(&gt, &recon, ways, pair, &options).unwrap().unwrap();
                let error = (expected * (1.0 - expected) / 4000.0).sqrt();
                let difference = share.as_f64().unwrap() - expected;
                assert!(
                    difference.abs() <= 4.0 * error,
                    "{name}, {ways} ways, pair {pair}: {expected}, off by {difference}"
                );
            }
        }
    }
}

#[test]
fn boxes_are_scored_as_by_brainhub() {
    let corners: Vec<f64> = uniform("released boxes", 0, 2 * 12 * 4).into_iter().map(f64::from).collect();
    let ends = |a: f64, b: f64| [a.min(b), a.max(b)];
    let boxes: Vec<[f64; 4]> = (corners.chunks_exact(4))
        .map(|at| {
            let ([x0, x1], [y0, y1]) = (ends(at[0], at[1]), ends(at[2], at[3]));
            [x0, y0, x1, y1]
        })
        .collect();
    let (gt, others) = boxes.split_at(12);
    let of_corners = |[x0, y0, x1, y1]: [f64; 4]| BoxXyxy { x0, y0, x1, y1 };
    let pairs = gt.iter().zip(others).enumerate().map(|(place, (gt, other))| {
        let decoded = std::array::from_fn(|end| 0.75 * gt[end] + 0.25 * other[end]);
        GroundedBox {
            reference: of_corners(*gt),
            decoded: (place > 0).then_some(of_corners(decoded)),
        }
    });
    let pairs: Vec<GroundedBox> = pairs.collect();
    let mean = |score: &dyn Fn(&GroundedBox) -> f64| pairs.iter().map(score).sum::<f64>() / 12.0;
    let golden = &golden()["boxes"];
    let iou = mean(&|own| grounding_iou(own).unwrap());
    // The released code computes in f32.
    assert_near(iou, &golden["iou"], 1e-6, "IoU");
    assert_eq!(mean(&|own| grounding_hit(own, 0.5).unwrap()), golden["accuracy"]);
}

#[test]
fn captions_are_scored_as_by_brainhub() {
    let rows = |name: &str, n: usize| -> Vec<Vec<f32>> {
        let values = uniform(name, 0, n * 16);
        let shifted: Vec<f32> = values.iter().map(|value| value - 0.25).collect();
        shifted.chunks_exact(16).map(<[f32]>::to_vec).collect()
    };
    let (images, captions) = (rows("released images", 5), rows("released captions", 5));
    let references = rows("released references", 15);
    let golden = &golden()["captions"];
    for pair in 0..5 {
        let references: Vec<&[f32]> = references[3 * pair..3 * pair + 3].iter().map(Vec::as_slice).collect();
        let clip = clip_score(&images[pair], &captions[pair]).unwrap();
        let of_references = ref_clip_score(&images[pair], &captions[pair], &references).unwrap();
        for (id, found) in [("clip_score", clip), ("ref_clip_score", of_references)] {
            assert_near(found.unwrap(), &golden[id][pair], 1e-6, &format!("{id}, {pair}"));
        }
    }
}

#[test]
fn every_commit_is_that_of_the_golden() {
    let golden = golden();
    for (name, code) in golden["code"].as_object().unwrap() {
        let ours = RELEASED.iter().find(|ours| ours.name == name).unwrap();
        let expected = [&code["repository"], &code["commit"], &code["file"]];
        assert_eq!([ours.repository, ours.commit, ours.file].map(Value::from).each_ref(), expected);
    }
}
