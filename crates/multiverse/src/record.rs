//! The request, and `multiverse.json`.

use crate::{Choice, Effect, Nearest, Order, Over};
use neurogauge::core::{Direction, Estimate, Warning};
use neurogauge::{Provenance, ScoreRequest};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Raised when the layout of `multiverse.json` changes.
pub(crate) const SCHEMA: u32 = 1;

/// Stimuli, systems, and the conventions under which they are scored.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MultiverseRequest {
    /// Stimuli: a folder of images, an `.npy` stack or a `.pt` file.
    pub stimuli: PathBuf,
    /// Names and reconstructions of systems, likewise.
    pub systems: Vec<(String, PathBuf)>,
    /// Ids of metrics, or names of lists.
    pub metrics: Vec<String>,
    /// Which conventions.
    pub over: Over,
    /// A number that was published, whose convention is looked for.
    pub published: Option<f64>,
    /// Everything that no convention decides, such as intervals and models.
    pub score: ScoreRequest,
}

/// The content of `multiverse.json`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MultiverseRecord {
    /// The program; inputs are in the records of the runs.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// What was asked for.
    pub request: MultiverseRequest,
    /// One for each metric.
    pub metrics: Vec<MetricUniverse>,
    /// All estimates by their distance from the published number, the nearest first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub nearest: Vec<Nearest>,
    /// What should be known about the numbers.
    pub warnings: Vec<Warning>,
}

/// A metric under all conventions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MetricUniverse {
    /// Its id.
    pub metric: &'static str,
    /// Its name in tables.
    pub label: String,
    /// Which way is better.
    pub direction: Direction,
    /// The value at chance, if known.
    pub chance: Option<f64>,
    /// The conventions, from the lowest mean over systems to the highest.
    pub conventions: Vec<ConventionRow>,
    /// Main effects of the choices that differ, if the conventions hold all of their combinations; else of the convention as a whole.
    /// Empty if nothing varies.
    pub effects: Vec<Effect>,
    /// How the order of systems changes; none with fewer than two systems.
    pub order: Option<Order>,
}

/// A convention and the estimates under it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConventionRow {
    /// The names of all conventions that decide the same for this metric.
    pub name: String,
    /// What they decide.
    pub choices: Vec<Choice>,
    /// One for each system.
    pub systems: Vec<Scored>,
}

/// A system under a convention.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Scored {
    /// Mean, interval, counts.
    pub estimate: Estimate,
    /// The standard error of the mean; for identification the jackknife's.
    pub standard_error: Option<f64>,
    /// The run, below the folder of the results.
    pub run: String,
    /// The values that the standard error is of, by stem.
    #[serde(skip)]
    pub(crate) values: BTreeMap<String, f64>,
}

impl ConventionRow {
    /// The mean over the systems that have a value.
    pub(crate) fn mean(&self) -> Option<f64> {
        let values = self.systems.iter();
        let values = values.filter_map(|scored| scored.estimate.value.clone().ok());
        neurogauge::stats::mean(values)
    }
}
