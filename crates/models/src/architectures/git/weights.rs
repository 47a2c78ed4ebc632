//! Builds the model's layers from the tensors of a checkpoint.

use super::ARCHITECTURE;
use super::config::Config;
use crate::ModelError;
use crate::architectures::clip::{EPSILON, Layout, VisionLayout, vision_tokens};
use crate::architectures::vit::VisionTransformer;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::transformer::{BlockNames, BlockShape};
use crate::network::{Layer, LayerKind, LayerOutputs, Pass};
use crate::observers::captioning::{CaptionDecoder, ImageEncoder, ImageTokens, TokenMap};
use candle_core::Tensor;
use neurogauge_kernels::blocks::{Activation, Embedding, LayerNorm, Linear, Norms};

/// CLIP's tower and the projection after it.
pub(super) fn encoder(checkpoint: &mut Checkpoint, config: &Config) -> Result<ImageEncoder, ModelError> {
    let (vision, width) = (config.vision(), config.hidden_size);
    let parts = vision_tokens(checkpoint, vision, VisionLayout::Tower(Layout::HuggingFace), "git.image_encoder.")?;
    let tower = VisionTransformer::new(vision.architecture, vision.shape().sides(), parts);
    let name = "git.visual_projection.visual_projection";
    let linear = checkpoint.linear(&format!("{name}.0"), vision.width, width)?;
    let norm = checkpoint.layer_norm(&format!("{name}.1"), width, EPSILON)?;
    Ok(ImageEncoder::new(tower, Projection { linear, norm }))
}

/// The word table and the layers after it.
pub(super) fn decoder(checkpoint: &mut Checkpoint, config: &Config) -> Result<CaptionDecoder, ModelError> {
    let width = config.hidden_size;
    let name = |name: &str| format!("git.embeddings.{name}");
    let words = checkpoint.take(&name("word_embeddings.weight"), &[config.vocab_size, width])?;
    let n_positions = config.max_position_embeddings;
    let positions = checkpoint.take(&name("position_embeddings.weight"), &[n_positions, width])?;
    let norm = checkpoint.layer_norm(&name("LayerNorm"), width, config.layer_norm_eps)?;
    let shape = BlockShape {
        width,
        n_heads: config.num_attention_heads,
        n_inner: config.intermediate_size,
        activation: Activation::Gelu,
        epsilon: config.layer_norm_eps,
    };
    let (name, n_layers) = ("git.encoder.layer", config.num_hidden_layers);
    let blocks = checkpoint.wide_transformer_blocks(name, n_layers, &BlockNames::BERT, shape)?;
    Ok(CaptionDecoder {
        architecture: ARCHITECTURE,
        image_tokens: ImageTokens::StandApart,
        words: Embedding::new(words),
        positions: Embedding::new(positions),
        blocks,
        norms: Norms::Behind,
        norm,
        output: checkpoint.wide_linear("output", width, config.vocab_size)?,
        n_heads: config.num_attention_heads,
        width,
    })
}

/// The name under which the encoder's last output is offered.
const TOKENS: &str = "visual_projection";

/// An affine map of every token, followed by a norm.
struct Projection {
    linear: Linear,
    norm: LayerNorm,
}

impl TokenMap for Projection {
    fn layers(&self) -> Vec<Layer> {
        vec![Layer::new(TOKENS, LayerKind::TokensWithClass { n_registers: 0 })]
    }

    fn forward(&self, tokens: &Tensor, outputs: &mut LayerOutputs<'_>) -> Pass<()> {
        let projected = self.norm.forward(&self.linear.forward(tokens)?)?;
        outputs.offer(TOKENS, &projected)
    }
}
