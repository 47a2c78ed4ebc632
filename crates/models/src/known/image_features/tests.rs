use super::*;
use crate::WeightOptions;
use crate::checkpoint::model_files::{CUSTOM, base_id};
use crate::weights::NoProgress;

#[test]
fn the_placeholder_needs_no_weights_and_unknown_models_are_refused_with_the_known_ones() {
    let options = WeightOptions::default();
    let model = LocalImageModel::obtain(PLACEHOLDER_IMAGE_MODEL, &options, &NoProgress).unwrap();
    assert!(model.identity().stand_in);

    // A text encoder is in the registry, but it is not an image model.
    for (id, said) in [
        ("place-holder", "did you mean \"placeholder\"? `neurogauge list models` lists all"),
        ("all-MiniLM-L6-v2", "known models: alexnet, "),
        ("resnet18-untrained-x", "did you mean \"resnet18-untrained-SEED\"?"),
    ] {
        let error = LocalImageModel::locate(id, &options).unwrap_err();
        let message = error.to_string();
        assert!(message.contains(said), "{message}");
    }
}

#[test]
fn rounded_weights_are_what_the_network_gets() {
    let found = LocalImageModel::locate("resnet18-untrained-1", &WeightOptions::default()).unwrap().unwrap();
    let first = |model: &LocalImageModel| {
        let (_, mut checkpoint) = model.checkpoint().unwrap().unwrap();
        checkpoint.take_values("conv1.weight", &[64, 3, 7, 7]).unwrap()
    };
    let plain = first(&found);
    let rounded = first(&found.rounded(WeightPrecision::Bf16));
    // Rounding drops the lower half of the bits, so values move by at most half of 2^-7.
    for (plain, rounded) in plain.iter().zip(&rounded) {
        assert_eq!(rounded.to_bits() & 0xffff, 0);
        assert!((plain - rounded).abs() <= plain.abs() / 256.0);
    }
    assert_ne!(plain, rounded);
    let placeholder = LocalImageModel::locate(PLACEHOLDER_IMAGE_MODEL, &WeightOptions::default());
    let placeholder = placeholder.unwrap().unwrap().rounded(WeightPrecision::F16);
    assert_eq!(placeholder.identity().id, "mean-colours");
}

#[test]
fn every_image_model_has_published_preprocessing_and_so_have_its_variants() {
    for entry in LocalImageModel::entries() {
        for id in [entry.id.to_owned(), format!("{}{CUSTOM}", entry.id)] {
            let preset = crate::ImagePreset::Published;
            preset.preprocessing(&id, None).unwrap();
        }
    }
    assert_eq!(base_id("vit_b_16-untrained-0-inverse-erf"), "vit_b_16");
    assert_eq!(base_id("swav_resnet50-custom"), "swav_resnet50");
    assert_eq!(base_id("swav_resnet50-custom-f16"), "swav_resnet50");
}
