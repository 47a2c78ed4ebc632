//! The numbers that shape CLIP's towers.

use crate::ModelError;
use crate::architectures::vit::{TokenShape, TowerShape};
use crate::checkpoint::Checkpoint;
use crate::checkpoint::config_json::{Refusal, read_json};
use crate::checkpoint::model_files::is_custom;
use crate::checkpoint::transformer::BlockShape;
use neurogauge_core::ModelIdentity;
use neurogauge_kernels::blocks::Activation;
use serde::Deserialize;

/// Features per attention head, in every tower.
pub(crate) const HEAD_WIDTH: usize = 64;
/// Epsilon of every norm in a transformer.
pub(crate) const EPSILON: f64 = 1e-5;

/// The shape of an image tower that is a vision transformer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct VisionConfig {
    pub(crate) architecture: &'static str,
    pub(crate) image_px: usize,
    pub(crate) patch_px: usize,
    pub(crate) width: usize,
    /// Hidden width of the perceptrons.
    pub(crate) n_inner: usize,
    pub(crate) n_blocks: usize,
    /// Length of the embedding that texts and images share.
    pub(crate) n_embedding: usize,
    /// Activation inside the perceptrons.
    pub(crate) activation: Activation,
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
        activation: Activation::QuickGelu,
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
        activation: Activation::QuickGelu,
    };

    /// OpenAI's ViT-L/14 for 336 px images, which CLIP-FlanT5 uses.
    pub(crate) const L_14_336: VisionConfig = VisionConfig {
        architecture: "CLIP ViT-L/14-336",
        image_px: 336,
        ..VisionConfig::L_14
    };

    /// The Data Filtering Networks' tower, which has the shape of OpenAI's.
    pub(crate) const DFN_L_14: VisionConfig = VisionConfig {
        architecture: "DFN CLIP ViT-L/14",
        ..VisionConfig::L_14
    };

    /// A small tower for proofs, with sizes that no vector width of the processor divides.
    pub(crate) const REDUCED_14: VisionConfig = VisionConfig {
        architecture: "CLIP ViT reduced/14",
        image_px: 70,
        patch_px: 14,
        width: 192,
        n_inner: 600,
        n_blocks: 3,
        n_embedding: 52,
        activation: Activation::QuickGelu,
    };

    /// A small tower with larger patches.
    pub(crate) const REDUCED_16: VisionConfig = VisionConfig {
        architecture: "CLIP ViT reduced/16",
        image_px: 80,
        patch_px: 16,
        n_inner: 768,
        ..VisionConfig::REDUCED_14
    };

    /// The same numbers, as those of any vision transformer.
    pub(crate) fn shape(&self) -> TowerShape {
        TowerShape {
            image_px: self.image_px,
            patch_px: self.patch_px,
            n_blocks: self.n_blocks,
            block: BlockShape {
                width: self.width,
                n_heads: self.width / HEAD_WIDTH,
                n_inner: self.n_inner,
                activation: self.activation,
                epsilon: EPSILON,
            },
            tokens: TokenShape::PLAIN,
        }
    }
}

/// One of CLIP's two towers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tower {
    Images,
    Texts,
}

/// The fields of transformers' `config.json` that name the activation; a file of one tower has it at the top.
#[derive(Deserialize)]
struct Activations {
    vision_config: Option<TowerActivation>,
    vision_config_dict: Option<TowerActivation>,
    text_config: Option<TowerActivation>,
    text_config_dict: Option<TowerActivation>,
    hidden_act: Option<String>,
}

#[derive(Deserialize)]
struct TowerActivation {
    hidden_act: Option<String>,
}

impl Tower {
    /// The activation of this tower. Published checkpoints and OpenAI's use QuickGELU; a `config.json` beside the
    /// user's own checkpoint may name another.
    pub(crate) fn activation(
        self,
        checkpoint: &Checkpoint,
        identity: &ModelIdentity,
    ) -> Result<Activation, ModelError> {
        let path = checkpoint.path().with_file_name("config.json");
        if !is_custom(identity) || !path.is_file() {
            return Ok(Activation::QuickGelu);
        }
        let config: Activations = read_json(&path)?;
        // If both objects are present, transformers uses the older one.
        let (own, field) = match self {
            Tower::Images => (config.vision_config_dict.or(config.vision_config), "vision_config.hidden_act"),
            Tower::Texts => (config.text_config_dict.or(config.text_config), "text_config.hidden_act"),
        };
        let (found, field) = match own {
            Some(own) => (own.hidden_act, field),
            None => (config.hidden_act, "hidden_act"),
        };
        match found.as_deref() {
            None | Some("quick_gelu") => Ok(Activation::QuickGelu),
            Some("gelu") => Ok(Activation::Gelu),
            Some(other) => {
                let architecture = checkpoint.architecture();
                let refusal = Refusal {
                    path: &path,
                    architecture,
                };
                Err(refusal.of(field, &other, "quick_gelu or gelu"))
            }
        }
    }
}

/// The fields of an image tower's `vision_config` that are used, under transformers' names. Missing fields have
/// transformers' defaults; the default side of a patch depends on the tower's publisher.
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
    /// Refuses a tower that this implementation cannot compute.
    pub(crate) fn check(&self, usual_patch_px: usize, refusal: &Refusal<'_>) -> Result<(), ModelError> {
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

    /// The tower that these fields describe.
    pub(crate) fn tower(&self, usual_patch_px: usize, architecture: &'static str, n_embedding: usize) -> VisionConfig {
        VisionConfig {
            architecture,
            image_px: self.image_size,
            patch_px: self.patch_size.unwrap_or(usual_patch_px),
            width: self.hidden_size,
            n_inner: self.intermediate_size,
            n_blocks: self.num_hidden_layers,
            n_embedding,
            // `check` refuses every other activation.
            activation: Activation::QuickGelu,
        }
    }
}
