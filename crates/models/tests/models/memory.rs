//! Memory of models: weights in 16 bits take 2 bytes each.

#![allow(unsafe_code)] // for an allocator that counts

use crate::parity::on_threads;
use neurogauge_core::Image;
use neurogauge_models::weights::hold_in_f32;
use neurogauge_models::{
    Arithmetic, CaptionOptions, CaptionerMemory, SyntheticCaptioner, WeightPrecision, synthetic_model,
};
use serde_json::json;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Mutex;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

thread_local! {
    /// Bytes that this thread has allocated and not freed.
    static HELD: Cell<isize> = const { Cell::new(0) };
    /// The largest value of `HELD`.
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// Each test locks it, since one of them sets the form of all weights in the process.
static ALONE: Mutex<()> = Mutex::new(());

struct Counting;

fn count(bytes: isize) {
    // A thread that ends has no counter any more, and nothing reads it.
    let _ = HELD.try_with(|held| {
        held.set(held.get() + bytes);
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(held.get())));
    });
}

// SAFETY: every call is passed to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, place: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        count(new_size as isize - layout.size() as isize);
        unsafe { System.realloc(place, layout, new_size) }
    }

    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        unsafe { System.dealloc(place, layout) }
    }
}

/// The object made on a separate thread, and the bytes that it holds.
fn held<T: Send>(make: impl FnOnce() -> T + Send) -> (T, usize) {
    on_threads(1, || {
        let before = HELD.get();
        let made = make();
        (made, usize::try_from(HELD.get() - before).unwrap())
    })
}

/// The object made on a separate thread, and the peak of the bytes held meanwhile.
fn peak<T: Send>(make: impl FnOnce() -> T + Send) -> (T, usize) {
    on_threads(1, || {
        let before = HELD.get();
        PEAK.set(before);
        let made = make();
        (made, usize::try_from(PEAK.get() - before).unwrap())
    })
}

/// A BLIP-2 with heads as wide as those of BLIP-2 with 2.7 billion weights: 88 in the image encoder, 80 in the language
/// model, so that the scores' factor is not a power of two.
fn config(n_text_layers: usize) -> String {
    let config = json!({
        "vision_config": { "hidden_size": 352, "num_hidden_layers": 2, "num_attention_heads": 4,
                           "intermediate_size": 1536, "patch_size": 14, "image_size": 28 },
        "qformer_config": { "hidden_size": 192, "num_hidden_layers": 2, "num_attention_heads": 3,
                            "intermediate_size": 768 },
        "text_config": { "model_type": "opt", "vocab_size": 2000, "hidden_size": 320,
                         "num_hidden_layers": n_text_layers, "num_attention_heads": 4, "ffn_dim": 1280,
                         "max_position_embeddings": 64, "bos_token_id": 2, "eos_token_id": 7 },
    });
    config.to_string()
}

fn captioner(precision: WeightPrecision) -> (SyntheticCaptioner, usize) {
    let config = config(3);
    let (made, bytes) = held(|| SyntheticCaptioner::blip2(&config, precision.into(), CaptionerMemory::Whole));
    (made.unwrap(), bytes)
}

/// Bytes held, relative to the bytes of weights with `each` bytes. The words are a table and the output map.
fn share(captioner: &SyntheticCaptioner, held: usize, each: usize) -> f64 {
    let n_weights: usize = (captioner.tensors().iter()).map(|(_, shape)| shape.iter().product::<usize>()).sum();
    held as f64 / (each * (n_weights + 2000 * 320)) as f64
}

#[test]
fn a_captioner_takes_two_bytes_for_each_weight_that_16_bits_hold() {
    let _alone = ALONE.lock().unwrap();
    for (precision, each) in [(WeightPrecision::F32, 4), (WeightPrecision::Bf16, 2), (WeightPrecision::F16, 2)] {
        let (halved, held) = captioner(precision);
        let share_of_halved = share(&halved, held, each);
        println!("{precision}: {held} bytes, {share_of_halved:.3} of those of the weights");
        assert!((0.98..1.06).contains(&share_of_halved), "{precision}: {share_of_halved}");

        hold_in_f32(true);
        let (full, held) = captioner(precision);
        hold_in_f32(false);
        let share_of_full = share(&full, held, 4);
        assert!((0.98..1.06).contains(&share_of_full), "{precision}: {share_of_full}");
        let image = Image::new(28, 28, vec![0.5_f32; 28 * 28 * 3]).unwrap();
        let logits = |captioner: &SyntheticCaptioner| captioner.logits(std::slice::from_ref(&image), &[2, 9]).unwrap();
        assert_eq!(logits(&halved), logits(&full), "{precision}");
    }
}

/// The language model is the larger half: six sevenths. Weights are in 32 bits here: while a map is arranged, it is
/// also in memory as read, and would be a large part of such a small model in 16 bits.
#[test]
fn halves_that_take_turns_take_the_memory_of_the_larger_one() {
    let _alone = ALONE.lock().unwrap();
    let config = config(20);
    let images: Vec<Image<f32>> =
        [0.5_f32, -0.5].map(|value| Image::new(28, 28, vec![value; 28 * 28 * 3]).unwrap()).into();
    let options = CaptionOptions {
        max_new_tokens: 4,
        ..CaptionOptions::default()
    };
    let write = |memory| {
        let captioner = SyntheticCaptioner::blip2(&config, Arithmetic::default(), memory).unwrap();
        let twice = [(); 2].map(|()| captioner.ids(&images, &options).unwrap());
        (twice, captioner.tensors().to_vec())
    };
    let ((of_whole, tensors), whole) = peak(|| write(CaptionerMemory::Whole));
    let ((of_turns, taken), turns) = peak(|| write(CaptionerMemory::InTurns));
    assert_eq!((&of_turns, &taken), (&of_whole, &tensors));
    assert_eq!(of_turns[0], of_turns[1]);

    let bytes = |is_counted: fn(&str) -> bool| {
        let counted = tensors.iter().filter(|(name, _)| is_counted(name));
        let counted = counted.map(|(_, shape)| shape.iter().product::<usize>());
        4 * counted.sum::<usize>() as u64
    };
    // The words are a table and the output map.
    let language = bytes(|name| name.starts_with("language_model.")) + 4 * 2000 * 320;
    let vision = bytes(|name| !name.starts_with("language_model."));
    let share = |peak: usize, of: u64| peak as f64 / of as f64;
    println!(
        "at most {:.3} of both halves, in turns {:.3} of the larger",
        share(whole, language + vision),
        share(turns, language)
    );
    assert!((0.98..1.05).contains(&share(whole, language + vision)));
    assert!((0.98..1.05).contains(&share(turns, language)));
}

/// Convolutions also take 16 bits: those of 2 x 2 are a twentieth of these weights.
#[test]
fn convolutions_lie_in_16_bits() {
    let _alone = ALONE.lock().unwrap();
    let (model, held) = held(|| synthetic_model("convnext_tiny-bf16", 0, &[]).unwrap());
    let n_weights: usize = (model.tensors.iter()).map(|(_, shape)| shape.iter().product::<usize>()).sum();
    let share = held as f64 / (2 * n_weights) as f64;
    println!("{held} bytes, {share:.3} of those of the weights");
    assert!((0.98..1.03).contains(&share), "{share}");
}
