//! The forward pass.

use crate::blocks::{Embedding, LayerNorm, NoBias, Sequences, TransformerBlock};
use crate::observers::text_encoding::TokenVectors;
use candle_core::{Result, Tensor};

/// A BERT encoder (post-norm transformer).
pub(crate) struct Model {
    pub(crate) words: Embedding,
    pub(crate) positions: Embedding,
    /// The vector of token type 0, the only one that single texts have.
    pub(crate) token_type: Tensor,
    pub(crate) norm: LayerNorm,
    pub(crate) layers: Vec<TransformerBlock>,
}

impl TokenVectors for Model {
    fn token_vectors(&self, ids: &[u32], sequences: &Sequences) -> Result<Tensor> {
        self.vectors_at(ids, &sequences.positions(), sequences)
    }
}

impl Model {
    /// The vectors of tokens at these positions, which look at those of their own sequence.
    pub(crate) fn vectors_at(
        &self,
        ids: &[u32],
        positions: &[u32],
        sequences: &Sequences,
    ) -> Result<Tensor> {
        let words = self.words.forward(ids)?.broadcast_add(&self.token_type)?;
        let embedded = (words + self.positions.forward(positions)?)?;
        let mut x = self.norm.forward(&embedded)?;
        for layer in &self.layers {
            x = layer.forward_post_norm(&x, sequences, &NoBias)?;
        }
        Ok(x)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{config::Config, weights::build};
    use super::*;
    use crate::DeviceChoice;
    use crate::blocks::host_values;
    use crate::checkpoint::Checkpoint;

    #[test]
    fn through_the_engine_s_operations_it_is_the_same() {
        let config = r#"{
            "vocab_size": 30, "hidden_size": 24, "num_hidden_layers": 2, "num_attention_heads": 3,
            "intermediate_size": 40, "max_position_embeddings": 8, "type_vocab_size": 2,
            "layer_norm_eps": 1e-12, "hidden_act": "gelu", "model_type": "bert"
        }"#;
        let config: Config = serde_json::from_str(config).unwrap();
        let sequences = Sequences::new([5, 2, 2]);
        let vectors = |device: DeviceChoice| {
            let checkpoint = Checkpoint::synthetic(0, &[], "BERT");
            let checkpoint = checkpoint.placed(device.placement().unwrap());
            let model = build(checkpoint, &config).unwrap();
            let ids = [1, 9, 4, 9, 2, 1, 2, 29, 0];
            let tokens = model.token_vectors(&ids, &sequences).unwrap();
            host_values(&tokens).unwrap()
        };
        let (packed, tensors) = (vectors(DeviceChoice::Cpu), vectors(DeviceChoice::CpuF64));
        assert_eq!(packed.len(), 9 * 24);
        for (a, b) in packed.iter().zip(&tensors) {
            assert!((a - b).abs() < 1e-5, "{a} {b}");
        }
    }
}
