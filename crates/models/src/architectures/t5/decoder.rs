//! The decoder: writes a text token by token, given the encoder's vectors.

use super::ARCHITECTURE;
use crate::ModelError;
use crate::blocks::{
    DistanceBias, Embedding, GatedMlp, GroupedHeads, Linear, Past, PastScratch, RmsNorm, Sequences,
    attend_to_past, host_values,
};
use crate::generation::Decoder;
use candle_core::{Device, Error as EngineError, Result, Tensor};
use std::sync::Arc;

/// The decoder, with a map to the logits of the next token.
pub(crate) struct TextDecoder {
    pub(super) words: Embedding,
    pub(super) bias: DistanceBias,
    pub(super) layers: Vec<DecoderLayer>,
    pub(super) norm: RmsNorm,
    pub(super) output: Linear,
    pub(super) n_heads: usize,
    /// Width of all heads together.
    pub(super) inner_width: usize,
}

/// Attention to what was written, attention to the source, a perceptron: each on normalised input and added to
/// what came in.
pub(super) struct DecoderLayer {
    pub(super) own_norm: RmsNorm,
    pub(super) query_key_value: Linear,
    pub(super) own_output: Linear,
    pub(super) source_norm: RmsNorm,
    pub(super) query: Linear,
    /// Of the encoder's output.
    pub(super) key_value: Linear,
    pub(super) source_output: Linear,
    pub(super) mlp_norm: RmsNorm,
    pub(super) mlp: GatedMlp,
}

/// The texts that are being written, a row for each.
pub(crate) struct Texts {
    /// The keys and values of each row's source, layer by layer. Several rows may have one source.
    sources: Vec<Arc<Vec<Past>>>,
    /// The same of the tokens written. Rows share them until one of them goes on.
    written: Vec<Arc<Vec<Past>>>,
    n_written: usize,
}

impl TextDecoder {
    /// A row for each of the sources, none of which has a text yet: `encoded` holds their tokens' vectors, end to
    /// end.
    pub(crate) fn begin(&self, encoded: &Tensor, sources: &Sequences) -> Result<Texts> {
        let width = self.inner_width;
        let mut pasts: Vec<Vec<Past>> = vec![Vec::new(); sources.len()];
        for layer in &self.layers {
            let key_value = host_values(&layer.key_value.forward(encoded)?)?;
            for (pasts, rows) in pasts.iter_mut().zip(sources.rows()) {
                let mut past = Past::default();
                past.extend(
                    &key_value[rows.start * 2 * width..rows.end * 2 * width],
                    width,
                );
                pasts.push(past);
            }
        }
        let nothing = Arc::new(vec![Past::default(); self.layers.len()]);
        Ok(Texts {
            written: vec![nothing; pasts.len()],
            sources: pasts.into_iter().map(Arc::new).collect(),
            n_written: 0,
        })
    }

    /// The logits of the token after these, one of which goes to the end of every row.
    pub(crate) fn append(&self, texts: &mut Texts, ids: &[u32]) -> Result<Vec<f32>> {
        let width = self.inner_width;
        texts.n_written += 1;
        let heads = GroupedHeads::each_own(self.n_heads, width);
        let bias = self.bias.back(texts.n_written);
        let mut scratch = PastScratch::default();
        let mut x = self.words.forward(ids)?;
        let n_rows = x.dim(0)?;
        let mut attended = vec![0.0; n_rows * width];
        for (index, layer) in self.layers.iter().enumerate() {
            let projected = layer
                .query_key_value
                .forward(&layer.own_norm.forward(&x)?)?;
            let projected = host_values(&projected)?;
            let rows = projected.chunks_exact(3 * width).zip(&mut texts.written);
            for ((row, written), out) in rows.zip(attended.chunks_exact_mut(width)) {
                let (query, key_value) = row.split_at(width);
                let past = &mut Arc::make_mut(written)[index];
                past.extend(key_value, width);
                attend_to_past(query, &[past], &bias, heads, &mut scratch, out);
            }
            let from_own = Tensor::from_slice(&attended, (n_rows, width), &Device::Cpu)?;
            x = layer.own_output.forward_residual(&from_own, &x)?;

            let queries = layer.query.forward(&layer.source_norm.forward(&x)?)?;
            let queries = host_values(&queries)?;
            let rows = queries.chunks_exact(width).zip(&texts.sources);
            for ((query, source), out) in rows.zip(attended.chunks_exact_mut(width)) {
                attend_to_past(query, &[&source[index]], &[], heads, &mut scratch, out);
            }
            let from_source = Tensor::from_slice(&attended, (n_rows, width), &Device::Cpu)?;
            x = layer.source_output.forward_residual(&from_source, &x)?;
            x = (layer.mlp).forward_residual(&layer.mlp_norm.forward(&x)?, &x)?;
        }
        host_values(&self.output.forward(&self.norm.forward(&x)?)?)
    }
}

impl Decoder for TextDecoder {
    type State = Texts;

    fn architecture(&self) -> &'static str {
        ARCHITECTURE
    }

    fn step(&self, state: &mut Texts, tokens: &[u32]) -> std::result::Result<Vec<f32>, ModelError> {
        let failed = |error: EngineError| ModelError::Engine {
            architecture: ARCHITECTURE,
            operation: "a step of the decoder",
            reason: error.to_string(),
        };
        self.append(state, tokens).map_err(failed)
    }

    fn reorder(&self, state: &mut Texts, rows: &[usize]) -> std::result::Result<(), ModelError> {
        state.sources = rows.iter().map(|&row| state.sources[row].clone()).collect();
        state.written = rows.iter().map(|&row| state.written[row].clone()).collect();
        Ok(())
    }
}
