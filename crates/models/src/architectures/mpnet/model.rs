//! The forward pass.

use super::PADDING;
use crate::blocks::{DistanceBias, Embedding, LayerNorm, Sequences, TransformerBlock};
use crate::observers::text_encoding::TokenVectors;
use candle_core::{Result, Tensor};

/// An MPNet encoder (post-norm transformer with distances in the scores).
pub(crate) struct Model {
    pub(super) words: Embedding,
    pub(super) positions: Embedding,
    pub(super) norm: LayerNorm,
    /// Shared by all layers.
    pub(super) bias: DistanceBias,
    pub(super) layers: Vec<TransformerBlock>,
}

impl Model {
    /// What the first layer gets.
    pub(super) fn embedded(&self, ids: &[u32], sequences: &Sequences) -> Result<Tensor> {
        let positions = self.positions.forward(&positions(ids, sequences))?;
        self.norm.forward(&(self.words.forward(ids)? + positions)?)
    }
}

impl TokenVectors for Model {
    fn token_vectors(&self, ids: &[u32], sequences: &Sequences) -> Result<Tensor> {
        let bias = self.bias.both_ways(sequences);
        let mut x = self.embedded(ids, sequences)?;
        for layer in &self.layers {
            x = layer.forward_post_norm(&x, sequences, &bias)?;
        }
        Ok(x)
    }
}

/// The position of every token: they count from the one behind the padding token's. A padding token that a
/// text names itself (`<pad>`) has its own and is not counted.
fn positions(ids: &[u32], sequences: &Sequences) -> Vec<u32> {
    let mut positions = Vec::with_capacity(ids.len());
    for rows in sequences.rows() {
        let mut last = PADDING;
        for &id in &ids[rows] {
            last += u32::from(id != PADDING);
            positions.push(if id == PADDING { PADDING } else { last });
        }
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_pass_over_padding_tokens() {
        let sequences = Sequences::new([4, 3]);
        let ids = [0, 1, 9, 2, 0, 7, 2];
        assert_eq!(positions(&ids, &sequences), [2, 1, 3, 4, 2, 3, 4]);
    }
}
