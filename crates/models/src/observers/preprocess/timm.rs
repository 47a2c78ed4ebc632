//! The preprocessing in timm's default configuration of a checkpoint (`resolve_model_data_config`).

use super::published::{CLIP, HALVES, IMAGENET, PLAIN, Statistics, by_pillow};
use super::{Preprocessing, ResizeStep};
use neurogauge_core::image::Filter;

/// Id, shorter side, side of the crop, statistics. The filter is bicubic, on Pillow images. The shorter side is the
/// crop's side divided by `crop_pct`, rounded down.
const TIMM: &[(&str, usize, usize, Statistics)] = &[
    ("siglip2_vit_so400m_14", 248, 224, HALVES),
    ("siglip2_vit_so400m_16", 284, 256, HALVES),
    ("siglip2_vit_so400m_16_gap", 284, 256, HALVES),
    ("siglip2_vit_b_16", 248, 224, HALVES),
    ("dfn_clip_vit_l_14", 224, 224, CLIP),
    ("mobileclip2_vit_b", 248, 224, PLAIN),
    ("pe_core_vit_b_16", 224, 224, HALVES),
    ("pe_core_vit_l_14_336", 336, 336, HALVES),
    ("dinov2_vit_b_14", 518, 518, IMAGENET),
    ("dinov3_vit_b_16", 256, 256, IMAGENET),
    ("clip_vit_b_32", 248, 224, CLIP),
    ("clip_vit_b_16", 248, 224, CLIP),
    ("clip_vit_l_14", 224, 224, CLIP),
];

/// timm's preprocessing of a model, if timm has these weights.
pub(super) fn find(model: &str) -> Option<Preprocessing> {
    let &(_, size_px, crop_px, statistics) = TIMM.iter().find(|(id, ..)| *id == model)?;
    let shorter = ResizeStep::ShorterSide(size_px);
    Some(by_pillow(shorter, Filter::Bicubic, Some(crop_px), statistics))
}

pub(super) fn ids() -> Vec<&'static str> {
    TIMM.iter().map(|(id, ..)| *id).collect()
}
