//! The language model's layers.

use crate::ModelError;
use crate::architectures::blip2::ARCHITECTURE;
use crate::architectures::blip2::config::Text;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::transformer::{BlockNames, BlockShape, Projections};
use crate::observers::captioning::{CaptionDecoder, ImageTokens};
use candle_core::Tensor;
use neurogauge_kernels::blocks::{Activation, Embedding, Norms, WideLinear};

/// OPT's names of a layer's parts.
const BLOCK: BlockNames = BlockNames {
    attention_norm: "self_attn_layer_norm",
    projections: Projections::Separate(["self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"]),
    output: "self_attn.out_proj",
    mlp_norm: "final_layer_norm",
    expand: "fc1",
    contract: "fc2",
    scales: None,
};
/// The epsilon of the norms, which is not in the configuration.
const OPT_EPSILON: f64 = 1e-5;
/// Rows of the position table before the row of position 0.
const N_BEFORE_POSITIONS: usize = 2;

/// Uses `lm_head.weight` as the output map if the checkpoint has it or must have it, otherwise the word table, as
/// transformers 5 does.
pub(super) fn build(checkpoint: &mut Checkpoint, config: &Text) -> Result<CaptionDecoder, ModelError> {
    const DECODER: &str = "language_model.model.decoder";
    const OUTPUT: &str = "language_model.lm_head.weight";
    let (width, vocab_size) = (config.hidden_size, config.vocab_size);
    let words = checkpoint.take(&format!("{DECODER}.embed_tokens.weight"), &[vocab_size, width])?;
    let own_output = !config.tie_word_embeddings || checkpoint.shape_of(OUTPUT).is_some();
    let map = if own_output {
        checkpoint.take(OUTPUT, &[vocab_size, width])?
    } else {
        words.clone()
    };
    let output = checkpoint.arranged(|| {
        let bias = Tensor::zeros(vocab_size, map.dtype(), map.device())?;
        WideLinear::new(&map, &bias)
    })?;
    // Both are stored in 16 bits by now, if these are exact. Free this one before the blocks are read.
    drop(map);
    let words = Embedding::new(words);
    let n_positions = config.max_position_embeddings;
    let positions =
        checkpoint.take(&format!("{DECODER}.embed_positions.weight"), &[n_positions + N_BEFORE_POSITIONS, width])?;
    let positions = checkpoint.arranged(|| positions.narrow(0, N_BEFORE_POSITIONS, n_positions)?.contiguous())?;
    let shape = BlockShape {
        width,
        n_heads: config.num_attention_heads,
        n_inner: config.ffn_dim,
        activation: Activation::Relu,
        epsilon: OPT_EPSILON,
    };
    let (name, n_layers) = (format!("{DECODER}.layers"), config.num_hidden_layers);
    let blocks = checkpoint.wide_transformer_blocks(&name, n_layers, &BLOCK, shape)?;
    let norm = checkpoint.layer_norm(&format!("{DECODER}.final_layer_norm"), width, OPT_EPSILON)?;
    Ok(CaptionDecoder {
        architecture: ARCHITECTURE,
        image_tokens: ImageTokens::BeginText,
        words,
        positions: Embedding::new(positions),
        blocks,
        norms: Norms::Before,
        norm,
        output,
        n_heads: config.num_attention_heads,
        width,
    })
}
