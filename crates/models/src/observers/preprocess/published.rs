//! The preparation that each model's authors publish with its weights.

use super::{Arithmetic, Preprocessing, ResizeStep};
use crate::observers::placeholders::{ColourWords, MeanColours};
use neurogauge_core::image::Filter;

/// Mean and standard deviation of red, green, blue.
pub(crate) type Statistics = ([f32; 3], [f32; 3]);

/// Of ImageNet's training images.
pub(crate) const IMAGENET: Statistics = ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]);

/// What SwAV's code divides by; the rest of the field has 0.229 for red.
const SWAV: Statistics = (IMAGENET.0, [0.228, 0.224, 0.225]);

/// Of the images that CLIP was trained on.
pub(crate) const CLIP: Statistics = (
    [0.481_454_66, 0.457_827_5, 0.408_210_73],
    [0.268_629_54, 0.261_302_6, 0.275_777_1],
);

/// Id, shorter side, square cut out, filter, statistics. torchvision's
/// `<model>_Weights.transforms()`; the evaluation code of SwAV and DINO; OpenAI's `clip.load`; CLIP's processor of transformers,
/// which GIT's repositories name.
const PUBLISHED: &[(&str, usize, usize, Filter, Statistics)] = &[
    ("alexnet", 256, 224, Filter::Bilinear, IMAGENET),
    ("inception_v3", 342, 299, Filter::Bilinear, IMAGENET),
    ("efficientnet_b1", 255, 240, Filter::Bilinear, IMAGENET),
    ("efficientnet_b1_v1", 256, 240, Filter::Bicubic, IMAGENET),
    ("resnet18", 256, 224, Filter::Bilinear, IMAGENET),
    ("resnet50", 232, 224, Filter::Bilinear, IMAGENET),
    ("resnet50_v1", 256, 224, Filter::Bilinear, IMAGENET),
    ("swav_resnet50", 256, 224, Filter::Bilinear, SWAV),
    ("dino_resnet50", 256, 224, Filter::Bicubic, IMAGENET),
    ("vgg16", 256, 224, Filter::Bilinear, IMAGENET),
    ("vit_b_16", 256, 224, Filter::Bilinear, IMAGENET),
    ("convnext_tiny", 236, 224, Filter::Bilinear, IMAGENET),
    ("swin_t", 232, 224, Filter::Bicubic, IMAGENET),
    ("clip_vit_l_14", 224, 224, Filter::Bicubic, CLIP),
    ("clip_vit_b_16", 224, 224, Filter::Bicubic, CLIP),
    ("clip_vit_l_14_hf", 224, 224, Filter::Bicubic, CLIP),
    ("clip_rn50", 224, 224, Filter::Bicubic, CLIP),
    ("git_large_coco", 224, 224, Filter::Bicubic, CLIP),
    ("git_base_coco", 224, 224, Filter::Bicubic, CLIP),
    (ColourWords::ID, 224, 224, Filter::Bicubic, CLIP),
    (MeanColours::ID, 256, 224, Filter::Bilinear, IMAGENET),
];

/// Id, both sides whatever the proportions, filter, statistics; nothing is cut out. BLIP's processor of transformers with the size
/// that BLIP-2's repositories set.
const PUBLISHED_SQUASHED: &[(&str, usize, Filter, Statistics)] =
    &[("blip2_opt_2_7b", 224, Filter::Bicubic, CLIP)];

/// The published preprocessing of a model, if it is known.
pub(super) fn find(model: &str) -> Option<Preprocessing> {
    let by_pillow = |resize, filter, centre_crop_px, (mean, std): Statistics| Preprocessing {
        resize: vec![resize],
        filter,
        antialias: true,
        arithmetic: Arithmetic::EightBit,
        centre_crop_px,
        mean,
        std,
    };
    if let Some(&(_, px, filter, statistics)) =
        PUBLISHED_SQUASHED.iter().find(|(id, ..)| *id == model)
    {
        let both = ResizeStep::Squash(px, px);
        return Some(by_pillow(both, filter, None, statistics));
    }
    let &(_, size_px, crop_px, filter, statistics) =
        PUBLISHED.iter().find(|(id, ..)| *id == model)?;
    let shorter = ResizeStep::ShorterSide(size_px);
    Some(by_pillow(shorter, filter, Some(crop_px), statistics))
}

/// The models whose published preprocessing is known.
pub(super) fn ids() -> Vec<&'static str> {
    let cut = PUBLISHED.iter().map(|(id, ..)| *id);
    let whole = PUBLISHED_SQUASHED.iter().map(|(id, ..)| *id);
    cut.chain(whole).collect()
}
