//! The steps of a plan: data that `--dry-run` prints and `run.json` records, in the order in which they run.

use crate::execute::{StepOutcome, StepOutput};
use neurogauge_core::{ModelIdentity, ObservationKind};
use serde::{Deserialize, Serialize};

/// The steps of observers, and the metrics that are left out. The record lists the computed metrics.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RunPlan {
    /// The steps of observers, in the order in which they run.
    pub steps: Vec<RecordedStep>,
    pub left_out: Vec<LeftOut>,
}

impl RunPlan {
    pub fn making(&self, kind: ObservationKind) -> impl Iterator<Item = &RecordedStep> {
        self.steps.iter().filter(move |step| step.makes() == kind)
    }
}

/// One observer over the items of every source that it reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RecordedStep {
    pub parts: Vec<StepPart>,
    pub model: ModelIdentity,
    /// Everything that affects its output, except the items; for an image model, one recipe for each matrix.
    pub recipe: serde_json::Value,
    #[serde(default, skip_serializing_if = "neurogauge_core::words::is_default")]
    pub outcome: StepOutcome,
}

impl RecordedStep {
    pub fn writes_features(&self) -> bool {
        self.parts.iter().any(|part| part.output.features.is_some())
    }

    pub fn makes(&self) -> ObservationKind {
        self.parts.first().map_or(ObservationKind::Images, |part| part.output.writes.kind)
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepPart {
    #[serde(flatten)]
    pub output: StepOutput,
    pub n_items: usize,
    /// Items that are already in the store; `None` if their inputs are not made yet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub n_cached: Option<usize>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    pub metric: String,
    pub reason: String,
    /// The model whose weights are missing, if nothing else is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}
