//! OPT behind the tokens of images.

use super::ARCHITECTURE;
use crate::ModelError;
use crate::blocks::{Embedding, LayerNorm, PrefixedTexts, Prefixes, WideLinear, host_values};
use crate::caption_writer::CaptionDecoder;
use crate::generation::Decoder;
use candle_core::{Result as EngineResult, Tensor};

/// A causal transformer, with a map to the logits of the next word.
pub(crate) struct TextDecoder {
    pub(super) words: Embedding,
    /// From the first place on: the rows that the checkpoint has before it stand for no place.
    pub(super) positions: Embedding,
    pub(super) layers: Vec<DecoderLayer>,
    pub(super) norm: LayerNorm,
    pub(super) output: WideLinear,
    pub(super) n_heads: usize,
    pub(super) width: usize,
}

/// Attention and a perceptron, each on normalised input and added to what came in. Every map runs on all threads: of a
/// few rows, reading its weights takes longest.
pub(super) struct DecoderLayer {
    pub(super) attention_norm: LayerNorm,
    pub(super) query_key_value: WideLinear,
    pub(super) attention_output: WideLinear,
    pub(super) mlp_norm: LayerNorm,
    pub(super) expand: WideLinear,
    pub(super) contract: WideLinear,
}

impl TextDecoder {
    /// The logits of the word after these, one of which goes to the end of every row.
    fn append(&self, captions: &mut PrefixedTexts, ids: &[u32]) -> EngineResult<Vec<f32>> {
        let place = (captions.n_prefix_tokens() + captions.n_written()) as u32;
        let place = self.positions.forward(&[place])?;
        let mut x = self.words.forward(ids)?.broadcast_add(&place)?;
        for (index, layer) in self.layers.iter().enumerate() {
            let attended = captions.attend(index, &layer.projected(&x)?)?;
            x = layer.behind_attention(&attended, &x)?;
        }
        captions.advance();
        host_values(&self.output.forward(&self.norm.forward(&x)?)?)
    }
}

impl DecoderLayer {
    /// Queries, keys and values side by side.
    fn projected(&self, x: &Tensor) -> EngineResult<Tensor> {
        self.query_key_value
            .forward(&self.attention_norm.forward(x)?)
    }

    fn behind_attention(&self, attended: &Tensor, x: &Tensor) -> EngineResult<Tensor> {
        let x = (self.attention_output.forward(attended)? + x)?;
        let inner = self.expand.forward(&self.mlp_norm.forward(&x)?)?;
        self.contract.forward(&inner)? + x
    }
}

impl CaptionDecoder for TextDecoder {
    fn width(&self) -> usize {
        self.width
    }

    fn begin(&self, tokens: Tensor, n_tokens: usize) -> EngineResult<PrefixedTexts> {
        let n_rows = tokens.dim(0)?;
        let mut prefixes = Prefixes::new(n_rows, n_tokens, self.n_heads, true);
        let places: Vec<u32> = (0..n_rows).map(|row| (row % n_tokens) as u32).collect();
        let mut x = (tokens + self.positions.forward(&places)?)?;
        for (index, layer) in self.layers.iter().enumerate() {
            let projected = layer.projected(&x)?;
            prefixes.keep(&projected)?;
            if index + 1 < self.layers.len() {
                // The text needs no more of the last layer than that.
                x = layer.behind_attention(&prefixes.attend(&projected)?, &x)?;
            }
        }
        Ok(prefixes.into_texts())
    }
}

impl Decoder for TextDecoder {
    type State = PrefixedTexts;

    fn architecture(&self) -> &'static str {
        ARCHITECTURE
    }

    fn step(&self, state: &mut PrefixedTexts, tokens: &[u32]) -> Result<Vec<f32>, ModelError> {
        self.append(state, tokens)
            .map_err(|error| ModelError::Engine {
                architecture: ARCHITECTURE,
                operation: "a step of the decoder",
                reason: error.to_string(),
            })
    }

    fn reorder(&self, state: &mut PrefixedTexts, rows: &[usize]) -> Result<(), ModelError> {
        state.reorder(rows);
        Ok(())
    }
}
