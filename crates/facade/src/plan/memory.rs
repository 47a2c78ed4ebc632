//! The main memory that a run takes at once.

use super::observers::encoders;
use super::{Resolved, StepPart};
use crate::Error;
use crate::execute::{StepMemory, n_pixels};
use crate::kinds::{CaptionKind, ObservedKind};
use crate::memory_forecast::{MemoryForecast, MemoryUse, Phases};
use crate::model_weights::obtain;
use crate::observers::text_embeddings::is_placeholder;
use neurogauge_core::{Captions, ObservationKind, Side, Silent};
use neurogauge_formats::image_source::ImageSource;
use neurogauge_metrics::Compute;
use neurogauge_models::{DeviceChoice, LocalTextEncoder};

/// Bytes per pair: its names, keys in the store and in the journal, scores, and hashes of its images. Measured.
const OF_PAIR: u64 = 3_500;
/// Bytes per embedded text. Measured.
const OF_TEXT: u64 = 6_000;
/// Bytes for each pixel of an image that a thread compares: the median of 30 runs. Measured.
const OF_COMPARED_PIXEL: u64 = 34;
/// Bytes that every thread but the first takes in addition to its images, and bytes for each metric but the first. For
/// up to a second, the allocator keeps the pages of earlier images on each thread, and a single thread uses its own
/// again. Measured.
const OF_FURTHER_THREAD: u64 = 16_000_000;
const OF_FURTHER_METRIC: u64 = 15_000_000;
/// Working memory of a text encoder, bytes: in total, and per thread. Measured.
const OF_TEXTS: u64 = 15_000_000;
const OF_TEXTS_THREAD: u64 = 10_000_000;

impl Resolved {
    /// The forecast of the plan. Stored items are subtracted if they have been counted. `program` is the memory of the
    /// program before it opened the inputs.
    pub(crate) fn memory(&self, program: u64) -> Result<MemoryForecast, Error> {
        let largest = self.largest_image();
        let mut phases = Phases::default();
        self.keep_results(&mut phases);
        for (step, observer) in self.record.steps().iter().zip(&self.observers) {
            let is_new = |part: &&StepPart| part.n_cached != Some(part.n_items);
            let n_items: usize = step.parts.iter().filter(is_new).map(|part| part.n_items).sum();
            if n_items == 0 {
                continue;
            }
            match observer.memory(&self.inputs.dataset)? {
                Some(memory) => phases.add(memory.parts(n_items, largest)),
                None => phases.unknown(&step.model.id),
            }
        }
        self.add_comparison(&mut phases, largest)?;
        self.add_text_encoders(&mut phases)?;
        self.add_identification(&mut phases);
        Ok(phases.forecast(program))
    }

    /// Adds the compared images, and the networks that compare them.
    fn add_comparison(&self, phases: &mut Phases, n_pixels: u64) -> Result<(), Error> {
        if !self.selection.compares(ObservationKind::Images) {
            return Ok(());
        }
        let n_threads = rayon::current_num_threads();
        let mut comparing: Vec<MemoryUse> =
            vec![("images that are compared at once".to_owned(), self.comparing(n_threads as u64, n_pixels))];
        for recipe in self.selection.networks() {
            let id = &recipe.backbone.identity().id;
            match recipe.backbone.weight_memory(recipe.device)? {
                Some(weights) => {
                    let network = StepMemory::of_image_network(id, weights, n_pixels, n_threads);
                    comparing.extend(network.parts(n_threads, 0));
                }
                None => phases.unknown(id),
            }
        }
        phases.add(comparing);
        Ok(())
    }

    fn add_text_encoders(&self, phases: &mut Phases) -> Result<(), Error> {
        let encoders = encoders(&self.request, &self.selection).into_iter().map(|(_, encoder)| encoder);
        for encoder in encoders.filter(|encoder| !is_placeholder(encoder)) {
            let found: LocalTextEncoder = obtain(encoder, &self.settings, &Silent)?;
            let computing = OF_TEXTS + rayon::current_num_threads() as u64 * OF_TEXTS_THREAD;
            match found.weight_memory(DeviceChoice::of(found.identity()))? {
                Some(weights) => phases.add(vec![
                    (format!("the weights of {encoder}"), weights.arranged),
                    (format!("what {encoder} computes"), computing),
                ]),
                None => phases.unknown(encoder),
            }
        }
        Ok(())
    }

    fn comparing(&self, n_threads: u64, n_pixels: u64) -> u64 {
        let metrics = self.selection.metrics.iter();
        let of_pixels = metrics.filter(|selected| matches!(selected.metric.compute, Compute::Pixels(_)));
        let n_further = of_pixels.count().saturating_sub(1) as u64;
        let of_further_thread = OF_FURTHER_THREAD + n_further * OF_FURTHER_METRIC;
        n_threads * OF_COMPARED_PIXEL * n_pixels + (n_threads - 1) * of_further_thread
    }

    /// Pixels of the largest image, according to the headers of files.
    pub(super) fn largest_image(&self) -> u64 {
        let sides = self
            .inputs
            .dataset
            .images()
            .into_iter()
            .flat_map(|images| Side::BOTH.map(|side| images.sides.side(side)));
        let sizes = sides.chain(&self.inputs.dataset.pool.images);
        sizes.filter_map(|images| images.largest_px().map(n_pixels)).max().unwrap_or(0)
    }

    fn keep_results(&self, phases: &mut Phases) {
        let n_pairs = self.inputs.dataset.stems.len() as u64;
        phases.keep("names and results of the pairs", n_pairs * OF_PAIR);
        if self.selection.embeds_captions() {
            let n_texts = match CaptionKind::of(&self.inputs.dataset) {
                Some(captions) => {
                    let of_side =
                        |texts: &[(String, Captions)]| texts.iter().map(|(_, own)| own.0.len()).sum::<usize>();
                    of_side(&captions.sides.gt.0) + of_side(&captions.sides.recon.0)
                }
                None => 2 * self.inputs.dataset.stems.len(),
            };
            phases.keep("texts and their embeddings", n_texts as u64 * OF_TEXT);
        }
    }

    /// Adds the similarities of all pairs to each other or to a pool, and the features of one side.
    fn add_identification(&self, phases: &mut Phases) {
        let n_pairs = self.inputs.dataset.stems.len();
        let of_pool = self.inputs.dataset.pool.images.as_ref().map(ImageSource::len);
        let of_pools = self.inputs.dataset.pool.features.iter().map(|(_, found)| found.ids().len());
        let n_pool = of_pools.chain(of_pool).max().unwrap_or(0);
        let metrics = self.selection.metrics.iter().map(|selected| &selected.metric.compute);
        let metrics = metrics.filter(|compute| matches!(compute, Compute::Identification { .. }));
        let n_others = metrics.map(|compute| if compute.needs_pool() { n_pool } else { n_pairs });
        let Some(n_others) = n_others.max() else {
            return;
        };
        let features = self.inputs.dataset.features.iter();
        let n_features = features.map(|(_, found)| found.sides.gt.n_features()).max();
        phases.add(vec![
            ("the similarities of all pairs".to_owned(), (8 * n_pairs * n_others) as u64),
            ("features".to_owned(), (4 * n_pairs * n_features.unwrap_or(0)) as u64),
        ]);
    }
}
