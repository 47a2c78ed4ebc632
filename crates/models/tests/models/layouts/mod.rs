//! Checkpoints with the names of timm and transformers, against these libraries: a file with the tensors of the
//! reference's state dict, the same inputs, the same outputs.

use crate::parity::{brief, compare, damped, golden, read, tensors};
use neurogauge_models::{ImageModel, ModelError, synthetic_file_model, synthetic_model};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;

type Tensors = BTreeMap<String, Vec<usize>>;

fn load(id: &str, file: &str, golden: &Value, tensors: Tensors) -> Result<Box<dyn ImageModel>, ModelError> {
    let tensors = tensors.into_iter().collect();
    synthetic_file_model(id, Path::new(file), tensors, 0, &damped(golden))
}

/// Compares model `id` from a file with the golden's tensors, including counters of training.
fn check(id: &str, file: &str, golden_name: &str) {
    let golden = golden(golden_name);
    let mut all = tensors(&golden);
    all.extend(read::<Tensors>(&golden["integers"]));
    let model = load(id, file, &golden, all).unwrap();
    compare(model.as_ref(), golden_name, &brief(&golden), |layer| Some(layer.to_owned()));
}

#[test]
fn files_of_timm_and_transformers_are_the_same_networks() {
    for (id, golden) in [
        ("vit_b_16", "timm_vit_b_16"),
        ("convnext_tiny", "timm_convnext_tiny"),
        ("swin_t", "timm_swin_t"),
        ("vgg16", "timm_vgg16"),
        ("vit_b_16", "transformers_vit_b_16"),
        ("resnet18", "transformers_resnet18"),
        ("resnet50", "transformers_resnet50"),
        ("convnext_tiny", "transformers_convnext_tiny"),
        ("swin_t", "transformers_swin_t"),
    ] {
        check(id, "model.safetensors", golden);
    }
    check("efficientnet_b1", "efficientnet_b1-533bc792.pth", "timm_efficientnet_b1");
}

/// The file has the statistics and the attacker, which contains the model once more, as written by `robustness`.
#[test]
fn a_robust_resnet_is_read_without_what_attacks_it() {
    let golden = golden("robustness_resnet50");
    let mut all = tensors(&golden);
    let own = all.iter().filter_map(|(name, shape)| {
        let copy = name.strip_prefix("module.model.")?;
        Some((format!("module.attacker.model.{copy}"), shape.clone()))
    });
    let copies: Tensors = own.collect();
    assert_eq!(copies.len(), 267);
    all.extend(copies);
    all.insert("module.attacker.model.bn1.num_batches_tracked".to_owned(), vec![]);
    let model = load("robust_resnet50", "resnet50_l2_eps3.ckpt", &golden, all.clone()).unwrap();
    compare(model.as_ref(), "robustness_resnet50", &brief(&golden), |layer| Some(layer.to_owned()));

    all.remove("module.model.conv1.weight");
    let error = load("robust_resnet50", "x.ckpt", &golden, all).err().unwrap();
    assert!(error.to_string().contains("conv1.weight"), "{error}");
}

/// The golden's names and shapes after `rename`, which drops some.
fn renamed(golden: &Value, rename: impl Fn(&str) -> Option<String>) -> Tensors {
    let tensors = tensors(golden).into_iter();
    tensors.filter_map(|(name, shape)| Some((rename(&name)?, shape))).collect()
}

#[test]
fn a_backbone_without_a_classifier_has_no_such_layer() {
    let timm = golden("timm_vit_b_16");
    let headless = renamed(&timm, |name| (!name.starts_with("head.")).then(|| name.to_owned()));
    let transformers = golden("transformers_vit_b_16");
    let mut model = renamed(&transformers, |name| name.strip_prefix("vit.").map(str::to_owned));
    model.insert("pooler.dense.weight".to_owned(), vec![768, 768]);
    model.insert("pooler.dense.bias".to_owned(), vec![768]);
    for (golden, tensors) in [(timm, headless), (transformers, model)] {
        let model = load("vit_b_16", "model.safetensors", &golden, tensors).unwrap();
        assert!(model.layers().contains(&"encoder.ln"));
        assert!(!model.layers().contains(&"heads.head"));
    }
}

#[test]
fn the_layout_of_swins_authors_is_known() {
    let golden = golden("timm_swin_t");
    let mut theirs = renamed(&golden, |name| {
        for stage in 1..4 {
            if let Some(part) = name.strip_prefix(&format!("layers.{stage}.downsample.")) {
                return Some(format!("layers.{}.downsample.{part}", stage - 1));
            }
        }
        Some(name.replace("head.fc.", "head."))
    });
    for buffer in ["attn_mask", "attn.relative_position_index"] {
        theirs.insert(format!("layers.0.blocks.1.{buffer}"), vec![49, 49]);
    }
    load("swin_t", "swin.pth", &golden, theirs).unwrap();
}

fn message(id: &str, file: &str, tensors: Tensors) -> String {
    let error = load(id, file, &Value::Null, tensors).err().unwrap();
    error.to_string()
}

#[test]
fn a_mixture_of_layouts_is_refused_with_the_tensor_and_both() {
    let timm = tensors(&golden("timm_convnext_tiny"));
    let own: Tensors = synthetic_model("convnext_tiny", 0, &[]).unwrap().tensors.into_iter().collect();
    let file = "model.safetensors";

    let mut both = timm.clone();
    both.extend(own.clone());
    assert_eq!(
        message("convnext_tiny", file, both),
        "model.safetensors: tensor classifier.0.bias of shape [768] has no place in ConvNeXt-T with \
         this configuration; is it the checkpoint of another model? (read by the names of timm, since \
         it has stem.0.weight; not by those of torchvision though it has features.0.0.weight too)"
    );

    let mut half = own.clone();
    half.retain(|name, _| !name.starts_with("features.0."));
    half.extend(timm.clone().into_iter().filter(|(name, _)| name.starts_with("stem.")));
    assert_eq!(
        message("convnext_tiny", file, half),
        "model.safetensors lacks the tensor stages.0.blocks.0.gamma of shape [96] that ConvNeXt-T \
         needs (read by the names of timm, since it has stem.0.weight; not by those of torchvision, \
         who call it features.1.0.layer_scale)"
    );

    assert_eq!(
        message("vit_b_16", file, timm),
        "model.safetensors lacks the tensor conv_proj.weight of shape [768, 3, 16, 16] that ViT-B/16 \
         needs (read by the names of torchvision, since it has no tensor that tells of timm \
         (patch_embed.proj.weight) or transformers (vit.embeddings.cls_token) or transformers' \
         ViTModel (embeddings.cls_token))"
    );
}

#[test]
fn what_is_computed_otherwise_is_refused_with_the_reason() {
    let id = "efficientnet_b1";
    let names = tensors(&golden("timm_efficientnet_b1"));
    for file in ["tf_efficientnet_b1_aa-ea7a6ee0.pth", "model.safetensors"] {
        let message = message(id, file, names.clone());
        assert!(message.contains("conv_stem.weight"), "{message}");
        assert!(message.contains("tf_efficientnet_b1"), "{message}");
        assert!(message.contains("config.json"), "{message}");
    }
    let theirs = "efficientnet.embeddings.convolution.weight".to_owned();
    let theirs = Tensors::from([(theirs, vec![32, 3, 3, 3])]);
    let message = message(id, "model.safetensors", theirs);
    assert!(message.contains("1e-3 instead of 1e-5"), "{message}");
}

#[test]
fn a_configuration_beside_the_file_decides_what_tensors_cannot_tell() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("model.safetensors");
    let golden = golden("timm_efficientnet_b1");
    let load = |config: &str, id: &str, tensors: Tensors| {
        std::fs::write(folder.path().join("config.json"), config).unwrap();
        load(id, file.to_str().unwrap(), &golden, tensors)
    };
    let (id, names) = ("efficientnet_b1", tensors(&golden));
    let ours = r#"{"architecture": "efficientnet_b1", "num_classes": 1000}"#;
    assert!(load(ours, id, names.clone()).is_ok());
    let theirs = r#"{"architecture": "tf_efficientnet_b1", "num_classes": 1000}"#;
    let error = load(theirs, id, names).err().unwrap();
    assert!(error.to_string().contains("tf_efficientnet_b1"), "{error}");

    let resnet = synthetic_model("resnet18", 0, &[]).unwrap().tensors;
    let averaging = r#"{"architecture": "resnetaa18"}"#;
    let resnet: Tensors = resnet.into_iter().collect();
    let error = load(averaging, "resnet18", resnet.clone()).err().unwrap();
    assert!(error.to_string().contains("resnetaa18"), "{error}");
    assert!(load(r#"{"unrelated": 1}"#, "resnet18", resnet).is_ok());
}
