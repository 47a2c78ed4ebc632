//! The decoder: writes a text token by token from the encoder's vectors.

use super::ARCHITECTURE;
use candle_core::{Result, Tensor};
use neurogauge_kernels::blocks::{
    DistanceBias, Embedding, GatedMlp, GroupedHeads, Linear, Pasts, RmsNorm, Sequences, SourcePasts, TokenColumns,
    attend_to_pasts, host_values,
};
use neurogauge_kernels::generation::Decoder;

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

/// Attention to the text so far, attention to the source, and a perceptron: each normalises its input, and its result
/// is added to it.
pub(super) struct DecoderLayer {
    pub(super) own_norm: RmsNorm,
    pub(super) query_key_value: Linear,
    pub(super) own_output: Linear,
    pub(super) source_norm: RmsNorm,
    pub(super) query: Linear,
    /// Maps the encoder's output to keys and values.
    pub(super) key_value: Linear,
    pub(super) source_output: Linear,
    pub(super) mlp_norm: RmsNorm,
    pub(super) mlp: GatedMlp,
}

/// The texts that are being written, a row for each.
pub(crate) struct Texts {
    /// The keys and values of each row's source, layer by layer. Several rows may have one source.
    sources: SourcePasts,
    /// The keys and values of the tokens written so far.
    written: Vec<Pasts>,
    n_written: usize,
}

impl TextDecoder {
    /// Starts an empty text for each source: `encoded` holds the concatenated vectors of the sources' tokens.
    pub(crate) fn begin(&self, encoded: &Tensor, sources: &Sequences) -> Result<Texts> {
        let of_layer = |layer: &DecoderLayer| {
            let key_value = layer.key_value.forward(encoded)?;
            Pasts::of_sequences(columns(&key_value, 0), self.heads(), sources)
        };
        let layers = self.layers.iter().map(of_layer);
        let written = self.layers.iter();
        Ok(Texts {
            sources: SourcePasts::new(layers.collect::<Result<_>>()?, sources.n_sequences()),
            written: written.map(|_| Pasts::none(sources.n_sequences(), encoded)).collect(),
            n_written: 0,
        })
    }

    fn heads(&self) -> GroupedHeads {
        GroupedHeads::each_own(self.n_heads, self.inner_width)
    }
}

fn columns(tokens: &Tensor, first: usize) -> TokenColumns<'_> {
    TokenColumns { tokens, first }
}

impl Decoder for TextDecoder {
    type State = Texts;

    fn architecture(&self) -> &'static str {
        ARCHITECTURE
    }

    fn append(&self, texts: &mut Texts, ids: &[u32]) -> Result<Vec<f32>> {
        let heads = self.heads();
        texts.n_written += 1;
        let bias = self.bias.back(texts.n_written);
        let mut x = self.words.forward(ids)?;
        for (index, layer) in self.layers.iter().enumerate() {
            let projected = layer.query_key_value.forward(&layer.own_norm.forward(&x)?)?;
            let written = &mut texts.written[index];
            written.extend(columns(&projected, heads.query_columns()), heads)?;
            let from_own = attend_to_pasts(columns(&projected, 0), heads, &[written], &bias, false)?;
            x = layer.own_output.forward_residual(&from_own, &x)?;

            let queries = layer.query.forward(&layer.source_norm.forward(&x)?)?;
            let source = [texts.sources.layer(index)];
            let from_source = attend_to_pasts(columns(&queries, 0), heads, &source, &[], false)?;
            x = layer.source_output.forward_residual(&from_source, &x)?;
            x = (layer.mlp).forward_residual(&layer.mlp_norm.forward(&x)?, &x)?;
        }
        host_values(&self.output.forward(&self.norm.forward(&x)?)?)
    }

    fn rearrange(&self, texts: &mut Texts, rows: &[usize]) -> Result<()> {
        texts.sources.reorder(rows)?;
        let mut written = texts.written.iter_mut();
        written.try_for_each(|written| written.reorder(rows))
    }
}
