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
/// In all norms but BERT's.
pub(super) const EPSILON: f64 = 1e-5;
/// For positions in a phrase and for boxes.
pub(super) const SINE_BASE: f32 = 10_000.0;

/// Widths and numbers of everything.
#[derive(Debug, Clone)]
pub(super) struct Config {
    pub(super) kind: Kind,
    pub(super) backbone: BackboneConfig,
    pub(super) text: BertConfig,
    pub(super) width: usize,
    pub(super) n_levels: usize,
    pub(super) n_queries: usize,
    pub(super) max_text_len: usize,
    /// For rows and columns.
    pub(super) position_base: f32,
    pub(super) encoder: Layers,
    pub(super) decoder: Layers,
    /// Does one box head serve all layers of the decoder, and one contrastive head?
    pub(super) shares_box_heads: bool,
    pub(super) shares_class_heads: bool,
}

/// The layers of one half.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layers {
    pub(super) n_layers: usize,
    pub(super) n_heads: usize,
    pub(super) n_points: usize,
    /// Width inside the perceptrons.
    pub(super) n_inner: usize,
}
