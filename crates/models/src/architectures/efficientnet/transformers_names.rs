//! transformers' `EfficientNetForImageClassification` has TensorFlow's arithmetic.

use crate::checkpoint::CheckpointFormat;

pub(super) const TRANSFORMERS: CheckpointFormat = CheckpointFormat {
    refused: Some(
        "its padding is TensorFlow's (one more row and column behind than before the map, where the map is \
         halved), and the epsilon of its normalisation 1e-3 instead of 1e-5, so that the same weights \
         give other features. Take torchvision's checkpoint, or timm's efficientnet_b1",
    ),
    ..CheckpointFormat::new("transformers", "efficientnet.embeddings.convolution.weight", |_, _| None, &[])
};
