//! The numbers that shape a Swin Transformer.

/// Side of a patch, which becomes one place of the first map.
pub(super) const PATCH: usize = 4;
/// Width of a block's perceptron inside over outside.
pub(super) const EXPANSION: usize = 4;
/// In `LayerNorm`.
pub(super) const EPSILON: f64 = 1e-5;
pub(super) const N_CLASSES: usize = 1000;

/// Widths, depths and windows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Config {
    pub(crate) architecture: &'static str,
    /// Channels of the first stage; each one after it has twice as many as the one before.
    pub(crate) n_channels: usize,
    /// Blocks of each stage, and heads of its attention.
    pub(crate) stages: &'static [(usize, usize)],
    /// Side of the windows, in places of the map.
    pub(crate) window: usize,
}

impl Config {
    pub(crate) const TINY: Config = Config {
        architecture: "Swin-T",
        n_channels: 96,
        stages: &[(2, 3), (2, 6), (6, 12), (2, 24)],
        window: 7,
    };
}
