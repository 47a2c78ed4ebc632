//! transformers' names: `ResNetForImageClassification`. timm's are torchvision's.

use crate::checkpoint::{CheckpointFormat, CheckpointFormats, Origin, Setting};

pub(crate) static FORMATS_18: CheckpointFormats = formats(&[Setting(
    "architecture",
    &["\"resnet18\"", "\"gluon_resnet18_v1b\"", "\"ssl_resnet18\"", "\"swsl_resnet18\""],
)]);

pub(crate) static FORMATS_50: CheckpointFormats = formats(&[Setting(
    "architecture",
    &["\"resnet50\"", "\"tv_resnet50\"", "\"gluon_resnet50_v1b\"", "\"ssl_resnet50\"", "\"swsl_resnet50\""],
)]);

/// timm's networks that average before strides (`resnetaa50` and others) have the same tensors as those that do not:
/// only a `config.json` tells them apart.
const fn formats(timm: &'static [Setting]) -> CheckpointFormats {
    CheckpointFormats {
        own: "torchvision and timm",
        own_mark: Some("conv1.weight"),
        others: &[TRANSFORMERS],
        own_settings: timm,
    }
}

const TRANSFORMERS: CheckpointFormat = CheckpointFormat::new(
    "transformers",
    "resnet.embedder.embedder.convolution.weight",
    |name, _| origin(name).map(Origin::Named),
    &[
        Setting("hidden_act", &["\"relu\""]),
        Setting("downsample_in_first_stage", &["false"]),
        Setting("downsample_in_bottleneck", &["false"]),
    ],
);

fn origin(name: &str) -> Option<String> {
    let parts: Vec<&str> = name.split('.').collect();
    Some(match parts.as_slice() {
        ["conv1", part] => format!("resnet.embedder.embedder.convolution.{part}"),
        ["bn1", part] => format!("resnet.embedder.embedder.normalization.{part}"),
        ["fc", part] => format!("classifier.1.{part}"),
        [stage, block, inner @ .., part] => {
            let stage = number(stage, "layer")?;
            let inner = match inner {
                ["downsample", "0"] => "shortcut.convolution".to_owned(),
                ["downsample", "1"] => "shortcut.normalization".to_owned(),
                [layer] => match (number(layer, "conv"), number(layer, "bn")) {
                    (Some(index), _) => format!("layer.{index}.convolution"),
                    (_, Some(index)) => format!("layer.{index}.normalization"),
                    _ => return None,
                },
                _ => return None,
            };
            format!("resnet.encoder.stages.{stage}.layers.{block}.{inner}.{part}")
        }
        _ => return None,
    })
}

/// The number after `word`, which the file counts from one.
fn number(name: &str, word: &str) -> Option<usize> {
    let number: usize = name.strip_prefix(word)?.parse().ok()?;
    number.checked_sub(1)
}
