//! From the tokens of images to words.

use super::ARCHITECTURE;
use crate::ModelError;
use crate::blocks::{Embedding, LayerNorm, PrefixedTexts, Prefixes, WideLinear, host_values};
use crate::caption_writer::CaptionDecoder;
use crate::generation::Decoder;
use candle_core::{Result as EngineResult, Tensor};

/// A causal BERT, with a map to the logits of the next word.
pub(crate) struct TextDecoder {
    pub(super) words: Embedding,
    pub(super) positions: Embedding,
    pub(super) norm: LayerNorm,
    pub(super) layers: Vec<DecoderLayer>,
    pub(super) output: WideLinear,
    pub(super) n_heads: usize,
    pub(super) width: usize,
}

/// One transformer block. Every map runs on all threads: of a few rows, reading its weights takes longest.
pub(crate) struct DecoderLayer {
    pub(super) query_key_value: WideLinear,
    pub(super) attention_output: WideLinear,
    pub(super) attention_norm: LayerNorm,
    pub(super) expand: WideLinear,
    pub(super) contract: WideLinear,
    pub(super) output_norm: LayerNorm,
}

impl TextDecoder {
    /// The logits of the word after these, one of which goes to the end of every row.
    fn append(&self, captions: &mut PrefixedTexts, ids: &[u32]) -> EngineResult<Vec<f32>> {
        // Positions count within the text.
        let place = self.positions.forward(&[captions.n_written() as u32])?;
        let words = self.words.forward(ids)?.broadcast_add(&place)?;
        let mut x = self.norm.forward(&words)?;
        for (index, layer) in self.layers.iter().enumerate() {
            let attended = captions.attend(index, &layer.query_key_value.forward(&x)?)?;
            x = layer.behind_attention(&attended, &x)?;
        }
        captions.advance();
        host_values(&self.output.forward(&x)?)
    }
}

impl DecoderLayer {
    fn behind_attention(&self, attended: &Tensor, x: &Tensor) -> EngineResult<Tensor> {
        let x = (self.attention_output.forward(attended)? + x)?;
        let x = self.attention_norm.forward(&x)?;
        let inner = self.expand.forward(&x)?;
        let y = (self.contract.forward(&inner)? + &x)?;
        self.output_norm.forward(&y)
    }
}

impl CaptionDecoder for TextDecoder {
    fn width(&self) -> usize {
        self.width
    }

    fn begin(&self, tokens: Tensor, n_tokens: usize) -> EngineResult<PrefixedTexts> {
        let mut prefixes = Prefixes::new(tokens.dim(0)?, n_tokens, self.n_heads, false);
        let mut x = tokens;
        for (index, layer) in self.layers.iter().enumerate() {
            let projected = layer.query_key_value.forward(&x)?;
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
