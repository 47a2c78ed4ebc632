//! transformers' names: `MMGroundingDinoForObjectDetection` and `GroundingDinoForObjectDetection`, as files have
//! them. Queries, keys and values have separate weights.

use super::weights::BACKBONE;
use crate::architectures::swin::origin_below;
use crate::checkpoint::{CheckpointFormat, Origin};

pub(super) const TRANSFORMERS: CheckpointFormat =
    CheckpointFormat::new("transformers", "model.level_embed", |name, _| origin(name), &[]);

fn origin(name: &str) -> Option<Origin> {
    if let Some(part) = name.strip_prefix(BACKBONE) {
        return match part.split('.').collect::<Vec<_>>().as_slice() {
            // Files count stages from 1.
            ["norms", stage, part] => {
                let stage = stage.parse::<usize>().ok()? + 1;
                let name = format!("{BACKBONE}hidden_states_norms.stage{stage}.{part}");
                Some(Origin::Named(name))
            }
            _ => origin_below(BACKBONE, part),
        };
    }
    if let Some((layer, part)) = name.split_once(".qkv.") {
        let map = |map| format!("{layer}.{map}.{part}");
        return Some(Origin::Stacked(["query", "key", "value"].map(map).to_vec()));
    }
    let parts: Vec<&str> = name.split('.').collect();
    Some(Origin::Named(match parts.as_slice() {
        ["model", "input_proj_vision", level, "extra", _, part @ ..] => {
            format!("model.input_proj_vision.{level}.{}", part.join("."))
        }
        ["model", head, _, part @ ..] if head.starts_with("encoder_output_") => {
            format!("model.{head}.{}", part.join("."))
        }
        _ => return None,
    }))
}
