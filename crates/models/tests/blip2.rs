//! BLIP-2 against transformers' Blip2ForConditionalGeneration.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::print_stdout)]

mod caption_parity;
mod parity;
mod photographs;

use caption_parity::{SyntheticCaptioner, images};
use neurogauge_core::Image;
use neurogauge_models::{CaptionOptions, ImageModel, ModelError, SyntheticBlip2};
use serde_json::{Value, json};

impl SyntheticCaptioner for SyntheticBlip2 {
    fn tensors(&self) -> &[(String, Vec<usize>)] {
        self.tensors()
    }

    fn encoder(&self) -> &dyn ImageModel {
        self.encoder()
    }

    fn logits(&self, images: &[Image<f32>], ids: &[u32]) -> Result<Vec<Vec<f32>>, ModelError> {
        self.logits(images, ids)
    }

    fn ids(
        &self,
        images: &[Image<f32>],
        options: &CaptionOptions,
    ) -> Result<Vec<Vec<u32>>, ModelError> {
        self.ids(images, options)
    }
}

/// The golden's configuration, with an end id.
fn model(golden: &Value, end: &Value) -> SyntheticBlip2 {
    let mut config = golden["config"].clone();
    if !end.is_null() {
        config["text_config"]["eos_token_id"] = end.clone();
    }
    SyntheticBlip2::new(&config.to_string()).unwrap()
}

/// Tensors, image encoder and Q-Former, logits of every step, ids of greedy and beam search.
fn check(name: &str) {
    caption_parity::check(name, model, |tap| Some(tap.to_owned()));
}

#[test]
fn reduced_blip2_equals_transformers() {
    check("blip2_reduced");
}

/// The table of words is the output map too, and the Q-Former looks at the image in fewer layers.
#[test]
fn reduced_blip2_with_a_tied_output_equals_transformers() {
    check("blip2_tied");
}

#[test]
fn ids_do_not_depend_on_the_number_of_threads() {
    let golden = parity::golden("blip2_reduced");
    let blip2 = model(&golden, &json!(130));
    let images = images(&golden);
    let logits = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
        let pool = pool.build().unwrap();
        pool.install(|| blip2.logits(&images, &[2, 10, 59]).unwrap())
    };
    assert_eq!(logits(1), logits(3));
}

#[test]
fn bad_images_and_lengths_are_refused() {
    let golden = parity::golden("blip2_reduced");
    let blip2 = model(&golden, &json!(3));
    let image = |px: usize, value: f32| Image::new(px, px, vec![value; px * px * 3]).unwrap();
    let options = CaptionOptions::default();
    let refused = |image: Image<f32>, options: &CaptionOptions, words: &str| {
        let message = blip2.ids(&[image], options).unwrap_err().to_string();
        assert!(message.contains(words), "{message}");
    };
    // 45 positions, 5 of which are the image's.
    refused(image(70, 0.5), &options, "40 tokens at most, and 50");
    let options = CaptionOptions {
        max_new_tokens: 40,
        ..options
    };
    assert!(blip2.ids(&[], &options).unwrap().is_empty());
    assert_eq!(blip2.ids(&[image(70, 0.5)], &options).unwrap().len(), 1);
    refused(
        image(71, 0.5),
        &options,
        "image 0 is 71 x 71 px, expected 70 x 70 px",
    );
    refused(image(70, f32::NAN), &options, "logits of token 1");
}
