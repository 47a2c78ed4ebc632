//! What is asked for when images are to become features.

use super::recipe::POOLINGS;
use neurogauge_models::{ImagePreset, LayerRequest, Pooling};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::str::FromStr;

/// How the images of a run become features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PerceptionOptions {
    /// How images are prepared (convention `image-presets`).
    pub preset: ImagePreset,
    /// Smooth before shrinking? `None`: as the preset has it.
    pub antialias: Option<bool>,
    /// Let a model without weights, whose numbers mean nothing, stand in for every image model.
    pub stand_in: bool,
}

/// Images and what is to be known about them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PerceiveRequest {
    /// A folder of images, a `.npy` stack or a `.pt` file.
    pub images: PathBuf,
    /// Models and layers.
    pub with: Vec<ModelLayers>,
    /// How images are prepared.
    pub preset: ImagePreset,
    /// Smooth before shrinking? `None`: as the preset has it.
    pub antialias: Option<bool>,
}

/// A model and layers of it.
///
/// ```
/// use neurogauge::ModelLayers;
/// let all: ModelLayers = "vit_b_16:encoder.layers.encoder_layer_3:class-token".parse().unwrap();
/// assert_eq!(all.model, "vit_b_16");
/// assert_eq!(all.layers[0].layer, "encoder.layers.encoder_layer_3");
/// assert!("vit_b_16".parse::<ModelLayers>().unwrap().layers.is_empty());
/// assert!("vit_b_16:x:max".parse::<ModelLayers>().unwrap_err().contains("class-token"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelLayers {
    /// Id of the model.
    pub model: String,
    /// Its layers; none means its last one.
    pub layers: Vec<LayerRequest>,
}

impl FromStr for ModelLayers {
    type Err = String;

    /// Reads `MODEL`, `MODEL:LAYER` or `MODEL:LAYER:POOLING`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split(':').map(str::trim);
        let model = parts.next().unwrap_or_default().to_owned();
        let (layer, pooling) = (parts.next(), parts.next());
        if model.is_empty() || layer == Some("") || parts.next().is_some() {
            return Err(format!(
                "{text:?}: expected MODEL, MODEL:LAYER or MODEL:LAYER:POOLING, for example \
                 alexnet:features.4"
            ));
        }
        let pooling = match pooling {
            None => Pooling::None,
            Some(name) => {
                let found = POOLINGS.iter().find(|(_, known)| *known == name);
                let names = POOLINGS.map(|(_, known)| known).join(", ");
                let unknown = || format!("{text:?}: no pooling is called {name:?}; known: {names}");
                found.ok_or_else(unknown)?.0
            }
        };
        let layers = layer.map(|layer| LayerRequest {
            layer: layer.to_owned(),
            pooling,
        });
        Ok(ModelLayers {
            model,
            layers: layers.into_iter().collect(),
        })
    }
}
