//! Vision transformers as timm and transformers publish them: their descriptions (`variants`), and each library's names
//! of tensors (`layouts`). Layers are offered under timm's names, regardless of the file.

mod latent_pool;
mod layouts;
#[cfg(test)]
mod tests;
mod variants;

pub(crate) use layouts::TIMM_PRE_NORM;

use super::model::{Head, Parts, Readout, VisionTransformer};
use super::tower::{TowerShape, tower};
use crate::ModelError;
use crate::checkpoint::Checkpoint;
use latent_pool::latent_pool;
use layouts::{TIMM, VitLayout};
use variants::VARIANTS;

/// Suffix of the id of a network with fewer blocks, for proofs.
pub(crate) const REDUCED: &str = "_reduced";
/// Its number of blocks, and the largest side of its images.
const N_REDUCED: usize = 2;
const REDUCED_PX: usize = 336;

/// A published vision transformer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Variant {
    pub(crate) id: &'static str,
    architecture: &'static str,
    shape: TowerShape,
    head: HeadShape,
    /// A file's layout is the first of these whose mark the file has, otherwise the last: timm's.
    layouts: &'static [VitLayout],
}

/// The head that turns an image's tokens into one vector.
#[derive(Debug, Clone, Copy)]
enum HeadShape {
    /// The class token after the last norm, then an optional projection to this many features.
    ClassToken(Option<usize>),
    /// The mean of all tokens after the last norm.
    Mean,
    /// Attention pooling: a learned query with `heads` heads, then an optional projection to `features`.
    Latent { n_heads: usize, n_embedding: Option<usize> },
}

impl Variant {
    /// Finds the variant with this id. With the suffix [`REDUCED`] it has the same widths and two blocks.
    pub(crate) fn find(id: &str) -> Option<Variant> {
        let named = |id: &str| VARIANTS.iter().find(|variant| variant.id == id).copied();
        let Some(whole) = id.strip_suffix(REDUCED).and_then(named) else {
            return named(id);
        };
        let mut reduced = whole;
        reduced.shape.n_blocks = N_REDUCED;
        if whole.shape.image_px > REDUCED_PX {
            reduced.shape.image_px = 16 * whole.shape.patch_px;
        }
        Some(reduced)
    }

    /// Builds the network from any library's checkpoint.
    pub(crate) fn build(&self, checkpoint: &mut Checkpoint) -> Result<VisionTransformer, ModelError> {
        let (layout, prefix) = self.layout(checkpoint);
        let mut shape = self.shape;
        if let Some(activation) = layout.activation {
            shape.block.activation = activation;
        }
        let tokens = tower(checkpoint, shape, &layout.names, prefix, &layout.offered())?;
        let width = shape.block.width;
        let mut map = |n_embedding: Option<usize>| {
            let name = format!("{prefix}head");
            n_embedding.map(|n| checkpoint.linear(&name, width, n)).transpose()
        };
        let (readout, map) = match self.head {
            HeadShape::ClassToken(n_embedding) => (Readout::ClassToken, map(n_embedding)?),
            HeadShape::Mean => (Readout::Mean, None),
            HeadShape::Latent { n_heads, n_embedding } => {
                let map = map(n_embedding)?;
                let pool = latent_pool(checkpoint, shape.block, n_heads, &layout.pool, prefix)?;
                (Readout::Latent("attn_pool", Box::new(pool)), map)
            }
        };
        let parts = Parts {
            head: Some(Head {
                readout,
                vector: ("head", map),
            }),
            ..tokens
        };
        Ok(VisionTransformer::new(self.architecture, shape.sides(), parts))
    }

    /// The layout of a checkpoint, and the prefix of its names.
    fn layout(&self, checkpoint: &Checkpoint) -> (&'static VitLayout, &'static str) {
        let each = self.layouts.iter().flat_map(|layout| {
            let prefixes = layout.prefixes.iter();
            prefixes.map(move |prefix| (layout, *prefix))
        });
        let has =
            |(layout, prefix): &(&VitLayout, &str)| checkpoint.shape_of(&format!("{prefix}{}", layout.mark)).is_some();
        each.clone().find(has).or(each.last()).unwrap_or((&TIMM, ""))
    }
}

/// May this tensor be left over when an image tower is read? These belong to the text tower or are needed only for
/// training.
pub(crate) fn has_no_use(name: &str) -> bool {
    ["text.", "text_model."].iter().any(|tower| name.starts_with(tower))
        || matches!(name, "logit_scale" | "logit_bias" | "mask_token" | "embeddings.mask_token")
        || name.ends_with("embeddings.position_ids")
}
