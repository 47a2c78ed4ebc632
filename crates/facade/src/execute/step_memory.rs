//! The main memory of a running step, known before it runs.

use super::batches::{n_batches, n_workers};
use super::step::has_kind;
use super::{About, StepInputs};
use crate::memory_forecast::MemoryUse;
use neurogauge_core::ObservationKind;
use neurogauge_models::WeightMemory;

/// Bytes that a thread decoding and preparing images takes in addition to the largest image: for up to a second, the
/// allocator keeps the pages of earlier ones. Measured.
const OF_DECODER: u64 = 18_000_000;
/// Bytes for each pixel of the image that a thread decodes and prepares. Measured.
const OF_DECODED_PIXEL: u64 = 30;
/// Working memory of a network for image features: bytes for all threads together, and bytes per thread and pixel of
/// its input. Measured for ResNet-18, ResNet-50, AlexNet, VGG-16, EfficientNet-B1 and ViT-B/16.
const OF_IMAGE_NETWORK: u64 = 15_000_000;
const OF_INPUT_PIXEL: u64 = 600;
/// Working memory of a network for boxes, masks or generated texts: a fraction of its weights (one over the first
/// number), plus bytes. From the peaks of MM-Grounding-DINO, SAM 2, GIT and BLIP-2 in docs/pages/project/benchmarks.md,
/// with weights of 0.2 to 7 GB.
const OF_LARGE_NETWORK: (u64, u64) = (5, 300_000_000);

/// Bytes per pixel of a prepared image: three f32.
const BYTES_OF_PIXEL: u64 = 12;

/// Width and height of the largest image that a step of this kind reads, according to the headers of files.
pub(crate) fn largest_of(inputs: &dyn StepInputs, kind: ObservationKind) -> (usize, usize) {
    let image_sets = inputs.image_sets().into_iter().filter(|of| has_kind(*of, kind));
    let sizes = image_sets.filter_map(|of| inputs.images(of)?.source.largest_px());
    sizes.max_by_key(|size| n_pixels(*size)).unwrap_or_default()
}

pub(crate) fn n_pixels((width_px, height_px): (usize, usize)) -> u64 {
    width_px as u64 * height_px as u64
}

#[derive(Debug, Clone)]
pub(crate) struct StepMemory {
    pub(crate) model: String,
    pub(crate) weights: WeightMemory,
    /// Working memory of the network in addition to its weights, bytes.
    pub(crate) computing: u64,
    /// Size of a prepared item, bytes.
    pub(crate) item: u64,
    pub(crate) batch: usize,
}

impl StepMemory {
    /// The memory of a network that sees small images, each on one thread.
    pub(crate) fn of_image_network(model: &str, weights: WeightMemory, input_pixels: u64, batch: usize) -> StepMemory {
        let n_threads = rayon::current_num_threads().min(batch) as u64;
        let computing = match weights.arranged {
            0 => 0,
            _ => OF_IMAGE_NETWORK + n_threads * OF_INPUT_PIXEL * input_pixels,
        };
        StepMemory {
            computing,
            ..Self::of_large_network(model, weights, BYTES_OF_PIXEL * input_pixels, batch)
        }
    }

    /// The memory of a network that sees large images or writes texts.
    pub(crate) fn of_large_network(model: &str, weights: WeightMemory, item: u64, batch: usize) -> StepMemory {
        let (part, bytes) = OF_LARGE_NETWORK;
        let computing = match weights.arranged {
            0 => 0,
            arranged => arranged / part + bytes,
        };
        StepMemory {
            model: model.to_owned(),
            weights,
            computing,
            item,
            batch,
        }
    }

    /// The memory of a network that sees large images; `None` if its weights are unknown. `prepared` is the number of
    /// pixels that it sees of an image with some width and height.
    pub(crate) fn of_large_images(
        model: &str,
        weights: Option<WeightMemory>,
        about: About,
        inputs: &dyn StepInputs,
        prepared: impl FnOnce((usize, usize)) -> u64,
    ) -> Option<StepMemory> {
        let item = BYTES_OF_PIXEL * prepared(largest_of(inputs, about.makes));
        weights.map(|weights| Self::of_large_network(model, weights, item, about.batch))
    }

    /// Everything in memory while the step runs on `n_items` items, the largest of which has `n_pixels` pixels.
    pub(crate) fn parts(&self, n_items: usize, n_pixels: u64) -> Vec<MemoryUse> {
        let n_workers = n_workers();
        let n_waiting = (n_batches(n_workers) * self.batch).min(n_items) as u64;
        let decoding = OF_DECODER + OF_DECODED_PIXEL * n_pixels;
        vec![
            (format!("the weights of {}", self.model), self.weights.arranged),
            (format!("what {} computes", self.model), self.computing.max(self.weights.reading)),
            (format!("images that wait for {}", self.model), n_waiting * self.item),
            ("images that are decoded at once".to_owned(), n_workers as u64 * decoding),
        ]
    }
}
