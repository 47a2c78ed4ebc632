//! Builds the model's layers from the tensors of a checkpoint.

use super::block::Block;
use super::config::Config;
use super::decoder::TextDecoder;
use super::tower::Tower;
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use candle_core::Tensor;
use neurogauge_kernels::blocks::{Activation, Embedding, GatedMlp, GroupedHeads, Rotary, WideLinear};

/// Features of the output that a thread computes at a time.
const PART: usize = 128;
const TOWER_EPSILON: f64 = 1e-6;

/// Translates a published tensor name to that of transformers 5. Published names have no prefix for the language model,
/// and the tower is at the top level.
pub(super) fn named(name: &str) -> Option<String> {
    const TOWER: &str = "model.visual.";
    const TEXT: &str = "model.language_model.";
    if name.starts_with(TOWER) || name.starts_with(TEXT) {
        return None;
    }
    let tower = name.strip_prefix("visual.");
    let text = || name.strip_prefix("model.");
    tower.map(|bare| format!("{TOWER}{bare}")).or_else(|| text().map(|bare| format!("{TEXT}{bare}")))
}

/// Builds both halves.
pub(super) fn build(checkpoint: &mut Checkpoint, config: &Config) -> Result<(Tower, TextDecoder), ModelError> {
    // Read the largest tensors first, while little else is in memory.
    let (text, vision) = (&config.text, &config.own.vision);
    let (width, n_words) = (text.hidden_size, text.vocab_size);
    let table = checkpoint.take("model.language_model.embed_tokens.weight", &[n_words, width])?;
    let output = if config.is_tied() {
        unbiased(checkpoint, &table)?
    } else {
        let weight = checkpoint.take("lm_head.weight", &[n_words, width])?;
        unbiased(checkpoint, &weight)?
    };
    let words = Embedding::new(table);
    let shape = BlockShape {
        width,
        n_inner: text.intermediate_size,
        heads: text.heads(),
        epsilon: text.rms_norm_eps,
    };
    let names = |index: usize| format!("model.language_model.layers.{index}");
    let blocks = (0..text.num_hidden_layers)
        .map(|index| shape.text_block(checkpoint, &names(index)))
        .collect::<Result<Vec<Block>, ModelError>>()?;
    let decoder = TextDecoder {
        words,
        blocks,
        norm: checkpoint.rms_norm("model.language_model.norm", width, text.rms_norm_eps)?,
        output,
        heads: text.heads(),
        rotary: Rotary::new(text.heads().head_width, text.rope_theta()),
        sections: text.sections(),
    };

    let (width, side) = (vision.hidden_size, vision.patch_size);
    let shape = [width, 3, vision.temporal_patch_size, side, side];
    let patches = checkpoint.take("model.visual.patch_embed.proj.weight", &shape)?;
    let patches = checkpoint.arranged(|| patches.flatten_from(1))?;
    let patches = unbiased(checkpoint, &patches)?;
    let shape = BlockShape {
        width,
        n_inner: vision.intermediate_size,
        heads: vision.heads(),
        epsilon: TOWER_EPSILON,
    };
    let blocks = (0..vision.depth)
        .map(|index| shape.tower_block(checkpoint, &format!("model.visual.blocks.{index}")))
        .collect::<Result<Vec<Block>, ModelError>>()?;
    let merged = width * vision.patches_per_token();
    let mut merger = |index: usize, n_out: usize| {
        let name = format!("model.visual.merger.mlp.{index}");
        checkpoint.wide_linear_in_parts(&name, merged, n_out, PART)
    };
    let merger = [merger(0, merged)?.then(Activation::Gelu), merger(2, vision.out_hidden_size)?];
    let tower = Tower {
        patches,
        blocks,
        whole: vision.fullatt_block_indexes.clone(),
        norm: checkpoint.rms_norm("model.visual.merger.ln_q", width, TOWER_EPSILON)?,
        merger,
        heads: vision.heads(),
        merge: vision.spatial_merge_size,
        window: vision.window_tokens(),
        placement: checkpoint.placement().clone(),
    };
    Ok((tower, decoder))
}

fn unbiased(checkpoint: &Checkpoint, weight: &Tensor) -> Result<WideLinear, ModelError> {
    checkpoint.arranged(|| {
        let bias = Tensor::zeros(weight.dim(0)?, weight.dtype(), weight.device())?;
        WideLinear::in_parts(weight, &bias, PART)
    })
}

struct BlockShape {
    width: usize,
    n_inner: usize,
    heads: GroupedHeads,
    epsilon: f64,
}

impl BlockShape {
    /// Queries, keys and values have separate maps, and only these have biases.
    fn text_block(&self, checkpoint: &mut Checkpoint, name: &str) -> Result<Block, ModelError> {
        let (width, n_inner) = (self.width, self.n_inner);
        let (n_queries, n_keys) = (self.heads.query_columns(), self.heads.key_columns());
        let mut part =
            |map: &str, n_out: usize| checkpoint.weight_and_bias(&format!("{name}.self_attn.{map}"), width, n_out);
        let (query, key, value) = (part("q_proj", n_queries)?, part("k_proj", n_keys)?, part("v_proj", n_keys)?);
        let query_key_value = checkpoint.arranged(|| {
            let weight = Tensor::cat(&[&query.0, &key.0, &value.0], 0)?;
            let bias = Tensor::cat(&[&query.1, &key.1, &value.1], 0)?;
            WideLinear::in_parts(&weight, &bias, PART)
        })?;
        let mut map = |map: &str, n_in: usize, n_out: usize| {
            let weight = checkpoint.take(&format!("{name}.{map}.weight"), &[n_out, n_in])?;
            unbiased(checkpoint, &weight)
        };
        let output = map("self_attn.o_proj", n_queries, width)?;
        let mlp = GatedMlp::new(
            map("mlp.gate_proj", width, n_inner)?,
            Activation::Silu,
            map("mlp.up_proj", width, n_inner)?,
            map("mlp.down_proj", n_inner, width)?,
        );
        Ok(Block {
            attention_norm: checkpoint.rms_norm(&format!("{name}.input_layernorm"), width, self.epsilon)?,
            query_key_value,
            output,
            mlp_norm: checkpoint.rms_norm(&format!("{name}.post_attention_layernorm"), width, self.epsilon)?,
            mlp,
        })
    }

    /// Queries, keys and values have one map; all maps have biases.
    fn tower_block(&self, checkpoint: &mut Checkpoint, name: &str) -> Result<Block, ModelError> {
        let (width, n_inner) = (self.width, self.n_inner);
        let mut map = |map: &str, n_in: usize, n_out: usize| {
            checkpoint.wide_linear_in_parts(&format!("{name}.{map}"), n_in, n_out, PART)
        };
        let query_key_value = map("attn.qkv", width, self.heads.columns())?;
        let output = map("attn.proj", width, width)?;
        let mlp = GatedMlp::new(
            map("mlp.gate_proj", width, n_inner)?,
            Activation::Silu,
            map("mlp.up_proj", width, n_inner)?,
            map("mlp.down_proj", n_inner, width)?,
        );
        Ok(Block {
            attention_norm: checkpoint.rms_norm(&format!("{name}.norm1"), width, self.epsilon)?,
            query_key_value,
            output,
            mlp_norm: checkpoint.rms_norm(&format!("{name}.norm2"), width, self.epsilon)?,
            mlp,
        })
    }
}
