//! BLIP-2 against transformers' Blip2ForConditionalGeneration.
use crate::caption_parity;
use crate::parity;

use neurogauge_models::{CaptionerMemory, DeviceChoice, SyntheticCaptioner};
use serde_json::{Value, json};

/// A captioner with the golden's configuration and an end id.
fn made(memory: CaptionerMemory, golden: &Value, end: &Value, device: DeviceChoice) -> SyntheticCaptioner {
    let mut config = golden["config"].clone();
    if !end.is_null() {
        config["text_config"]["eos_token_id"] = end.clone();
    }
    SyntheticCaptioner::blip2(&config.to_string(), device.into(), memory).unwrap()
}

fn model(golden: &Value, end: &Value, device: DeviceChoice) -> SyntheticCaptioner {
    made(CaptionerMemory::Whole, golden, end, device)
}

/// Compares tensors, image encoder and Q-Former, logits of every step, and ids of greedy and beam search, with both
/// halves in memory and with one at a time.
fn check(name: &str, device: DeviceChoice) {
    for memory in [CaptionerMemory::Whole, CaptionerMemory::InTurns] {
        let build = |golden: &Value, end: &Value, device| made(memory, golden, end, device);
        caption_parity::check(name, device, build, |tap| Some(tap.to_owned()));
    }
}

#[test]
fn reduced_blip2_equals_transformers() {
    for device in parity::devices() {
        check("blip2_reduced", device);
    }
}

/// The table of words is also the output map, and the Q-Former attends to the image in fewer layers.
#[test]
fn reduced_blip2_with_a_tied_output_equals_transformers() {
    for device in parity::devices() {
        check("blip2_tied", device);
    }
}

#[test]
fn ids_do_not_depend_on_the_number_of_threads() {
    let golden = parity::golden("blip2_reduced");
    let blip2 = model(&golden, &json!(130), DeviceChoice::Cpu);
    caption_parity::check_threads(&golden, &blip2, &[2, 10, 59]);
}

/// The model has 45 positions, including 5 for the image.
#[test]
fn bad_images_and_lengths_are_refused() {
    let golden = parity::golden("blip2_reduced");
    caption_parity::check_refusals(&model(&golden, &json!(3), parity::device()));
}
