//! The preprocessing that each model's authors publish with its weights.

use super::{Arithmetic, CropStart, Preprocessing, ResizeStep};
use crate::observers::placeholders::{ColourWords, MeanColours};
use neurogauge_core::image::Filter;

/// Mean and standard deviation of red, green, blue.
pub(crate) type Statistics = ([f32; 3], [f32; 3]);

/// Pixel statistics of ImageNet's training images.
pub(crate) const IMAGENET: Statistics = ([0.485, 0.456, 0.406], [0.229, 0.224, 0.225]);

/// The divisors in SwAV's code; everyone else uses 0.229 for red.
const SWAV: Statistics = (IMAGENET.0, [0.228, 0.224, 0.225]);

/// Maps levels to [-1, 1], as SigLIP and Perception Encoder expect.
pub(crate) const HALVES: Statistics = ([0.5; 3], [0.5; 3]);

/// Leaves levels in [0, 1], as MobileCLIP expects.
pub(super) const PLAIN: Statistics = ([0.0; 3], [1.0; 3]);

/// Pixel statistics of CLIP's training images.
pub(crate) const CLIP: Statistics =
    ([0.481_454_66, 0.457_827_5, 0.408_210_73], [0.268_629_54, 0.261_302_6, 0.275_777_1]);

/// Id, shorter side, side of the crop, filter, statistics. The values come from torchvision's
/// `<model>_Weights.transforms()`; the evaluation code of SwAV, DINO and `robustness`; OpenAI's `clip.load`; CLIP's
/// processor of transformers, which GIT's repositories name; open_clip's settings of each checkpoint for DFN and
/// MobileCLIP2. DINOv2 gets the size that its positions were made for.
const PUBLISHED: &[(&str, usize, usize, Filter, Statistics)] = &[
    ("alexnet", 256, 224, Filter::Bilinear, IMAGENET),
    ("inception_v3", 342, 299, Filter::Bilinear, IMAGENET),
    ("efficientnet_b1", 255, 240, Filter::Bilinear, IMAGENET),
    ("efficientnet_b1_v1", 256, 240, Filter::Bicubic, IMAGENET),
    ("resnet18", 256, 224, Filter::Bilinear, IMAGENET),
    ("resnet50", 232, 224, Filter::Bilinear, IMAGENET),
    ("robust_resnet50", 256, 224, Filter::Bilinear, IMAGENET),
    ("resnet50_v1", 256, 224, Filter::Bilinear, IMAGENET),
    ("swav_resnet50", 256, 224, Filter::Bilinear, SWAV),
    ("dino_resnet50", 256, 224, Filter::Bicubic, IMAGENET),
    ("vgg16", 256, 224, Filter::Bilinear, IMAGENET),
    ("vit_b_16", 256, 224, Filter::Bilinear, IMAGENET),
    ("convnext_tiny", 236, 224, Filter::Bilinear, IMAGENET),
    ("swin_t", 232, 224, Filter::Bicubic, IMAGENET),
    ("clip_vit_l_14", 224, 224, Filter::Bicubic, CLIP),
    ("clip_vit_b_16", 224, 224, Filter::Bicubic, CLIP),
    ("clip_vit_b_32", 224, 224, Filter::Bicubic, CLIP),
    ("dfn_clip_vit_l_14", 224, 224, Filter::Bicubic, CLIP),
    ("mobileclip2_vit_b", 224, 224, Filter::Bilinear, PLAIN),
    ("dinov2_vit_b_14", 518, 518, Filter::Bicubic, IMAGENET),
    ("clip_vit_l_14_hf", 224, 224, Filter::Bicubic, CLIP),
    ("clip_rn50", 224, 224, Filter::Bicubic, CLIP),
    ("videomae_vit_b_16", 224, 224, Filter::Bilinear, IMAGENET),
    ("git_large_coco", 224, 224, Filter::Bicubic, CLIP),
    ("git_base_coco", 224, 224, Filter::Bicubic, CLIP),
    (ColourWords::ID, 224, 224, Filter::Bicubic, CLIP),
    (MeanColours::ID, 256, 224, Filter::Bilinear, IMAGENET),
];

/// The models of [`PUBLISHED`] whose reference is a processor of transformers, which rounds the start of the crop down.
const CUT_BY_TRANSFORMERS: [&str; 4] = ["clip_vit_l_14_hf", "videomae_vit_b_16", "git_large_coco", "git_base_coco"];

/// Id, both sides regardless of the proportions, filter, statistics; nothing is cropped. The values come from BLIP's
/// processor of transformers with the size that BLIP-2's repositories set; open_clip's settings of each checkpoint;
/// DINOv3's processor of transformers, which does not round; DreamSim's package, whose networks apply their own
/// statistics.
const PUBLISHED_SQUASHED: &[(&str, usize, Filter, Statistics, Arithmetic)] = &[
    ("blip2_opt_2_7b", 224, Filter::Bicubic, CLIP, EIGHT_BIT),
    ("siglip2_vit_so400m_14", 224, Filter::Bicubic, HALVES, EIGHT_BIT),
    ("siglip2_vit_so400m_16", 256, Filter::Bicubic, HALVES, EIGHT_BIT),
    ("siglip2_vit_so400m_16_gap", 256, Filter::Bicubic, HALVES, EIGHT_BIT),
    ("siglip2_vit_b_16", 224, Filter::Bicubic, HALVES, EIGHT_BIT),
    ("pe_core_vit_b_16", 224, Filter::Bilinear, HALVES, EIGHT_BIT),
    ("pe_core_vit_l_14_336", 336, Filter::Bilinear, HALVES, EIGHT_BIT),
    ("dinov3_vit_b_16", 224, Filter::Bilinear, IMAGENET, Arithmetic::Float),
    ("dreamsim", 224, Filter::Bicubic, PLAIN, EIGHT_BIT),
    ("dreamsim_dino_vit_b_16", 224, Filter::Bicubic, PLAIN, EIGHT_BIT),
    ("dreamsim_clip_vit_b_32", 224, Filter::Bicubic, PLAIN, EIGHT_BIT),
    ("dreamsim_open_clip_vit_b_32", 224, Filter::Bicubic, PLAIN, EIGHT_BIT),
];
const EIGHT_BIT: Arithmetic = Arithmetic::EightBit;

/// The published preprocessing of a model, if it is known.
pub(super) fn find(model: &str) -> Option<Preprocessing> {
    if let Some(&(_, px, filter, statistics, arithmetic)) = PUBLISHED_SQUASHED.iter().find(|(id, ..)| *id == model) {
        let both = ResizeStep::Squash(px, px);
        return Some(Preprocessing {
            arithmetic,
            ..by_pillow(both, filter, None, statistics)
        });
    }
    let &(_, size_px, crop_px, filter, statistics) = PUBLISHED.iter().find(|(id, ..)| *id == model)?;
    let shorter = ResizeStep::ShorterSide(size_px);
    let crop_start = match CUT_BY_TRANSFORMERS.contains(&model) {
        true => CropStart::Down,
        false => CropStart::Even,
    };
    Some(Preprocessing {
        crop_start,
        ..by_pillow(shorter, filter, Some(crop_px), statistics)
    })
}

/// Resized by Pillow, then normalised.
pub(crate) fn by_pillow(
    resize: ResizeStep,
    filter: Filter,
    centre_crop_px: Option<usize>,
    (mean, std): Statistics,
) -> Preprocessing {
    Preprocessing {
        resize: vec![resize],
        filter,
        antialias: true,
        arithmetic: Arithmetic::EightBit,
        centre_crop_px,
        crop_start: CropStart::default(),
        mean,
        std,
    }
}

/// The models whose published preprocessing is known.
pub(super) fn ids() -> Vec<&'static str> {
    let cut = PUBLISHED.iter().map(|(id, ..)| *id);
    let whole = PUBLISHED_SQUASHED.iter().map(|(id, ..)| *id);
    cut.chain(whole).collect()
}
