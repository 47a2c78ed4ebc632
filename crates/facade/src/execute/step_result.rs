//! The results of an observer.

use super::FailedItem;
use crate::Error;
use neurogauge_core::{Finding, ModelIdentity, ObservationKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// The model that answered, as reported by the server.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AnsweredBy {
    pub model: String,
    /// The build that the server reports.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub system_fingerprint: Option<String>,
}

/// The outcome of a step: the part of `run.json` that is known after it ran.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct StepOutcome {
    /// Items that could not be observed; their pairs have no value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedItem>,
    /// The models that answered, if any were asked.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub answered_by: BTreeSet<AnsweredBy>,
    /// Number of answers that were cut off at the limit of tokens.
    #[serde(skip_serializing_if = "neurogauge_core::words::is_default")]
    pub n_cut_off: usize,
}

/// The results of one observer for all sources of a command.
#[derive(Debug, Clone, PartialEq)]
pub struct StepResult {
    pub kind: ObservationKind,
    pub model: ModelIdentity,
    /// The name of the feature matrix, or of the model.
    pub name: String,
    pub paths: Vec<PathBuf>,
    pub n_images: usize,
    /// Number of items that the model had to observe; the others were in the store.
    pub n_seen: usize,
    pub outcome: StepOutcome,
    /// Number of facts by a parser that do not have three parts.
    pub n_malformed: usize,
    /// Number of masks that a segmenter made.
    pub n_masks: usize,
    /// Number of masks without a label from the prompt.
    pub n_unlabelled: usize,
    /// The rules that split captions into sentences, if any were split.
    pub sentence_rules: Option<String>,
    pub findings: Vec<Finding>,
}

impl StepResult {
    pub(crate) fn by(kind: ObservationKind, model: &ModelIdentity) -> Self {
        StepResult {
            kind,
            model: model.clone(),
            name: model.id.clone(),
            paths: Vec::new(),
            n_images: 0,
            n_seen: 0,
            outcome: StepOutcome::default(),
            n_malformed: 0,
            n_masks: 0,
            n_unlabelled: 0,
            sentence_rules: None,
            findings: Vec::new(),
        }
    }

    /// Adds the counts of another source's images.
    pub(crate) fn count(&mut self, n_images: usize, n_seen: usize, failed: Vec<FailedItem>) {
        self.n_images += n_images;
        self.n_seen += n_seen;
        self.outcome.failed.extend(failed);
    }

    /// Fails if an image has no observation.
    ///
    /// # Errors
    /// [`Error::FailedItems`].
    pub fn check(&self) -> Result<(), Error> {
        FailedItem::check(&self.outcome.failed, self.kind.lacked(), false)
    }
}
