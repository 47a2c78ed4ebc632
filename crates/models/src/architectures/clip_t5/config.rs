//! The numbers that shape a CLIP-FlanT5.

use super::ARCHITECTURE;
use crate::ModelError;
use crate::architectures::clip::{VisionConfig, VisionFields};
use crate::architectures::t5;
use crate::checkpoint::config_json::{ConfigJson, Refusal};
use serde::Deserialize;
use std::path::{Path, PathBuf};

/// The fields of `config.json` that are used: those of a T5, and those that connect the picture to it.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct Config {
    #[serde(flatten)]
    pub(super) text: t5::Config,
    mm_vision_tower: String,
    mm_hidden_size: usize,
    mm_projector_type: String,
    mm_vision_select_layer: i64,
    #[serde(default = "patches")]
    mm_vision_select_feature: String,
    #[serde(default)]
    mm_use_im_start_end: bool,
}

/// The `config.json` of the image tower, as CLIP's repositories have it.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct TowerConfig {
    vision_config: VisionFields,
}

/// The name of the published models' tower (its last part), and the tower's shape.
const PUBLISHED_TOWER: (&str, VisionConfig) = ("clip-vit-large-patch14-336", VisionConfig::L_14_336);
/// Default patch size, px.
const PATCH_PX: usize = 32;

fn patches() -> String {
    "patch".to_owned()
}

impl ConfigJson for Config {
    const ARCHITECTURE: &'static str = ARCHITECTURE;

    fn check(&self, refusal: &Refusal<'_>) -> Result<(), ModelError> {
        self.text.check_as("clip_t5", refusal)?;
        let projector = &self.mm_projector_type;
        refusal.unless_equal("mm_projector_type", projector, "mlp2x_gelu")?;
        let layer = self.mm_vision_select_layer;
        refusal.unless_equal("mm_vision_select_layer", &layer, -2)?;
        let feature = &self.mm_vision_select_feature;
        refusal.unless_equal("mm_vision_select_feature", feature, "patch")?;
        let marked = self.mm_use_im_start_end;
        refusal.unless_equal("mm_use_im_start_end", &marked, false)
    }
}

impl ConfigJson for TowerConfig {
    const ARCHITECTURE: &'static str = ARCHITECTURE;

    fn check(&self, refusal: &Refusal<'_>) -> Result<(), ModelError> {
        let blocks = self.tower().n_blocks;
        let field = "vision_config.num_hidden_layers";
        refusal.unless(blocks > 1, field, &blocks, "at least 2")?;
        self.vision_config.check(PATCH_PX, refusal)
    }
}

impl TowerConfig {
    pub(super) fn tower(&self) -> VisionConfig {
        self.vision_config.tower(PATCH_PX, ARCHITECTURE, 0)
    }
}

impl Config {
    /// The folder of the tower's own files: beside `weights`, with the last part of the tower's name. It need not
    /// exist.
    pub(super) fn tower_folder(&self, weights: &Path) -> PathBuf {
        weights.with_file_name(self.tower_name())
    }

    /// The tower's `config.json` in that folder.
    pub(super) fn tower_config(&self, weights: &Path) -> PathBuf {
        self.tower_folder(weights).join("config.json")
    }

    fn tower_name(&self) -> &str {
        let name = self.mm_vision_tower.trim_end_matches('/');
        name.rsplit('/').next().unwrap_or(name)
    }

    /// The tower's shape: from the `config.json` in its folder, otherwise that of the published tower.
    pub(super) fn tower(&self, weights: &Path) -> Result<VisionConfig, ModelError> {
        let own = self.tower_config(weights);
        let path = weights.with_file_name("config.json");
        let refusal = Refusal {
            path: &path,
            architecture: ARCHITECTURE,
        };
        let tower = if own.exists() {
            TowerConfig::read(&own)?.tower()
        } else {
            let (name, tower) = PUBLISHED_TOWER;
            let expected = format!("{name}, or the folder of another with its config.json");
            let is_known = self.tower_name() == name;
            refusal.unless(is_known, "mm_vision_tower", &self.mm_vision_tower, &expected)?;
            tower
        };
        refusal.unless_equal("mm_hidden_size", &self.mm_hidden_size, tower.width)?;
        Ok(tower)
    }
}
