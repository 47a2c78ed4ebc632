//! What a command is told beside its request: where it writes, where weights are, what a failed item does, which part is its own.

mod custom_observer;
mod model_choices;
mod shard;

pub use custom_observer::CustomObserver;
pub use model_choices::{ModelChoices, ModelOverrides};
pub use shard::Shard;

use neurogauge_core::Seed;
use neurogauge_models::vlm::VlmServer;
use neurogauge_report::LatexStyle;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;

/// What does not decide numbers: where to write, where weights are.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RunSettings {
    /// The run folder.
    #[serde(skip)]
    pub out: PathBuf,
    /// A folder of weights.
    pub weights: Option<PathBuf>,
    /// May missing weights be downloaded?
    pub allow_download: bool,
    /// Is it only asked what would be done? Then nothing is downloaded, and models are planned with whose weights are missing.
    #[serde(skip)]
    pub is_dry_run: bool,
    /// Are weights only looked for at first, because all that are missing are named before the first is downloaded?
    #[serde(skip)]
    pub defers_downloads: bool,
    /// Which weights models have and where they run, for what takes no request. Commands take those of their request.
    pub models: ModelChoices,
    /// Pairs whose masks are drawn over their images, by stem (`<out>/figures/`).
    pub overlays: Vec<String>,
    /// Where observations are kept that all runs share; `None` is the cache (`NEUROGAUGE_CACHE`).
    pub cache: Option<PathBuf>,
    /// Does an item that cannot be observed stop the run? `None`: it is named and left out.
    pub on_failure: Option<OnFailure>,
    /// The part of the items that this process observes; `None` is all of them.
    #[serde(skip)]
    pub shard: Option<Shard>,
    /// Replace a finished run of other inputs or options?
    pub overwrite: bool,
    /// Is the run folder one that the next such run takes for itself? Whatever lies there of another run is removed.
    #[serde(skip)]
    pub is_scratch: bool,
    /// Repeat a run although inputs or models are not those that it had?
    pub accept_changes: bool,
    /// Where models behind a server are served, by the server's name of the model; under no name, for any. No record has it.
    #[serde(skip)]
    pub vlm_servers: BTreeMap<String, VlmServer>,
    /// Observers outside this toolkit that a run or `perceive` also runs ([`observers::custom`](crate::observers::custom)).
    #[serde(skip)]
    pub custom_observers: Vec<CustomObserver>,
    /// Draws another of the orders of steps that the plan allows. No number depends on the order; this is how tests check it.
    #[serde(skip)]
    pub step_order: Option<Seed>,
    /// Also write SEED's official layout under `<out>/evaluations/<name>/`.
    pub export_official: bool,
    /// How tables in LaTeX are written.
    pub latex: LatexStyle,
}

impl RunSettings {
    /// The same with the models of a request.
    pub(crate) fn with_models(&self, models: &ModelChoices) -> RunSettings {
        RunSettings {
            models: models.clone(),
            ..self.clone()
        }
    }
}

/// What an item that cannot be observed does to the others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OnFailure {
    /// It is named and left out; its pairs have no value.
    Skip,
    /// It stops the run. What was observed before it is kept.
    Stop,
}
