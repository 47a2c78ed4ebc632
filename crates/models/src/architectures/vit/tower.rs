//! From the names in a checkpoint to the layers of a vision transformer.

use super::model::Parts;
use crate::ModelError;
use crate::blocks::TokenEmbedding;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::layers::Kernel;
use crate::checkpoint::transformer::{BlockNames, BlockShape};

/// The numbers that shape a vision transformer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TowerShape {
    pub(crate) image_px: usize,
    pub(crate) patch_px: usize,
    pub(crate) n_blocks: usize,
    pub(crate) block: BlockShape,
}

/// What a library calls the tensors of a vision transformer, and how it stores them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TowerNames {
    pub(crate) patches: &'static str,
    pub(crate) patches_have_bias: bool,
    pub(crate) class_token: &'static str,
    pub(crate) positions: &'static str,
    /// Have the class token and the positions an axis for images, of length 1?
    pub(crate) has_image_axis: bool,
    /// Under this, the tokens with their positions are offered.
    pub(crate) tokens: &'static str,
    pub(crate) pre_norm: Option<&'static str>,
    /// Up to the index of a block.
    pub(crate) blocks: &'static str,
    /// The parts of a block.
    pub(crate) block: BlockNames,
    pub(crate) norm: &'static str,
}

/// All layers up to the norm of all tokens behind the last block, without a head. The names of the tensors, `names`, have
/// `prefix` before them; the layers are offered under the names `offered`.
pub(crate) fn tower(
    checkpoint: &mut Checkpoint,
    shape: TowerShape,
    names: &TowerNames,
    prefix: &str,
    offered: &TowerNames,
) -> Result<Parts, ModelError> {
    let name = |name: &str| format!("{prefix}{name}");
    let (width, epsilon, patch_px) = (shape.block.width, shape.block.epsilon, shape.patch_px);
    let kernel = Kernel::square(3, width, patch_px, patch_px, 0);
    let patches = if names.patches_have_bias {
        checkpoint.convolution(&name(names.patches), kernel)?
    } else {
        checkpoint.convolution_without_bias(&name(names.patches), kernel)?
    };
    let n_tokens = 1 + (shape.image_px / patch_px).pow(2);
    let mut table = |tensor: &str, shape: &[usize], shape_of_one: &[usize]| {
        let has_axis = names.has_image_axis;
        checkpoint.take(&name(tensor), if has_axis { shape_of_one } else { shape })
    };
    let class_token = table(names.class_token, &[width], &[1, 1, width])?;
    let positions = table(names.positions, &[n_tokens, width], &[1, n_tokens, width])?;
    let tokens =
        checkpoint.arranged(|| TokenEmbedding::with_class_token(&class_token, &positions))?;
    let mut pre_norm = None;
    if let (Some(tensor), Some(offered)) = (names.pre_norm, offered.pre_norm) {
        pre_norm = Some((
            offered,
            checkpoint.layer_norm(&name(tensor), width, epsilon)?,
        ));
    }
    let blocks = (0..shape.n_blocks)
        .map(|index| {
            let name = name(&format!("{}{index}", names.blocks));
            let block = checkpoint.transformer_block(&name, &names.block, shape.block)?;
            Ok((format!("{}{index}", offered.blocks), block))
        })
        .collect::<Result<Vec<_>, ModelError>>()?;
    Ok(Parts {
        patches: (offered.patches, patches),
        tokens: (offered.tokens, tokens),
        pre_norm,
        blocks,
        norm: (
            offered.norm,
            checkpoint.layer_norm(&name(names.norm), width, epsilon)?,
        ),
        norm_of_class_token: false,
        head: None,
    })
}
