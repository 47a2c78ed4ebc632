//! The forward pass.

use crate::observers::text_encoding::TokenVectors;
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{
    DistanceBias, Embedding, LayerNorm, NoBias, ScoreBias, Sequences, TransformerBlock, sum,
};

/// A post-norm transformer that gives every token of a text a vector.
pub(crate) struct Model {
    pub(super) words: Embedding,
    pub(super) positions: Embedding,
    /// The padding token, if the model has one: positions of real tokens begin after its own.
    pub(super) padding: Option<u32>,
    /// The vector of token type 0, the only one that single texts have.
    pub(super) token_type: Option<Tensor>,
    pub(super) norm: LayerNorm,
    /// The distance bias, shared by all layers.
    pub(super) distances: Option<DistanceBias>,
    pub(super) layers: Vec<TransformerBlock>,
}

impl TokenVectors for Model {
    fn token_vectors(&self, ids: &[u32], sequences: &Sequences) -> Result<Tensor> {
        self.vectors_at(ids, &self.places(ids, sequences), sequences)
    }
}

impl Model {
    /// The vectors of these tokens at these positions; each token attends to its own sequence.
    pub(crate) fn vectors_at(&self, ids: &[u32], positions: &[u32], sequences: &Sequences) -> Result<Tensor> {
        let mut x = self.embedded(ids, positions)?;
        let bias = self.bias(sequences);
        for layer in &self.layers {
            x = layer.forward_post_norm(&x, sequences, &*bias)?;
        }
        Ok(x)
    }

    /// The input of the first layer.
    pub(super) fn embedded(&self, ids: &[u32], positions: &[u32]) -> Result<Tensor> {
        let mut words = self.words.forward(ids)?;
        if let Some(token_type) = &self.token_type {
            words = sum(&words, token_type)?;
        }
        self.norm.forward(&sum(&words, &self.positions.forward(positions)?)?)
    }

    /// The bias that is added to the scores of every layer.
    pub(super) fn bias(&self, sequences: &Sequences) -> Box<dyn ScoreBias> {
        match &self.distances {
            Some(distances) => Box::new(distances.both_ways(sequences)),
            None => Box::new(NoBias),
        }
    }

    /// The position of every token.
    pub(super) fn places(&self, ids: &[u32], sequences: &Sequences) -> Vec<u32> {
        match self.padding {
            Some(padding) => positions_behind(padding, ids, sequences),
            None => sequences.positions(),
        }
    }
}

/// Positions count on from the padding token's. A padding token that the text itself contains (`<pad>`) has the padding
/// position and is not counted.
fn positions_behind(padding: u32, ids: &[u32], sequences: &Sequences) -> Vec<u32> {
    let mut positions = Vec::with_capacity(ids.len());
    for rows in sequences.rows() {
        let mut last = padding;
        for &id in &ids[rows] {
            last += u32::from(id != padding);
            positions.push(if id == padding { padding } else { last });
        }
    }
    positions
}

#[cfg(test)]
mod tests {
    use super::super::{MINILM, config::Config, weights::build};
    use super::*;
    use crate::DeviceChoice;
    use crate::checkpoint::Checkpoint;
    use neurogauge_kernels::blocks::host_values;

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
            let checkpoint = Checkpoint::synthetic(0, &[], "BERT").computed(device.into()).unwrap();
            let model = build(checkpoint, &config, &MINILM).unwrap();
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

    #[test]
    fn positions_pass_over_padding_tokens() {
        let sequences = Sequences::new([4, 3]);
        let ids = [0, 1, 9, 2, 0, 7, 2];
        assert_eq!(positions_behind(1, &ids, &sequences), [2, 1, 3, 4, 2, 3, 4]);
    }
}
