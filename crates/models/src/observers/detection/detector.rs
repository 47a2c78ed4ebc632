//! The traits of detectors, and of networks that detectors use.

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
    /// Identifies the model and its weights.
    fn identity(&self) -> &ModelIdentity;

    /// The objects of each image, in descending order of their scores, with boxes in the pixels of the image before it
    /// was prepared. Categories are indices into `labels`. If the names need more tokens than one prompt has, they are
    /// spread over several prompts (convention `detection-prompt`).
    ///
    /// `progress` is called with the number of images finished since the last call.
    ///
    /// # Errors [`ModelError::Usage`] for a name that is longer than a prompt; outputs that are not numbers
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
    /// As in [`detect`](Self::detect).
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
    /// How well each query fits each token of the prompt: logits of shape (query, token), row-major.
    pub logits: Vec<f32>,
    /// Number of tokens in the prompt, including `[CLS]` and `[SEP]`.
    pub n_tokens: usize,
    /// One box per query: (centre x, centre y, width, height) in 0..1 of the prepared image.
    pub boxes: Vec<[f32; 4]>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PromptTokens {
    /// BERT's token ids, including `[CLS]` and `[SEP]`.
    pub ids: Vec<u32>,
}

/// How categories are prompted for, and how many objects are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct DetectionOptions {
    /// How names of several words are written (convention `detection-prompt`).
    pub prompt_names: PromptNames,
    /// Maximum number of objects per image (convention `detection-scores`).
    pub most: usize,
}

impl Default for DetectionOptions {
    /// SEED's settings.
    fn default() -> Self {
        DetectionOptions {
            prompt_names: PromptNames::default(),
            most: 300,
        }
    }
}

/// A network that looks in an image for what the tokens of a prompt name. Every such network is a [`Detector`].
pub trait GroundingNetwork: Send + Sync {
    /// Identifies the model and its weights.
    fn model(&self) -> &ModelIdentity;

    /// The tokens of a prompt, and the byte range of the prompt that each token covers; empty for `[CLS]` and `[SEP]`.
    ///
    /// # Errors
    /// [`ModelError::Item`].
    fn tokens(&self, prompt: &str) -> Result<(PromptTokens, Vec<Range<usize>>), ModelError>;

    /// The network's output for one prepared image.
    ///
    /// # Errors
    /// The network's errors.
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
        // The prompts run one after the other, since a network keeps its text encoding only for the last one. All
        // threads share the work on one image.
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

/// Joins the objects of earlier prompts with those of a prompt whose first category has index `first`, in descending
/// order of score; equal scores keep the order of the prompts.
fn joined(mut before: Detections, of_part: Detections, first: usize) -> Detections {
    let moved = of_part.items.into_iter().map(|item| Detection {
        category: item.category + first,
        ..item
    });
    before.items.extend(moved);
    before.items.sort_by(|a, b| b.score.total_cmp(&a.score));
    before
}
