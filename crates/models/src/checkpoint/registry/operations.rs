//! How many operations networks of images take.

/// For each network: its id, the operations of an image in thousands of millions (two for a multiplication with its
/// addition), counted from its layers, the pixels of that image, and the share of the speed of a large product that the
/// network reaches in bench/forecast.py and bench/models.py. Layers of few channels wait for memory; kernels of 3 x 3
/// take fewer operations than counted.
const OF_IMAGES: &[(&str, f64, usize, f64)] = &[
    ("alexnet", 1.43, 224 * 224, 0.6),
    ("vgg16", 30.9, 224 * 224, 1.0),
    ("resnet18", 3.63, 224 * 224, 1.0),
    ("resnet50", 8.18, 224 * 224, 1.0),
    ("swav_resnet50", 8.18, 224 * 224, 1.0),
    ("dino_resnet50", 8.18, 224 * 224, 1.0),
    ("robust_resnet50", 8.18, 224 * 224, 1.0),
    ("clip_rn50", 12.2, 224 * 224, 1.0),
    ("inception_v3", 11.4, 299 * 299, 1.0),
    ("efficientnet_b1", 1.37, 240 * 240, 0.47),
    ("convnext_tiny", 8.91, 224 * 224, 0.9),
    ("swin_t", 8.98, 224 * 224, 0.8),
    ("vit_b_16", 35.1, 224 * 224, 1.0),
    ("clip_vit_b_16", 35.1, 224 * 224, 1.0),
    ("clip_vit_b_32", 8.8, 224 * 224, 1.0),
    ("clip_vit_l_14", 162.0, 224 * 224, 1.0),
    ("dfn_clip_vit_l_14", 162.0, 224 * 224, 1.0),
    ("mobileclip2_vit_b", 36.8, 224 * 224, 1.0),
    ("pe_core_vit_b_16", 35.1, 224 * 224, 1.0),
    ("pe_core_vit_l_14_336", 382.0, 336 * 336, 1.0),
    ("siglip2_vit_b_16", 35.1, 224 * 224, 1.0),
    ("siglip2_vit_so400m_14", 219.0, 224 * 224, 1.0),
    ("siglip2_vit_so400m_16", 219.0, 256 * 256, 1.0),
    ("dinov2_vit_b_14", 303.0, 518 * 518, 1.0),
    ("dinov3_vit_b_16", 35.1, 224 * 224, 1.0),
    ("videomae_vit_b_16", 361.0, 16 * 224 * 224, 1.0),
];

/// The operations of a large product of matrices in f32 that takes as long as the network for an image (or all frames
/// of a clip) of so many pixels. `None` for networks that are not counted, and for products of bf16.
///
/// ```
/// use neurogauge_models::operations;
/// assert_eq!(operations("resnet50", 224 * 224), Some(8.18e9));
/// // Twice the pixels, other weights.
/// assert_eq!(operations("resnet50-untrained-1", 2 * 224 * 224), Some(16.36e9));
/// assert_eq!(operations("sam2.1_hiera_tiny", 1024 * 1024), None);
/// ```
pub fn operations(id: &str, n_pixels: u64) -> Option<f64> {
    // Longer ids name other weights of the same layers: `-untrained-SEED`, `-bf16`, `_v1`, `_hf`.
    let is_of = |(known, ..): &&(&str, f64, usize, f64)| id.starts_with(*known);
    let longest = OF_IMAGES.iter().filter(is_of).max_by_key(|(known, ..)| known.len());
    let (_, giga, pixels, share) = longest.filter(|_| !id.ends_with("products"))?;
    Some(giga * 1e9 / share * n_pixels as f64 / *pixels as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Multiplications of n tokens of width d in a network of L layers, whose hidden layers have 4 d:
    /// L (n (4 d² + 8 d²) + 2 n² d), and of its patches of p x p x 3 values.
    #[test]
    fn transformers_take_what_their_shapes_say() {
        for (id, layers, width, patch, side, further) in [
            ("vit_b_16", 12.0, 768.0, 16.0_f64, 224.0, 1.0),
            ("clip_vit_b_32", 12.0, 768.0, 32.0, 224.0, 1.0),
            ("clip_vit_l_14", 24.0, 1024.0, 14.0, 224.0, 1.0),
            ("pe_core_vit_l_14_336", 24.0, 1024.0, 14.0, 336.0, 1.0),
            ("dinov2_vit_b_14", 12.0, 768.0, 14.0, 518.0, 1.0),
        ] {
            let patches = (side / patch).powi(2);
            let tokens: f64 = patches + further;
            let of_layer = tokens * 12.0 * width * width + 2.0 * tokens * tokens * width;
            let counted = 2.0 * (layers * of_layer + patches * 3.0 * patch * patch * width);
            let found = operations(id, (side * side) as u64).unwrap();
            assert!((found / counted - 1.0).abs() < 0.01, "{id}: {found:e}, and its shapes say {counted:e}");
        }
    }
}
