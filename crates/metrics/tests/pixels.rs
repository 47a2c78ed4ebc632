//! The metrics of pixels, of feature vectors and of caption embeddings, against their references
//! (`reference/pixels.py`) and at their edges.

#![allow(clippy::unwrap_used)]

use neurogauge_core::synthetic::Synthetic;
use neurogauge_core::{Image, Outcome, Side, Undefined};
use neurogauge_metrics::MetricError;
use neurogauge_metrics::decoding::cap_sim::{References, cap_sim};
use neurogauge_metrics::decoding::feature_distance::correlation_distance;
use neurogauge_metrics::decoding::pixcorr::pixcorr;
use neurogauge_metrics::decoding::psnr::psnr;
use neurogauge_metrics::decoding::ssim::ssim;
use serde_json::Value;

type Metric = fn(&Image<f32>, &Image<f32>) -> Result<Outcome, MetricError>;

const METRICS: [(&str, Metric); 3] = [("pixcorr", pixcorr), ("ssim", ssim), ("psnr", psnr)];

fn golden() -> Value {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../reference/golden/pixels.json"
    );
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

fn count(value: &Value) -> usize {
    usize::try_from(value.as_u64().unwrap()).unwrap()
}

fn uniform(name: &str, n: usize) -> Vec<f32> {
    let values = Synthetic::new(name, 0);
    (0..n as u64).map(|i| values.uniform(i)).collect()
}

fn noise(name: &str, width: usize, height: usize) -> Image<f32> {
    Image::new(width, height, uniform(name, width * height * 3)).unwrap()
}

fn ramps(step_x: usize, step_y: usize, width: usize, height: usize) -> Image<f32> {
    let value = |i: usize| {
        let (x, y, channel) = (i / 3 % width, i / 3 / width, i % 3);
        let phase = (x * step_x * (channel + 1) + y * step_y + 40 * channel) % 512;
        phase.min(511 - phase) as f32 / 255.0
    };
    Image::new(width, height, (0..width * height * 3).map(value).collect()).unwrap()
}

fn flat(value: f32, width: usize, height: usize) -> Image<f32> {
    Image::new(width, height, vec![value; width * height * 3]).unwrap()
}

/// As `image_pairs` of the reference script.
fn image_pair(kind: &str, width: usize, height: usize) -> (Image<f32>, Image<f32>) {
    let gt = ramps(2, 1, width, height);
    match kind {
        "noise" => (noise("gt", width, height), noise("recon", width, height)),
        "ramps" => (gt, ramps(1, 3, width, height)),
        "veiled" => {
            let mut recon = noise("veil", width, height);
            for (recon, gt) in recon.data_mut().iter_mut().zip(gt.data()) {
                *recon = 0.75 * gt + 0.25 * *recon;
            }
            (gt, recon)
        }
        _ => {
            assert_eq!(kind, "flat", "a kind of image that this test cannot make");
            (flat(0.75, width, height), flat(0.6875, width, height))
        }
    }
}

#[test]
fn pixel_metrics_equal_their_references() {
    let golden = golden();
    let cases = golden["images"].as_array().unwrap();
    assert_eq!(cases.len(), 20);
    for case in cases {
        let kind = case["kind"].as_str().unwrap();
        let (width, height) = (count(&case["width_px"]), count(&case["height_px"]));
        let (gt, recon) = image_pair(kind, width, height);
        for (id, metric) in METRICS {
            // scikit-image keeps filtered images in f32; over a map of many pixels that evens out.
            let tolerance = match (id, width * height) {
                ("pixcorr", _) => 1e-12,
                ("ssim", 0..10_000) => 1e-5,
                ("ssim", _) => 1e-6,
                _ => 1e-6,
            };
            let found = metric(&gt, &recon).unwrap();
            let Some(expected) = case[id].as_f64() else {
                assert_eq!(found, Err(Undefined::Constant(Side::Gt)), "{id} of {kind}");
                continue;
            };
            let difference = found.unwrap() - expected;
            assert!(
                difference.abs() < tolerance,
                "{id} of {kind} images of {width} x {height} px is off by {difference:e}"
            );
        }
    }
}

#[test]
fn an_image_is_as_similar_to_itself_as_can_be() {
    for image in [noise("gt", 20, 30), ramps(2, 1, 30, 20)] {
        assert!((pixcorr(&image, &image).unwrap().unwrap() - 1.0).abs() < 1e-15);
        assert_eq!(ssim(&image, &image).unwrap(), Ok(1.0));
        assert_eq!(psnr(&image, &image).unwrap(), Err(Undefined::Identical));
    }
    let flat = flat(0.3, 12, 12);
    assert_eq!(ssim(&flat, &flat).unwrap(), Ok(1.0));
}

#[test]
fn swapping_the_sides_changes_nothing() {
    let (gt, recon) = image_pair("veiled", 40, 30);
    for (id, metric) in METRICS {
        let forth = metric(&gt, &recon).unwrap().unwrap();
        let back = metric(&recon, &gt).unwrap().unwrap();
        assert!((forth - back).abs() < 1e-14, "{id}: {forth} and {back}");
    }
}

#[test]
fn a_value_that_is_no_number_is_reported_with_its_side() {
    for (id, metric) in METRICS {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            // The corner is outside of the cropped map of SSIM, but inside of its windows.
            for position in [0, 11 * 13 * 3 - 1] {
                let good = noise("gt", 11, 13);
                let mut broken = noise("recon", 11, 13);
                broken.data_mut()[position] = bad;
                let found = metric(&broken, &good).unwrap();
                assert_eq!(found, Err(Undefined::NonFinite(Side::Gt)), "{id} {bad}");
                let found = metric(&good, &broken).unwrap();
                assert_eq!(found, Err(Undefined::NonFinite(Side::Recon)), "{id} {bad}");
            }
        }
    }
}

#[test]
fn images_that_do_not_fit_are_an_error() {
    for (id, metric) in METRICS {
        let error = metric(&noise("gt", 12, 11), &noise("gt", 11, 12)).unwrap_err();
        assert!(matches!(error, MetricError::SizeMismatch { .. }), "{id}");
    }
    for (width, height) in [(10, 11), (11, 10), (0, 0)] {
        let image = noise("gt", width, height);
        assert_eq!(
            ssim(&image, &image),
            Err(MetricError::TooSmall {
                width,
                height,
                window: 11
            })
        );
    }
    let nothing = noise("gt", 0, 0);
    assert_eq!(
        pixcorr(&nothing, &nothing),
        Ok(Err(Undefined::Empty(Side::Gt)))
    );
    assert_eq!(
        psnr(&nothing, &nothing),
        Ok(Err(Undefined::Empty(Side::Gt)))
    );
}

#[test]
fn feature_distances_equal_scipy() {
    for case in golden()["features"].as_array().unwrap() {
        let n = count(&case["n_features"]);
        let weight = case["weight"].as_f64().unwrap() as f32;
        let gt = uniform("features.gt", n);
        let recon: Vec<f32> = gt
            .iter()
            .zip(uniform("features.recon", n))
            .map(|(gt, other)| weight * gt + (1.0 - weight) * other)
            .collect();
        let found = correlation_distance(&gt, &recon).unwrap().unwrap();
        let difference = found - case["distance"].as_f64().unwrap();
        assert!(
            difference.abs() < 1e-6,
            "{n} features, weight {weight}: {difference:e}"
        );
    }
    assert_eq!(
        correlation_distance(&[1.0], &[1.0, 2.0]),
        Err(MetricError::LengthMismatch { gt: 1, recon: 2 })
    );
    let constant = correlation_distance(&[1.0, 2.0], &[3.0, 3.0]).unwrap();
    assert_eq!(constant, Err(Undefined::Constant(Side::Recon)));
}

#[test]
fn caption_similarities_equal_sentence_transformers() {
    let golden = golden();
    let case = &golden["captions"];
    let n = count(&case["n_features"]);
    let centred = |name, n| -> Vec<f32> { uniform(name, n).iter().map(|v| v - 0.5).collect() };
    let caption = centred("caption", n);
    let mut references = centred("references", 3 * n);
    for (reference, caption) in references[n..].iter_mut().zip(&caption) {
        *reference += caption;
    }
    let references: Vec<&[f32]> = references.chunks(n).collect();
    for how in [References::Mean, References::Max, References::First] {
        let name = serde_json::to_value(how).unwrap();
        let expected = case[name.as_str().unwrap()].as_f64().unwrap();
        let difference = cap_sim(&references, &caption, how).unwrap().unwrap() - expected;
        assert!(difference.abs() < 1e-6, "{name}: {difference:e}");
    }
}

#[test]
fn caption_similarity_at_its_edges() {
    let of = |references: &[&[f32]], caption: &[f32], how| cap_sim(references, caption, how);
    let (one, zero, broken) = ([1.0, 0.0], [0.0, 0.0], [f32::NAN, 0.0]);
    for how in [References::Mean, References::Max, References::First] {
        assert_eq!(of(&[], &one, how), Ok(Err(Undefined::Empty(Side::Gt))));
        assert_eq!(of(&[&zero], &one, how), Ok(Err(Undefined::Empty(Side::Gt))));
        assert_eq!(
            of(&[&one], &zero, how),
            Ok(Err(Undefined::Empty(Side::Recon)))
        );
        assert_eq!(of(&[&[]], &[], how), Ok(Err(Undefined::Empty(Side::Gt))));
        assert_eq!(
            of(&[&one], &broken, how),
            Ok(Err(Undefined::NonFinite(Side::Recon)))
        );
        assert_eq!(of(&[&one], &[-3.0, 0.0], how), Ok(Ok(-1.0)));
        let error = of(&[&[1.0]], &one, how).unwrap_err();
        assert_eq!(error, MetricError::LengthMismatch { gt: 1, recon: 2 });
    }
    let second_broken: [&[f32]; 2] = [&one, &broken];
    assert_eq!(of(&second_broken, &one, References::First), Ok(Ok(1.0)));
    let undefined = Ok(Err(Undefined::NonFinite(Side::Gt)));
    assert_eq!(of(&second_broken, &one, References::Mean), undefined);
    assert_eq!(of(&second_broken, &one, References::Max), undefined);
}
