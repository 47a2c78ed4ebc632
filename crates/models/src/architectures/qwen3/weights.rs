//! Builds the model's layers from the tensors of a checkpoint.

use super::config::Config;
use super::model::{Model, Qwen3Layer};
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use candle_core::Tensor;
use neurogauge_kernels::blocks::{Activation, Embedding, GatedMlp, GroupedAttention, Linear, RmsNorm, Rotary};

/// Builds the model; every tensor of the checkpoint must be used.
///
/// Names may begin with `model.`, as in checkpoints that include the output map.
pub(crate) fn build(checkpoint: Checkpoint, config: &Config) -> Result<Model, ModelError> {
    let bare = |name: &str| name.strip_prefix("model.").map(str::to_owned);
    let mut checkpoint = checkpoint.renamed(bare)?;
    let width = config.hidden_size;
    let words = checkpoint.take("embed_tokens.weight", &[config.vocab_size, width])?;
    let mut take = Taking {
        checkpoint: &mut checkpoint,
        config,
    };
    let layers = (0..config.num_hidden_layers)
        .map(|index| take.layer(&format!("layers.{index}")))
        .collect::<Result<Vec<Qwen3Layer>, ModelError>>()?;
    let norm = take.norm("norm")?;
    // The output map, and tensors that follow from the configuration.
    checkpoint.finish(|name| name == "lm_head.weight" || name.ends_with("rotary_emb.inv_freq"))?;
    Ok(Model {
        words: Embedding::new(words),
        rotary: Rotary::new(config.heads().head_width, config.rope_theta()),
        layers,
        norm,
    })
}

struct Taking<'a> {
    checkpoint: &'a mut Checkpoint,
    config: &'a Config,
}

impl Taking<'_> {
    fn layer(&mut self, name: &str) -> Result<Qwen3Layer, ModelError> {
        let (width, inner) = (self.config.hidden_size, self.config.intermediate_size);
        Ok(Qwen3Layer {
            attention_norm: self.norm(&format!("{name}.input_layernorm"))?,
            attention: self.attention(&format!("{name}.self_attn"))?,
            mlp_norm: self.norm(&format!("{name}.post_attention_layernorm"))?,
            mlp: GatedMlp::new(
                self.linear(&format!("{name}.mlp.gate_proj"), width, inner)?,
                Activation::Silu,
                self.linear(&format!("{name}.mlp.up_proj"), width, inner)?,
                self.linear(&format!("{name}.mlp.down_proj"), inner, width)?,
            ),
        })
    }

    fn attention(&mut self, name: &str) -> Result<GroupedAttention, ModelError> {
        let (width, epsilon) = (self.config.hidden_size, self.config.rms_norm_eps);
        let heads = self.config.heads();
        let n_queries = heads.n_heads * heads.head_width;
        let n_keys = heads.n_key_heads * heads.head_width;
        let part = |part: &str| format!("{name}.{part}");
        let projections = [
            self.weight(&part("q_proj"), &[n_queries, width])?,
            self.weight(&part("k_proj"), &[n_keys, width])?,
            self.weight(&part("v_proj"), &[n_keys, width])?,
        ];
        let query_scale = self.weight(&part("q_norm"), &[heads.head_width])?;
        let key_scale = self.weight(&part("k_norm"), &[heads.head_width])?;
        let output = self.linear(&part("o_proj"), n_queries, width)?;
        let scales = [&query_scale, &key_scale];
        self.checkpoint.arranged(|| GroupedAttention::new(&projections, scales, epsilon, output, heads))
    }

    fn norm(&mut self, name: &str) -> Result<RmsNorm, ModelError> {
        let (width, epsilon) = (self.config.hidden_size, self.config.rms_norm_eps);
        self.checkpoint.rms_norm(name, width, epsilon)
    }

    fn linear(&mut self, name: &str, n_in: usize, n_out: usize) -> Result<Linear, ModelError> {
        let weight = self.weight(name, &[n_out, n_in])?;
        self.checkpoint.arranged(|| Linear::without_bias(&weight))
    }

    fn weight(&mut self, name: &str, shape: &[usize]) -> Result<Tensor, ModelError> {
        self.checkpoint.take(&format!("{name}.weight"), shape)
    }
}
