//! The numbers that shape a Grounding DINO.

use crate::architectures::bert::BertConfig;
use crate::architectures::swin::BackboneConfig;

/// Which of the two networks it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Grounding DINO.
    Original,
    /// MM-Grounding-DINO, whose contrastive heads have a scale and a bias.
    MmDetection,
}

/// Groups of channels that are normalised together.
pub(super) const N_GROUPS: usize = 32;
/// Epsilon of all norms except BERT's.
pub(super) const EPSILON: f64 = 1e-5;
/// Base of the sines of positions in a phrase and of boxes.
pub(super) const SINE_BASE: f32 = 10_000.0;

/// The numbers that shape the network.
#[derive(Debug, Clone)]
pub(super) struct Config {
    pub(super) kind: Kind,
    pub(super) backbone: BackboneConfig,
    pub(super) text: BertConfig,
    pub(super) width: usize,
    pub(super) n_levels: usize,
    pub(super) n_queries: usize,
    pub(super) max_text_len: usize,
    /// Base of the sines of rows and columns.
    pub(super) position_base: f32,
    pub(super) encoder: Layers,
    pub(super) decoder: Layers,
    /// Do all decoder layers share one box head and one contrastive head?
    pub(super) shares_box_heads: bool,
    pub(super) shares_class_heads: bool,
}

/// The shape of the encoder's or the decoder's layers.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layers {
    pub(super) n_layers: usize,
    pub(super) n_heads: usize,
    pub(super) n_points: usize,
    /// Hidden width of the perceptrons.
    pub(super) n_inner: usize,
}
