//! `run.json`: everything that is needed to repeat a run.

mod identity;
mod steps;
mod units;

pub use steps::{LeftOut, RecordedStep, RunPlan, StepPart};

use crate::clusters::ClusterRecord;
use crate::execute::{FailedItem, StepOutput};
use crate::protocol::RunProtocol;
use crate::request::ScoreRequest;
use crate::results::Provenance;
use crate::shuffled_null::NullLevel;
use neurogauge_core::pair::Axis;
use neurogauge_core::{Estimate, Finding, LabelGroups, LabelList, ModelIdentity, ObservationKind, Role, counted};
use neurogauge_formats::input_record::InputRecord;
use neurogauge_formats::{FormatError, json};
use neurogauge_metrics::Metric;
use neurogauge_models::{DeviceChoice, FeatureRecipe};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

/// Increased when older `run.json` files can no longer be read.
pub(crate) const SCHEMA: u32 = 5;

/// Describes what an unreadable image lacks.
const UNREADABLE: &str = "readable pixels";

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    #[serde(flatten)]
    pub provenance: Provenance,
    /// True once every output is written.
    pub complete: bool,
    pub request: ScoreRequest,
    /// Names of the label list, in the order of the indices.
    pub label_names: Vec<String>,
    /// Supercategories and salience of the user's label list.
    #[serde(default, skip_serializing_if = "LabelGroups::is_empty")]
    pub label_groups: LabelGroups,
    pub models: Vec<ModelIdentity>,
    /// The device of image models; `None` if there were none.
    pub device: Option<DeviceChoice>,
    /// Recipes of the feature matrices that were made from the images.
    pub perceived: Vec<FeatureRecipe>,
    /// The computed metrics, and their inputs.
    pub metrics: Vec<MetricRecord>,
    pub n_pairs: usize,
    /// The parts of items, if items have several pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<PartsRecord>,
    /// The test set whose ids the run has, if it is a known one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<RunProtocol>,
    /// SHA-256 of everything above that affects a number (paths do not).
    pub fingerprint: String,
    /// The distractor pools of identification metrics.
    pub pools: Vec<PoolRecord>,
    /// Identification by means of trials, if requested.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub averaged: Vec<AveragedIdentification>,
    /// Stems of the pairs of each stimulus that more than one pair shows, if a metric of identification was computed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeated_stimuli: Vec<Vec<String>>,
    /// The clusters of alike stimuli, if any are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clusters: Option<ClusterRecord>,
    /// The scores of metrics for reconstructions of other stimuli, if requested.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub null_levels: BTreeMap<String, NullLevel>,
    /// Images that could not be read for the comparison; their pairs have no value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<FailedItem>,
    pub findings: Vec<Finding>,
    /// SHA-256 of each output file.
    pub outputs: BTreeMap<String, String>,
    /// The limit on an image's pixels, if not the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_pixels: Option<u64>,
    pub plan: RunPlan,
}

/// The origin of a metric's values.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetricRecord {
    pub id: String,
    /// `computed`, `imported`, or the feature matrix that it was computed from: `features/<name>` if given,
    /// `perceived/<name>` if made from the images.
    pub origin: String,
    pub stand_in: bool,
    /// Ids of the conventions (`docs/pages/conventions`) that affect it.
    pub conventions: Vec<String>,
}

/// Items that consist of several pairs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartsRecord {
    pub axes: Vec<Axis>,
    /// Number of items, which are the units of scores, intervals and tests.
    pub n_items: usize,
}

impl PartsRecord {
    /// The number of items and of their parts, in words.
    pub(crate) fn in_words(&self, n_pairs: usize) -> String {
        let nouns: Vec<&str> = self.axes.iter().map(|axis| axis.noun()).collect();
        let items = counted(self.n_items, "item");
        format!("{items} with {n_pairs} pairs of {}s", nouns.join("s and "))
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolRecord {
    pub metric: String,
    /// The number of distractors for each pair.
    pub n_others: usize,
    /// Number of images that were left out as distractors because they have no similarity to any image.
    pub n_left_out: usize,
}

/// Identification by the mean features of a number of trials of each image that has as many.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AveragedIdentification {
    pub metric: String,
    pub n_trials: usize,
    pub n_images: usize,
    /// The mean over random subsets of the trials, with its interval for new images and new distractors.
    #[serde(flatten)]
    pub estimate: Estimate,
}

impl RunRecord {
    /// Reads a `run.json`.
    pub(crate) fn read(path: &Path) -> Result<RunRecord, FormatError> {
        json::read_of_schema(path, SCHEMA, "score again")
    }

    /// The metrics to request in order to repeat the run. An EffNet that is only part of SEED is not named, since its
    /// images would then be prepared as for all models.
    pub(crate) fn asked_again(&self) -> Vec<String> {
        let ids = self.metrics.iter().map(|metric| metric.id.clone());
        let is_seeds =
            self.request.perception.seed.is_some() && !self.perceived.iter().any(|recipe| recipe.variant.is_some());
        ids.filter(|id| !(is_seeds && id == "effnet")).collect()
    }

    /// How far every value of an identification metric is below a share from 0 to 1 (convention `identification-own`);
    /// 0 for any other metric.
    pub(crate) fn too_low_by(&self, metric: &Metric) -> f64 {
        let options = &self.request.options.identification;
        let pool = self.pool_of(metric.spec.id);
        pool.map_or(0.0, |pool| options.too_low_by(pool.n_others))
    }

    pub(crate) fn pool_of(&self, metric: &str) -> Option<&PoolRecord> {
        self.pools.iter().find(|pool| pool.metric == metric)
    }

    /// Fails if an item failed, such as an image without features or detections, or a caption without a scene graph.
    ///
    /// # Errors
    /// [`Error::FailedItems`](crate::Error::FailedItems).
    pub fn check_observations(&self) -> Result<(), crate::Error> {
        self.failed_items().into_iter().try_for_each(|(what, images)| FailedItem::check(images, what, true))
    }

    pub(crate) fn label_list(&self) -> LabelList {
        LabelList::new("of the run", &self.label_names).grouped(self.label_groups.clone())
    }

    /// The failed items, grouped by what they lack.
    pub fn failed_items(&self) -> Vec<(&'static str, &[FailedItem])> {
        let failed = self.steps().iter().map(|step| {
            let what = step.makes().lacked();
            (what, step.outcome.failed.as_slice())
        });
        let unreadable = (UNREADABLE, self.unreadable.as_slice());
        std::iter::once(unreadable).chain(failed).collect()
    }

    /// The steps of observers, in the order in which they ran.
    pub fn steps(&self) -> &[RecordedStep] {
        &self.plan.steps
    }

    /// The outputs of observers for one role; for features, one for each matrix. Empty if no observer of the run made
    /// it.
    pub(crate) fn outputs(&self, role: Role) -> impl Iterator<Item = &StepOutput> {
        let outputs = self.steps().iter().flat_map(|step| &step.parts).map(|part| &part.output);
        outputs.filter(move |output| output.writes == role)
    }

    pub fn making(&self, kind: ObservationKind) -> impl Iterator<Item = &RecordedStep> {
        self.plan.making(kind)
    }

    /// The recipe for observations of a kind, if an observer with this type of recipe made them.
    pub fn recipe<R: DeserializeOwned>(&self, kind: ObservationKind) -> Option<R> {
        let mut recipes = self.making(kind).map(|step| step.recipe.clone());
        recipes.find_map(|recipe| serde_json::from_value(recipe).ok())
    }

    /// The items that could not be observed for a kind.
    pub fn failed(&self, kind: ObservationKind) -> impl Iterator<Item = &FailedItem> {
        self.making(kind).flat_map(|step| &step.outcome.failed)
    }

    pub(crate) fn input(&self, role: impl Display) -> Option<&InputRecord> {
        let role = role.to_string();
        self.provenance.inputs.iter().find(|input| input.role == role)
    }
}
