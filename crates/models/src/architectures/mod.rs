//! One folder per network, and the map from a model's id to the network that runs it.

pub(crate) mod bert;
pub(crate) mod blip2;
pub(crate) mod clip;
pub(crate) mod clip_t5;
mod convnext;
pub(crate) mod dreamsim;
mod efficientnet;
pub(crate) mod git;
pub(crate) mod grounding_dino;
mod inception;
pub(crate) mod lpips;
mod plain;
pub(crate) mod qwen2_5_vl;
pub mod qwen3;
mod resnet;
pub(crate) mod sam2;
mod swin;
mod synthetic_captioner;
pub(crate) mod t5;
pub(crate) mod videomae;
pub(crate) mod vit;
pub(crate) mod yolo_world;

pub use synthetic_captioner::SyntheticCaptioner;

use crate::checkpoint::layers::only_for_training;
use crate::checkpoint::{Checkpoint, CheckpointFormats};
use crate::network::VisionModel;
use crate::{Arithmetic, DeviceChoice, ImageModel, ModelError, WeightPrecision};
use clip::{Layout, ModifiedResNet, Tower, VisionConfig, VisionLayout, vision_transformer};
use convnext::ConvNext;
use dreamsim::DreamSim;
use efficientnet::EfficientNet;
use inception::InceptionV3;
use neurogauge_core::ModelIdentity;
use plain::Plain;
use resnet::{Config, ResNet};
use std::path::Path;
use swin::Swin;
use videomae::VideoMae;
use vit::{REDUCED, VisionTransformer};

/// A network with synthetic weights, for proofs and timing. Its outputs mean nothing.
pub struct SyntheticModel {
    pub model: Box<dyn ImageModel>,
    /// Names and shapes of the tensors that the network took.
    pub tensors: Vec<(String, Vec<usize>)>,
}

/// The network of the model called `id` with the weights of the synthetic checkpoint `seed`
/// ([`neurogauge_core::synthetic::parameter`]), where tensors whose names end as in `damped` are multiplied by the
/// factor there. A precision may follow the id (`resnet18-bf16`, [`WeightPrecision`]).
///
/// # Errors
/// [`ModelError::UnknownModel`].
///
/// ```
/// use neurogauge_core::Image;
/// use neurogauge_models::{LayerRequest, synthetic_model};
/// let synthetic = synthetic_model("resnet18", 0, &[])?;
/// let image = Image::new(64, 64, vec![0.5_f32; 64 * 64 * 3]).unwrap();
/// let layer = LayerRequest::whole("avgpool");
/// let features = synthetic.model.features(&[image], &[layer])?;
/// assert_eq!(features[0].n_features, 512);
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub fn synthetic_model(id: &str, seed: u64, damped: &[(String, f32)]) -> Result<SyntheticModel, ModelError> {
    synthetic_model_on(id, seed, damped, DeviceChoice::Cpu)
}

/// Like [`synthetic_model`], on a device.
///
/// # Errors
/// [`ModelError::UnknownModel`]; a device that [`DeviceChoice::check`] refuses.
pub fn synthetic_model_on(
    id: &str,
    seed: u64,
    damped: &[(String, f32)],
    device: DeviceChoice,
) -> Result<SyntheticModel, ModelError> {
    let checkpoint = Checkpoint::synthetic(seed, damped, "a synthetic checkpoint");
    let (id, precision) = WeightPrecision::split(id);
    let mut checkpoint = checkpoint.computed(Arithmetic { precision, device })?;
    let model = build(id, &mut checkpoint, synthetic_identity(id, seed))?;
    Ok(SyntheticModel {
        model,
        tensors: checkpoint.taken().to_vec(),
    })
}

/// The network of the model called `id` as if it had been read from a file called `file` with these tensors, whose
/// values are those of the synthetic checkpoint `seed`; otherwise like [`synthetic_model`]. Only a `config.json` beside
/// the file is really read.
///
/// # Errors
/// Those of loading a checkpoint: tensors that are missing, superfluous or of the wrong shape, in any file format.
///
/// ```
/// use neurogauge_models::{synthetic_file_model, synthetic_model};
/// let known = synthetic_model("resnet18", 0, &[])?.tensors;
/// let file = std::path::Path::new("resnet18.safetensors");
/// assert!(synthetic_file_model("resnet18", file, known.clone(), 0, &[]).is_ok());
/// let error = synthetic_file_model("resnet18", file, known[1..].to_vec(), 0, &[]).err();
/// assert!(error.unwrap().to_string().contains("lacks the tensor conv1.weight of shape [64, 3, 7, 7]"));
/// # Ok::<(), neurogauge_models::ModelError>(())
/// ```
pub fn synthetic_file_model(
    id: &str,
    file: &Path,
    tensors: Vec<(String, Vec<usize>)>,
    seed: u64,
    damped: &[(String, f32)],
) -> Result<Box<dyn ImageModel>, ModelError> {
    let published = id.strip_suffix(REDUCED).unwrap_or(id);
    let name = crate::find(published)?.architecture.name();
    let checkpoint = Checkpoint::synthetic_file(file.to_owned(), tensors, seed, damped, name)?;
    let checkpoint = checkpoint.renamed(|tensor| renamed(id, tensor))?;
    let mut checkpoint = recognised(id, checkpoint)?;
    let model = build(id, &mut checkpoint, synthetic_identity(id, seed))?;
    checkpoint.finish(|tensor| has_no_use(id, tensor))?;
    Ok(model)
}

fn synthetic_identity(id: &str, seed: u64) -> ModelIdentity {
    ModelIdentity::placeholder(id, format!("synthetic checkpoint {seed}"))
}

/// Recognises the format of a checkpoint of the model `id`, and reads it by the names of that format.
pub(crate) fn recognised(id: &str, checkpoint: Checkpoint) -> Result<Checkpoint, ModelError> {
    match formats_of(id) {
        Some(formats) => checkpoint.in_format_of(formats),
        None => Ok(checkpoint),
    }
}

/// The formats of the model `id`, if its weights can be files of libraries other than torchvision. CLIP's two layouts
/// have different files and networks ([`clip::Layout`]).
fn formats_of(id: &str) -> Option<&'static CheckpointFormats> {
    Some(match id.strip_suffix("_v1").unwrap_or(id) {
        "convnext_tiny" => &convnext::FORMATS,
        "efficientnet_b1" => &efficientnet::FORMATS,
        "inception_v3" => &inception::FORMATS,
        "resnet18" => &resnet::FORMATS_18,
        "resnet50" | "robust_resnet50" => &resnet::FORMATS_50,
        "swin_t" => &swin::FORMATS,
        "vgg16" => &plain::FORMATS,
        "videomae_vit_b_16" | "videomae_vit_b_16_reduced" => &videomae::FORMATS,
        "vit_b_16" => &vit::FORMATS,
        _ => return None,
    })
}

/// May a tensor of the published checkpoint of model `id` be left over?
pub(crate) fn has_no_use(id: &str, name: &str) -> bool {
    // Heads that only self-supervised training uses.
    const HEADS: [&str; 3] = ["projection_head.", "prototypes.", "fc."];
    // ImageNet's statistics, which preprocessing applies here, and the attacker, which contains another copy of the
    // model.
    const BESIDE_ROBUST: [&str; 2] = ["module.normalizer.", "module.attacker."];
    only_for_training(name)
        || match id {
            "inception_v3" => inception::is_auxiliary(name),
            "swav_resnet50" | "dino_resnet50" => HEADS.iter().any(|head| name.starts_with(head)),
            "robust_resnet50" => BESIDE_ROBUST.iter().any(|part| name.starts_with(part)),
            // These tensors follow from the window size.
            "swin_t" => ["relative_position_index", "attn_mask"].iter().any(|ending| name.ends_with(ending)),
            "vit_b_16" => vit::is_pooler(name),
            _ if clip_config(id).is_ok() || id == "clip_rn50" => clip::has_no_use_for_images(name),
            _ => vit::Variant::find(id).is_some() && vit::has_no_use(name),
        }
}

/// The name that this code uses for a tensor of the published checkpoint of model `id`, if it differs.
pub(crate) fn renamed(id: &str, name: &str) -> Option<String> {
    // The model was published inside the wrapper for parallel training, and beside the attacker.
    let wrapping = match id {
        "swav_resnet50" => "module.",
        "robust_resnet50" => "module.model.",
        _ => return None,
    };
    name.strip_prefix(wrapping).map(str::to_owned)
}

/// Builds the network of a model from its checkpoint.
pub(crate) fn build(
    id: &str,
    checkpoint: &mut Checkpoint,
    identity: ModelIdentity,
) -> Result<Box<dyn ImageModel>, ModelError> {
    macro_rules! model {
        ($network:expr) => {
            Box::new(VisionModel::new(identity, $network?, checkpoint.placement().clone()))
        };
    }
    let id = id.strip_suffix("_v1").unwrap_or(id);
    Ok(match id {
        "alexnet" => model!(Plain::alexnet(checkpoint, true)),
        "efficientnet_b1" => model!(EfficientNet::build(checkpoint)),
        "inception_v3" => model!(InceptionV3::build(checkpoint)),
        "convnext_tiny" => {
            model!(ConvNext::build(checkpoint, convnext::Config::TINY))
        }
        "resnet18" => model!(ResNet::build(checkpoint, Config::RESNET_18)),
        "resnet50" | "robust_resnet50" => {
            model!(ResNet::build(checkpoint, Config::RESNET_50))
        }
        "swav_resnet50" | "dino_resnet50" => {
            model!(ResNet::build(checkpoint, Config::RESNET_50_FEATURES))
        }
        "clip_rn50" => model!(ModifiedResNet::build(checkpoint)),
        "vit_b_16" => model!(VisionTransformer::b_16(checkpoint)),
        "swin_t" => model!(Swin::build(checkpoint, swin::Config::TINY)),
        "vgg16" => model!(Plain::vgg16(checkpoint, true)),
        "videomae_vit_b_16" => model!(VideoMae::build(checkpoint, 12)),
        "videomae_vit_b_16_reduced" => model!(VideoMae::build(checkpoint, 2)),
        _ if let Some(form) = dreamsim::Form::find(id) => {
            model!(DreamSim::synthetic(form, checkpoint, 12))
        }
        _ if let Some(form) = id.strip_suffix(REDUCED).and_then(dreamsim::Form::find) => {
            model!(DreamSim::synthetic(form, checkpoint, 2))
        }
        _ if let Ok(config) = clip_config(id) => {
            let layout = match id.ends_with("_hf") {
                true => VisionLayout::Tower(Layout::HuggingFace),
                false => VisionLayout::of(checkpoint),
            };
            let activation = Tower::Images.activation(checkpoint, &identity)?;
            model!(vision_transformer(checkpoint, VisionConfig { activation, ..config }, layout))
        }
        _ => match vit::Variant::find(id) {
            Some(variant) => model!(variant.build(checkpoint)),
            None => return Err(unknown(id)),
        },
    })
}

/// The shape of the image tower of the CLIP model `id`.
fn clip_config(id: &str) -> Result<VisionConfig, ModelError> {
    Ok(match id {
        "clip_vit_b_16" | "clip_vit_b_16_hf" => VisionConfig::B_16,
        "clip_vit_b_32" | "clip_vit_b_32_hf" => VisionConfig::B_32,
        "clip_vit_l_14" | "clip_vit_l_14_hf" => VisionConfig::L_14,
        "dfn_clip_vit_l_14" => VisionConfig::DFN_L_14,
        "clip_vit_reduced" | "clip_vit_b_16_reduced" | "clip_vit_b_16_reduced_hf" => VisionConfig::REDUCED_16,
        "clip_vit_reduced_hf" => VisionConfig::REDUCED_14,
        _ => return Err(unknown(id)),
    })
}

fn unknown(id: &str) -> ModelError {
    match crate::find(id) {
        Err(error) => error,
        Ok(_) => ModelError::unknown_model(id, [], ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_inceptions_auxiliary_classifier_and_counters_may_be_left_over() {
        assert!(has_no_use("inception_v3", "AuxLogits.fc.weight"));
        assert!(has_no_use("resnet18", "bn1.num_batches_tracked"));
        assert!(!has_no_use("resnet18", "AuxLogits.fc.weight"));
        assert!(!has_no_use("inception_v3", "fc.weight"));
    }

    /// The output of `id` for one image when the model is built from `tensors`, all of which must be used.
    fn output(id: &str, layer: &str, size_px: usize, tensors: Vec<(String, Vec<usize>, Vec<f32>)>) -> Vec<f32> {
        let mut checkpoint = Checkpoint::from_tensors(tensors, "a test").unwrap();
        let identity = synthetic_identity(id, 0);
        let model = build(id, &mut checkpoint, identity).unwrap();
        checkpoint.finish(|tensor| has_no_use(id, tensor)).unwrap();
        features(model.as_ref(), layer, size_px)
    }

    fn features(model: &dyn ImageModel, layer: &str, size_px: usize) -> Vec<f32> {
        let noise = neurogauge_core::synthetic::Synthetic::new("noise", 1);
        let n_values = (size_px * size_px * 3) as u64;
        let values = (0..n_values).map(|i| noise.uniform(i)).collect();
        let image = neurogauge_core::Image::new(size_px, size_px, values).unwrap();
        let request = crate::LayerRequest::whole(layer);
        model.features(&[image], &[request]).unwrap().remove(0).values
    }

    /// The synthetic tensors of `id`, and its output for one image.
    #[allow(clippy::type_complexity)]
    fn synthetic(id: &str, layer: &str, size_px: usize) -> (Vec<(String, Vec<usize>, Vec<f32>)>, Vec<f32>) {
        let SyntheticModel { model, tensors } = synthetic_model(id, 0, &[]).unwrap();
        let tensors = tensors.into_iter().map(|(name, shape)| {
            let values = neurogauge_core::synthetic::parameter(&name, &shape, 0);
            (name, shape, values)
        });
        (tensors.collect(), features(model.as_ref(), layer, size_px))
    }

    #[test]
    fn torchvisions_older_names_of_a_perceptron_are_known() {
        let (mut tensors, expected) = synthetic("vit_b_16", "heads.head", 224);
        for (name, _, _) in &mut tensors {
            *name = name.replace("mlp.0.", "mlp.linear_1.");
            *name = name.replace("mlp.3.", "mlp.linear_2.");
        }
        assert_eq!(output("vit_b_16", "heads.head", 224, tensors), expected);
    }

    #[test]
    fn the_configuration_beside_a_users_own_clip_sets_its_activation() {
        let dir = tempfile::tempdir().unwrap();
        let (id, layer) = ("clip_vit_reduced_hf", "image_embeds");
        let SyntheticModel { model, tensors } = synthetic_model(id, 0, &[]).unwrap();
        let quick = features(model.as_ref(), layer, 70);
        let own = |of: &str, config: &str| {
            std::fs::write(dir.path().join("config.json"), config).unwrap();
            let file = dir.path().join("model.safetensors");
            let mut checkpoint = Checkpoint::synthetic_file(file, tensors.clone(), 0, &[], "CLIP").unwrap();
            let model = build(id, &mut checkpoint, synthetic_identity(of, 0));
            model.map(|model| features(model.as_ref(), layer, 70))
        };
        let custom = format!("{id}-custom");
        let gelu = r#"{"vision_config": {"hidden_act": "gelu"}, "text_config": {"hidden_act": "quick_gelu"}}"#;
        let of_gelu = own(&custom, gelu).unwrap();
        assert_ne!(of_gelu, quick);
        assert_eq!(own(&custom, r#"{"hidden_act": "gelu"}"#).unwrap(), of_gelu);
        assert_eq!(own(&custom, r#"{"vision_config": {}}"#).unwrap(), quick);
        assert_eq!(own(id, gelu).unwrap(), quick, "published weights");
        let refused = own(&custom, r#"{"vision_config": {"hidden_act": "gelu_new"}}"#);
        let message = refused.unwrap_err().to_string();
        assert!(
            message.ends_with(
                "config.json: vision_config.hidden_act is gelu_new, and this implementation of CLIP needs quick_gelu or gelu"
            ),
            "{message}"
        );
    }

    #[test]
    fn the_layout_of_a_clip_is_recognised_and_its_text_tower_left_over() {
        for (id, others) in [
            (
                "clip_vit_b_16_reduced",
                ["transformer.resblocks.0.ln_1.weight", "token_embedding.weight", "vocab_size"],
            ),
            (
                "clip_vit_b_16_reduced_hf",
                [
                    "text_model.encoder.layers.0.mlp.fc1.bias",
                    "text_projection.weight",
                    "vision_model.embeddings.position_ids",
                ],
            ),
        ] {
            let layer = "image_embeds";
            let (mut tensors, expected) = synthetic(id, layer, 80);
            tensors.extend(others.map(|name| (name.to_owned(), vec![1], vec![0.0])));
            assert_eq!(output("clip_vit_b_16_reduced", layer, 80, tensors), expected, "{id}");
        }
    }
}
