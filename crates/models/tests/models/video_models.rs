//! VideoMAE against transformers: the same synthetic checkpoint, the same clips, every recorded layer
//! (`reference/models_videomae.py`).

use crate::parity::{check, clips, compare, golden, nothing, on_threads, tensors};
use crate::photographs;
use neurogauge_models::{LayerRequest, synthetic_file_model, synthetic_model};
use std::path::Path;

const REDUCED: &str = "videomae_vit_b_16_reduced";

/// Clips of 2, 6 and 16 frames, from a file with the names of the published one.
#[test]
fn videomae_equals_transformers() {
    let name = "transformers_videomae_vit_b_16";
    let golden = golden(name);
    let file = Path::new("model.safetensors");
    let tensors = tensors(&golden).into_iter().collect();
    let model = synthetic_file_model(REDUCED, file, tensors, 0, &[]).unwrap();
    compare(model.as_ref(), name, &golden, |tap| Some(tap.to_owned()));
}

#[test]
fn the_names_of_transformers_5_are_known() {
    check(REDUCED, "videomae_vit_b_16_5", &[], nothing);
}

#[test]
fn the_whole_network_has_as_many_parameters_as_the_published_one() {
    let golden = golden("videomae_vit_b_16_5");
    let tensors = synthetic_model("videomae_vit_b_16", 0, &[]).unwrap().tensors;
    let sizes = tensors.iter().map(|(_, shape)| shape.iter().product::<usize>());
    assert_eq!(golden["published"]["parameters"], sizes.sum::<usize>());
}

/// For more frames than the published model's 16, positions are computed again; alone and with another clip, on any
/// number of threads.
#[test]
fn a_clip_has_the_same_bits_alone_and_with_others_on_any_number_of_threads() {
    let model = synthetic_model(REDUCED, 0, &[]).unwrap().model;
    let images = ["astronaut", "coffee", "noise"].map(|name| photographs::image(name, 224));
    let clips = clips(&images, 18);
    let classes = |n_threads: usize, n_clips: usize| {
        let features = || model.features(&clips[..n_clips], &[LayerRequest::whole("classifier")]).unwrap();
        on_threads(n_threads, features)[0].values[..400].to_vec()
    };
    let alone = classes(1, 1);
    assert!(alone == classes(3, 2));
}

#[test]
fn an_odd_number_of_frames_and_other_sizes_are_refused() {
    let model = synthetic_model(REDUCED, 0, &[]).unwrap().model;
    let images = ["astronaut", "coffee"].map(|name| photographs::image(name, 224));
    let error = |clip| model.features(&[clip], &[LayerRequest::whole("classifier")]).unwrap_err().to_string();
    let odd = error(clips(&images, 3).remove(0));
    assert!(odd.contains("an even number of frames of 224 x 224 px"), "{odd}");
    error(photographs::image("noise", 112));
}
