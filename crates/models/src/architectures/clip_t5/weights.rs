//! Builds the model's layers from the tensors of a checkpoint.

use super::config::Config;
use super::network::Network;
use crate::ModelError;
use crate::architectures::clip::{Layout, VisionConfig, VisionLayout, has_no_use_for_images, vision_tokens};
use crate::architectures::t5;
use crate::architectures::vit::VisionTransformer;
use crate::checkpoint::Checkpoint;
use neurogauge_kernels::blocks::{Activation, Perceptron};

/// Prefix before CLIP's own tensor names, if the file contains the image tower (a module inside a module).
const TOWER: &str = "vision_tower.vision_tower.";
/// Another name of the token table.
const TABLE: &str = "embed_tokens.weight";

/// Does the checkpoint contain the image tower too?
pub(super) fn has_tower(checkpoint: &Checkpoint) -> bool {
    let mark = format!("{TOWER}vision_model.embeddings.class_embedding");
    checkpoint.shape_of(&mark).is_some()
}

/// Builds the model; every tensor must be used. `tower` is CLIP's own checkpoint, if `checkpoint` has no tower.
pub(super) fn build(
    mut checkpoint: Checkpoint,
    tower: Option<Checkpoint>,
    config: &Config,
    shape: VisionConfig,
) -> Result<Network, ModelError> {
    // Read the largest tensors first, while little else is in memory.
    let (encoder, decoder) = t5::take(&mut checkpoint, &config.text)?;
    let width = config.text.d_model;
    let expand = checkpoint.linear("mm_projector.0", shape.width, width)?;
    let projector = Perceptron {
        layers: vec![expand.then(Activation::Gelu), checkpoint.linear("mm_projector.2", width, width)?],
    };
    let placement = checkpoint.placement().clone();
    // T5 gets the last block's input, so the last block itself is not needed.
    let last = shape.n_blocks - 1;
    let seen = VisionConfig {
        n_blocks: last,
        ..shape
    };
    let layout = VisionLayout::Tower(Layout::HuggingFace);
    let unused = format!("vision_model.encoder.layers.{last}.");
    let is_unused = |name: &str| name.starts_with(&unused) || has_no_use_for_images(name);
    let is_elsewhere = tower.is_some();
    let parts = match tower {
        Some(mut own) => {
            let parts = vision_tokens(&mut own, seen, layout, "")?;
            own.finish(|name| is_unused(name) || name == "visual_projection.weight")?;
            parts
        }
        None => vision_tokens(&mut checkpoint, seen, layout, TOWER)?,
    };
    checkpoint.finish(|name| {
        let of_tower = name.strip_prefix(TOWER);
        name == TABLE || t5::is_left_over(name) || of_tower.is_some_and(|name| is_elsewhere || is_unused(name))
    })?;
    Ok(Network {
        tower: VisionTransformer::new(shape.architecture, shape.shape().sides(), parts),
        patches: format!("vision_model.encoder.layers.{}", last - 1),
        projector,
        encoder,
        decoder,
        start: config.text.start(),
        placement,
    })
}
