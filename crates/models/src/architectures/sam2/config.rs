//! The numbers that shape a SAM 2.

use serde::Deserialize;

/// Distance between patches, px of the prepared image.
pub(super) const PATCH_STEP: usize = 4;
/// Epsilon of the norms in the trunk and of the enlarged map.
pub(super) const EPSILON: f64 = 1e-6;
/// Epsilon of the norms in the two-way transformer.
pub(super) const DECODER_EPSILON: f64 = 1e-5;
/// Hidden width of a perceptron in the trunk over its input width.
pub(super) const EXPANSION: usize = 4;
/// Heads of the decoder's attention.
pub(super) const N_HEADS: usize = 8;
/// Layers of the two-way transformer.
pub(super) const N_LAYERS: usize = 2;
/// Masks that the network makes for each prompt.
pub(super) const N_MASKS: usize = 4;

/// The numbers that shape the network.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Config {
    /// Channels of the first stage; each further stage has twice as many as the one before it.
    pub(super) n_channels: usize,
    /// For each stage: number of blocks, number of heads, side of the windows.
    pub(super) blocks: [usize; 4],
    pub(super) heads: [usize; 4],
    pub(super) windows: [usize; 4],
    /// Indices (over all stages) of the blocks that attend over the whole map.
    pub(super) global_blocks: Vec<usize>,
    /// Side of the coarse position map, which is enlarged to the size of the first stage's map.
    pub(super) background: usize,
    /// Side of the prepared image.
    pub(super) image_px: usize,
    /// Channels of the neck and of everything after it.
    pub(super) width: usize,
    /// Hidden width of the perceptrons in the two-way transformer.
    pub(super) n_inner: usize,
}

impl Config {
    /// The configuration of a published model.
    pub(super) fn of(id: &str) -> Option<Self> {
        let size = id.strip_prefix("sam2.1_hiera_").or_else(|| id.strip_prefix("sam2_hiera_"))?;
        let config = |n_channels, blocks, heads, global_blocks: [usize; 3]| Config {
            n_channels,
            blocks,
            heads,
            windows: [8, 4, 14, 7],
            global_blocks: global_blocks.to_vec(),
            background: 7,
            image_px: 1024,
            width: 256,
            n_inner: 2048,
        };
        Some(match size {
            "tiny" => config(96, [1, 2, 7, 2], [1, 2, 4, 8], [5, 7, 9]),
            "small" => config(96, [1, 2, 11, 2], [1, 2, 4, 8], [7, 10, 13]),
            "base_plus" => Config {
                background: 14,
                ..config(112, [2, 3, 16, 3], [2, 4, 8, 16], [12, 16, 20])
            },
            "large" => Config {
                windows: [8, 4, 16, 8],
                ..config(144, [2, 6, 36, 4], [2, 4, 8, 16], [23, 33, 43])
            },
            _ => return None,
        })
    }

    pub(super) fn channels(&self, stage: usize) -> usize {
        self.n_channels << stage
    }

    /// Positions along each side of the map that prompts are compared with.
    pub(super) fn side(&self) -> usize {
        self.image_px / 16
    }
}
