//! The numbers that shape CLIP's towers.

use crate::architectures::vit::{TokenShape, TowerShape};
use crate::blocks::Activation;
use crate::checkpoint::transformer::BlockShape;

/// Features of an attention head, in every tower.
pub(crate) const HEAD_WIDTH: usize = 64;
/// In every norm of a transformer.
pub(crate) const EPSILON: f64 = 1e-5;

/// A vision transformer of CLIP.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VisionConfig {
    pub(crate) architecture: &'static str,
    pub(crate) image_px: usize,
    pub(crate) patch_px: usize,
    pub(crate) width: usize,
    /// Width inside the perceptrons.
    pub(crate) n_inner: usize,
    pub(crate) n_blocks: usize,
    /// Length of the embedding that texts and images share.
    pub(crate) n_embedding: usize,
}

impl VisionConfig {
    pub(crate) const B_16: VisionConfig = VisionConfig {
        architecture: "CLIP ViT-B/16",
        image_px: 224,
        patch_px: 16,
        width: 768,
        n_inner: 3072,
        n_blocks: 12,
        n_embedding: 512,
    };

    pub(crate) const B_32: VisionConfig = VisionConfig {
        architecture: "CLIP ViT-B/32",
        patch_px: 32,
        ..VisionConfig::B_16
    };

    pub(crate) const L_14: VisionConfig = VisionConfig {
        architecture: "CLIP ViT-L/14",
        image_px: 224,
        patch_px: 14,
        width: 1024,
        n_inner: 4096,
        n_blocks: 24,
        n_embedding: 768,
    };

    /// Of Data Filtering Networks, whose towers have OpenAI's shape.
    pub(crate) const DFN_L_14: VisionConfig = VisionConfig {
        architecture: "DFN CLIP ViT-L/14",
        ..VisionConfig::L_14
    };

    /// Small, for proofs: sizes that no vector of the processor divides.
    pub(crate) const REDUCED_14: VisionConfig = VisionConfig {
        architecture: "CLIP ViT reduced/14",
        image_px: 70,
        patch_px: 14,
        width: 192,
        n_inner: 600,
        n_blocks: 3,
        n_embedding: 52,
    };

    /// The same with larger patches.
    pub(crate) const REDUCED_16: VisionConfig = VisionConfig {
        architecture: "CLIP ViT reduced/16",
        image_px: 80,
        patch_px: 16,
        n_inner: 768,
        ..VisionConfig::REDUCED_14
    };

    /// The same as the numbers of any vision transformer.
    pub(crate) fn shape(&self) -> TowerShape {
        TowerShape {
            image_px: self.image_px,
            patch_px: self.patch_px,
            n_blocks: self.n_blocks,
            block: BlockShape {
                width: self.width,
                n_heads: self.width / HEAD_WIDTH,
                n_inner: self.n_inner,
                activation: Activation::QuickGelu,
                epsilon: EPSILON,
            },
            tokens: TokenShape::PLAIN,
        }
    }
}
