//! Builds the model's layers from the tensors of a checkpoint.

use super::config::Config;
use super::decoder::{DecoderLayer, TextDecoder};
use super::encoder::{EncoderLayer, TextEncoder};
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use candle_core::Tensor;
use neurogauge_kernels::blocks::{Activation, DistanceBias, Embedding, GatedMlp, Linear, RmsNorm, SelfAttention};

/// Builds both halves; every tensor of the checkpoint must be used.
pub(crate) fn build(mut checkpoint: Checkpoint, config: &Config) -> Result<(TextEncoder, TextDecoder), ModelError> {
    let halves = take(&mut checkpoint, config)?;
    checkpoint.finish(is_left_over)?;
    Ok(halves)
}

/// Builds both halves from a checkpoint that contains other things too.
///
/// The output map is `lm_head.weight` if the checkpoint has it, otherwise the token table, as in transformers 5.
pub(crate) fn take(checkpoint: &mut Checkpoint, config: &Config) -> Result<(TextEncoder, TextDecoder), ModelError> {
    let (width, vocab_size) = (config.d_model, config.vocab_size);
    let own_output = checkpoint.shape_of("lm_head.weight").is_some();
    let words = checkpoint.take("shared.weight", &[vocab_size, width])?;
    let output = if own_output {
        checkpoint.take("lm_head.weight", &[vocab_size, width])?
    } else {
        words.clone()
    };
    let mut take = Taking { checkpoint, config };
    let encoder_layers = (0..config.num_layers)
        .map(|index| take.encoder_layer(&format!("encoder.block.{index}")))
        .collect::<Result<Vec<_>, ModelError>>()?;
    let encoder = TextEncoder {
        words: Embedding::new(words.clone()),
        bias: take.position_bias("encoder")?,
        layers: encoder_layers,
        norm: take.norm("encoder.final_layer_norm")?,
    };
    let decoder_layers = (0..config.n_decoder_layers())
        .map(|index| take.decoder_layer(&format!("decoder.block.{index}")))
        .collect::<Result<Vec<_>, ModelError>>()?;
    let decoder = TextDecoder {
        words: Embedding::new(words),
        bias: take.position_bias("decoder")?,
        layers: decoder_layers,
        norm: take.norm("decoder.final_layer_norm")?,
        output: checkpoint.arranged(|| {
            let none = Tensor::zeros(vocab_size, output.dtype(), output.device())?;
            Linear::fused_scaling_first(&[(output, none)], config.logit_scale())
        })?,
        n_heads: config.num_heads,
        inner_width: config.inner_width(),
    };
    Ok((encoder, decoder))
}

/// The token table under its other names, and a table that old checkpoints have but nothing uses.
pub(crate) fn is_left_over(name: &str) -> bool {
    [
        "encoder.embed_tokens.weight",
        "decoder.embed_tokens.weight",
        "decoder.block.0.layer.1.EncDecAttention.relative_attention_bias.weight",
    ]
    .contains(&name)
}

struct Taking<'a> {
    checkpoint: &'a mut Checkpoint,
    config: &'a Config,
}

impl Taking<'_> {
    fn norm(&mut self, name: &str) -> Result<RmsNorm, ModelError> {
        let (width, epsilon) = (self.config.d_model, self.config.layer_norm_epsilon);
        self.checkpoint.rms_norm(name, width, epsilon)
    }

    /// Maps from the model's width to the heads' width, side by side.
    fn projections(&mut self, name: &str, parts: &[&str]) -> Result<Linear, ModelError> {
        let shape = [self.config.inner_width(), self.config.d_model];
        let weights = (parts.iter())
            .map(|part| self.checkpoint.take(&format!("{name}.{part}.weight"), &shape))
            .collect::<Result<Vec<Tensor>, ModelError>>()?;
        let shared = self.checkpoint.shares_rows();
        self.checkpoint.arranged(|| Ok(Linear::fused_without_bias(&weights)?.shared(shared)))
    }

    fn linear(&mut self, name: &str, n_in: usize, n_out: usize) -> Result<Linear, ModelError> {
        let weight = self.checkpoint.take(&format!("{name}.weight"), &[n_out, n_in])?;
        let shared = self.checkpoint.shares_rows();
        self.checkpoint.arranged(|| Ok(Linear::without_bias(&weight)?.shared(shared)))
    }

    fn output(&mut self, name: &str) -> Result<Linear, ModelError> {
        let (inner, width) = (self.config.inner_width(), self.config.d_model);
        self.linear(&format!("{name}.o"), inner, width)
    }

    fn mlp(&mut self, name: &str) -> Result<GatedMlp, ModelError> {
        let (width, inner) = (self.config.d_model, self.config.d_ff);
        let part = |part: &str| format!("{name}.DenseReluDense.{part}");
        Ok(GatedMlp::new(
            self.linear(&part("wi_0"), width, inner)?,
            Activation::TanhGelu,
            self.linear(&part("wi_1"), width, inner)?,
            self.linear(&part("wo"), inner, width)?,
        ))
    }

    /// The distance bias, shared by all layers of a half.
    fn position_bias(&mut self, half: &str) -> Result<DistanceBias, ModelError> {
        let name = format!("{half}.block.0.layer.0.SelfAttention.relative_attention_bias.weight");
        let config = self.config;
        let shape = [config.relative_attention_num_buckets, config.num_heads];
        let table = self.checkpoint.take(&name, &shape)?;
        let max_distance = config.relative_attention_max_distance;
        self.checkpoint.arranged(|| DistanceBias::new(&table, max_distance))
    }

    fn encoder_layer(&mut self, name: &str) -> Result<EncoderLayer, ModelError> {
        let attention = format!("{name}.layer.0.SelfAttention");
        let query_key_value = self.projections(&attention, &["q", "k", "v"])?;
        let output = self.output(&attention)?;
        Ok(EncoderLayer {
            attention_norm: self.norm(&format!("{name}.layer.0.layer_norm"))?,
            attention: SelfAttention::unscaled(query_key_value, output, self.config.num_heads),
            mlp_norm: self.norm(&format!("{name}.layer.1.layer_norm"))?,
            mlp: self.mlp(&format!("{name}.layer.1"))?,
        })
    }

    fn decoder_layer(&mut self, name: &str) -> Result<DecoderLayer, ModelError> {
        let own = format!("{name}.layer.0.SelfAttention");
        let source = format!("{name}.layer.1.EncDecAttention");
        Ok(DecoderLayer {
            own_norm: self.norm(&format!("{name}.layer.0.layer_norm"))?,
            query_key_value: self.projections(&own, &["q", "k", "v"])?,
            own_output: self.output(&own)?,
            source_norm: self.norm(&format!("{name}.layer.1.layer_norm"))?,
            query: self.projections(&source, &["q"])?,
            key_value: self.projections(&source, &["k", "v"])?,
            source_output: self.output(&source)?,
            mlp_norm: self.norm(&format!("{name}.layer.2.layer_norm"))?,
            mlp: self.mlp(&format!("{name}.layer.2"))?,
        })
    }
}
