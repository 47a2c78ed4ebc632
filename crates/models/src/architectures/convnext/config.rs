//! The numbers that shape a ConvNeXt.

/// Side of a patch, which becomes one position of the first map.
pub(super) const PATCH: usize = 4;
/// Side of the squares of positions that are merged between two stages.
pub(super) const MERGED: usize = 2;
/// Side of a block's depthwise window.
pub(super) const WINDOW: usize = 7;
/// Hidden width of a block's perceptron over its input width.
pub(super) const EXPANSION: usize = 4;
/// Epsilon of every `LayerNorm`.
pub(super) const EPSILON: f64 = 1e-6;
pub(super) const N_CLASSES: usize = 1000;

/// Widths and depths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Config {
    pub(crate) architecture: &'static str,
    /// Channels and blocks of each stage.
    pub(crate) stages: [(usize, usize); 4],
}

impl Config {
    pub(crate) const TINY: Config = Config {
        architecture: "ConvNeXt-T",
        stages: [(96, 3), (192, 3), (384, 9), (768, 3)],
    };
}
