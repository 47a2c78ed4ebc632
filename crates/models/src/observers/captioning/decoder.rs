//! The decoder of captioners: a transformer that continues the tokens of an image with text.

use candle_core::{Result as EngineResult, Tensor};
use neurogauge_kernels::blocks::{
    Embedding, GroupedHeads, LayerNorm, Norms, PrefixedTexts, Prefixes, WideLinear, WideTransformerBlock, host_values,
    sum,
};
use neurogauge_kernels::generation::Decoder;

/// How text attends to the tokens of its image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ImageTokens {
    /// They are the first words: each attends only to those before it, and positions count from the first of them.
    BeginText,
    /// They are not part of the text: they attend to each other, and positions count within the text.
    StandApart,
}

/// A causal transformer, with a map to the logits of the next word.
pub(crate) struct CaptionDecoder {
    pub(crate) architecture: &'static str,
    pub(crate) image_tokens: ImageTokens,
    pub(crate) words: Embedding,
    pub(crate) positions: Embedding,
    pub(crate) blocks: Vec<WideTransformerBlock>,
    pub(crate) norms: Norms,
    /// Normalises the last block's output or the first block's input, as `norms` says.
    pub(crate) norm: LayerNorm,
    pub(crate) output: WideLinear,
    pub(crate) n_heads: usize,
    /// Number of features of a token.
    pub(crate) width: usize,
}

impl CaptionDecoder {
    /// Starts an empty text for each image. `tokens` holds the images' tokens, concatenated, `n_tokens` for each: shape
    /// (token, feature).
    pub(crate) fn begin(&self, tokens: Tensor, n_tokens: usize) -> EngineResult<PrefixedTexts> {
        let n_rows = tokens.dim(0)?;
        let heads = GroupedHeads::each_own(self.n_heads, self.width);
        let begin_text = self.image_tokens == ImageTokens::BeginText;
        let mut prefixes = Prefixes::new(n_rows, n_tokens, heads, begin_text);
        let mut x = tokens;
        if begin_text {
            let places: Vec<u32> = (0..n_rows).map(|row| (row % n_tokens) as u32).collect();
            x = self.entering(sum(&x, &self.positions.forward(&places)?)?)?;
        }
        for (index, block) in self.blocks.iter().enumerate() {
            let projected = block.projected(&x, self.norms)?;
            prefixes.keep(&projected)?;
            if index + 1 < self.blocks.len() {
                // The text needs only keys and values of the last block.
                x = block.behind_attention(&prefixes.attend(&projected)?, &x, self.norms)?;
            }
        }
        Ok(prefixes.into_texts())
    }

    /// The input of the first block.
    fn entering(&self, embedded: Tensor) -> EngineResult<Tensor> {
        match self.norms {
            Norms::Before => Ok(embedded),
            Norms::Behind => self.norm.forward(&embedded),
        }
    }
}

impl Decoder for CaptionDecoder {
    type State = PrefixedTexts;

    fn architecture(&self) -> &'static str {
        self.architecture
    }

    fn append(&self, captions: &mut PrefixedTexts, ids: &[u32]) -> EngineResult<Vec<f32>> {
        let n_before = match self.image_tokens {
            ImageTokens::BeginText => captions.n_prefix_tokens(),
            ImageTokens::StandApart => 0,
        };
        let place = (n_before + captions.n_written()) as u32;
        let place = self.positions.forward(&[place])?;
        let mut x = self.entering(sum(&self.words.forward(ids)?, &place)?)?;
        for (index, block) in self.blocks.iter().enumerate() {
            let attended = captions.attend(index, &block.projected(&x, self.norms)?)?;
            x = block.behind_attention(&attended, &x, self.norms)?;
        }
        captions.advance();
        if self.norms == Norms::Before {
            x = self.norm.forward(&x)?;
        }
        host_values(&self.output.forward(&x)?)
    }

    fn rearrange(&self, state: &mut PrefixedTexts, rows: &[usize]) -> EngineResult<()> {
        state.reorder(rows)
    }
}
