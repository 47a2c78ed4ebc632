//! GIT against transformers' GitForCausalLM.
use crate::caption_parity;
use crate::parity;

use neurogauge_models::{DeviceChoice, SyntheticCaptioner};
use serde_json::{Value, json};

/// A captioner with the golden's configuration and an end id.
fn model(golden: &Value, end: &Value, device: DeviceChoice) -> SyntheticCaptioner {
    let mut config = golden["config"].clone();
    if !end.is_null() {
        config["eos_token_id"] = end.clone();
    }
    SyntheticCaptioner::git(&config.to_string(), device.into()).unwrap()
}

/// Compares tensors, image encoder, logits of every step, and ids of greedy and beam search.
fn check(name: &str, device: DeviceChoice) {
    caption_parity::check(name, device, model, |tap| {
        Some(tap.strip_prefix("git.image_encoder.").or(tap.strip_prefix("git.")).unwrap().to_owned())
    });
}

#[test]
fn reduced_git_equals_transformers() {
    for device in parity::devices() {
        check("git_reduced", device);
    }
}

#[test]
#[ignore = "takes 0.7 GB and a minute"]
fn git_base_equals_transformers() {
    check("git_base_coco", parity::device());
}

#[test]
#[ignore = "takes 1.6 GB and some minutes"]
fn git_large_equals_transformers() {
    check("git_large_coco", parity::device());
}

#[test]
fn ids_do_not_depend_on_the_number_of_threads() {
    let golden = parity::golden("git_reduced");
    let git = model(&golden, &json!(130), DeviceChoice::Cpu);
    caption_parity::check_threads(&golden, &git, &[1, 10, 59]);
}

#[test]
fn bad_images_and_lengths_are_refused() {
    let golden = parity::golden("git_reduced");
    caption_parity::check_refusals(&model(&golden, &json!(2), parity::device()));
}
