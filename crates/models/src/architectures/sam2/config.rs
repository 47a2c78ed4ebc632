//! The numbers that shape a SAM 2.

use serde::Deserialize;

/// Side of a patch's step, px of the prepared image.
pub(super) const PATCH_STEP: usize = 4;
/// In the norms of the trunk and of the enlarged map.
pub(super) const EPSILON: f64 = 1e-6;
/// In the norms of the two-way transformer.
pub(super) const DECODER_EPSILON: f64 = 1e-5;
/// Ratio of the hidden width of a perceptron in the trunk to its input width.
pub(super) const EXPANSION: usize = 4;
/// Heads of the decoder's attention.
pub(super) const N_HEADS: usize = 8;
/// Layers of the two-way transformer.
pub(super) const N_LAYERS: usize = 2;
/// Masks that the network makes for each prompt.
pub(super) const N_MASKS: usize = 4;

/// Widths and numbers of everything.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Config {
    /// Channels of the first stage; each one after it has twice as many as the one before.
    pub(super) n_channels: usize,
    /// For each stage: number of blocks, number of heads, side of the windows.
    pub(super) blocks: [usize; 4],
    pub(super) heads: [usize; 4],
    pub(super) windows: [usize; 4],
    /// Blocks, counted through all stages, that see the whole map at once.
    pub(super) global_blocks: Vec<usize>,
    /// Side of the map of positions that is enlarged to the first stage's.
    pub(super) background: usize,
    /// Side of the prepared image.
    pub(super) image_px: usize,
    /// Channels of the neck and of all behind it.
    pub(super) width: usize,
    /// Inside the perceptrons of the two-way transformer.
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

    /// Places along each side of the map that prompts are compared with.
    pub(super) fn side(&self) -> usize {
        self.image_px / 16
    }
}
