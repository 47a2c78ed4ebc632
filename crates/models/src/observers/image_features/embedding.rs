//! The layer of a model that is its embedding of an image.

use crate::checkpoint::model_files::base_id;
use crate::network::{LayerRequest, Pooling};

/// The layer name that users may give instead.
const EMBEDDING: &str = "embedding";

/// Names of model families, and the member that authors compare with.
const FAMILIES: &[(&str, &str)] = &[
    ("clip", "clip_vit_l_14"),
    ("dfn_clip", "dfn_clip_vit_l_14"),
    ("dinov2", "dinov2_vit_b_14"),
    ("dinov3", "dinov3_vit_b_16"),
    ("mobileclip2", "mobileclip2_vit_b"),
    ("pe_core", "pe_core_vit_l_14_336"),
    ("siglip2", "siglip2_vit_so400m_14"),
];

/// The id of a family's model; any other id is returned unchanged.
///
/// ```
/// use neurogauge_models::model_of_family;
/// assert_eq!(model_of_family("siglip2"), "siglip2_vit_so400m_14");
/// assert_eq!(model_of_family("resnet50"), "resnet50");
/// ```
pub fn model_of_family(name: &str) -> &str {
    FAMILIES.iter().find(|(family, _)| *family == name).map_or(name, |(_, id)| id)
}

impl LayerRequest {
    /// The layer that a user requests: one of the model's layers or `embedding`, optionally followed by a dot and a
    /// pooling.
    ///
    /// The embedding is one vector for each image: the projection of a model of images and texts, the input of the head
    /// of another transformer, and the input of a classifier's last layer.
    ///
    /// ```
    /// use neurogauge_models::{LayerRequest, Pooling};
    /// let named = |model, layer| LayerRequest::named(model, layer);
    /// assert_eq!(named("clip_vit_b_32", "embedding").layer, "image_embeds");
    /// assert_eq!(named("vit_b_16", "embedding").pooling, Pooling::ClassToken);
    /// let pooled = named("resnet50", "layer4.mean");
    /// assert_eq!((pooled.layer.as_str(), pooled.pooling), ("layer4", Pooling::Mean));
    /// assert_eq!(named("alexnet", "features.4").layer, "features.4");
    /// ```
    pub fn named(model: &str, layer: &str) -> LayerRequest {
        if layer == EMBEDDING {
            let (layer, pooling) = embedding(base_id(model));
            return LayerRequest::new(layer, pooling);
        }
        let pooled = layer.rsplit_once('.').and_then(|(layer, pooling)| {
            let pooling = Pooling::named(pooling)?;
            Some(LayerRequest::new(layer, pooling))
        });
        pooled.unwrap_or_else(|| LayerRequest::whole(layer))
    }
}

fn embedding(id: &str) -> (&'static str, Pooling) {
    let of_timm = ["siglip2", "dinov", "pe_core", "mobileclip2"];
    match id {
        "alexnet" | "vgg16" => ("classifier.5", Pooling::None),
        "vit_b_16" => ("encoder.ln", Pooling::ClassToken),
        "clip_rn50" => ("visual.attnpool", Pooling::None),
        "swin_t" => ("flatten", Pooling::None),
        "mean-colours" => ("grid4", Pooling::None),
        "videomae_vit_b_16" => ("fc_norm", Pooling::None),
        _ if id.starts_with("dreamsim") => ("embedding", Pooling::None),
        _ if of_timm.iter().any(|family| id.starts_with(family)) => ("head", Pooling::None),
        _ if id.contains("clip_vit") => ("image_embeds", Pooling::None),
        _ => ("avgpool", Pooling::None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{LocalImageModel, synthetic_model};
    use neurogauge_core::Image;

    #[test]
    fn families_are_models_and_no_model_has_the_name_of_a_family() {
        for (family, id) in FAMILIES {
            assert!(LocalImageModel::ids().contains(id), "{id}");
            assert!(!LocalImageModel::ids().contains(family), "{family}");
        }
    }

    /// Each embedding is a vector with the width that the network's authors state. Large networks are tried with two
    /// blocks, or by another model of the family.
    #[test]
    fn embeddings_are_vectors_of_published_widths() {
        let tried = [
            ("alexnet", 64, 4096, &["vgg16"][..]),
            ("resnet18", 64, 512, &[]),
            ("robust_resnet50", 64, 2048, &["resnet50", "resnet50_v1", "swav_resnet50", "dino_resnet50"]),
            ("inception_v3", 96, 2048, &[]),
            ("efficientnet_b1", 64, 1280, &["efficientnet_b1_v1"]),
            ("convnext_tiny", 64, 768, &[]),
            ("swin_t", 64, 768, &[]),
            ("vit_b_16", 224, 768, &[]),
            ("clip_rn50", 224, 1024, &[]),
            (
                "clip_vit_b_32",
                224,
                512,
                &["clip_vit_b_16", "clip_vit_l_14", "clip_vit_l_14_hf", "dfn_clip_vit_l_14"],
            ),
            ("siglip2_vit_b_16_reduced", 224, 768, &[]),
            ("siglip2_vit_so400m_14_reduced", 224, 1152, &[]),
            ("siglip2_vit_so400m_16_reduced", 256, 1152, &[]),
            ("siglip2_vit_so400m_16_gap_reduced", 256, 1152, &[]),
            ("pe_core_vit_b_16_reduced", 224, 1024, &[]),
            ("pe_core_vit_l_14_336_reduced", 336, 1024, &[]),
            ("mobileclip2_vit_b_reduced", 224, 512, &[]),
            ("dinov2_vit_b_14_reduced", 224, 768, &[]),
            ("dinov3_vit_b_16_reduced", 224, 768, &[]),
            ("videomae_vit_b_16_reduced", 224, 768, &[]),
            ("dreamsim_reduced", 224, 1792, &[]),
            ("dreamsim_dino_vit_b_16_reduced", 224, 768, &[]),
            ("dreamsim_clip_vit_b_32_reduced", 224, 512, &["dreamsim_open_clip_vit_b_32"]),
        ];
        let mut named = Vec::new();
        for (id, side, width, alike) in tried {
            let published = id.trim_end_matches("_reduced");
            let layer = LayerRequest::named(published, EMBEDDING);
            for other in alike {
                assert_eq!(LayerRequest::named(other, EMBEDDING), layer, "{other}");
            }
            // A model of clips gets two frames, stacked vertically.
            let is_of_clips = LocalImageModel::is_of_clips(published);
            let height = side * (1 + usize::from(is_of_clips));
            let image = Image::new(side, height, vec![0.5; side * height * 3]).unwrap();
            let model = synthetic_model(id, 0, &[]).unwrap().model;
            let features = model.features(&[image], &[layer]).unwrap();
            assert_eq!(features[0].n_features, width, "{id}");
            named.push(published);
            named.extend(alike);
        }
        for id in LocalImageModel::ids() {
            assert!(named.contains(&id) || id == crate::PLACEHOLDER_IMAGE_MODEL, "{id}");
        }
    }
}
