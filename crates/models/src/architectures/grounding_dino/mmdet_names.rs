//! mmdetection's names: the state dict of its `GroundingDINO` (3.x), as published in `.pth` files.
//!
//! The maps of queries, keys and values are stacked in one tensor (`in_proj_weight`, `qkv`). The layer between two
//! stages of the backbone reads the places of a square in the order of `nn.Unfold`. The heads of the query selection
//! come after those of the decoder's layers. Extra maps are numbered separately.
//!
//! Checked against transformers' own conversion of these files (`convert_mm_grounding_dino_to_hf.py`), not against
//! a published file.

use super::weights::{BACKBONE, TEXT};
use crate::checkpoint::{CheckpointFormat, Origin};

pub(super) const MMDETECTION: CheckpointFormat =
    CheckpointFormat::new("mmdetection", "level_embed", |name, _| origin(name), &[]);

fn origin(name: &str) -> Option<Origin> {
    if let Some(part) = name.strip_prefix(BACKBONE) {
        return backbone(part);
    }
    if let Some(part) = name.strip_prefix(TEXT) {
        return Some(named(&format!("language_model.language_backbone.body.model.{part}")));
    }
    let parts: Vec<&str> = name.split('.').collect();
    Some(match parts.as_slice() {
        ["model", "level_embed"] => named("level_embed"),
        ["model", "query_position_embeddings", part] => named(&format!("query_embedding.{part}")),
        ["model", "text_projection", part] => named(&format!("text_feat_map.{part}")),
        ["model", "enc_output", part] => named(&format!("memory_trans_fc.{part}")),
        ["model", "enc_output_norm", part] => named(&format!("memory_trans_norm.{part}")),
        ["model", "input_proj_vision", _, "extra", extra, layer, part] => {
            named(&format!("neck.extra_convs.{extra}.{}.{part}", neck(layer)?))
        }
        ["model", "input_proj_vision", level, layer, part] => {
            named(&format!("neck.convs.{level}.{}.{part}", neck(layer)?))
        }
        // A scalar here; the file stores it with an axis of length 1.
        ["model", "encoder_output_class_embed", index, "bias"] | ["class_embed", index, "bias"] => {
            Origin::Shaped(format!("bbox_head.cls_branches.{index}.bias"), vec![1])
        }
        ["model", "encoder_output_bbox_embed", index, "layers", layer, part]
        | ["bbox_embed", index, "layers", layer, part] => {
            // An activation follows every layer except the last, so layer n is at 2 n.
            let place = 2 * layer.parse::<usize>().ok()?;
            named(&format!("bbox_head.reg_branches.{index}.{place}.{part}"))
        }
        ["model", "encoder", "layers", index, layer @ ..] => named(&encoder(index, layer)?),
        ["model", "decoder", "layer_norm", part] => named(&format!("decoder.norm.{part}")),
        ["model", "decoder", "reference_points_head", part @ ..] => {
            named(&format!("decoder.ref_point_head.{}", part.join(".")))
        }
        ["model", "decoder", "layers", index, layer @ ..] => {
            named(&format!("decoder.layers.{index}.{}", decoder_layer(layer)?))
        }
        _ => return None,
    })
}

fn named(name: &str) -> Origin {
    Origin::Named(name.to_owned())
}

fn neck(layer: &str) -> Option<&'static str> {
    match layer {
        "0" => Some("conv"),
        "1" => Some("gn"),
        _ => None,
    }
}

/// Translates torchvision's names of the backbone.
fn backbone(name: &str) -> Option<Origin> {
    let parts: Vec<&str> = name.split('.').collect();
    let name = match parts.as_slice() {
        ["norms", stage, part] => format!("norm{stage}.{part}"),
        ["features", "0", "0", part] => format!("patch_embed.projection.{part}"),
        ["features", "0", "2", part] => format!("patch_embed.norm.{part}"),
        // Stages are at odd positions, each after the layer that leads to it, which is counted here as the end of
        // the stage before.
        ["features", position, inner @ ..] => {
            let stage = position.parse::<usize>().ok()? / 2;
            match inner {
                [layer @ ("norm" | "reduction"), part] => {
                    let stage = stage.checked_sub(1)?;
                    let name = format!("backbone.stages.{stage}.downsample.{layer}.{part}");
                    return Some(Origin::Unfolded(name));
                }
                [block, inner @ ..] => {
                    let inner = match inner {
                        [norm @ ("norm1" | "norm2"), part] => format!("{norm}.{part}"),
                        ["attn", part @ ..] => format!("attn.w_msa.{}", part.join(".")),
                        ["mlp", "0", part] => format!("ffn.layers.0.0.{part}"),
                        ["mlp", "3", part] => format!("ffn.layers.1.{part}"),
                        _ => return None,
                    };
                    format!("stages.{stage}.blocks.{block}.{inner}")
                }
                [] => return None,
            }
        }
        _ => return None,
    };
    Some(named(&format!("backbone.{name}")))
}

/// Our names nest the parts of an enhancer layer; mmdetection's have three lists of parts.
fn encoder(index: &str, layer: &[&str]) -> Option<String> {
    Some(match layer {
        ["fusion_layer", inner @ ..] => {
            let inner = match inner {
                ["vision_param"] => "gamma_v".to_owned(),
                ["text_param"] => "gamma_l".to_owned(),
                ["layer_norm_vision", part] => format!("layer_norm_v.{part}"),
                ["layer_norm_text", part] => format!("layer_norm_l.{part}"),
                ["attn", map, part] => {
                    let map = map.replace("vision", "v").replace("text", "l");
                    format!("attn.{map}.{part}")
                }
                _ => return None,
            };
            format!("encoder.fusion_layers.{index}.{inner}")
        }
        ["text_enhancer_layer", inner @ ..] => {
            let inner = match inner {
                ["self_attn", part @ ..] => attention("self_attn", part)?,
                ["layer_norm_before", part] => format!("norms.0.{part}"),
                ["layer_norm_after", part] => format!("norms.1.{part}"),
                [map, part] => format!("{}.{part}", perceptron(map)?),
                _ => return None,
            };
            format!("encoder.text_layers.{index}.{inner}")
        }
        ["deformable_layer", inner @ ..] => {
            let inner = match inner {
                ["self_attn", part @ ..] => format!("self_attn.{}", part.join(".")),
                ["self_attn_layer_norm", part] => format!("norms.0.{part}"),
                ["final_layer_norm", part] => format!("norms.1.{part}"),
                [map, part] => format!("{}.{part}", perceptron(map)?),
                _ => return None,
            };
            format!("encoder.layers.{index}.{inner}")
        }
        _ => return None,
    })
}

fn decoder_layer(layer: &[&str]) -> Option<String> {
    Some(match layer {
        ["self_attn", part @ ..] => attention("self_attn", part)?,
        ["encoder_attn_text", part @ ..] => attention("cross_attn_text", part)?,
        ["encoder_attn", part @ ..] => format!("cross_attn.{}", part.join(".")),
        ["self_attn_layer_norm", part] => format!("norms.0.{part}"),
        ["encoder_attn_text_layer_norm", part] => format!("norms.1.{part}"),
        ["encoder_attn_layer_norm", part] => format!("norms.2.{part}"),
        ["final_layer_norm", part] => format!("norms.3.{part}"),
        [map, part] => format!("{}.{part}", perceptron(map)?),
        _ => return None,
    })
}

/// PyTorch's `MultiheadAttention` inside a wrapper.
fn attention(name: &str, part: &[&str]) -> Option<String> {
    Some(match part {
        ["qkv", part] => format!("{name}.attn.in_proj_{part}"),
        ["out_proj", part] => format!("{name}.attn.out_proj.{part}"),
        _ => return None,
    })
}

fn perceptron(map: &str) -> Option<&'static str> {
    match map {
        "fc1" => Some("ffn.layers.0.0"),
        "fc2" => Some("ffn.layers.1"),
        _ => None,
    }
}
