//! The numbers that shape a Swin Transformer.

/// Side of a patch, which becomes one position of the first map.
pub(super) const PATCH: usize = 4;
/// Hidden width of a block's perceptron over its input width.
pub(super) const EXPANSION: usize = 4;
/// Epsilon of every `LayerNorm`.
pub(super) const EPSILON: f64 = 1e-5;
pub(super) const N_CLASSES: usize = 1000;

/// The numbers that shape the network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Config {
    pub(crate) architecture: &'static str,
    /// Channels of the first stage; each further stage has twice as many as the one before it.
    pub(crate) n_channels: usize,
    /// Number of blocks of each stage, and of heads in its attention.
    pub(crate) stages: &'static [(usize, usize)],
    /// Side of the windows, in positions of the map.
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
