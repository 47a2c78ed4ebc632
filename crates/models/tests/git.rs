//! GIT against transformers' GitForCausalLM.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::print_stdout)]

mod caption_parity;
mod parity;
mod photographs;

use caption_parity::{SyntheticCaptioner, images};
use neurogauge_core::Image;
use neurogauge_models::{CaptionOptions, ImageModel, ModelError, SyntheticGit};
use serde_json::{Value, json};

impl SyntheticCaptioner for SyntheticGit {
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
fn model(golden: &Value, end: &Value) -> SyntheticGit {
    let mut config = golden["config"].clone();
    if !end.is_null() {
        config["eos_token_id"] = end.clone();
    }
    SyntheticGit::new(&config.to_string()).unwrap()
}

/// Tensors, image encoder, logits of every step, ids of greedy and beam search.
fn check(name: &str) {
    caption_parity::check(name, model, |tap| {
        let tower = tap.strip_prefix("git.image_encoder.");
        Some(tower.or(tap.strip_prefix("git.")).unwrap().to_owned())
    });
}

#[test]
fn reduced_git_equals_transformers() {
    check("git_reduced");
}

#[test]
#[ignore = "takes 0.7 GB and a minute"]
fn git_base_equals_transformers() {
    check("git_base_coco");
}

#[test]
#[ignore = "takes 1.6 GB and some minutes"]
fn git_large_equals_transformers() {
    check("git_large_coco");
}

#[test]
fn ids_do_not_depend_on_the_number_of_threads() {
    let golden = parity::golden("git_reduced");
    let git = model(&golden, &json!(130));
    let images = images(&golden);
    let logits = |n_threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(n_threads);
        let pool = pool.build().unwrap();
        pool.install(|| git.logits(&images, &[1, 10, 59]).unwrap())
    };
    assert_eq!(logits(1), logits(3));
}

#[test]
fn bad_images_and_lengths_are_refused() {
    let golden = parity::golden("git_reduced");
    let git = model(&golden, &json!(2));
    let image = |px: usize, value: f32| Image::new(px, px, vec![value; px * px * 3]).unwrap();
    let options = CaptionOptions::default();
    assert!(
        git.ids(
            &[],
            &CaptionOptions {
                max_new_tokens: 4,
                ..options
            }
        )
        .unwrap()
        .is_empty()
    );
    let message = git
        .ids(&[image(70, 0.5)], &options)
        .unwrap_err()
        .to_string();
    assert!(message.contains("40 tokens at most, and 50"), "{message}");
    let options = CaptionOptions {
        max_new_tokens: 40,
        ..options
    };
    let message = git
        .ids(&[image(71, 0.5)], &options)
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("image 0 is 71 x 71 px, expected 70 x 70 px"),
        "{message}"
    );
    let message = git
        .ids(&[image(70, f32::NAN)], &options)
        .unwrap_err()
        .to_string();
    assert!(message.contains("logits of token 1"), "{message}");
}
