//! Builds the network's layers from the tensors of a checkpoint.

use super::block::{Attention, Block};
use super::config::{Config, EPSILON, EXPANSION, PATCH_STEP};
use super::image_encoder::ImageEncoder;
use super::mask_decoder_weights::mask_decoder;
use super::model::Network;
use super::prompt_encoder::PromptEncoder;
use super::trunk::{Trunk, positions};
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::layers::Kernel;
use neurogauge_kernels::blocks::{Activation, Linear, Mlp, factors_of_first};

/// Side of a patch, px.
const PATCH_PX: usize = 7;
/// Frequencies that encode positions in images and in prompts.
pub(super) const FREQUENCIES: &str = "shared_image_embedding.positional_embedding";
const TRUNK: &str = "vision_encoder.backbone";

/// Builds the whole network; the caller decides which tensors may be left over.
pub(super) fn build(checkpoint: &mut Checkpoint, config: &Config) -> Result<Network, ModelError> {
    let image_encoder = image_encoder(checkpoint, config)?;
    let width = config.width;
    let prompt_encoder = PromptEncoder {
        image_px: config.image_px,
        frequencies: checkpoint.take_values(FREQUENCIES, &[2, width / 2])?,
        kinds: checkpoint.take_values("prompt_encoder.point_embed.weight", &[4, width])?,
        no_point: checkpoint.take_values("prompt_encoder.not_a_point_embed.weight", &[1, width])?,
    };
    let mask_decoder = mask_decoder(checkpoint, config, &prompt_encoder)?;
    Ok(Network {
        image_encoder,
        prompt_encoder,
        mask_decoder,
    })
}

fn image_encoder(checkpoint: &mut Checkpoint, config: &Config) -> Result<ImageEncoder, ModelError> {
    let width = config.width;
    let trunk = trunk(checkpoint, config)?;
    // The file has the smallest map first.
    let laterals = (0..4)
        .map(|stage| {
            let name = format!("vision_encoder.neck.convs.{}", 3 - stage);
            checkpoint.linear_of_point(&name, config.channels(stage), width)
        })
        .collect::<Result<Vec<_>, ModelError>>()?;
    Ok(ImageEncoder {
        trunk,
        laterals,
        fine: [
            checkpoint.linear_of_point("mask_decoder.conv_s0", width, width / 8)?,
            checkpoint.linear_of_point("mask_decoder.conv_s1", width, width / 4)?,
        ],
        no_memory: checkpoint.take("no_memory_embedding", &[1, 1, width])?,
    })
}

fn trunk(checkpoint: &mut Checkpoint, config: &Config) -> Result<Trunk, ModelError> {
    let n = config.n_channels;
    let kernel = Kernel::square(3, n, PATCH_PX, PATCH_STEP, PATCH_PX / 2);
    let patches = checkpoint.convolution(&format!("{TRUNK}.patch_embed.projection"), kernel)?;
    let (coarse, size) = (config.background, config.windows[0]);
    let background = checkpoint.take_values(&format!("{TRUNK}.pos_embed"), &[1, n, coarse, coarse])?;
    let window = checkpoint.take_values(&format!("{TRUNK}.pos_embed_window"), &[1, n, size, size])?;
    let side = config.image_px / PATCH_STEP;
    let positions = positions(&background, &window, config, side)?;
    let positions = checkpoint.arranged(|| checkpoint.placement().tensor(positions, (1, side, side, n)))?;
    let mut stages: Vec<Vec<Block>> = Vec::new();
    let mut index = 0;
    for (stage, &n_blocks) in config.blocks.iter().enumerate() {
        let mut blocks = Vec::new();
        for place in 0..n_blocks {
            let begins = place == 0 && stage > 0;
            blocks.push(block(checkpoint, config, (stage, begins), index)?);
            index += 1;
        }
        stages.push(blocks);
    }
    Ok(Trunk {
        patches,
        positions,
        stages,
    })
}

/// Block number `index`. The first block of a stage reads the previous stage's maps, in windows of that stage.
fn block(
    checkpoint: &mut Checkpoint,
    config: &Config,
    (stage, begins): (usize, bool),
    index: usize,
) -> Result<Block, ModelError> {
    let before = stage - usize::from(begins);
    let (n_in, n_out) = (config.channels(before), config.channels(stage));
    let name = format!("{TRUNK}.blocks.{index}");
    let part = |part: &str| format!("{name}.{part}");
    let norm = checkpoint.layer_norm(&part("layer_norm1"), n_in, EPSILON)?;
    let n_heads = config.heads[stage];
    let query_key_value = scaled_queries(checkpoint, &part("attn.qkv"), (n_in, n_out), n_heads)?;
    let attention = Attention {
        query_key_value,
        output: checkpoint.linear(&part("attn.proj"), n_out, n_out)?,
        n_heads,
        window: (!config.global_blocks.contains(&index)).then_some(config.windows[before]),
    };
    let widening = match begins {
        true => Some(checkpoint.linear(&part("proj"), n_in, n_out)?),
        false => None,
    };
    let perceptron_norm = checkpoint.layer_norm(&part("layer_norm2"), n_out, EPSILON)?;
    let expand = checkpoint.linear(&part("mlp.proj_in"), n_out, EXPANSION * n_out)?;
    let contract = checkpoint.linear(&part("mlp.proj_out"), EXPANSION * n_out, n_out)?;
    Ok(Block {
        norm,
        attention,
        widening,
        perceptron: Mlp::new(expand, Activation::Gelu, contract).after(perceptron_norm),
    })
}

/// The map to queries, keys and values; the queries include the scores' factor 1 / √head_width.
fn scaled_queries(
    checkpoint: &mut Checkpoint,
    name: &str,
    (n_in, n_out): (usize, usize),
    n_heads: usize,
) -> Result<Linear, ModelError> {
    let (weight, bias) = checkpoint.weight_and_bias(name, n_in, 3 * n_out)?;
    checkpoint.arranged(|| {
        let scale = 1.0 / ((n_out / n_heads) as f64).sqrt();
        let factors = factors_of_first(&bias, n_out, scale)?;
        Ok(Linear::scaled(&weight, &bias, &factors)?.shared(checkpoint.shares_rows()))
    })
}
