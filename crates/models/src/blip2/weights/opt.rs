//! The language model's layers.

use crate::ModelError;
use crate::blip2::config::Text;
use crate::blip2::decoder::{DecoderLayer, TextDecoder};
use crate::blocks::{Activation, Embedding, WideLinear};
use crate::checkpoint::Checkpoint;
use candle_core::Tensor;

/// Features of the output that a thread computes at a time, in the layers.
const PART: usize = 128;
/// In the norms; the configuration does not say it.
const OPT_EPSILON: f64 = 1e-5;
/// Rows of the table of positions before the first place.
const N_BEFORE_POSITIONS: usize = 2;

/// The output map is `lm_head.weight` where the checkpoint has it or must have it, and else the table of words, as
/// in transformers 5.
pub(super) fn build(checkpoint: &mut Checkpoint, config: &Text) -> Result<TextDecoder, ModelError> {
    const DECODER: &str = "language_model.model.decoder";
    const OUTPUT: &str = "language_model.lm_head.weight";
    let (width, vocab_size) = (config.hidden_size, config.vocab_size);
    let words = checkpoint.take(
        &format!("{DECODER}.embed_tokens.weight"),
        &[vocab_size, width],
    )?;
    let n_positions = config.max_position_embeddings;
    let positions = checkpoint.take(
        &format!("{DECODER}.embed_positions.weight"),
        &[n_positions + N_BEFORE_POSITIONS, width],
    )?;
    let positions = checkpoint.arranged(|| {
        positions
            .narrow(0, N_BEFORE_POSITIONS, n_positions)?
            .contiguous()
    })?;
    let layers = (0..config.num_hidden_layers)
        .map(|index| layer(checkpoint, &format!("{DECODER}.layers.{index}"), config))
        .collect::<Result<Vec<DecoderLayer>, ModelError>>()?;
    let norm = checkpoint.layer_norm(&format!("{DECODER}.final_layer_norm"), width, OPT_EPSILON)?;
    let own_output = !config.tie_word_embeddings || checkpoint.shape_of(OUTPUT).is_some();
    let output = if own_output {
        checkpoint.take(OUTPUT, &[vocab_size, width])?
    } else {
        words.clone()
    };
    let output = checkpoint.arranged(|| {
        let bias = Tensor::zeros(vocab_size, output.dtype(), output.device())?;
        WideLinear::new(&output, &bias)
    })?;
    Ok(TextDecoder {
        words: Embedding::new(words),
        positions: Embedding::new(positions),
        layers,
        norm,
        output,
        n_heads: config.num_attention_heads,
        width,
    })
}

fn layer(
    checkpoint: &mut Checkpoint,
    name: &str,
    config: &Text,
) -> Result<DecoderLayer, ModelError> {
    let (width, n_inner) = (config.hidden_size, config.ffn_dim);
    let maps = ["q_proj", "k_proj", "v_proj"].map(|map| format!("{name}.self_attn.{map}"));
    let query_key_value =
        checkpoint.wide_query_key_value(&maps, width, config.num_attention_heads, PART)?;
    let mut linear = |part: &str, n_in, n_out| {
        checkpoint.wide_linear_in_parts(&format!("{name}.{part}"), n_in, n_out, PART)
    };
    let attention_output = linear("self_attn.out_proj", width, width)?;
    let expand = linear("fc1", width, n_inner)?.then(Activation::Relu);
    let contract = linear("fc2", n_inner, width)?;
    let mut norm =
        |part: &str| checkpoint.layer_norm(&format!("{name}.{part}"), width, OPT_EPSILON);
    Ok(DecoderLayer {
        attention_norm: norm("self_attn_layer_norm")?,
        query_key_value,
        attention_output,
        mlp_norm: norm("final_layer_norm")?,
        expand,
        contract,
    })
}
