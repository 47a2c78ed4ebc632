//! Grounding DINO and MM-Grounding-DINO against transformers; and SAM 2, which makes masks from their boxes.
use crate::parity::{self, on_threads, read};
use crate::photographs;

use neurogauge_core::Image;
use neurogauge_core::synthetic::parameter;
use neurogauge_models::detection::{PromptTokens, RawDetections};
use neurogauge_models::{Arithmetic, DeviceChoice, SyntheticGroundingDino};
use serde_json::Value;
use std::collections::BTreeMap;

/// Largest difference from the reference, in standard deviations of the tensor's values.
const TOLERANCE: f64 = 1e-4;
/// For full depth with weights that are not made smaller, where float32 itself differs by about 1e-4.
const LARGE_TOLERANCE: f64 = 1e-3;

type Tensors = BTreeMap<String, Vec<usize>>;

fn config(golden: &Value) -> String {
    golden["config"].to_string()
}

/// A detector from a file with the golden's tensors.
fn detector(golden: &Value, device: DeviceChoice) -> SyntheticGroundingDino {
    let tensors = parity::tensors(golden).into_iter().collect();
    let damped = parity::damped(golden);
    SyntheticGroundingDino::of_file(Some(&config(golden)), tensors, &damped, device.into()).unwrap()
}

/// The image of a case before its preparation: noise, or a window of a photograph.
pub(super) fn picture(case: &Value) -> Image<f32> {
    photographs::sized(case["image"].as_str().unwrap(), read(&case["width"]), read(&case["height"]))
}

fn image(golden: &Value, case: &Value) -> Image<f32> {
    photographs::normalised(&picture(case), read(&golden["mean"]), read(&golden["std"]))
}

fn prompt(case: &Value) -> PromptTokens {
    let ids = read(&case["ids"]);
    PromptTokens { ids }
}

/// Compares the network's parts (name, values, shape) with every part in a case of a golden.
pub(super) fn check_parts(golden: &Value, case: &Value, outputs: &[(String, Vec<f32>, Vec<usize>)], tolerance: f64) {
    let taps = case["taps"].as_object().unwrap();
    assert_eq!(outputs.len(), taps.len());
    let mut worst = (0.0, "");
    for (name, values, shape) in outputs {
        let expected: Vec<usize> = read(&taps[name]["shape"]);
        // Without the batch dimension.
        assert_eq!(shape[usize::from(shape.len() == expected.len() + 1)..], expected, "{name}");
        let error = parity::difference(name, values, &taps[name]);
        worst = if error > worst.0 { (error, name) } else { worst };
    }
    println!("{}: {:e} at {}", golden["model"], worst.0, worst.1);
    assert!(worst.0 < tolerance, "{:e} at {}", worst.0, worst.1);
}

/// Compares every part of the network on every case.
fn compare(detector: &SyntheticGroundingDino, golden: &Value, tolerance: f64) {
    for case in golden["cases"].as_array().unwrap() {
        let (found, mut outputs) = detector.outputs(&image(golden, case), &prompt(case)).unwrap();
        let n_queries = found.boxes.len();
        outputs.push(("logits".to_owned(), found.logits, vec![n_queries, found.n_tokens]));
        outputs.push(("boxes".to_owned(), found.boxes.as_flattened().to_vec(), vec![n_queries, 4]));
        check_parts(golden, case, &outputs, tolerance);
    }
}

fn check(name: &str) {
    let golden = parity::golden(name);
    for device in parity::devices() {
        compare(&detector(&golden, device), &golden, TOLERANCE);
    }
}

#[test]
fn mm_grounding_dino_equals_transformers() {
    check("mm_grounding_dino_reduced");
}

#[test]
fn grounding_dino_equals_transformers() {
    check("grounding_dino_reduced");
}

#[test]
#[ignore = "takes 3 GB and a minute"]
fn mm_grounding_dino_large_equals_transformers() {
    let golden = parity::golden("mm_grounding_dino_large");
    let detector = SyntheticGroundingDino::new(&config(&golden), parity::device().into()).unwrap();
    compare(&detector, &golden, LARGE_TOLERANCE);
}

/// By the shapes in the file alone, and with a configuration.
#[test]
fn mmdetection_s_file_is_the_same_network() {
    let golden = parity::golden("mmdet_grounding_dino_reduced");
    let tensors: Vec<_> = parity::tensors(&golden).into_iter().collect();
    let (damped, device) = (parity::damped(&golden), parity::device());
    let of_shapes = SyntheticGroundingDino::of_file(None, tensors, &damped, device.into()).unwrap();
    compare(&of_shapes, &golden, TOLERANCE);
    compare(&detector(&golden, device), &golden, TOLERANCE);
}

/// A synthetic checkpoint has the same weights as a file with transformers' names.
#[test]
fn a_synthetic_network_has_the_weights_of_the_file() {
    for name in ["mm_grounding_dino_reduced", "grounding_dino_reduced"] {
        let golden = parity::golden(name);
        let case = &golden["cases"][0];
        let (image, prompt) = (image(&golden, case), prompt(case));
        let tensors = parity::tensors(&golden).into_iter().collect();
        let config = config(&golden);
        let file = SyntheticGroundingDino::of_file(Some(&config), tensors, &[], Arithmetic::default()).unwrap();
        let synthetic = SyntheticGroundingDino::new(&config, Arithmetic::default()).unwrap();
        assert_eq!(synthetic.detect(&image, &prompt).unwrap(), file.detect(&image, &prompt).unwrap(), "{name}");
    }
}

#[test]
fn detections_do_not_depend_on_threads_or_on_the_prompt_before() {
    let golden = parity::golden("mm_grounding_dino_reduced");
    let cases = golden["cases"].as_array().unwrap();
    let image = image(&golden, &cases[0]);
    let detector = detector(&golden, DeviceChoice::Cpu);
    let detect = |n_threads: usize, case: &Value| -> RawDetections {
        on_threads(n_threads, || detector.detect(&image, &prompt(case)).unwrap())
    };
    let alone = detect(1, &cases[0]);
    assert_eq!(alone, detect(5, &cases[0]));
    assert_ne!(alone.logits, detect(2, &cases[1]).logits);
    assert_eq!(alone, detect(2, &cases[0]));
}

#[test]
fn a_token_sees_its_phrase_only_before_it_sees_the_image() {
    let golden = parity::golden("grounding_dino_reduced");
    let image = image(&golden, &golden["cases"][0]);
    let detector = detector(&golden, DeviceChoice::Cpu);
    let text = |ids: &[u32]| -> Vec<f32> {
        let (_, outputs) = detector.outputs(&image, &PromptTokens { ids: ids.to_vec() }).unwrap();
        outputs.into_iter().find(|(name, _, _)| name == "text").unwrap().1
    };
    let one = text(&[101, 7, 8, 1012, 102]);
    let two = text(&[101, 9, 1012, 7, 8, 1012, 102]);
    // Tokens 1 to 3 of the first prompt are 3 to 5 of the second.
    assert_eq!(one[32..4 * 32], two[3 * 32..6 * 32]);
}

#[test]
fn bad_images_prompts_and_weights_are_refused() {
    let golden = parity::golden("grounding_dino_reduced");
    let detector = detector(&golden, parity::device());
    let message = |width_px: usize, height_px: usize, value: f32, ids: &[u32]| {
        let image = Image::new(width_px, height_px, vec![value; width_px * height_px * 3]);
        let prompt = PromptTokens { ids: ids.to_vec() };
        detector.detect(&image.unwrap(), &prompt).unwrap_err().to_string()
    };
    let ids = [101, 7, 1012, 102];
    let found = message(20, 20, 0.5, &ids);
    assert!(found.contains("20 x 20 px, expected a larger one"), "{found}");
    assert!(message(0, 20, 0.5, &ids).contains("0 places"));
    assert!(message(100, 100, f32::NAN, &ids).contains("NaN"));
    assert!(message(100, 100, 0.5, &[]).contains("0 tokens"));
    assert!(message(100, 100, 0.5, &[7; 31]).contains("1 to 30"));
    assert!(message(100, 100, 0.5, &[101, 1100]).contains("a token 1100"));

    let mut tensors: Vec<_> = (parity::tensors(&golden).into_iter())
        .map(|(name, shape)| {
            let values = parameter(&name, &shape, 0);
            (name, shape, values)
        })
        .collect();
    let broken = |tensors| {
        let detector = SyntheticGroundingDino::of_tensors(Some(&config(&golden)), tensors)?;
        let image = image(&golden, &golden["cases"][0]);
        detector.detect(&image, &prompt(&golden["cases"][0]))
    };
    assert!(broken(tensors.clone()).is_ok());
    let norm = tensors.iter_mut().find(|(name, _, _)| name == "model.decoder.layer_norm.bias");
    norm.unwrap().2[3] = f32::INFINITY;
    let error = broken(tensors).unwrap_err();
    assert!(error.to_string().contains("of query 0 are not numbers"), "{error}");
}

#[test]
fn tensors_that_lack_or_are_left_over_are_named_as_in_the_file() {
    for (name, lacking, alias) in [
        (
            "mm_grounding_dino_reduced",
            "model.encoder.layers.1.text_enhancer_layer.self_attn.key.bias",
            "read by the names of transformers",
        ),
        (
            "mmdet_grounding_dino_reduced",
            "encoder.text_layers.0.self_attn.attn.in_proj_bias",
            "read by the names of mmdetection",
        ),
    ] {
        let golden = parity::golden(name);
        let load = |tensors: Tensors| {
            let tensors = tensors.into_iter().collect();
            SyntheticGroundingDino::of_file(Some(&config(&golden)), tensors, &[], Arithmetic::default())
                .err()
                .unwrap()
                .to_string()
        };
        let mut tensors = parity::tensors(&golden);
        tensors.remove(lacking).unwrap();
        let message = load(tensors);
        assert!(message.contains(lacking) && message.contains(alias), "{message}");
        let mut tensors = parity::tensors(&golden);
        tensors.insert("model.something.weight".to_owned(), vec![2]);
        let message = load(tensors);
        assert!(message.contains("model.something.weight"), "{message}");
    }
    let golden = parity::golden("mm_grounding_dino_reduced");
    let unknown = SyntheticGroundingDino::of_file(Some(&config(&golden)), Vec::new(), &[], Arithmetic::default());
    let message = unknown.err().unwrap().to_string();
    assert!(message.contains("mmdetection (level_embed)"), "{message}");
}
