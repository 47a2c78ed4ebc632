//! Named presets of preprocessing.

use super::published::{self, CLIP, IMAGENET, Statistics, by_pillow};
use super::timm;
use super::{Arithmetic, Preprocessing, ResizeStep};
use crate::ModelError;
use crate::checkpoint::model_files::base_id;
use crate::observers::placeholders::MeanColours;
use neurogauge_core::image::Filter;
use neurogauge_core::option_words::option;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A named way to preprocess images for every model (convention `image-presets`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ImagePreset {
    /// MindEye2's final evaluation: to 256 x 256 px first, regardless of the proportions; then the
    /// shorter side to the model's size; no crop; floats, bilinear, not smoothed.
    #[default]
    Nsd8Mindeye2,
    /// The same sizes from the image's own size, without the step through 256 px, and smoothed, as
    /// torchvision does since 0.17.
    Nsd8Native,
    /// The preprocessing that each model's authors publish with its weights.
    Published,
    /// The settings in timm's configuration of the weights, for weights that timm has.
    Timm,
    /// Brain-Diffuser's `eval_extract_features.py`: every model sees 224 x 224 px, regardless of the proportions,
    /// resized in 8 bits.
    BrainDiffuser,
}

impl fmt::Display for ImagePreset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ImagePreset::Nsd8Mindeye2 => "nsd8-mindeye2",
            ImagePreset::Nsd8Native => "nsd8-native",
            ImagePreset::Published => "published",
            ImagePreset::Timm => "timm",
            ImagePreset::BrainDiffuser => "brain-diffuser",
        })
    }
}

/// The size MindEye2's images are first resized to, px.
const FIRST_PX: usize = 256;

/// Side of Brain-Diffuser's images, px.
const BRAIN_DIFFUSER_PX: usize = 224;

/// The models of the eight NSD metrics: id, shorter side, pixel statistics.
const NSD8: &[(&str, usize, Statistics)] = &[
    ("alexnet", 256, IMAGENET),
    ("inception_v3", 342, IMAGENET),
    ("clip_vit_l_14", 224, CLIP),
    ("clip_vit_l_14_hf", 224, CLIP),
    ("efficientnet_b1", 255, IMAGENET),
    ("swav_resnet50", 224, IMAGENET),
    (MeanColours::ID, 224, IMAGENET),
];

impl ImagePreset {
    /// How SEED's released evaluation prepares images for EffNet: directly to a shorter side of 255 px, bilinear on
    /// floats, with antialiasing.
    pub const SEED: ImagePreset = ImagePreset::Nsd8Native;

    /// This preset if it covers the model, otherwise the one that the model's authors published, for example for an
    /// ImageNet classifier that is not among the eight metrics' models.
    ///
    /// ```
    /// use neurogauge_models::preprocess::ImagePreset;
    /// assert_eq!(ImagePreset::Nsd8Native.for_model("vit_b_16"), ImagePreset::Published);
    /// assert_eq!(ImagePreset::Nsd8Native.for_model("alexnet"), ImagePreset::Nsd8Native);
    /// ```
    #[must_use]
    pub fn for_model(self, model: &str) -> ImagePreset {
        match self.preprocessing(model, None) {
            Ok(_) => self,
            Err(_) => ImagePreset::Published,
        }
    }

    /// The preprocessing that this preset gives for a model; `antialias` replaces the preset's own setting.
    ///
    /// # Errors
    /// [`ModelError::Usage`] for a model that the preset does not cover; [`ModelError::PillowAntialias`].
    ///
    /// ```
    /// use neurogauge_models::preprocess::{ImagePreset, ResizeStep};
    /// let native = ImagePreset::Nsd8Native.preprocessing("inception_v3", Some(false))?;
    /// assert_eq!(native.resize, [ResizeStep::ShorterSide(342)]);
    /// assert!(!native.antialias);
    /// # Ok::<(), neurogauge_models::ModelError>(())
    /// ```
    pub fn preprocessing(self, model: &str, antialias: Option<bool>) -> Result<Preprocessing, ModelError> {
        let unknown = |known: Vec<&str>| {
            ModelError::usage(format_args!(
                "the preset {self} does not say how images are prepared for {model}; it does for: {}. Take {} for what a model's authors \
                 publish",
                known.join(", "),
                option("preset", "published")
            ))
        };
        let model = base_id(model);
        let found = match self {
            ImagePreset::Published => Some((published::find(model), published::ids())),
            ImagePreset::Timm => Some((timm::find(model), timm::ids())),
            ImagePreset::Nsd8Mindeye2 | ImagePreset::Nsd8Native | ImagePreset::BrainDiffuser => None,
        };
        if let Some((steps, known)) = found {
            let steps = steps.ok_or_else(|| unknown(known))?;
            return match (antialias, steps.arithmetic) {
                // Pillow cannot resize without antialiasing.
                (Some(false), Arithmetic::EightBit) => Err(ModelError::PillowAntialias),
                (antialias, _) => Ok(Preprocessing {
                    antialias: antialias.unwrap_or(steps.antialias),
                    ..steps
                }),
            };
        }
        let Some(&(_, size_px, statistics)) = NSD8.iter().find(|(id, ..)| *id == model) else {
            return Err(unknown(NSD8.iter().map(|(id, ..)| *id).collect()));
        };
        if self == ImagePreset::BrainDiffuser {
            return match antialias {
                Some(false) => Err(ModelError::PillowAntialias),
                _ => {
                    let squashed = ResizeStep::Squash(BRAIN_DIFFUSER_PX, BRAIN_DIFFUSER_PX);
                    Ok(by_pillow(squashed, Filter::Bilinear, None, statistics))
                }
            };
        }
        let mindeye2 = self == ImagePreset::Nsd8Mindeye2;
        let last = ResizeStep::ShorterSide(size_px);
        let first = mindeye2.then_some(ResizeStep::Squash(FIRST_PX, FIRST_PX));
        Ok(Preprocessing {
            resize: first.into_iter().chain([last]).collect(),
            antialias: antialias.unwrap_or(!mindeye2),
            arithmetic: Arithmetic::Float,
            ..by_pillow(last, Filter::Bilinear, None, statistics)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [ImagePreset; 5] = [
        ImagePreset::Nsd8Mindeye2,
        ImagePreset::Nsd8Native,
        ImagePreset::Published,
        ImagePreset::Timm,
        ImagePreset::BrainDiffuser,
    ];

    #[test]
    fn every_preset_prepares_every_model_of_the_eight_metrics() {
        for (id, size_px, _) in NSD8 {
            for preset in &ALL[..3] {
                let steps = preset.preprocessing(id, None).unwrap();
                assert!(steps.mean.iter().all(|mean| (0.4..0.5).contains(mean)));
            }
            let steps = ALL[0].preprocessing(id, None).unwrap();
            assert_eq!(steps.resize[0], ResizeStep::Squash(256, 256));
            assert_eq!(steps.resize[1], ResizeStep::ShorterSide(*size_px));
            assert!(!steps.antialias);
        }
    }

    #[test]
    fn the_written_name_is_the_printed_one() {
        for preset in ALL {
            let written = serde_json::to_string(&preset).unwrap();
            assert_eq!(written, format!("\"{preset}\""));
        }
    }

    #[test]
    fn what_a_preset_does_not_cover_is_refused_with_what_it_does() {
        let error = ALL[0].preprocessing("vgg16", None).unwrap_err().to_string();
        assert!(error.contains("nsd8-mindeye2") && error.contains("swav_resnet50"), "{error}");
        let error = ALL[2].preprocessing("alexnet", Some(false)).unwrap_err();
        assert!(error.to_string().contains("Pillow"), "{error}");
        let error = ALL[3].preprocessing("resnet50", None).unwrap_err();
        assert!(error.to_string().contains("siglip2_vit_b_16"), "{error}");
        assert_eq!(ALL[3].for_model("resnet50"), ImagePreset::Published);
        let raw = ALL[2].preprocessing("dinov3_vit_b_16", Some(false)).unwrap();
        assert!(!raw.antialias, "floats can be resized without");
    }
}
