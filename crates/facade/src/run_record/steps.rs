//! The steps of a plan: data that `--dry-run` prints and `run.json` records, in the order in which they run.

use crate::execute::{StepOutcome, StepOutput};
use neurogauge_core::{ModelIdentity, ObservationKind};
use serde::{Deserialize, Serialize};

/// What is observed and left out; what is compared are the metrics of the record.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RunPlan {
    /// What observers make, in the order in which they make it.
    pub steps: Vec<Step>,
    /// The metrics that the inputs do not allow.
    pub left_out: Vec<LeftOut>,
}

impl RunPlan {
    /// The steps that make observations of a kind.
    pub fn making(&self, kind: ObservationKind) -> impl Iterator<Item = &Step> {
        self.steps.iter().filter(move |step| step.makes() == kind)
    }
}

/// One observer that goes through the items of every source that it reads.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// What it reads and writes of each source.
    pub parts: Vec<StepPart>,
    /// The model, to the byte.
    pub model: ModelIdentity,
    /// All that decides what it writes, except the items; of an image model one recipe for each matrix.
    pub recipe: serde_json::Value,
    /// What became of it, once it ran.
    #[serde(default, skip_serializing_if = "StepOutcome::is_plain")]
    pub outcome: StepOutcome,
}

impl Step {
    /// Does it write feature matrices?
    pub fn writes_features(&self) -> bool {
        self.parts.iter().any(|part| part.output.features.is_some())
    }

    /// What it makes.
    pub fn makes(&self) -> ObservationKind {
        let first = self.parts.first();
        first.map_or(ObservationKind::Images, |part| part.output.writes.kind)
    }
}

/// What a step makes of one source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StepPart {
    /// What it reads and writes.
    #[serde(flatten)]
    pub output: StepOutput,
    /// Items.
    pub n_items: usize,
    /// Items that are in the store already; `None` if what they are made of is not made yet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n_cached: Option<usize>,
}

/// A metric that is not computed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Its id.
    pub metric: String,
    /// What it lacks.
    pub reason: String,
    /// The model whose weights it lacks, where that is all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
}
