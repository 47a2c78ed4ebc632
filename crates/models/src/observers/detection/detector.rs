//! The traits of detectors and of networks that detectors are made of.

use super::grounded::grounded_boxes;
use super::prompt::prompts;
use super::{DetectorInput, GroundedBox, GroundingOptions, PromptNames, postprocess::postprocess};
use crate::ModelError;
use neurogauge_core::{Detection, Detections, Image, LabelList, ModelIdentity};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A model that finds objects of given categories in an image.
///
/// Its result for an image does not depend on the other images of the call, nor on the number of threads.
pub trait Detector: Send + Sync {
    /// Which model this is, to the byte.
    fn identity(&self) -> &ModelIdentity;

    /// The objects of each image, in descending order of their scores, with boxes in the pixels of the image before it
    /// was prepared. Categories are places in `labels`. More names than one prompt has tokens for are asked for in
    /// several (convention `detection-prompt`).
    ///
    /// `progress` is called with the number of images finished since the last call.
    ///
    /// # Errors
    /// [`ModelError::Usage`] for a name that is longer than a prompt; outputs that nothing can be made of
    /// ([`ModelError::Item`]).
    fn detect(
        &self,
        images: &[DetectorInput],
        labels: &LabelList,
        options: &DetectionOptions,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Detections>, ModelError>;

    /// Boxes of these names in an image, each with the words that name it (convention `grounded-boxes`), in the order
    /// of the network's queries.
    ///
    /// # Errors
    /// Those of [`detect`](Self::detect).
    fn ground(
        &self,
        input: &DetectorInput,
        names: &[String],
        options: &GroundingOptions,
    ) -> Result<Vec<GroundedBox>, ModelError>;
}

/// A detector's output before post-processing.
#[derive(Debug, Clone, PartialEq)]
pub struct RawDetections {
    /// How well each query fits each token of the prompt: n_queries x n_tokens logits, row-major.
    pub logits: Vec<f32>,
    /// Tokens of the prompt, `[CLS]` and `[SEP]` included.
    pub n_tokens: usize,
    /// One box for each query: (centre x, centre y, width, height), 0..1 of the image as given.
    pub boxes: Vec<[f32; 4]>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptTokens {
    /// BERT's ids, `[CLS]` and `[SEP]` included.
    pub ids: Vec<u32>,
}

/// How objects are asked for and chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DetectionOptions {
    /// How names of several words are written (convention `detection-prompt`).
    pub prompt_names: PromptNames,
    /// The most objects that are kept of an image (convention `detection-scores`).
    pub most: usize,
}

impl Default for DetectionOptions {
    /// As SEED does.
    fn default() -> Self {
        DetectionOptions {
            prompt_names: PromptNames::default(),
            most: 300,
        }
    }
}

/// A network that looks in an image for the things that the tokens of a prompt name. Every such network is a
/// [`Detector`].
pub trait GroundingNetwork: Send + Sync {
    /// Which model this is, to the byte.
    fn model(&self) -> &ModelIdentity;

    /// The tokens of a prompt and the bytes of it that each covers; none for the tokens around it.
    ///
    /// # Errors
    /// [`ModelError::Item`].
    fn tokens(&self, prompt: &str) -> Result<(PromptTokens, Vec<Range<usize>>), ModelError>;

    /// The network's output for one prepared image.
    ///
    /// # Errors
    /// Those of the network.
    fn look(&self, image: &Image<f32>, prompt: &PromptTokens) -> Result<RawDetections, ModelError>;
}

impl<N: GroundingNetwork> Detector for N {
    fn identity(&self) -> &ModelIdentity {
        self.model()
    }

    fn detect(
        &self,
        images: &[DetectorInput],
        labels: &LabelList,
        options: &DetectionOptions,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Detections>, ModelError> {
        let parts = prompts(labels.names(), options.prompt_names, &|text| self.tokens(text))?;
        let mut found: Vec<Option<Detections>> = vec![None; images.len()];
        // One prompt after the other: a network keeps its result for the last one. It shares the work on one image
        // among all threads.
        for (place, part) in parts.iter().enumerate() {
            for (input, found) in images.iter().zip(&mut found) {
                let raw = self.look(&input.image, &part.tokens)?;
                let prepared_px = (input.image.width_px(), input.image.height_px());
                let of_part = postprocess(&raw, &part.categories, prepared_px, input.original_px, options.most)?;
                *found = Some(match found.take() {
                    None => of_part,
                    Some(before) => joined(before, of_part, part.first),
                });
                if place + 1 == parts.len() {
                    progress(1);
                }
            }
        }
        Ok(found.into_iter().map(Option::unwrap_or_default).collect())
    }

    fn ground(
        &self,
        input: &DetectorInput,
        names: &[String],
        options: &GroundingOptions,
    ) -> Result<Vec<GroundedBox>, ModelError> {
        grounded_boxes(self, input, names, options)
    }
}

/// The objects of earlier prompts and those of one whose first category has the place `first`, in descending order of
/// their scores; equal scores keep the order of the prompts.
fn joined(mut before: Detections, of_part: Detections, first: usize) -> Detections {
    let moved = of_part.items.into_iter().map(|item| Detection {
        category: item.category + first,
        ..item
    });
    before.items.extend(moved);
    before.items.sort_by(|a, b| b.score.total_cmp(&a.score));
    before
}
