//! The tensor names in SAM 2's own files, which also have the tensors for videos.

use crate::checkpoint::{CheckpointFormat, Origin};

pub(super) const ORIGINAL: CheckpointFormat =
    CheckpointFormat::new("SAM 2's authors", "sam_mask_decoder.iou_token.weight", |name, _| origin(name), &[]);

fn origin(name: &str) -> Option<Origin> {
    let parts: Vec<&str> = name.split('.').collect();
    Some(Origin::Named(match parts.as_slice() {
        ["no_memory_embedding"] => "no_mem_embed".to_owned(),
        ["shared_image_embedding", _] => "sam_prompt_encoder.pe_layer.positional_encoding_gaussian_matrix".to_owned(),
        ["prompt_encoder", "point_embed", "weight"] => {
            let row = |row| format!("sam_prompt_encoder.point_embeddings.{row}.weight");
            return Some(Origin::Stacked((0..4).map(row).collect()));
        }
        ["prompt_encoder", part @ ..] => format!("sam_prompt_encoder.{}", part.join(".")),
        ["vision_encoder", "neck", "convs", index, part] => {
            format!("image_encoder.neck.convs.{index}.conv.{part}")
        }
        ["vision_encoder", "backbone", part @ ..] => {
            format!("image_encoder.trunk.{}", of_trunk(part))
        }
        ["mask_decoder", part @ ..] => format!("sam_mask_decoder.{}", of_decoder(part)),
        _ => return None,
    }))
}

fn of_trunk(parts: &[&str]) -> String {
    match parts {
        ["patch_embed", "projection", part] => format!("patch_embed.proj.{part}"),
        ["blocks", index, "layer_norm1", part] => format!("blocks.{index}.norm1.{part}"),
        ["blocks", index, "layer_norm2", part] => format!("blocks.{index}.norm2.{part}"),
        ["blocks", index, "mlp", map, part] => {
            format!("blocks.{index}.mlp.layers.{}.{part}", of_two(map))
        }
        parts => parts.join("."),
    }
}

fn of_decoder(parts: &[&str]) -> String {
    match parts {
        ["upscale_conv1", part] => format!("output_upscaling.0.{part}"),
        ["upscale_layer_norm", part] => format!("output_upscaling.1.{part}"),
        ["upscale_conv2", part] => format!("output_upscaling.3.{part}"),
        ["transformer", "layer_norm_final_attn", part] => {
            format!("transformer.norm_final_attn.{part}")
        }
        ["transformer", "layers", index, "mlp", map, part] => {
            format!("transformer.layers.{index}.mlp.layers.{}.{part}", of_two(map))
        }
        ["transformer", "layers", index, norm, part] if norm.starts_with("layer_norm") => {
            let number = norm.trim_start_matches("layer_norm");
            format!("transformer.layers.{index}.norm{number}.{part}")
        }
        ["transformer", attention @ .., "o_proj", part] => {
            format!("transformer.{}.out_proj.{part}", attention.join("."))
        }
        [head @ .., map @ ("proj_in" | "proj_out"), part] => {
            format!("{}.layers.{}.{part}", head.join("."), if *map == "proj_in" { 0 } else { 2 })
        }
        [head @ .., "layers", "0", part] => format!("{}.layers.1.{part}", head.join(".")),
        parts => parts.join("."),
    }
}

/// The number of a map of a perceptron of two.
fn of_two(map: &str) -> usize {
    usize::from(map == "proj_out")
}

/// The name under which transformers' files have the position frequencies a second time.
pub(super) const SECOND_FREQUENCIES: &str = "prompt_encoder.shared_embedding.positional_embedding";

/// May this tensor be left over, by its name in either format? Some are needed only for videos or for masks as prompts,
/// and one predicts whether the object is present, which does not matter for images.
pub(super) fn is_left_over(name: &str) -> bool {
    const PREFIXES: [&str; 17] = [
        "memory_",
        "mask_downsample",
        "obj_ptr_proj.",
        "obj_ptr_tpos_proj.",
        "maskmem_tpos_enc",
        "no_mem_pos_enc",
        "no_obj_ptr",
        "no_obj_embed_spatial",
        "object_pointer_proj",
        "temporal_positional_encoding_projection_layer",
        "no_memory_positional_encoding",
        "no_object_pointer",
        "occlusion_spatial_embedding_parameter",
        "sam_prompt_encoder.mask_downscaling.",
        "prompt_encoder.mask_embed.",
        "sam_mask_decoder.pred_obj_score_head.",
        "mask_decoder.pred_obj_score_head.",
    ];
    PREFIXES.iter().any(|prefix| name.starts_with(prefix))
}
