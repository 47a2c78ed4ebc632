//! What an observer made.

use super::FailedItem;
use crate::Error;
use neurogauge_core::{ModelIdentity, ObservationKind, Warning};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Who answered, as the server says it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AnsweredBy {
    /// The server's name of the model.
    pub model: String,
    /// What the server says of its build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub system_fingerprint: Option<String>,
}

/// What became of a step: the part of `run.json` that is known once it ran.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct StepOutcome {
    /// Items that could not be observed; their pairs have no value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<FailedItem>,
    /// Who answered, where a model was asked.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    pub answered_by: BTreeSet<AnsweredBy>,
    /// Answers that ended where they had all the tokens that they may have.
    #[serde(skip_serializing_if = "is_zero")]
    pub n_cut_off: usize,
}

fn is_zero(n: &usize) -> bool {
    *n == 0
}

impl StepOutcome {
    /// Did all items succeed, without anything to say about it?
    pub fn is_plain(&self) -> bool {
        *self == StepOutcome::default()
    }
}

/// What one observer made, of all sources of a command.
#[derive(Debug, Clone, PartialEq)]
pub struct Perceived {
    /// Of which kind it is.
    pub kind: ObservationKind,
    /// Which model made it.
    pub model: ModelIdentity,
    /// The feature matrix, or the model.
    pub name: String,
    /// The files or folders that were written.
    pub paths: Vec<PathBuf>,
    /// Images.
    pub n_images: usize,
    /// Items that the model had to see; the rest was known.
    pub n_seen: usize,
    /// What could not be observed, and who answered.
    pub outcome: StepOutcome,
    /// Facts that a parser wrote and that are not of three parts.
    pub n_malformed: usize,
    /// Masks that a segmenter made.
    pub n_masks: usize,
    /// Those of them that no word of the prompt names.
    pub n_unlabelled: usize,
    /// Whose rules split captions into sentences, where they were split.
    pub sentence_rules: Option<String>,
    /// What should be known about it.
    pub warnings: Vec<Warning>,
}

impl Perceived {
    /// Nothing yet.
    pub(crate) fn by(kind: ObservationKind, model: &ModelIdentity) -> Self {
        Perceived {
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
            warnings: Vec::new(),
        }
    }

    /// Counts what became of the images of another source.
    pub(crate) fn count(&mut self, n_images: usize, n_seen: usize, failed: Vec<FailedItem>) {
        self.n_images += n_images;
        self.n_seen += n_seen;
        self.outcome.failed.extend(failed);
    }

    /// An error if an image has none of it.
    ///
    /// # Errors
    /// [`Error::FailedItems`].
    pub fn check(&self) -> Result<(), Error> {
        FailedItem::check(&self.outcome.failed, self.kind.lacked())
    }
}
