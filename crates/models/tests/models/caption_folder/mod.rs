//! Common parts of the tests of captioners in folders: tensors, images, captions.

use crate::parity;
use candle_core::{Device, Tensor};
use neurogauge_core::{Image, synthetic};
use neurogauge_models::{CaptionOptions, Captioner, LocalCaptioner, SyntheticCaptioner};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;

/// The tensors of a synthetic checkpoint.
pub(crate) fn tensors(captioner: &SyntheticCaptioner) -> HashMap<String, Tensor> {
    of_shapes(captioner.tensors().iter().cloned())
}

/// The tensors of a golden.
pub(crate) fn tensors_of(golden: &Value) -> HashMap<String, Tensor> {
    of_shapes(parity::tensors(golden))
}

fn of_shapes(shapes: impl IntoIterator<Item = (String, Vec<usize>)>) -> HashMap<String, Tensor> {
    let tensor = |(name, shape): (String, Vec<usize>)| {
        let values = synthetic::parameter(&name, &shape, 0);
        (name, Tensor::from_vec(values, shape, &Device::Cpu).unwrap())
    };
    shapes.into_iter().map(tensor).collect()
}

/// A special token of a tokenizer.
pub(crate) fn special_token(id: usize, content: &str) -> Value {
    json!({ "id": id, "content": content, "special": true, "single_word": false,
            "lstrip": false, "rstrip": false, "normalized": false })
}

/// The captioner `id` refuses the weights in a file, with a message that has all of these parts.
pub(crate) fn refused(id: &str, path: &Path, parts: &[&str]) {
    let message = LocalCaptioner::custom(id, path).unwrap().load().err().unwrap().to_string();
    for part in parts {
        assert!(message.contains(part), "{part} in {message}");
    }
}

/// Three images of noise.
fn images() -> Vec<Image<f32>> {
    let noise = |index: u64| {
        let source = synthetic::Synthetic::new("noise", index);
        let values = (0..224 * 224 * 3).map(|i| source.uniform(i) * 2.0 - 1.0);
        Image::new(224, 224, values.collect()).unwrap()
    };
    (0..3).map(noise).collect()
}

fn options(n_beams: usize, max_new_tokens: usize) -> CaptionOptions {
    CaptionOptions {
        n_beams: n_beams.try_into().unwrap(),
        max_new_tokens,
    }
}

/// Captions of the images by the captioner `id` with the weights in a file.
pub(crate) fn captions(id: &str, path: &Path, n_beams: usize, max_new_tokens: usize) -> Vec<String> {
    let captioner = LocalCaptioner::custom(id, path).unwrap().load().unwrap();
    of(&*captioner, n_beams, max_new_tokens)
}

/// Captions by a loaded captioner.
pub(crate) fn of(captioner: &dyn Captioner, n_beams: usize, max_new_tokens: usize) -> Vec<String> {
    let n_done = std::sync::atomic::AtomicUsize::new(0);
    let options = options(n_beams, max_new_tokens);
    let written = captioner.caption(&images(), &options, &|n| {
        n_done.fetch_add(n, std::sync::atomic::Ordering::Relaxed);
    });
    assert_eq!(n_done.into_inner(), 3);
    written.unwrap()
}

/// Repeated images, more than a batch, get the same captions as each alone.
pub(crate) fn check_many(captioner: &dyn Captioner) {
    let (images, options) = (images(), options(1, 12));
    let of_each = captioner.caption(&images, &options, &|_| {}).unwrap();
    let many: Vec<Image<f32>> = images.into_iter().cycle().take(19).collect();
    let done = std::sync::Mutex::new(Vec::new());
    let progress = |n: usize| done.lock().unwrap().push(n);
    let written = captioner.caption(&many, &options, &progress).unwrap();
    assert_eq!(done.into_inner().unwrap(), [8, 8, 3]);
    assert_eq!(written.len(), 19);
    assert!(written.iter().zip(of_each.iter().cycle()).all(|(a, b)| a == b));
}

/// The captions as ids.
pub(crate) fn ids(captioner: &SyntheticCaptioner, n_beams: usize, max_new_tokens: usize) -> Vec<Vec<u32>> {
    let options = options(n_beams, max_new_tokens);
    captioner.ids(&images(), &options).unwrap()
}
