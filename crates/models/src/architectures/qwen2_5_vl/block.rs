//! The block of the tower and of the language model.

use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{GatedMlp, GroupedHeads, RmsNorm, Sequences, Turns, WideLinear, turn_rows};

/// Attention, then a perceptron, each on normalised input and added to what came in. Positions are rotations.
pub(super) struct Block {
    pub(super) attention_norm: RmsNorm,
    pub(super) query_key_value: WideLinear,
    pub(super) output: WideLinear,
    pub(super) mlp_norm: RmsNorm,
    pub(super) mlp: GatedMlp<WideLinear>,
}

impl Block {
    /// Queries, keys and values of every row of `x` side by side, queries and keys turned. The factor of the scores is
    /// part of the turns.
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

    /// The output, from the attention results of the rows of `x`.
    pub(super) fn behind_attention(&self, attended: &Tensor, x: &Tensor) -> Result<Tensor> {
        let x = (self.output.forward(attended)? + x)?;
        self.mlp.forward_residual(&self.mlp_norm.forward(&x)?, &x)
    }
}

/// The factor in the rotations of queries and keys that gives scores their 1 / √`head_width`. It is not put into the
/// weights, which then would differ from the published bits and might not fit into 16 bits.
pub(super) fn turn_scale(heads: GroupedHeads) -> f64 {
    (heads.head_width as f64).powf(-0.25)
}
