//! Every option that affects a number, in one place, so that `run.json` contains all of them.

use crate::decoding::basic_h::BasicHOptions;
use crate::decoding::basic_l::BasicLOptions;
use crate::decoding::cap_sim::References;
use crate::decoding::identification::{Copies, IdentificationOptions};
use crate::decoding::n_way_accuracy::NWayOptions;
use crate::decoding::near_miss::NearMissOptions;
use crate::decoding::objects::ObjectOptions;
use crate::decoding::seed::DetailMissOptions;
use crate::decoding::ssim_flavours::SsimFlavour;
use crate::decoding::vlm_objects::VlmNames;
use neurogauge_core::Image;
use neurogauge_core::image::{Arithmetic, Filter, ResizeError, resize_float, resize_u8, shorter_side_to};
use serde::{Deserialize, Serialize};

/// Options of all metrics.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Options {
    /// How images are resized before pixels are compared.
    pub pixels: PixelOptions,
    /// Two-way and n-way identification.
    pub identification: IdentificationOptions,
    /// The treatment of pairs of the same stimulus in identification.
    #[serde(default = "Copies::if_absent", skip_serializing_if = "Copies::are_kept")]
    pub identification_copies: Copies,
    #[serde(skip_serializing_if = "neurogauge_core::words::is_default")]
    pub n_way_accuracy: NWayOptions,
    /// Object recall, precision and F1.
    pub objects: ObjectOptions,
    /// When a vision-language model's category names are the same.
    pub vlm_names: VlmNames,
    pub near_miss: NearMissOptions,
    pub detail_miss: DetailMissOptions,
    /// How several reference captions are combined.
    pub references: References,
    /// Are words stemmed for ROUGE as F1?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub rouge_stemming: bool,
    pub basic_h: BasicHOptions,
    /// BASIC-L and its levels.
    pub basic_l: BasicLOptions,
}

/// How images are resized before PixCorr, SSIM and PSNR compare them (conventions `pixel-size`, `antialias`), and the
/// flavour of SSIM (convention `ssim-flavour`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PixelOptions {
    /// Length of the shorter side, px. The field uses 425, the size of NSD's stimuli; `None`: not resized.
    pub size_px: Option<usize>,
    /// Resize to this shorter side first, px: MindEye2 scores images that were reduced to 256.
    pub first_size_px: Option<usize>,
    /// How an image that is not square is resized.
    #[serde(skip_serializing_if = "neurogauge_core::words::is_default")]
    pub proportions: Proportions,
    pub filter: Filter,
    /// Smooth before shrinking? torchvision 0.17 and later do by default, 0.16 does not.
    pub antialias: bool,
    /// The arithmetic of resizing. Pillow's 8 bits always smooth before shrinking.
    #[serde(skip_serializing_if = "neurogauge_core::words::is_default")]
    pub arithmetic: Arithmetic,
    #[serde(skip_serializing_if = "SsimFlavour::is_of_grey")]
    pub ssim: SsimFlavour,
}

/// How an image that is not square is resized.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Proportions {
    /// The shorter side gets this size, and the longer side keeps the proportions.
    #[default]
    Kept,
    /// Both sides get this size, so that images of any proportions get the same shape.
    Squashed,
}

impl Default for PixelOptions {
    fn default() -> Self {
        PixelOptions {
            size_px: Some(Self::FIELD_PX),
            first_size_px: None,
            proportions: Proportions::Kept,
            filter: Filter::Bilinear,
            antialias: false,
            arithmetic: Arithmetic::Float,
            ssim: SsimFlavour::Grey,
        }
    }
}

impl PixelOptions {
    /// The size at which the field compares pixels, which is that of NSD's stimuli.
    pub const FIELD_PX: usize = 425;

    /// Applies the protocol's resizing steps to an image.
    pub fn apply(&self, image: Image<f32>) -> Result<Image<f32>, ResizeError> {
        let mut steps = self.first_size_px.into_iter().chain(self.size_px);
        let target = |(width_px, height_px), target_px| match self.proportions {
            Proportions::Kept => shorter_side_to(width_px, height_px, target_px),
            Proportions::Squashed => (target_px, target_px),
        };
        match self.arithmetic {
            Arithmetic::Float => steps.try_fold(image, |image, target_px| {
                let (width_px, height_px) = target((image.width_px(), image.height_px()), target_px);
                resize_float(&image, width_px, height_px, self.filter, self.antialias)
            }),
            Arithmetic::EightBit => {
                let resized = steps.try_fold(image.to_levels(), |image, target_px| {
                    let (width_px, height_px) = target((image.width_px(), image.height_px()), target_px);
                    resize_u8(&image, width_px, height_px, self.filter)
                })?;
                Ok(resized.to_unit_float())
            }
        }
    }
}
