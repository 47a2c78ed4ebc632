//! The forward pass.

use crate::blocks::{Embedding, LayerNorm, Mlp, NoBias, SelfAttention, Sequences, host_values};
use candle_core::{Result, Tensor};

/// A BERT encoder (post-norm transformer).
pub(crate) struct Model {
    pub(crate) words: Embedding,
    pub(crate) positions: Embedding,
    /// The vector of token type 0, the only one that single texts have.
    pub(crate) token_type: Tensor,
    pub(crate) norm: LayerNorm,
    pub(crate) layers: Vec<Layer>,
}

/// One transformer block.
pub(crate) struct Layer {
    pub(crate) attention: SelfAttention,
    pub(crate) attention_norm: LayerNorm,
    pub(crate) mlp: Mlp,
    pub(crate) output_norm: LayerNorm,
}

impl Model {
    /// The vector of every token, shape (`n_tokens`, `n_features`), of sequences laid end to end.
    fn token_vectors(&self, ids: &[u32], sequences: &Sequences) -> Result<Tensor> {
        let words = self.words.forward(ids)?.broadcast_add(&self.token_type)?;
        let embedded = (words + self.positions.forward(&sequences.positions())?)?;
        let mut x = self.norm.forward(&embedded)?;
        for layer in &self.layers {
            x = layer.forward(&x, sequences)?;
        }
        Ok(x)
    }

    /// One vector for each sequence: the mean over its tokens, `[CLS]` and `[SEP]` included. Row-major,
    /// shape (`n_sequences`, `n_features`).
    pub(crate) fn sentence_vectors(&self, ids: &[u32], sequences: &Sequences) -> Result<Vec<f32>> {
        let tokens = self.token_vectors(ids, sequences)?;
        let (_, n_features) = tokens.dims2()?;
        let tokens = host_values(&tokens)?;
        let mut vectors = vec![0.0; sequences.len() * n_features];
        for (vector, rows) in vectors.chunks_exact_mut(n_features).zip(sequences.rows()) {
            let n_tokens = rows.len() as f32;
            let own = &tokens[rows.start * n_features..rows.end * n_features];
            for token in own.chunks_exact(n_features) {
                for (sum, value) in vector.iter_mut().zip(token) {
                    *sum += value;
                }
            }
            for sum in vector.iter_mut() {
                *sum /= n_tokens;
            }
        }
        Ok(vectors)
    }
}

impl Layer {
    fn forward(&self, x: &Tensor, sequences: &Sequences) -> Result<Tensor> {
        let attended = self.attention.forward_residual(x, sequences, &NoBias, x)?;
        let x = self.attention_norm.forward(&attended)?;
        self.output_norm
            .forward(&self.mlp.forward_residual(&x, &x)?)
    }
}

#[cfg(test)]
mod tests {
    use super::super::{config::Config, weights::build};
    use super::*;
    use crate::DeviceChoice;
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
            model.sentence_vectors(&ids, &sequences).unwrap()
        };
        let (packed, tensors) = (vectors(DeviceChoice::Cpu), vectors(DeviceChoice::CpuF64));
        assert_eq!(packed.len(), 3 * 24);
        for (a, b) in packed.iter().zip(&tensors) {
            assert!((a - b).abs() < 1e-5, "{a} {b}");
        }
    }
}
