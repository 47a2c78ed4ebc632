//! The text tower: a causal transformer, read at the end of the text.

#[cfg(test)]
mod tests;

use super::config::{EPSILON, HEAD_WIDTH};
use super::layout::Layout;
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::transformer::BlockShape;
use candle_core::{Result as EngineResult, Tensor};
use neurogauge_kernels::blocks::{
    Activation, CausalMask, Embedding, LayerNorm, Linear, Sequences, TransformerBlock, sum,
};

/// The shape of a text tower, as it can be read off its tensors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct TextConfig {
    pub(super) vocab_size: usize,
    /// The largest number of tokens in a text.
    pub(super) n_positions: usize,
    pub(super) width: usize,
    pub(super) n_inner: usize,
    pub(super) n_blocks: usize,
    pub(super) n_embedding: usize,
    /// Activation inside the perceptrons.
    pub(super) activation: Activation,
}

/// The shape of ViT-B/16's tower, for a checkpoint without a configuration.
const B_16: TextConfig = TextConfig {
    vocab_size: 49_408,
    n_positions: 77,
    width: 512,
    n_inner: 2048,
    n_blocks: 12,
    n_embedding: 512,
    activation: Activation::QuickGelu,
};

/// Names of a text tower's tensors, except those inside its blocks.
struct Names {
    words: &'static str,
    positions: &'static str,
    blocks: &'static str,
    norm: &'static str,
    projection: &'static str,
}

impl Names {
    fn of(layout: Layout) -> Names {
        match layout {
            Layout::OpenAi => Names {
                words: "token_embedding.weight",
                positions: "positional_embedding",
                blocks: "transformer.resblocks",
                norm: "ln_final",
                projection: "text_projection",
            },
            Layout::HuggingFace => Names {
                words: "text_model.embeddings.token_embedding.weight",
                positions: "text_model.embeddings.position_embedding.weight",
                blocks: "text_model.encoder.layers",
                norm: "text_model.final_layer_norm",
                projection: "text_projection",
            },
        }
    }
}

impl TextConfig {
    /// Reads the numbers off the shapes of a checkpoint's tensors.
    pub(super) fn from_shapes(layout: Layout, shape_of: impl Fn(&str) -> Option<Vec<usize>>) -> TextConfig {
        let names = Names::of(layout);
        let parts = layout.block_names();
        let rows_and_columns = |name: &str, otherwise: (usize, usize)| match shape_of(name).as_deref() {
            Some(&[rows, columns]) => (rows, columns),
            _ => otherwise,
        };
        let (vocab_size, width) = rows_and_columns(names.words, (B_16.vocab_size, B_16.width));
        let (n_positions, _) = rows_and_columns(names.positions, (B_16.n_positions, width));
        let expand = |index: usize| format!("{}.{index}.{}.weight", names.blocks, parts.expand);
        let (n_inner, _) = rows_and_columns(&expand(0), (B_16.n_inner, width));
        let n_blocks = (0..).take_while(|&index| shape_of(&expand(index)).is_some()).count();
        let n_embedding = match layout {
            Layout::OpenAi => rows_and_columns(names.projection, (width, B_16.n_embedding)).1,
            Layout::HuggingFace => {
                let name = format!("{}.weight", names.projection);
                rows_and_columns(&name, (B_16.n_embedding, width)).0
            }
        };
        TextConfig {
            vocab_size,
            n_positions,
            width,
            n_inner,
            n_blocks: if n_blocks == 0 { B_16.n_blocks } else { n_blocks },
            n_embedding,
            activation: B_16.activation,
        }
    }
}

pub(super) struct TextTower {
    words: Embedding,
    positions: Embedding,
    pub(super) blocks: Vec<TransformerBlock>,
    pub(super) norm: LayerNorm,
    pub(super) projection: Linear,
}

impl TextTower {
    pub(super) fn build(checkpoint: &mut Checkpoint, config: TextConfig, layout: Layout) -> Result<Self, ModelError> {
        let names = Names::of(layout);
        let width = config.width;
        let words = checkpoint.take(names.words, &[config.vocab_size, width])?;
        let positions = checkpoint.take(names.positions, &[config.n_positions, width])?;
        let shape = BlockShape {
            width,
            n_heads: width / HEAD_WIDTH,
            n_inner: config.n_inner,
            activation: config.activation,
            epsilon: EPSILON,
        };
        let blocks = checkpoint.transformer_blocks(names.blocks, config.n_blocks, layout.block_names(), shape)?;
        Ok(TextTower {
            words: Embedding::new(words),
            positions: Embedding::new(positions),
            blocks,
            norm: checkpoint.layer_norm(names.norm, width, EPSILON)?,
            projection: layout.projection(checkpoint, names.projection, width, config.n_embedding)?,
        })
    }

    /// The input vectors of the first block, one per token.
    pub(super) fn embed(&self, ids: &[u32], sequences: &Sequences) -> EngineResult<Tensor> {
        sum(&self.words.forward(ids)?, &self.positions.forward(&sequences.positions())?)
    }

    /// One vector for each of the sequences laid end to end, read at its last token; shape
    /// (`n_sequences`, `n_embedding`).
    pub(super) fn forward(&self, ids: &[u32], sequences: &Sequences) -> EngineResult<Tensor> {
        let mask = CausalMask::new(sequences);
        let mut x = self.embed(ids, sequences)?;
        for block in &self.blocks {
            x = block.forward(&x, sequences, &mask)?;
        }
        let last: Vec<u32> = sequences.rows().map(|rows| rows.end as u32 - 1).collect();
        let last = Tensor::from_slice(&last, last.len(), x.device())?;
        let ends = self.norm.forward(&x.index_select(&last, 0)?)?;
        self.projection.forward(&ends)
    }
}
