//! `run.json`: everything that is needed to repeat a run.

mod steps;
mod stimuli;

pub use steps::{LeftOut, RecordedStep, RunPlan, StepPart};

use crate::clusters::{ClusterChoice, ClusterRecord};
use crate::execute::{FailedItem, StepOutput};
use crate::observers::features::FeatureRecipe;
use crate::protocol::RunProtocol;
use crate::request::ScoreRequest;
use crate::results::Provenance;
use crate::sample_score::{CountedSamples, SampleScore};
use crate::shuffled_null::NullLevel;
use neurogauge_core::pair::Axis;
use neurogauge_core::{Finding, Input, LabelGroups, LabelList, ModelIdentity, ObservationKind, Role, counted};
use neurogauge_formats::input_record::InputRecord;
use neurogauge_formats::{FormatError, content_hash, json};
use neurogauge_metrics::Metric;
use neurogauge_models::DeviceChoice;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::path::Path;

/// Raised when a `run.json` can no longer be read as it was.
pub(crate) const SCHEMA: u32 = 4;
/// Raised when fingerprints hash other things, so that finished runs are scored again.
const FINGERPRINT: u32 = 1;

/// What images lack that could not be read.
const UNREADABLE: &str = "readable pixels";

/// The content of `run.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The program and what it read.
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
    /// Where image models ran; `None` if none did.
    pub device: Option<DeviceChoice>,
    /// Recipes of the feature matrices that were made from the images.
    pub perceived: Vec<FeatureRecipe>,
    /// The computed metrics, and their inputs.
    pub metrics: Vec<MetricRecord>,
    pub n_pairs: usize,
    /// What the parts are, if several pairs are the parts of an item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parts: Option<PartsRecord>,
    /// The test set whose ids the run has, if it is a known one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub protocol: Option<RunProtocol>,
    /// SHA-256 of everything above that decides a number (paths do not).
    pub fingerprint: String,
    /// The distractor pools of identification metrics.
    pub pools: Vec<PoolRecord>,
    /// Stems of the pairs of each stimulus that several pairs show, where a metric of identification was computed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeated_stimuli: Vec<Vec<String>>,
    /// The clusters of stimuli that are alike, if any are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clusters: Option<ClusterRecord>,
    /// What metrics give reconstructions of other stimuli, if that was asked for.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub null_levels: BTreeMap<String, NullLevel>,
    /// Images that could not be read to be compared; their pairs have no value.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unreadable: Vec<FailedItem>,
    /// Warnings about the numbers.
    pub findings: Vec<Finding>,
    /// SHA-256 of each output file.
    pub outputs: BTreeMap<String, String>,
    /// The limit on an image's pixels, if not the default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_pixels: Option<u64>,
    pub plan: RunPlan,
}

/// The origin of a metric of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetricRecord {
    pub id: String,
    /// `computed`, `imported`, or the feature matrix it was computed from: `features/<name>` if given,
    /// `perceived/<name>` if made from the images.
    pub origin: String,
    /// Does it use a placeholder?
    pub stand_in: bool,
    /// Ids of the conventions (`docs/pages/conventions`) that decide it.
    pub conventions: Vec<String>,
}

/// Items that have several pairs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PartsRecord {
    pub axes: Vec<Axis>,
    /// Number of items, which are the unit of scores, intervals and tests.
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

/// The distractor pool of an identification metric.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolRecord {
    pub metric: String,
    /// The number of distractors for each pair.
    pub n_others: usize,
    /// The number of images that were left out as distractors because they are similar to none.
    pub n_left_out: usize,
}

impl RunRecord {
    /// Reads a `run.json`.
    ///
    /// # Errors
    /// A file that cannot be read, or of another schema.
    pub(crate) fn read(path: &Path) -> Result<RunRecord, FormatError> {
        json::read_of_schema(path, SCHEMA, "score again")
    }

    /// The metrics to request to get the same again. An EffNet that is only part of SEED is not named, since it would
    /// be prepared as for all models.
    pub(crate) fn asked_again(&self) -> Vec<String> {
        let ids = self.metrics.iter().map(|metric| metric.id.clone());
        let is_seeds =
            self.request.perception.seed.is_some() && !self.perceived.iter().any(|recipe| recipe.variant.is_some());
        ids.filter(|id| !(is_seeds && id == "effnet")).collect()
    }

    /// What every value of a metric of identification is lower by than a share from 0 to 1 (convention
    /// `identification-own`); 0 of any other metric.
    pub(crate) fn too_low_by(&self, metric: &Metric) -> f64 {
        let options = &self.request.options.identification;
        let pool = self.pool_of(metric.spec.id);
        pool.map_or(0.0, |pool| options.too_low_by(pool.n_others))
    }

    /// Which samples the score of an item is of; `None` if items have no samples.
    pub(crate) fn counted_samples(&self) -> Option<CountedSamples> {
        let mut axes = self.parts.iter().flat_map(|parts| &parts.axes);
        let is_chosen = self.request.inputs.get(Input::ChosenSamples).is_some();
        axes.any(|axis| *axis == Axis::Sample).then_some(match self.request.samples {
            _ if is_chosen => CountedSamples::Chosen,
            SampleScore::Mean => CountedSamples::All,
            SampleScore::BestOf(k) => CountedSamples::BestOf(k),
        })
    }

    /// What a row of the scores is of.
    pub fn unit(&self) -> &'static str {
        match self.parts {
            Some(_) => "items",
            None => "pairs",
        }
    }

    /// The number of pairs, or of items and their parts, in words.
    pub(crate) fn counted(&self) -> String {
        match &self.parts {
            Some(parts) => parts.in_words(self.n_pairs),
            None => counted(self.n_pairs, "pair"),
        }
    }

    /// The distractor pool of a metric.
    pub(crate) fn pool_of(&self, metric: &str) -> Option<&PoolRecord> {
        self.pools.iter().find(|pool| pool.metric == metric)
    }

    /// An error if an item failed, such as an image without features or detections, or a caption without a scene graph.
    ///
    /// # Errors
    /// [`Error::FailedItems`](crate::Error::FailedItems).
    pub fn check_observations(&self) -> Result<(), crate::Error> {
        let mut kinds = self.failed_items().into_iter();
        kinds.try_for_each(|(what, images)| FailedItem::check(images, what, true))
    }

    pub(crate) fn label_list(&self) -> LabelList {
        let names = LabelList::new("of the run", &self.label_names);
        names.grouped(self.label_groups.clone())
    }

    /// The failed items, by what they lack.
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

    /// The outputs of observers for one role: for features, one for each matrix. Empty if no observer of the run made
    /// it.
    pub(crate) fn outputs(&self, role: Role) -> impl Iterator<Item = &StepOutput> {
        let parts = self.steps().iter().flat_map(|step| &step.parts);
        let outputs = parts.map(|part| &part.output);
        outputs.filter(move |output| output.writes == role)
    }

    /// The steps that make observations of a kind.
    pub fn making(&self, kind: ObservationKind) -> impl Iterator<Item = &RecordedStep> {
        self.steps().iter().filter(move |step| step.makes() == kind)
    }

    /// The recipe of observations of a kind, if an observer with this type of recipe made them.
    pub fn recipe<R: DeserializeOwned>(&self, kind: ObservationKind) -> Option<R> {
        let mut recipes = self.making(kind).map(|step| step.recipe.clone());
        recipes.find_map(|recipe| serde_json::from_value(recipe).ok())
    }

    /// The items for which an observation of a kind failed.
    pub fn failed(&self, kind: ObservationKind) -> impl Iterator<Item = &FailedItem> {
        self.making(kind).flat_map(|step| &step.outcome.failed)
    }

    /// The record of an input, e.g. `gt/images`.
    pub(crate) fn input(&self, role: impl Display) -> Option<&InputRecord> {
        let role = role.to_string();
        self.provenance.inputs.iter().find(|input| input.role == role)
    }

    /// Everything that decides the numbers, by name, to compare two runs.
    pub(crate) fn identity(&self) -> serde_json::Value {
        let mut request = serde_json::json!(self.deciding_request());
        let options = request.as_object_mut();
        let options = options.map(|options| {
            // These are listed with the inputs, the label names, the metrics and the models.
            options.retain(|name, _| !["inputs", "labels", "metrics", "models"].contains(&name.as_str()));
            std::mem::take(options)
        });
        let inputs = self.provenance.inputs.iter().map(|i| (i.role.clone(), i.sha256.clone()));
        let models = self.models.iter().map(|m| (m.id.clone(), weights(m)));
        let metrics: Vec<&str> = self.metrics.iter().map(|m| m.id.as_str()).collect();
        let origins = self.metrics.iter().map(|m| (m.id.clone(), m.origin.clone()));
        serde_json::json!({
            "version of neurogauge": self.provenance.versions.get("neurogauge"),
            "options": options,
            "label names": self.label_names,
            "label groups": self.label_groups,
            "SHA-256 of input": inputs.collect::<BTreeMap<_, _>>(),
            "model": models.collect::<BTreeMap<_, _>>(),
            "device": self.device,
            "metrics": metrics,
            "origin of metric": origins.collect::<BTreeMap<_, _>>(),
        })
    }

    /// The request without fields that are elsewhere in the record or decide no number.
    fn deciding_request(&self) -> ScoreRequest {
        ScoreRequest {
            inputs: crate::InputPaths::default(),
            labels: String::new(),
            metrics: None,
            models: crate::ModelChoices::default(),
            // A file is among the inputs.
            cluster: match self.request.cluster {
                ClusterChoice::File(_) => ClusterChoice::default(),
                ref choice => choice.clone(),
            },
            ..self.request.clone()
        }
    }

    /// Hash of everything that decides the numbers.
    pub(crate) fn compute_fingerprint(&self) -> String {
        let mut request = serde_json::json!(self.deciding_request());
        // A preparation of its own for SEED is only named where there is one.
        let options = request["perception"].as_object_mut();
        if let Some(options) = options.filter(|options| options["seed"].is_null()) {
            options.shift_remove("seed");
        }
        // The treatment of copies of a stimulus only matters for identification.
        let identifies = |metric: &MetricRecord| {
            let conventions = &mut metric.conventions.iter();
            conventions.any(|id| id == "identification-copies")
        };
        if !self.metrics.iter().any(identifies)
            && let Some(options) = request["options"].as_object_mut()
        {
            options.shift_remove("identification_copies");
        }
        let inputs: Vec<(&str, &str)> =
            self.provenance.inputs.iter().map(|i| (i.role.as_str(), i.sha256.as_str())).collect();
        let mut parts = vec![serde_json::json!([
            FINGERPRINT,
            self.provenance.versions["neurogauge"],
            request,
            self.label_names,
            inputs,
            self.models,
            self.device,
            self.perceived,
            self.metrics,
        ])];
        if !self.label_groups.is_empty() {
            parts.push(serde_json::json!(self.label_groups));
        }
        let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
        content_hash::of_bytes(parts.join("\n").as_bytes())
    }

    /// The first input item whose hash differs from the one recorded in `self`.
    pub(crate) fn first_change(&self, now: &[InputRecord]) -> Option<crate::Error> {
        for then in &self.provenance.inputs {
            let Some(current) = now.iter().find(|record| record.role == then.role) else {
                continue;
            };
            if current.sha256 == then.sha256 {
                continue;
            }
            let hash_now = current.hashes();
            let changed = then.items.iter().find(|(stem, hash)| hash_now.get(stem.as_str()) != Some(&hash.as_str()));
            let hash_then = then.hashes();
            let is_new = |(stem, _): &&(String, String)| !hash_then.contains_key(stem.as_str());
            let added = current.items.iter().find(is_new);
            let added = added.map(|(stem, _)| (stem.clone(), "(absent)".to_owned()));
            let (stem, expected) = changed.cloned().or(added).unwrap_or_default();
            return Some(crate::Error::InputChanged {
                role: then.role.clone(),
                path: current.path.clone(),
                found: hash_now.get(stem.as_str()).copied().unwrap_or("(absent)").to_owned(),
                stem,
                expected,
            });
        }
        None
    }
}

/// A description of a model's weights.
fn weights(model: &ModelIdentity) -> String {
    match (model.stand_in, model.sha256.as_str()) {
        (true, _) => "a placeholder without weights".to_owned(),
        (false, "") => "weights that its server knows".to_owned(),
        (false, sha256) => format!("SHA-256 {sha256}"),
    }
}
