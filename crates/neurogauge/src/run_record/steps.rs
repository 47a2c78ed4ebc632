//! The steps of a plan.

use neurogauge_core::{ModelIdentity, Role};
use serde::{Deserialize, Serialize};

/// What is observed and left out; what is compared are the metrics of the record.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct RunPlan {
    /// What observers make, in the order in which they make it.
    pub steps: Vec<Step>,
    /// The metrics that the inputs do not allow.
    pub left_out: Vec<LeftOut>,
}

/// An observer goes through the items of one source.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// What it reads.
    pub reads: Role,
    /// What it writes.
    pub writes: Role,
    /// The feature matrix that it writes, if it writes one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub features: Option<String>,
    /// The model, to the byte.
    pub model: ModelIdentity,
    /// All that decides what it writes, but the items.
    pub recipe: serde_json::Value,
    /// Items.
    pub n_items: usize,
    /// Items that are in the store already; `None` where they are not there yet to be asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub n_known: Option<usize>,
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
