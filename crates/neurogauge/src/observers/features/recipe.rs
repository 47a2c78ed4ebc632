//! All that decides a feature, but the image.

use crate::Error;
use neurogauge_core::ModelIdentity;
use neurogauge_models::{DeviceChoice, LayerRequest, Pooling, Preprocessing};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::path::Path;

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

    /// Where this one and that of the pairs part.
    pub(crate) fn difference(&self, of_pairs: &FeatureRecipe) -> String {
        let fields = |recipe: &FeatureRecipe| match serde_json::to_value(recipe) {
            Ok(Value::Object(mut fields)) => {
                // Each step of the preparation by its name.
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

    /// An error unless a row of features of the image `stem` has as many values as expected, all finite.
    pub(super) fn check_row(
        &self,
        stem: &str,
        images: &Path,
        expected: usize,
        row: &[f32],
    ) -> Result<(), Error> {
        if expected != row.len() {
            return Err(Error::FeatureLength {
                stem: stem.to_owned(),
                path: images.to_owned(),
                features: self.name(),
                found: row.len(),
                expected,
            });
        }
        match row.iter().find(|value| !value.is_finite()) {
            None => Ok(()),
            Some(value) => Err(Error::NonFiniteFeature {
                stem: stem.to_owned(),
                path: images.to_owned(),
                features: self.name(),
                value: *value,
            }),
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
pub(crate) const POOLINGS: [(Pooling, &str); 4] = [
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
