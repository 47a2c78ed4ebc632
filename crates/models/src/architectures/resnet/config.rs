//! The numbers that shape a ResNet.

pub(crate) const STEM_CHANNELS: usize = 64;
/// Channels inside the blocks of each stage.
pub(super) const STAGE_CHANNELS: [usize; 4] = [64, 128, 256, 512];
/// Epsilon of every `BatchNorm2d`.
pub(crate) const EPSILON: f64 = 1e-5;

/// The depth, the kind of block, and whether there is a classifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Config {
    pub(crate) architecture: &'static str,
    pub(crate) n_blocks: [usize; 4],
    /// Does a block consist of 1 x 1, 3 x 3 and 1 x 1 convolutions (with four times as many output channels), or of two
    /// 3 x 3?
    pub(crate) bottleneck: bool,
    /// Are maps halved by averaging 2 x 2 positions ("anti-aliased"), instead of by strides in the 3 x 3 convolution
    /// and the shortcut?
    pub(crate) pooled_strides: bool,
    /// Is there a classifier, `fc`?
    pub(crate) classifier: bool,
}

impl Config {
    pub(crate) const RESNET_18: Config = Config {
        architecture: "ResNet-18",
        n_blocks: [2, 2, 2, 2],
        bottleneck: false,
        pooled_strides: false,
        classifier: true,
    };

    pub(crate) const RESNET_50: Config = Config {
        architecture: "ResNet-50",
        n_blocks: [3, 4, 6, 3],
        bottleneck: true,
        pooled_strides: false,
        classifier: true,
    };

    /// The network that SwAV and DINO publish.
    pub(crate) const RESNET_50_FEATURES: Config = Config {
        architecture: "ResNet-50 without classifier",
        classifier: false,
        ..Config::RESNET_50
    };

    /// Channels of the last map.
    pub(crate) fn n_features(&self) -> usize {
        STAGE_CHANNELS[STAGE_CHANNELS.len() - 1] * self.expansion()
    }

    /// Output channels of a block over its inner channels.
    pub(super) fn expansion(&self) -> usize {
        if self.bottleneck { 4 } else { 1 }
    }
}
