//! SAM 2 against transformers.

use crate::grounding_dino::{check_parts, picture};
use crate::parity::{self, on_threads, read};
use neurogauge_core::image::{Filter, resize_float};
use neurogauge_core::{BoxXyxy, Image};
use neurogauge_models::segmentation::{MaskPoint, MaskPrompt, PointLabel, SegmenterInput, SegmenterPreprocessing};
use neurogauge_models::{Arithmetic, DeviceChoice, ModelError, Sam2, SyntheticSam2};
use serde_json::Value;

/// Largest difference from the reference, in standard deviations of the tensor's values.
const TOLERANCE: f32 = 1e-4;
/// For predicted overlaps, which are between 0 and 1.
const OVERLAP_TOLERANCE: f64 = 1e-4;

/// The frequencies of positions, and their second name in transformers' files.
const FREQUENCIES: [&str; 2] = [
    "shared_image_embedding.positional_embedding",
    "prompt_encoder.shared_embedding.positional_embedding",
];

/// The tensors of a golden. The reference's file has the frequencies twice, with the same values; a synthetic file has
/// them once, since its values depend on names.
fn tensors_of(golden: &Value) -> std::collections::BTreeMap<String, Vec<usize>> {
    let mut tensors = parity::tensors(golden);
    tensors.remove(FREQUENCIES[1]);
    tensors
}

fn from_file(golden: &Value, device: DeviceChoice) -> SyntheticSam2 {
    let tensors = tensors_of(golden).into_iter().collect();
    let config = golden["config"].to_string();
    SyntheticSam2::of_file(&config, tensors, &parity::damped(golden), device.into()).unwrap()
}

fn input(golden: &Value, case: &Value) -> SegmenterInput {
    SegmenterPreprocessing::sam2()
        .with_side_px(read(&golden["config"]["image_px"]))
        .apply(&picture(case))
        .unwrap()
}

fn prompts(case: &Value) -> Vec<MaskPrompt> {
    let prompts = case["prompts"].as_array().unwrap().iter();
    let prompt = |prompt: &Value| match &prompt["box"] {
        Value::Null => {
            let points: Vec<[f64; 3]> = read(&prompt["points"]);
            let point = |&[x, y, inside]: &[f64; 3]| MaskPoint {
                x,
                y,
                label: match inside {
                    1.0 => PointLabel::Object,
                    _ => PointLabel::Background,
                },
            };
            MaskPrompt::Points(points.iter().map(point).collect())
        }
        edges => {
            let [x0, y0, x1, y1] = read(edges);
            MaskPrompt::Box(BoxXyxy { x0, y0, x1, y1 })
        }
    };
    prompts.map(prompt).collect()
}

/// The pixels of a packed mask, row by row.
fn packed(text: &str, n_pixels: usize) -> Vec<bool> {
    let bytes: Vec<u8> =
        (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect();
    let bit = |pixel: usize| bytes[pixel / 8] >> (7 - pixel % 8) & 1 == 1;
    (0..n_pixels).map(bit).collect()
}

/// Compares every part of the network, the choice and the masks on every case. Returns the indices of the chosen masks
/// among the four.
fn compare(segmenter: &SyntheticSam2, golden: &Value) -> Vec<usize> {
    let mut candidates = Vec::new();
    for case in golden["cases"].as_array().unwrap() {
        let (input, prompts) = (input(golden, case), prompts(case));
        let (found, outputs) = segmenter.outputs(&input, &prompts).unwrap();
        check_parts(golden, case, &outputs, f64::from(TOLERANCE));
        let (_, logits, _) = outputs.iter().find(|(name, ..)| name == "logits").unwrap();
        let deviation: f32 = read(&case["taps"]["logits"]["std"]);
        for (place, mask) in found.iter().enumerate() {
            assert_eq!(mask.candidate, read::<usize>(&case["chosen"][place]));
            let score = case["scores"][place].as_f64().unwrap();
            assert!((mask.score - score).abs() < OVERLAP_TOLERANCE);
            candidates.push(mask.candidate);
            let (width_px, height_px) = input.original_px;
            let expected = packed(case["masks"][place].as_str().unwrap(), width_px * height_px);
            let side = read::<usize>(&golden["config"]["image_px"]) / 4;
            let own = &logits[(place * 4 + mask.candidate) * side * side..][..side * side];
            let own = own.iter().flat_map(|&v| [v; 3]).collect();
            let own = Image::new(side, side, own).unwrap();
            let own = resize_float(&own, width_px, height_px, Filter::Bilinear, false).unwrap();
            for (pixel, &is_inside) in expected.iter().enumerate() {
                let (x, y) = (pixel % width_px, pixel / width_px);
                let doubtful = own.at(x, y, 0).abs() < TOLERANCE * deviation;
                let found = mask.mask.contains(x as u32, y as u32);
                assert!(found == is_inside || doubtful, "mask {place} at {x}, {y}");
            }
        }
    }
    candidates
}

#[test]
fn transformers_network_is_the_same() {
    let golden = parity::golden("sam2_reduced");
    for device in parity::devices() {
        let chosen = compare(&from_file(&golden, device), &golden);
        assert_eq!(chosen, [0; 6], "{device}");
    }
}

/// Also with masks that are not stable.
#[test]
fn the_file_of_the_authors_is_the_same_network() {
    let golden = parity::golden("sam2_original_reduced");
    for device in parity::devices() {
        let chosen = compare(&from_file(&golden, device), &golden);
        assert!((0..4).all(|candidate| chosen.contains(&candidate)));
    }
}

fn published(golden: &str, id: &str) {
    let golden = parity::golden(golden);
    let segmenter = SyntheticSam2::published(id, &parity::damped(&golden), parity::device().into());
    let segmenter = segmenter.unwrap();
    compare(&segmenter, &golden);
}

#[test]
fn the_tiny_network_at_its_published_size() {
    published("sam2_hiera_tiny", "sam2.1_hiera_tiny");
}

#[test]
#[ignore = "takes some seconds each"]
fn the_other_networks_at_their_published_sizes() {
    published("sam2_hiera_small", "sam2_hiera_small");
    published("sam2_hiera_base_plus", "sam2.1_hiera_base_plus");
    published("sam2_hiera_large", "sam2.1_hiera_large");
}

#[test]
fn masks_do_not_depend_on_threads_or_on_other_prompts() {
    let golden = parity::golden("sam2_reduced");
    let case = &golden["cases"][0];
    let (input, prompts) = (input(&golden, case), prompts(case));
    let segmenter = from_file(&golden, DeviceChoice::Cpu);
    let segment = |n_threads: usize, prompts: &[MaskPrompt]| {
        on_threads(n_threads, || segmenter.segment(&input, prompts).unwrap())
    };
    let together = segment(1, &prompts);
    assert_eq!(together, segment(5, &prompts));
    for (prompt, mask) in prompts.iter().zip(&together) {
        assert_eq!(&segment(2, std::slice::from_ref(prompt))[0], mask);
    }
    // More prompts than the decoder processes at a time, of both kinds.
    let mut many: Vec<MaskPrompt> = prompts.iter().cycle().take(12).cloned().collect();
    many.insert(2, prompts_of_points());
    let found = segment(2, &many);
    assert_eq!(found.len(), 13);
    assert_eq!(found[12], together[2]);
    assert!(segment(1, &[]).is_empty());
}

fn prompts_of_points() -> MaskPrompt {
    MaskPrompt::Points(vec![MaskPoint {
        x: 20.0,
        y: 30.0,
        label: PointLabel::Object,
    }])
}

#[test]
fn bad_images_and_prompts_are_refused() {
    let golden = parity::golden("sam2_reduced");
    let segmenter = from_file(&golden, parity::device());
    let message = |side_px: usize, value: f32, prompt: MaskPrompt| {
        let image = Image::new(side_px, side_px, vec![value; side_px * side_px * 3]).unwrap();
        let input = SegmenterInput {
            image,
            original_px: (40, 30),
        };
        segmenter.segment(&input, &[prompt]).unwrap_err().to_string()
    };
    let bbox = |x0, x1| {
        let (y0, y1) = (0.0, 5.0);
        MaskPrompt::Box(BoxXyxy { x0, y0, x1, y1 })
    };
    let found = message(64, 0.5, bbox(0.0, 5.0));
    assert!(found.contains("64 x 64 px, expected 256 x 256 px"), "{found}");
    assert!(message(256, f32::NAN, bbox(0.0, 5.0)).contains("NaN"));
    let found = message(256, 0.5, bbox(6.0, 5.0));
    assert!(found.contains("mask prompt 0: the box is [6, 0, 5, 5]"), "{found}");
    assert!(message(256, 0.5, bbox(f64::NAN, 5.0)).contains("NaN"));
    let none = MaskPrompt::Points(Vec::new());
    assert!(message(256, 0.5, none).contains("it has no points"));
}

#[test]
fn tensors_that_lack_or_are_left_over_are_named_as_in_the_file() {
    for (name, lacking, by) in [
        ("sam2_reduced", "mask_decoder.transformer.layers.1.mlp.proj_out.bias", ""),
        (
            "sam2_original_reduced",
            "sam_mask_decoder.transformer.layers.1.mlp.layers.1.bias",
            "read by the names of SAM 2's authors",
        ),
    ] {
        let golden = parity::golden(name);
        let config = golden["config"].to_string();
        let load = |tensors: std::collections::BTreeMap<String, Vec<usize>>| {
            let tensors = tensors.into_iter().collect();
            let loaded = SyntheticSam2::of_file(&config, tensors, &[], Arithmetic::default());
            loaded.err().unwrap().to_string()
        };
        let mut tensors = tensors_of(&golden);
        tensors.remove(lacking).unwrap();
        let message = load(tensors);
        assert!(message.contains(lacking) && message.contains(by), "{message}");
        let mut tensors = tensors_of(&golden);
        tensors.insert("image_encoder.trunk.something".to_owned(), vec![2]);
        let message = load(tensors);
        assert!(message.contains("image_encoder.trunk.something"), "{message}");
    }
    let identity = neurogauge_models::find("sam2.1_hiera_tiny").unwrap().identity(String::new());
    let error = Sam2::load("alexnet", "nothing.pt".as_ref(), identity).err();
    assert!(matches!(error, Some(ModelError::UnknownModel(_))));
}

#[test]
fn frequencies_under_two_names_are_the_same() {
    let golden = parity::golden("sam2_reduced");
    let config = golden["config"].to_string();
    let tensors = parity::tensors(&golden);
    assert!(FREQUENCIES.iter().all(|name| tensors.contains_key(*name)));
    let tensors = tensors.into_iter().collect();
    let loaded = SyntheticSam2::of_file(&config, tensors, &[], Arithmetic::default());
    let message = loaded.err().unwrap().to_string();
    for part in [FREQUENCIES[0], FREQUENCIES[1], "differ"] {
        assert!(message.contains(part), "{message}");
    }
}
