//! Builds a vision transformer's layers from the tensors of a checkpoint.

use super::model::Parts;
use super::rotation::Rotation;
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use crate::checkpoint::layers::Kernel;
use crate::checkpoint::transformer::{BlockNames, BlockShape};
use crate::network::{LayerKind, Sides};
use candle_core::Tensor;
use neurogauge_kernels::blocks::{Activation, Convolution, TokenEmbedding};

/// The numbers that shape a vision transformer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TowerShape {
    pub(crate) image_px: usize,
    pub(crate) patch_px: usize,
    pub(crate) n_blocks: usize,
    pub(crate) block: BlockShape,
    pub(crate) tokens: TokenShape,
}

impl TowerShape {
    /// The image sizes that the tower takes: only a position table fixes the size.
    pub(crate) fn sides(&self) -> Sides {
        match self.tokens.positions {
            Positions::None => Sides::MultiplesOf(self.patch_px),
            Positions::OfAll | Positions::OfPatches => Sides::Fixed(self.image_px),
        }
    }
}

/// The tokens before the first block.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TokenShape {
    pub(crate) stem: Stem,
    pub(crate) has_class_token: bool,
    /// Additional learned tokens after the class token.
    pub(crate) n_registers: usize,
    pub(crate) positions: Positions,
    /// Rotates queries and keys by the positions of patches.
    pub(crate) rotation: Option<Rotation>,
}

impl TokenShape {
    /// Patches and a class token, each with a learned position, as in Dosovitskiy et al.
    pub(crate) const PLAIN: TokenShape = TokenShape {
        stem: Stem::Patches,
        has_class_token: true,
        n_registers: 0,
        positions: Positions::OfAll,
        rotation: None,
    };
}

/// How patches are made from an image.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stem {
    Patches,
    /// Three convolutions, of 4, 2 and 2 pixels, the first two with a quarter of the width, a batch normalisation and
    /// GELU (MobileCLIP).
    Convolutions,
}

/// Which tokens have learned positions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Positions {
    /// The class token, if the tower has one, and the patches.
    OfAll,
    OfPatches,
    None,
}

/// A library's names and storage of a vision transformer's tensors.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TowerNames {
    pub(crate) patches: &'static str,
    /// The kind of the patch layer in that library.
    pub(crate) patch_layer: LayerKind,
    pub(crate) patches_have_bias: bool,
    pub(crate) class_token: &'static str,
    pub(crate) registers: &'static str,
    pub(crate) positions: &'static str,
    /// Do the learned tokens and the positions have an image axis of length 1?
    pub(crate) has_image_axis: bool,
    /// The name under which the tokens with their positions are offered.
    pub(crate) tokens: &'static str,
    pub(crate) pre_norm: Option<&'static str>,
    /// The prefix of a block's names, up to its index.
    pub(crate) blocks: &'static str,
    pub(crate) block: BlockNames,
    pub(crate) norm: &'static str,
}

/// All layers up to the norm of all tokens after the last block, without a head. Tensors have the names `names` with
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
    let patches = match shape.tokens.stem {
        Stem::Convolutions => convolutional_stem(checkpoint, &name(names.patches), width)?,
        Stem::Patches => {
            let kernel = Kernel::square(3, width, patch_px, patch_px, 0);
            let patches = name(names.patches);
            vec![if names.patches_have_bias {
                checkpoint.convolution(&patches, kernel)?
            } else {
                checkpoint.convolution_without_bias(&patches, kernel)?
            }]
        }
    };
    let tokens = tokens(checkpoint, shape, names, prefix)?;
    let mut pre_norm = None;
    if let (Some(tensor), Some(offered)) = (names.pre_norm, offered.pre_norm) {
        pre_norm = Some((offered, checkpoint.layer_norm(&name(tensor), width, epsilon)?));
    }
    let blocks = (0..shape.n_blocks)
        .map(|index| {
            let name = name(&format!("{}{index}", names.blocks));
            let block = checkpoint.transformer_block(&name, &names.block, shape.block)?;
            Ok((format!("{}{index}", offered.blocks), block))
        })
        .collect::<Result<Vec<_>, ModelError>>()?;
    let head_width = width / shape.block.n_heads;
    Ok(Parts {
        patches: (offered.patches, offered.patch_layer, patches),
        tokens: (offered.tokens, tokens),
        has_class_token: shape.tokens.has_class_token,
        pre_norm,
        blocks,
        rotation: shape.tokens.rotation.map(|rotation| (rotation, head_width)),
        norm: (offered.norm, checkpoint.layer_norm(&name(names.norm), width, epsilon)?),
        norm_of_class_token: false,
        head: None,
    })
}

/// Three convolutions, `name.0` to `name.2`; the first two have a batch normalisation after them.
fn convolutional_stem(checkpoint: &mut Checkpoint, name: &str, width: usize) -> Result<Vec<Convolution>, ModelError> {
    /// PyTorch's default epsilon of a batch normalisation.
    const EPSILON: f64 = 1e-5;
    let inner = width / 4;
    let mut first = |index: usize, kernel: Kernel| {
        let part = |part: &str| format!("{name}.{index}.{part}");
        let convolution = checkpoint.convolution_norm(&part("conv"), &part("bn"), kernel, EPSILON)?;
        Ok::<_, ModelError>(convolution.then(Activation::Gelu))
    };
    Ok(vec![
        first(0, Kernel::square(3, inner, 4, 4, 0))?,
        first(1, Kernel::square(inner, inner, 2, 2, 0))?,
        checkpoint.convolution(&format!("{name}.2.conv"), Kernel::square(inner, width, 2, 2, 0))?,
    ])
}

/// Builds the learned tokens and positions.
fn tokens(
    checkpoint: &mut Checkpoint,
    shape: TowerShape,
    names: &TowerNames,
    prefix: &str,
) -> Result<TokenEmbedding, ModelError> {
    let (width, facts) = (shape.block.width, shape.tokens);
    let n_patches = (shape.image_px / shape.patch_px).pow(2);
    let mut table = |tensor: &str, n: usize, is_vector: bool| {
        let rows: &[usize] = if is_vector { &[width] } else { &[n, width] };
        let shape = if names.has_image_axis { &[1, n, width] } else { rows };
        checkpoint.take(&format!("{prefix}{tensor}"), shape)
    };
    let (mut first, mut positions) = (Vec::new(), None);
    if facts.has_class_token {
        first.push(table(names.class_token, 1, true)?);
    }
    if facts.n_registers > 0 {
        first.push(table(names.registers, facts.n_registers, false)?);
    }
    let n_positions = match facts.positions {
        Positions::OfAll => usize::from(facts.has_class_token) + n_patches,
        Positions::OfPatches => n_patches,
        Positions::None => 0,
    };
    if n_positions > 0 {
        positions = Some(table(names.positions, n_positions, false)?);
    }
    checkpoint.arranged(|| match (first.as_slice(), &positions) {
        ([class_token], Some(positions)) if n_positions > n_patches => {
            TokenEmbedding::with_class_token(class_token, positions)
        }
        (first, positions) => {
            let first = first.iter().map(|token| token.flatten_all()?.reshape(((), width)));
            let first = first.collect::<candle_core::Result<Vec<Tensor>>>()?;
            let first = match first.as_slice() {
                [] => None,
                first => Some(Tensor::cat(first, 0)?),
            };
            TokenEmbedding::with_first_tokens(first.as_ref(), positions.as_ref(), width)
        }
    })
}
