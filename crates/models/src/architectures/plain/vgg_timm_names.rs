//! timm's names: `vgg16`, whose first fully connected layers are convolutions. They are equivalent on maps of 7 x 7
//! positions, from images of 224 pixels. Over larger maps timm would slide them; here the map is first pooled to 7 x 7
//! positions, as in torchvision.

use crate::checkpoint::{CheckpointFormat, Origin, Setting};

/// Positions along each side of the map.
const WINDOW: usize = 7;

pub(super) const TIMM: CheckpointFormat =
    CheckpointFormat::new("timm", "pre_logits.fc1.weight", origin, &[Setting("architecture", &["\"vgg16\""])]);

fn origin(name: &str, shape: &[usize]) -> Option<Origin> {
    let shaped = |layer: &str, window: usize| {
        let shape = match shape {
            [n_out, n_in] => vec![*n_out, n_in / window.pow(2), window, window],
            other => other.to_vec(),
        };
        let (_, part) = name.rsplit_once('.')?;
        Some(Origin::Shaped(format!("pre_logits.{layer}.{part}"), shape))
    };
    let parts: Vec<&str> = name.split('.').collect();
    match parts.as_slice() {
        ["features", ..] => Some(Origin::Named(name.to_owned())),
        ["classifier", "0", _] => shaped("fc1", WINDOW),
        ["classifier", "3", _] => shaped("fc2", 1),
        ["classifier", "6", part] => Some(Origin::Named(format!("head.fc.{part}"))),
        _ => None,
    }
}
