//! transformers' names: `ConvNextForImageClassification`, whose last norm has a smaller epsilon.

use crate::checkpoint::{CheckpointFormat, Origin, Setting};

pub(super) const TRANSFORMERS: CheckpointFormat = CheckpointFormat {
    epsilon: |norm| (norm == "classifier.0").then_some(1e-12),
    ..CheckpointFormat::new(
        "transformers",
        "convnext.embeddings.patch_embeddings.weight",
        origin,
        &[Setting("hidden_act", &["\"gelu\""]), Setting("layer_norm_eps", &["1e-12"])],
    )
};

fn origin(name: &str, shape: &[usize]) -> Option<Origin> {
    let parts: Vec<&str> = name.split('.').collect();
    let name = match parts.as_slice() {
        ["features", "0", "0", part] => format!("embeddings.patch_embeddings.{part}"),
        ["features", "0", "1", part] => format!("embeddings.layernorm.{part}"),
        ["classifier", "0", part] => format!("layernorm.{part}"),
        ["classifier", "2", part] => return Some(Origin::Named(format!("classifier.{part}"))),
        // torchvision's stages have odd positions, and each follows the layer that leads to it.
        ["features", position, inner @ ..] => {
            let stage = position.parse::<usize>().ok()? / 2;
            let stage = format!("encoder.stages.{stage}");
            match inner {
                [block, "layer_scale"] => {
                    let name = format!("convnext.{stage}.layers.{block}.layer_scale_parameter");
                    return Some(Origin::Shaped(name, vec![*shape.first()?]));
                }
                [block, "block", layer, part] => {
                    let layer = match *layer {
                        "0" => "dwconv",
                        "2" => "layernorm",
                        "3" => "pwconv1",
                        "5" => "pwconv2",
                        _ => return None,
                    };
                    format!("{stage}.layers.{block}.{layer}.{part}")
                }
                [index, part] => format!("{stage}.downsampling_layer.{index}.{part}"),
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(Origin::Named(format!("convnext.{name}")))
}
