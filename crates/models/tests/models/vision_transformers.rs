//! The vision transformers of timm and transformers against these libraries, with their published widths and two blocks
//! (`reference/models_vit.py`), with each library's names.

use crate::parity::{brief, check, compare, golden, nothing, tensors};
use neurogauge_core::Image;
use neurogauge_core::synthetic::Synthetic;
use neurogauge_models::{ImageModel, LayerRequest, ModelError, Pooling, synthetic_file_model};
use std::collections::BTreeMap;
use std::path::Path;

type Tensors = BTreeMap<String, Vec<usize>>;

/// Compares every tensor and layer, with timm's names.
#[test]
fn networks_equal_timm() {
    for id in [
        "siglip2_vit_so400m_14",
        // It has the tanh approximation of GELU, also in the learned query.
        "siglip2_vit_so400m_16",
        "siglip2_vit_so400m_16_gap",
        "siglip2_vit_b_16",
        "dinov2_vit_b_14",
        "dinov3_vit_b_16",
        "pe_core_vit_b_16",
        "pe_core_vit_l_14_336",
        "mobileclip2_vit_b",
    ] {
        check(&format!("{id}_reduced"), &format!("timm_{id}"), &[], nothing);
    }
}

fn load(id: &str, tensors: Tensors) -> Result<Box<dyn ImageModel>, ModelError> {
    let file = Path::new("model.safetensors");
    synthetic_file_model(&format!("{id}_reduced"), file, tensors.into_iter().collect(), 0, &[])
}

/// Compares every layer of `id` from a file with the golden's tensors, all of which the model must use.
fn check_file(id: &str, golden_name: &str) {
    let golden = golden(golden_name);
    let model = load(id, tensors(&golden)).unwrap();
    compare(model.as_ref(), golden_name, &brief(&golden), |tap| Some(tap.to_owned()));
}

/// The file has a text tower, and the tanh approximation of GELU, unlike timm's file of the same model.
#[test]
fn siglip2_equals_transformers() {
    check_file("siglip2_vit_b_16", "transformers_siglip2_vit_b_16");
}

#[test]
fn dinov2_equals_transformers() {
    let name = "transformers_dinov2_vit_b_14";
    check_file("dinov2_vit_b_14", name);
}

#[test]
fn dinov3_equals_transformers() {
    check_file("dinov3_vit_b_16", "transformers_dinov3_vit_b_16");
}

/// Has biases, which timm's other files of the model do not have, and images of another size.
#[test]
fn dinov3_with_biases_equals_timm() {
    check_file("dinov3_vit_b_16", "timm_dinov3_vit_b_16_qkvb");
}

fn noise(width_px: usize, height_px: usize) -> Image<f32> {
    let noise = Synthetic::new("noise", 1);
    let values = (0..(width_px * height_px * 3) as u64).map(|i| noise.uniform(i));
    Image::new(width_px, height_px, values.collect()).unwrap()
}

#[test]
fn what_open_clip_calls_a_tower_is_known_and_the_text_tower_left_over() {
    let names = tensors(&golden("timm_mobileclip2_vit_b"));
    let prefixed = names.iter().map(|(name, shape)| (format!("visual.trunk.{name}"), shape.clone()));
    let mut whole: Tensors = prefixed.collect();
    whole.insert("text.token_embedding.weight".to_owned(), vec![9, 4]);
    whole.insert("logit_scale".to_owned(), vec![]);
    let model = load("mobileclip2_vit_b", whole.clone()).unwrap();
    assert!(model.layers().contains(&"blocks.1"));
    whole.insert("visual.trunk.blocks.2.norm1.bias".to_owned(), vec![768]);
    let error = load("mobileclip2_vit_b", whole).err().unwrap();
    assert!(error.to_string().contains("visual.trunk.blocks.2.norm1.bias"), "{error}");
}

#[test]
fn a_file_of_another_model_is_refused_with_the_tensor_that_it_lacks() {
    let names = tensors(&golden("timm_siglip2_vit_b_16"));
    let error = load("pe_core_vit_b_16", names).err().unwrap().to_string();
    assert!(error.contains("cls_token") && error.contains("Perception Encoder"), "{error}");
}

/// Rotations do not depend on the image size; tables of positions do.
#[test]
fn sides_of_images_are_free_where_positions_are_rotations() {
    let model = load("dinov3_vit_b_16", tensors(&golden("timm_dinov3_vit_b_16"))).unwrap();
    let request = |pooling| LayerRequest::new("norm", pooling);
    let requests = [Pooling::None, Pooling::Mean, Pooling::MeanWithoutClassToken].map(request);
    let features = model.features(&[noise(48, 32)], &requests).unwrap();
    // The class token, four registers and six patches.
    assert_eq!(features[0].n_features, 11 * 768);
    let mean = |first: usize| -> f32 {
        let rows = features[0].values.chunks(768).skip(first);
        rows.map(|row| row[5]).sum::<f32>() / (11 - first) as f32
    };
    assert!((features[1].values[5] - mean(0)).abs() < 1e-5);
    assert!((features[2].values[5] - mean(5)).abs() < 1e-5);
    let error = model.features(&[noise(50, 32)], &requests).err().unwrap();
    assert!(error.to_string().contains("multiples of 16 px"), "{error}");

    let model = load("siglip2_vit_b_16", tensors(&golden("timm_siglip2_vit_b_16"))).unwrap();
    let error = model.features(&[noise(48, 32)], &requests).err().unwrap();
    assert!(error.to_string().contains("224 x 224 px"), "{error}");
}
