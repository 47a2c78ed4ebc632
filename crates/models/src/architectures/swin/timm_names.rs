//! timm's names: `swin_tiny_patch4_window7_224`. Until 0.9 they were those of the Swin Transformer's authors,
//! who count the layer between two stages as the end of the first. timm counts it as the beginning of the second.

use crate::checkpoint::{CheckpointFormat, Origin, Setting};

const SETTINGS: &[Setting] = &[Setting("architecture", &["\"swin_tiny_patch4_window7_224\""])];

pub(super) const TIMM: CheckpointFormat =
    CheckpointFormat::new("timm", "layers.3.downsample.norm.weight", |name, _| origin(name, "head.fc", 0), SETTINGS);

pub(super) const AUTHORS: CheckpointFormat = CheckpointFormat::new(
    "the Swin Transformer's authors",
    "layers.0.downsample.norm.weight",
    |name, _| origin(name, "head", 1),
    SETTINGS,
);

/// Finds a tensor in timm's names. `before` says how many stages earlier than the stage that it leads to a merging
/// layer is counted.
fn origin(name: &str, head: &str, before: usize) -> Option<Origin> {
    let parts: Vec<&str> = name.split('.').collect();
    Some(Origin::Named(match parts.as_slice() {
        ["features", "0", "0", part] => format!("patch_embed.proj.{part}"),
        ["features", "0", "2", part] => format!("patch_embed.norm.{part}"),
        ["norm", part] => format!("norm.{part}"),
        ["head", part] => format!("{head}.{part}"),
        // torchvision's stages have odd positions, and each follows the layer that leads to it.
        ["features", position, inner @ ..] => {
            let stage = position.parse::<usize>().ok()? / 2;
            match inner {
                ["norm" | "reduction", _] => {
                    let stage = stage.checked_sub(before)?;
                    format!("layers.{stage}.downsample.{}", inner.join("."))
                }
                [block, "mlp", layer, part] => {
                    let layer = match *layer {
                        "0" => "fc1",
                        "3" => "fc2",
                        _ => return None,
                    };
                    format!("layers.{stage}.blocks.{block}.mlp.{layer}.{part}")
                }
                [block, layer @ ..] => format!("layers.{stage}.blocks.{block}.{}", layer.join(".")),
                [] => return None,
            }
        }
        _ => return None,
    }))
}
