//! timm's names: `convnext_tiny`.

use crate::checkpoint::{CheckpointFormat, Origin, Setting};

pub(super) const TIMM: CheckpointFormat =
    CheckpointFormat::new("timm", "stem.0.weight", origin, &[Setting("architecture", &["\"convnext_tiny\""])]);

fn origin(name: &str, shape: &[usize]) -> Option<Origin> {
    let parts: Vec<&str> = name.split('.').collect();
    Some(Origin::Named(match parts.as_slice() {
        ["features", "0", index, part] => format!("stem.{index}.{part}"),
        ["classifier", "0", part] => format!("head.norm.{part}"),
        ["classifier", "2", part] => format!("head.fc.{part}"),
        // torchvision's stages have odd positions, and each follows the layer that leads to it.
        ["features", position, inner @ ..] => {
            let stage = position.parse::<usize>().ok()? / 2;
            match inner {
                [block, "layer_scale"] => {
                    let name = format!("stages.{stage}.blocks.{block}.gamma");
                    return Some(Origin::Shaped(name, vec![*shape.first()?]));
                }
                [block, "block", layer, part] => {
                    let layer = match *layer {
                        "0" => "conv_dw",
                        "2" => "norm",
                        "3" => "mlp.fc1",
                        "5" => "mlp.fc2",
                        _ => return None,
                    };
                    format!("stages.{stage}.blocks.{block}.{layer}.{part}")
                }
                [index, part] => format!("stages.{stage}.downsample.{index}.{part}"),
                _ => return None,
            }
        }
        _ => return None,
    }))
}
