//! The block that the tower and the language model share.

use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{AffineMap, GatedMlp, GroupedHeads, RmsNorm, Sequences, Turns, WideLinear, turn_rows};

/// Attention, then a perceptron: each normalises its input, and its result is added to it. Positions are rotations.
pub(super) struct Block {
    pub(super) attention_norm: RmsNorm,
    pub(super) query_key_value: WideLinear,
    pub(super) output: WideLinear,
    pub(super) mlp_norm: RmsNorm,
    pub(super) mlp: GatedMlp<WideLinear>,
}

impl Block {
    /// Queries, keys and values of every row of `x` side by side, with queries and keys rotated. The rotations include
    /// the scores' factor.
    pub(super) fn placed(
        &self,
        x: &Tensor,
        sequences: &Sequences,
        turns: &Turns,
        heads: GroupedHeads,
    ) -> Result<Tensor> {
        let normalised = self.attention_norm.forward(x)?;
        let projected = self.query_key_value.forward(&normalised)?;
        turn_rows(&projected, sequences, turns, heads.placed_columns())
    }

    /// The block's output for the rows of `x`, given the results of their attention.
    pub(super) fn behind_attention(&self, attended: &Tensor, x: &Tensor) -> Result<Tensor> {
        let x = self.output.forward_residual(attended, x)?;
        self.mlp.forward_residual(&self.mlp_norm.forward(&x)?, &x)
    }
}

/// The factor in the rotations of queries and keys that scales scores by 1 / √`head_width`. It is not multiplied into
/// the weights, which would then differ from the published bits and might not fit into 16 bits.
pub(super) fn turn_scale(heads: GroupedHeads) -> f64 {
    (heads.head_width as f64).powf(-0.25)
}
