//! timm's names: `efficientnet_b1`. `tf_efficientnet_b1` has the same tensors, but other padding and another
//! epsilon, so a file must be identified by its name or by its `config.json`.

use crate::checkpoint::{CheckpointFormat, Origin, Setting};

pub(super) const TIMM: CheckpointFormat = CheckpointFormat {
    needs_name: Some((
        "efficientnet_b1",
        "timm's efficientnet_b1 and tf_efficientnet_b1 have the same tensors, and the second, with \
         TensorFlow's padding and 1e-3 in the normalisation, is not computed here. If it is the first, \
         put timm's config.json beside the file, or let the file's name begin with efficientnet_b1",
    )),
    ..CheckpointFormat::new(
        "timm",
        "conv_stem.weight",
        |name, _| origin(name).map(Origin::Named),
        &[Setting("architecture", &["\"efficientnet_b1\""])],
    )
};

fn origin(name: &str) -> Option<String> {
    let parts: Vec<&str> = name.split('.').collect();
    Some(match parts.as_slice() {
        ["features", "0", "0", part] => format!("conv_stem.{part}"),
        ["features", "0", "1", part] => format!("bn1.{part}"),
        ["features", "8", "0", part] => format!("conv_head.{part}"),
        ["features", "8", "1", part] => format!("bn2.{part}"),
        ["classifier", "1", part] => format!("classifier.{part}"),
        ["features", stage, block, "block", inner @ ..] => {
            let stage = stage.parse::<usize>().ok()?.checked_sub(1)?;
            // The blocks of the first stage do not expand, so their layers are one place earlier.
            let inner = match (stage, inner) {
                (0, ["0", "0", part]) => format!("conv_dw.{part}"),
                (0, ["0", "1", part]) => format!("bn1.{part}"),
                (0, ["2", "0", part]) => format!("conv_pw.{part}"),
                (0, ["2", "1", part]) => format!("bn2.{part}"),
                (1.., ["0", "0", part]) => format!("conv_pw.{part}"),
                (1.., ["0", "1", part]) => format!("bn1.{part}"),
                (1.., ["1", "0", part]) => format!("conv_dw.{part}"),
                (1.., ["1", "1", part]) => format!("bn2.{part}"),
                (1.., ["3", "0", part]) => format!("conv_pwl.{part}"),
                (1.., ["3", "1", part]) => format!("bn3.{part}"),
                (_, [_, "fc1", part]) => format!("se.conv_reduce.{part}"),
                (_, [_, "fc2", part]) => format!("se.conv_expand.{part}"),
                _ => return None,
            };
            format!("blocks.{stage}.{block}.{inner}")
        }
        _ => return None,
    })
}
