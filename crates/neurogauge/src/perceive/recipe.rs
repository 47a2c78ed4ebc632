//! All that decides a feature, but the image.

use neurogauge_core::ModelIdentity;
use neurogauge_models::{DeviceChoice, LayerRequest, Pooling, Preprocessing};
use serde::{Deserialize, Serialize};

/// How a feature matrix was made from images.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FeatureRecipe {
    /// Which weights.
    pub model: ModelIdentity,
    /// Which layer.
    pub layer: String,
    /// What was done with its positions.
    pub pooling: Pooling,
    /// What was done to the images first.
    pub preprocessing: Preprocessing,
    /// What computed it.
    #[serde(default)]
    pub device: DeviceChoice,
}

impl FeatureRecipe {
    /// Name of the matrix: model, layer and (unless all positions are kept) pooling, joined by
    /// dots.
    pub fn name(&self) -> String {
        let (model, layer) = (&self.model.id, &self.layer);
        match self.pooling {
            Pooling::None => format!("{model}.{layer}"),
            pooling => format!("{model}.{layer}.{}", pooling_name(pooling)),
        }
    }

    /// What the model is asked for.
    pub(crate) fn request(&self) -> LayerRequest {
        LayerRequest {
            layer: self.layer.clone(),
            pooling: self.pooling,
        }
    }
}

/// Every pooling and its name in command lines, file names and records.
pub(super) const POOLINGS: [(Pooling, &str); 4] = [
    (Pooling::None, "none"),
    (Pooling::Mean, "mean"),
    (Pooling::MeanWithoutClassToken, "mean-without-class-token"),
    (Pooling::ClassToken, "class-token"),
];

fn pooling_name(pooling: Pooling) -> &'static str {
    let found = POOLINGS.iter().find(|(known, _)| *known == pooling);
    found.map_or("none", |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn poolings_are_called_the_same_everywhere() {
        for (pooling, name) in POOLINGS {
            let written = serde_json::to_string(&pooling).unwrap();
            assert_eq!(written, format!("\"{name}\""));
        }
    }
}
