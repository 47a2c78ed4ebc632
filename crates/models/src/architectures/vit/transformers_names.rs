//! transformers' names, in files of `ViTForImageClassification` and of `ViTModel`, which has no classifier. Queries,
//! keys and values have separate weights, and the norms have a smaller epsilon.

use crate::checkpoint::{CheckpointFormat, Origin, Setting};

const SETTINGS: &[Setting] = &[
    Setting("hidden_act", &["\"gelu\""]),
    Setting("layer_norm_eps", &["1e-12"]),
    Setting("num_attention_heads", &["12"]),
];

pub(super) const CLASSIFIER: CheckpointFormat = CheckpointFormat {
    epsilon: |_| Some(1e-12),
    ..CheckpointFormat::new("transformers", "vit.embeddings.cls_token", |name, _| origin("vit.", name), SETTINGS)
};

pub(super) const BACKBONE: CheckpointFormat = CheckpointFormat {
    epsilon: |_| Some(1e-12),
    optional: &["heads.head"],
    ..CheckpointFormat::new("transformers' ViTModel", "embeddings.cls_token", |name, _| origin("", name), SETTINGS)
};

/// Does a tensor belong to the pooler of `ViTModel`, which its features do not pass through?
pub(crate) fn is_pooler(name: &str) -> bool {
    name.starts_with("pooler.dense.") || name.starts_with("vit.pooler.dense.")
}

fn origin(prefix: &str, name: &str) -> Option<Origin> {
    let parts: Vec<&str> = name.split('.').collect();
    let name = match parts.as_slice() {
        ["class_token"] => "embeddings.cls_token".to_owned(),
        ["encoder", "pos_embedding"] => "embeddings.position_embeddings".to_owned(),
        ["conv_proj", part] => format!("embeddings.patch_embeddings.projection.{part}"),
        ["encoder", "ln", part] => format!("layernorm.{part}"),
        ["heads", "head", part] => return Some(Origin::Named(format!("classifier.{part}"))),
        ["encoder", "layers", block, inner @ ..] => {
            let block = block.strip_prefix("encoder_layer_")?;
            let block = format!("encoder.layer.{block}");
            let stacked = |part: &str| {
                let map = |map| format!("{prefix}{block}.attention.attention.{map}.{part}");
                Some(Origin::Stacked(["query", "key", "value"].map(map).to_vec()))
            };
            let inner = match inner {
                ["ln_1", part] => format!("layernorm_before.{part}"),
                ["self_attention", "in_proj_weight"] => return stacked("weight"),
                ["self_attention", "in_proj_bias"] => return stacked("bias"),
                ["self_attention", "out_proj", part] => format!("attention.output.dense.{part}"),
                ["ln_2", part] => format!("layernorm_after.{part}"),
                ["mlp", "0", part] => format!("intermediate.dense.{part}"),
                ["mlp", "3", part] => format!("output.dense.{part}"),
                _ => return None,
            };
            format!("{block}.{inner}")
        }
        _ => return None,
    };
    Some(Origin::Named(format!("{prefix}{name}")))
}
