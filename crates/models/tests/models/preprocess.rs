//! Preprocessing against torchvision, Pillow and transformers (`reference/preprocess.py`).

use crate::parity::typed_golden;
use crate::photographs;

use neurogauge_core::Image;
use neurogauge_core::synthetic::Synthetic;
use neurogauge_models::{ImagePreset, Preprocessing};
use photographs::{photograph, window};
use serde::Deserialize;
use std::collections::HashMap;

#[derive(Deserialize)]
struct Golden {
    probes: usize,
    inputs: HashMap<String, Window>,
    cases: Vec<Case>,
}

#[derive(Deserialize)]
struct Window {
    photograph: String,
    width: usize,
    height: usize,
}

/// `mean`, `std` and `max_abs` describe the result.
#[derive(Deserialize)]
struct Case {
    kind: String,
    image: String,
    first_px: Option<usize>,
    resize_px: Option<usize>,
    antialias: Option<bool>,
    input: Option<String>,
    checkpoint: Option<String>,
    protocol: Option<String>,
    model: Option<String>,
    shape: [usize; 3],
    mean: f64,
    max_abs: f32,
    values: Vec<f32>,
}

fn golden() -> Golden {
    typed_golden("../preprocess")
}

/// The largest difference at the probes, in the reference's order (channels, rows, columns).
fn difference(case: &Case, steps: &Preprocessing, golden: &Golden) -> f32 {
    let input = &golden.inputs[&case.image];
    let image = window(&photograph(&input.photograph), input.width, input.height);
    let found = steps.apply(&image.to_unit_float()).unwrap();
    let (height_px, width_px) = (case.shape[1], case.shape[2]);
    assert_eq!((found.width_px(), found.height_px()), (width_px, height_px));

    let n_pixels = width_px * height_px;
    let probe = Synthetic::new("probe", 0);
    let at = |k: usize| {
        let position = (probe.bits(k as u64) % (3 * n_pixels) as u64) as usize;
        let (channel, pixel) = (position / n_pixels, position % n_pixels);
        found.at(pixel % width_px, pixel / width_px, channel)
    };
    assert_eq!(case.values.len(), golden.probes);
    let values = case.values.iter().enumerate();
    let probes = values.map(|(k, value)| (at(k) - value).abs());
    let mean = found.data().iter().map(|v| f64::from(*v)).sum::<f64>() / (3 * n_pixels) as f64;
    let max_abs = found.data().iter().fold(0.0_f32, |most, v| most.max(v.abs()));
    probes.fold(((mean - case.mean).abs() as f32).max((max_abs - case.max_abs).abs()), f32::max)
}

/// The NSD protocols, with and without the step through 256 px, each with both antialias settings.
#[test]
fn the_nsd8_presets_equal_torchvision_on_float_tensors() {
    let golden = golden();
    let mut seen = HashMap::new();
    let mut worst = 0.0_f32;
    for case in golden.cases.iter().filter(|case| case.kind == "float") {
        let key = (&case.image, case.first_px, case.resize_px, case.antialias);
        let turn: usize = *seen.entry(key).and_modify(|n| *n += 1).or_insert(0);
        // Of the two cases at 224 px, the first has ImageNet's statistics and the second CLIP's.
        let model = match (case.resize_px, turn) {
            (Some(224), 0) => "swav_resnet50",
            (Some(224), _) => "clip_vit_l_14",
            (Some(255), _) => "efficientnet_b1",
            (Some(256), _) => "alexnet",
            (Some(342), _) => "inception_v3",
            other => panic!("{other:?}"),
        };
        let preset = match case.first_px {
            Some(256) => ImagePreset::Nsd8Mindeye2,
            _ => ImagePreset::Nsd8Native,
        };
        let steps = preset.preprocessing(model, case.antialias).unwrap();
        let off = difference(case, &steps, &golden);
        worst = worst.max(off);
        // 3e-7 from resizing, divided by at least 0.2243, plus the rounding of the normalisation.
        assert!(off < 2e-6, "{model} {preset} {}: {off}", case.image);
    }
    assert_eq!(seen.values().map(|n| n + 1).sum::<usize>(), 60);
    assert!(worst > 0.0, "not compared with themselves");
}

#[test]
fn the_published_preset_equals_pillow_to_the_last_bit_of_the_normalisation() {
    let golden = golden();
    let mut n_cases = 0;
    for case in &golden.cases {
        let model = match (&case.checkpoint, &case.protocol, case.kind.as_str()) {
            (Some(checkpoint), ..) if case.input.as_deref() == Some("pillow") => {
                match checkpoint.split_once('.').unwrap() {
                    ("efficientnet_b1", "IMAGENET1K_V1") => "efficientnet_b1_v1",
                    ("resnet50", "IMAGENET1K_V1") => "resnet50_v1",
                    (model, "IMAGENET1K_V1" | "IMAGENET1K_V2") => model,
                    _ => continue,
                }
            }
            (_, Some(protocol), _) => match protocol.as_str() {
                "swav" => "swav_resnet50",
                "dino" => "dino_resnet50",
                _ => "clip_vit_l_14",
            },
            (.., "clip_image_processor") => "clip_vit_l_14_hf",
            (.., "blip_image_processor") => "blip2_opt_2_7b",
            (.., "videomae_image_processor") => "videomae_vit_b_16",
            (.., "open_clip") => case.model.as_deref().unwrap(),
            _ => continue,
        };
        let steps = ImagePreset::Published.preprocessing(model, None).unwrap();
        let off = difference(case, &steps, &golden);
        assert!(off < 1e-6, "{model} {}: {off}", case.image);
        n_cases += 1;
    }
    // The two processors that cut out a square have one more image.
    assert_eq!(n_cases, 3 * (11 + 3 + 2 + 9 + 1) + 2);
}

/// Compares with timm's own transform, for its default configuration of each of its checkpoints.
#[test]
fn the_timm_preset_equals_timm_to_the_last_bit_of_the_normalisation() {
    let golden = golden();
    let mut n_cases = 0;
    for case in golden.cases.iter().filter(|case| case.kind == "timm") {
        let model = case.model.as_deref().unwrap();
        let steps = ImagePreset::Timm.preprocessing(model, None).unwrap();
        let off = difference(case, &steps, &golden);
        assert!(off < 1e-6, "{model} {}: {off}", case.image);
        n_cases += 1;
    }
    assert_eq!(n_cases, 3 * 13);
}

/// transformers' processor resizes floats.
#[test]
fn dinov3_is_prepared_as_transformers_does() {
    let golden = golden();
    let cases: Vec<&Case> = golden.cases.iter().filter(|case| case.kind == "dinov3_image_processor").collect();
    assert_eq!(cases.len(), 3);
    let steps = ImagePreset::Published.preprocessing("dinov3_vit_b_16", None).unwrap();
    for case in cases {
        let off = difference(case, &steps, &golden);
        assert!(off < 2e-6, "{}: {off}", case.image);
    }
}

#[test]
fn a_grey_level_of_difference_would_be_seen() {
    let golden = golden();
    let case = golden.cases.iter().find(|case| case.kind == "pillow").unwrap();
    let mut steps = ImagePreset::Published.preprocessing("alexnet", None).unwrap();
    steps.mean[0] += 1.0 / 255.0;
    assert!(difference(case, &steps, &golden) > 1e-3);
    let image: Image<f32> = window(&photograph("coffee"), 100, 100).to_unit_float();
    assert!(steps.apply(&image).is_ok(), "small images are enlarged");
}
