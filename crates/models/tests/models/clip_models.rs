//! CLIP's image towers against their reference implementations.
use crate::parity;

use neurogauge_models::synthetic_file_model;
use parity::{check_layers, compare, golden, nothing, tensors};
use std::path::Path;

/// The layer for a golden's tap, which has the name of one of transformers' modules.
pub(crate) fn layer_of(tap: &str) -> Option<String> {
    let embedding = tap == "visual_projection";
    Some(if embedding { "image_embeds" } else { tap }.to_owned())
}

/// The layer of an image tower in OpenAI's layout, whose last norm covers all tokens; ours only covers the class token.
fn layer_of_openai(tap: &str) -> Option<String> {
    if let Some(index) = tap.strip_prefix("visual.transformer.resblocks.") {
        return Some(format!("vision_model.encoder.layers.{index}"));
    }
    match tap {
        "visual.ln_pre" => Some("vision_model.pre_layrnorm".to_owned()),
        "visual.ln_post" => None,
        "visual" => Some("image_embeds".to_owned()),
        other => panic!("an unknown tap, {other}"),
    }
}

#[test]
fn clip_vit_equals_transformers() {
    for golden in ["clip_vit_reduced", "clip_vit_b_16", "clip_vit_b_32"] {
        check_layers(&format!("{golden}_hf"), golden, layer_of, nothing);
    }
}

#[test]
fn clip_vit_in_openai_s_layout_equals_open_clip() {
    for id in ["vit_reduced", "vit_b_16"] {
        check_layers(&format!("clip_{id}"), &format!("clip_openai_{id}"), layer_of_openai, nothing);
    }
}

/// For any CLIP in timm, such as Data Filtering Networks'. Its last norm covers all tokens.
#[test]
fn clip_vit_under_timm_s_names_equals_timm() {
    let name = "timm_clip_vit_reduced";
    let golden = golden(name);
    let tensors = tensors(&golden).into_iter().collect();
    let file = Path::new("model.safetensors");
    let model = synthetic_file_model("clip_vit_b_16_reduced", file, tensors, 0, &[]).unwrap();
    compare(model.as_ref(), name, &golden, |tap| match tap {
        "patch_embed" | "norm" => None,
        "pos_drop" => Some("vision_model.embeddings".to_owned()),
        "norm_pre" => Some("vision_model.pre_layrnorm".to_owned()),
        "head" => Some("image_embeds".to_owned()),
        block => Some(block.replace("blocks.", "vision_model.encoder.layers.")),
    });
}

#[test]
#[ignore = "takes 1.3 GB and a minute"]
fn clip_vit_l_14_equals_transformers() {
    check_layers("clip_vit_l_14_hf", "clip_vit_l_14", layer_of, nothing);
}

#[test]
fn clip_rn50_equals_open_clip() {
    let layer_of = |tap: &str| match tap {
        "visual" => Some("visual.attnpool".to_owned()),
        other => Some(other.to_owned()),
    };
    check_layers("clip_rn50", "clip_openai_rn50_calm", layer_of, nothing);
}
