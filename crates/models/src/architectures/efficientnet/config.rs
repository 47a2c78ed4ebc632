//! The numbers that shape EfficientNet-B1.

/// Epsilon of every `BatchNorm2d`.
pub(super) const EPSILON: f64 = 1e-5;
pub(super) const STEM_CHANNELS: usize = 32;
pub(super) const HEAD_CHANNELS: usize = 1280;
pub(super) const N_CLASSES: usize = 1000;
/// Input channels of a block over the channels inside squeeze and excitation.
pub(super) const SQUEEZE: usize = 4;

/// Consecutive blocks of one shape.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stage {
    /// Channels inside a block over its input channels.
    pub(super) expansion: usize,
    /// Side of the depthwise window.
    pub(super) size: usize,
    /// Stride of the first block; the others have 1.
    pub(super) stride: usize,
    pub(super) n_out: usize,
    pub(super) n_blocks: usize,
}

const fn stage(expansion: usize, size: usize, stride: usize, n_out: usize, n_blocks: usize) -> Stage {
    Stage {
        expansion,
        size,
        stride,
        n_out,
        n_blocks,
    }
}

/// B0's numbers of blocks times 1.1, rounded up.
pub(super) const STAGES: [Stage; 7] = [
    stage(1, 3, 1, 16, 2),
    stage(6, 3, 2, 24, 3),
    stage(6, 5, 2, 40, 3),
    stage(6, 3, 2, 80, 4),
    stage(6, 5, 1, 112, 4),
    stage(6, 5, 2, 192, 5),
    stage(6, 3, 1, 320, 2),
];
