//! Everything that decides a feature except the image, and how users name it.

use super::model_of_family;
use crate::network::{LayerRequest, OF_TOKENS, POOLINGS, Pooling};
use crate::{DeviceChoice, Preprocessing};
use neurogauge_core::ModelIdentity;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::str::FromStr;

/// How a feature matrix was made from images.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeatureRecipe {
    pub model: ModelIdentity,
    pub layer: String,
    /// How its positions were combined.
    pub pooling: Pooling,
    /// How the images were prepared.
    pub preprocessing: Preprocessing,
    /// The device that computed it.
    #[serde(default)]
    pub device: DeviceChoice,
    /// Distinguishes matrices of the same layer in one folder whose images were prepared differently.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
}

impl FeatureRecipe {
    /// Name of the matrix: model, layer, pooling (unless all positions are kept) and variant (if there is one), joined
    /// by dots.
    pub fn name(&self) -> String {
        let name = self.name_of_layer();
        match &self.variant {
            None => name,
            Some(variant) => format!("{name}.{variant}"),
        }
    }

    /// The name without the variant.
    pub fn name_of_layer(&self) -> String {
        let (model, layer) = (&self.model.id, &self.layer);
        match self.pooling {
            Pooling::None => format!("{model}.{layer}"),
            pooling => format!("{model}.{layer}.{pooling}"),
        }
    }

    /// The difference between this recipe and the pairs' recipe.
    pub fn difference(&self, of_pairs: &FeatureRecipe) -> String {
        let fields = |recipe: &FeatureRecipe| match serde_json::to_value(recipe) {
            Ok(Value::Object(mut fields)) => {
                // Each step of the preprocessing, by its name.
                if let Some(Value::Object(steps)) = fields.remove("preprocessing") {
                    fields.extend(steps);
                }
                fields
            }
            _ => Map::new(),
        };
        let (here, there) = (fields(of_pairs), fields(self));
        let differing = here.iter().filter_map(|(name, value)| {
            let other = there.get(name).filter(|other| *other != value)?;
            Some(format!("{name}: {other} there, {value} here"))
        });
        differing.collect::<Vec<_>>().join("; ")
    }

    /// The request for this layer.
    pub fn request(&self) -> LayerRequest {
        LayerRequest::new(&self.layer, self.pooling)
    }
}

/// A model and some of its layers.
///
/// ```
/// use neurogauge_models::ModelLayers;
/// let all: ModelLayers = "vit_b_16:encoder.layers.encoder_layer_3:class-token".parse().unwrap();
/// assert_eq!(all.model, "vit_b_16");
/// assert_eq!(all.layers[0].layer, "encoder.layers.encoder_layer_3");
/// let embedding: ModelLayers = "siglip2:embedding".parse().unwrap();
/// assert_eq!((embedding.model.as_str(), embedding.layers[0].layer.as_str()), ("siglip2_vit_so400m_14", "head"));
/// assert!("vit_b_16".parse::<ModelLayers>().unwrap().layers.is_empty());
/// assert!("vit_b_16:x:max".parse::<ModelLayers>().unwrap_err().contains("class-token"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelLayers {
    pub model: String,
    /// The layers; empty means the model's last one.
    pub layers: Vec<LayerRequest>,
}

impl FromStr for ModelLayers {
    type Err = String;

    /// Reads `MODEL`, `MODEL:LAYER` or `MODEL:LAYER:POOLING`.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut parts = text.split(':').map(str::trim);
        let model = model_of_family(parts.next().unwrap_or_default()).to_owned();
        let (layer, pooling) = (parts.next(), parts.next());
        if model.is_empty() || layer == Some("") || parts.next().is_some() {
            return Err(format!(
                "{text:?}: expected MODEL, MODEL:LAYER or MODEL:LAYER:POOLING, for example \
                 alexnet:features.4"
            ));
        }
        let pooling = match pooling {
            None => None,
            Some(name) => {
                let found = Pooling::named(name);
                let known = POOLINGS.iter().chain(&OF_TOKENS);
                let names = known.map(|(_, known)| *known).collect::<Vec<_>>().join(", ");
                let unknown = || format!("{text:?}: no pooling is called {name:?}; known: {names}");
                Some(found.ok_or_else(unknown)?)
            }
        };
        let layers = layer.map(|layer| match pooling {
            None => LayerRequest::named(&model, layer),
            Some(pooling) => LayerRequest::new(layer, pooling),
        });
        Ok(ModelLayers {
            model,
            layers: layers.into_iter().collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_of_tokens_have_names_of_their_own() {
        let pooling = |text: &str| text.parse::<ModelLayers>().unwrap().layers[0].pooling;
        assert_eq!(pooling("vit_b_16:encoder.ln:mean-all"), Pooling::Mean);
        let patches = pooling("vit_b_16:encoder.ln:mean-patches");
        assert_eq!(patches, Pooling::MeanWithoutClassToken);
    }

    #[test]
    fn poolings_are_called_the_same_everywhere() {
        for (pooling, name) in POOLINGS {
            let written = serde_json::to_string(&pooling).unwrap();
            assert_eq!(written, format!("\"{name}\""));
        }
    }
}
