//! transformers' names: `SwinForImageClassification`. Queries, keys and values have separate weights.

use crate::checkpoint::{CheckpointFormat, Origin, Setting};

pub(super) const TRANSFORMERS: CheckpointFormat = CheckpointFormat::new(
    "transformers",
    "swin.embeddings.patch_embeddings.projection.weight",
    |name, _| match name.strip_prefix("head.") {
        Some(part) => Some(Origin::Named(format!("classifier.{part}"))),
        None => origin_below("swin.", name),
    },
    &[
        Setting("hidden_act", &["\"gelu\""]),
        Setting("layer_norm_eps", &["1e-5"]),
        Setting("num_heads", &["[3, 6, 12, 24]"]),
    ],
);

/// Where a model whose names begin with `prefix` has the tensor with torchvision's `name`.
pub(crate) fn origin_below(prefix: &str, name: &str) -> Option<Origin> {
    let parts: Vec<&str> = name.split('.').collect();
    let name = match parts.as_slice() {
        ["features", "0", "0", part] => format!("embeddings.patch_embeddings.projection.{part}"),
        ["features", "0", "2", part] => format!("embeddings.norm.{part}"),
        ["norm", part] => format!("layernorm.{part}"),
        // torchvision's stages have odd positions, and each follows the layer that leads to it. transformers counts
        // that layer as the end of the stage before.
        ["features", position, inner @ ..] => {
            let stage = position.parse::<usize>().ok()? / 2;
            match inner {
                ["norm" | "reduction", _] => {
                    let stage = stage.checked_sub(1)?;
                    format!("encoder.layers.{stage}.downsample.{}", inner.join("."))
                }
                [block, inner @ ..] => {
                    let block = format!("encoder.layers.{stage}.blocks.{block}");
                    let inner = match inner {
                        ["norm1", part] => format!("layernorm_before.{part}"),
                        ["attn", "qkv", part] => {
                            let map = |map| format!("{prefix}{block}.attention.self.{map}.{part}");
                            return Some(Origin::Stacked(["query", "key", "value"].map(map).to_vec()));
                        }
                        ["attn", "proj", part] => format!("attention.output.dense.{part}"),
                        ["attn", table] => format!("attention.self.{table}"),
                        ["norm2", part] => format!("layernorm_after.{part}"),
                        ["mlp", "0", part] => format!("intermediate.dense.{part}"),
                        ["mlp", "3", part] => format!("output.dense.{part}"),
                        _ => return None,
                    };
                    format!("{block}.{inner}")
                }
                [] => return None,
            }
        }
        _ => return None,
    };
    Some(Origin::Named(format!("{prefix}{name}")))
}
