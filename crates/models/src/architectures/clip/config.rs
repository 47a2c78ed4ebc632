//! The numbers that shape CLIP's towers.

use crate::ModelError;
use crate::architectures::vit::{TokenShape, TowerShape};
use crate::blocks::Activation;
use crate::checkpoint::config_json::Refusal;
use crate::checkpoint::transformer::BlockShape;
use serde::Deserialize;

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

    /// For larger images, which CLIP-FlanT5 sees.
    pub(crate) const L_14_336: VisionConfig = VisionConfig {
        architecture: "CLIP ViT-L/14-336",
        image_px: 336,
        ..VisionConfig::L_14
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

/// The fields of an image tower's `vision_config` that matter, under the names of transformers. Missing fields have transformers'
/// defaults; the default side of a patch depends on the tower's publisher.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
pub(crate) struct VisionFields {
    hidden_size: usize,
    intermediate_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    num_channels: usize,
    image_size: usize,
    patch_size: Option<usize>,
    hidden_act: String,
    layer_norm_eps: f64,
}

impl Default for VisionFields {
    fn default() -> Self {
        VisionFields {
            hidden_size: 768,
            intermediate_size: 3072,
            num_hidden_layers: 12,
            num_attention_heads: 12,
            num_channels: 3,
            image_size: 224,
            patch_size: None,
            hidden_act: "quick_gelu".to_owned(),
            layer_norm_eps: EPSILON,
        }
    }
}

impl VisionFields {
    /// Refuses a tower that is not computed here.
    pub(crate) fn check(
        &self,
        usual_patch_px: usize,
        refusal: &Refusal<'_>,
    ) -> Result<(), ModelError> {
        refusal.unless(
            self.hidden_size > 0 && self.num_attention_heads * HEAD_WIDTH == self.hidden_size,
            "vision_config.num_attention_heads",
            &self.num_attention_heads,
            &format!("hidden_size / {HEAD_WIDTH} of {}", self.hidden_size),
        )?;
        let patch_px = self.patch_size.unwrap_or(usual_patch_px);
        let field = "vision_config.patch_size";
        refusal.unless_patches_fit(self.image_size, field, patch_px)?;
        refusal.unless_equal("vision_config.hidden_act", &self.hidden_act, "quick_gelu")?;
        let field = "vision_config.layer_norm_eps";
        refusal.unless_equal(field, &self.layer_norm_eps, EPSILON)?;
        refusal.unless_equal("vision_config.num_channels", &self.num_channels, 3)
    }

    /// The tower that they describe.
    pub(crate) fn tower(
        &self,
        usual_patch_px: usize,
        architecture: &'static str,
        n_embedding: usize,
    ) -> VisionConfig {
        VisionConfig {
            architecture,
            image_px: self.image_size,
            patch_px: self.patch_size.unwrap_or(usual_patch_px),
            width: self.hidden_size,
            n_inner: self.intermediate_size,
            n_blocks: self.num_hidden_layers,
            n_embedding,
        }
    }
}
