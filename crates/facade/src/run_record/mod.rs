//! `run.json`: everything that is needed to repeat a run.

mod older;
mod steps;

pub use steps::{LeftOut, RunPlan, Step, StepPart};

use crate::execute::FailedItem;
use crate::observers::features::FeatureRecipe;
use crate::request::ScoreRequest;
use crate::results::Provenance;
use neurogauge_core::{LabelGroups, LabelList, ModelIdentity, ObservationKind, Warning};
use neurogauge_formats::content_hash;
use neurogauge_formats::input_record::InputRecord;
use neurogauge_models::DeviceChoice;
use neurogauge_stats::MeanInterval;
use serde::de::DeserializeOwned;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Display;

/// Raised when an older `run.json` can no longer be read.
pub(crate) const SCHEMA: u32 = 3;
/// The oldest `run.json` that is read. What later ones have besides is left empty.
pub(crate) const OLDEST_SCHEMA: u32 = 1;

/// The content of `run.json`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self")]
pub struct RunRecord {
    /// The program and what it read.
    #[serde(flatten)]
    pub provenance: Provenance,
    /// True once every output is written.
    pub complete: bool,
    /// What was asked for.
    pub request: ScoreRequest,
    /// Names of the label list, in the order of the indices.
    pub label_names: Vec<String>,
    /// What the user's list says of supercategories and salience.
    #[serde(default, skip_serializing_if = "LabelGroups::is_empty")]
    pub label_groups: LabelGroups,
    /// Models that were run.
    pub models: Vec<ModelIdentity>,
    /// Where image models ran; `None` if none did.
    #[serde(default)]
    pub device: Option<DeviceChoice>,
    /// Feature matrices that were made of the images, and how.
    #[serde(default)]
    pub perceived: Vec<FeatureRecipe>,
    /// What was computed, and from what.
    pub metrics: Vec<MetricRecord>,
    /// Number of pairs.
    pub n_pairs: usize,
    /// SHA-256 of everything above that decides a number (paths do not).
    pub fingerprint: String,
    /// What the pairs of identification metrics were told from.
    #[serde(default)]
    pub pools: Vec<PoolRecord>,
    /// Stems of the pairs of each stimulus that several pairs show, where a metric of identification was computed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeated_stimuli: Vec<Vec<String>>,
    /// What should be known about the numbers.
    pub warnings: Vec<Warning>,
    /// SHA-256 of each output file.
    pub outputs: BTreeMap<String, String>,
    /// Pixels of the largest image that was read, where it was not the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_pixels: Option<u64>,
    /// What was planned; `None` in a record of schema 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<RunPlan>,
}

impl Serialize for RunRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RunRecord::serialize(self, serializer)
    }
}

impl<'de> Deserialize<'de> for RunRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut record = serde_json::Value::deserialize(deserializer)?;
        older::bring_up_to_date(&mut record);
        RunRecord::deserialize(record).map_err(D::Error::custom)
    }
}

/// How a metric of a run came about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MetricRecord {
    /// Its id.
    pub id: String,
    /// `computed`, `imported`, or the feature matrix it was computed from: `features/<name>` that
    /// was given, `perceived/<name>` that was made of the images.
    pub origin: String,
    /// Does it rest on something that only stands in for the real thing?
    pub stand_in: bool,
    /// Ids of the conventions (`docs/pages/conventions`) that decide it.
    pub conventions: Vec<String>,
}

/// The images that the pairs of an identification metric were told from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PoolRecord {
    /// Id of the metric.
    pub metric: String,
    /// How many others there were for each pair.
    pub n_others: usize,
    /// How many more would have been, had they been similar to any.
    pub n_left_out: usize,
}

impl RunRecord {
    /// The metrics to ask for to have these again. EffNet that only SEED asked for is not named, since it would be prepared
    /// as for all models.
    pub(crate) fn asked_again(&self) -> Vec<String> {
        let ids = self.metrics.iter().map(|metric| metric.id.clone());
        let is_seeds = self.request.perception.seed.is_some()
            && !self.perceived.iter().any(|recipe| recipe.variant.is_some());
        ids.filter(|id| !(is_seeds && id == "effnet")).collect()
    }

    /// For each of these pairs a number of its stimulus, the same for pairs that show the same one.
    pub fn stimuli_of(&self, stems: &[String]) -> Vec<usize> {
        let several = self.repeated_stimuli.iter().enumerate();
        let several: HashMap<&str, usize> = several
            .flat_map(|(place, stems)| stems.iter().map(move |stem| (stem.as_str(), place)))
            .collect();
        let n_repeated = self.repeated_stimuli.len();
        let of_stem = |(place, stem): (usize, &String)| {
            let repeated = several.get(stem.as_str());
            repeated.copied().unwrap_or(n_repeated + place)
        };
        stems.iter().enumerate().map(of_stem).collect()
    }

    /// What the pairs of a metric were told from.
    pub(crate) fn pool_of(&self, metric: &str) -> Option<&PoolRecord> {
        self.pools.iter().find(|pool| pool.metric == metric)
    }

    /// An error if an image has no caption or no features or was not looked at, or a caption has no scene graph, where these
    /// were to be made.
    ///
    /// # Errors
    /// [`Error::FailedItems`](crate::Error::FailedItems).
    pub fn check_observations(&self) -> Result<(), crate::Error> {
        let mut kinds = self.failed_items().into_iter();
        kinds.try_for_each(|(what, images)| FailedItem::check(images, what))
    }

    /// The label list.
    pub(crate) fn label_list(&self) -> LabelList {
        let names = LabelList::new("of the run", &self.label_names);
        names.grouped(self.label_groups.clone())
    }

    /// What models could not say, and of which images.
    pub fn failed_items(&self) -> Vec<(&'static str, &[FailedItem])> {
        let failed = self.steps().iter().map(|step| {
            let what = step.makes().lacked();
            (what, step.outcome.failed.as_slice())
        });
        failed.collect()
    }

    /// What observers made, in the order in which they made it.
    pub fn steps(&self) -> &[Step] {
        self.plan.as_ref().map_or(&[], |plan| &plan.steps)
    }

    /// The steps that make observations of a kind.
    pub fn making(&self, kind: ObservationKind) -> impl Iterator<Item = &Step> {
        self.steps().iter().filter(move |step| step.makes() == kind)
    }

    /// How observations of a kind were made, if an observer with such a recipe made them.
    pub fn recipe<R: DeserializeOwned>(&self, kind: ObservationKind) -> Option<R> {
        let mut recipes = self.making(kind).map(|step| step.recipe.clone());
        recipes.find_map(|recipe| serde_json::from_value(recipe).ok())
    }

    /// The items of which there should be observations of a kind, and are none.
    pub fn failed(&self, kind: ObservationKind) -> impl Iterator<Item = &FailedItem> {
        self.making(kind).flat_map(|step| &step.outcome.failed)
    }

    /// The record of an input, e.g. `gt/images`.
    pub(crate) fn input(&self, role: impl Display) -> Option<&InputRecord> {
        let role = role.to_string();
        self.provenance
            .inputs
            .iter()
            .find(|input| input.role == role)
    }

    /// All that decides the numbers, by name, for whoever asks what two runs differ in.
    pub(crate) fn identity(&self) -> serde_json::Value {
        let mut request = serde_json::json!(self.deciding_request());
        let options = request.as_object_mut();
        let options = options.map(|options| {
            // They stand among the inputs, the label names, the metrics and the models.
            options.retain(|name, _| {
                !["inputs", "labels", "metrics", "models"].contains(&name.as_str())
            });
            std::mem::take(options)
        });
        let inputs = self
            .provenance
            .inputs
            .iter()
            .map(|i| (i.role.clone(), i.sha256.clone()));
        let models = self.models.iter().map(|m| (m.id.clone(), weights(m)));
        let metrics: Vec<&str> = self.metrics.iter().map(|m| m.id.as_str()).collect();
        let origins = self
            .metrics
            .iter()
            .map(|m| (m.id.clone(), m.origin.clone()));
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

    /// The request without what stands elsewhere in the record, or decides no number.
    fn deciding_request(&self) -> ScoreRequest {
        ScoreRequest {
            inputs: crate::InputPaths::default(),
            labels: String::new(),
            metrics: None,
            models: crate::ModelChoices::default(),
            ..self.request.clone()
        }
    }

    /// Hash of all that decides the numbers.
    pub(crate) fn compute_fingerprint(&self) -> String {
        self.fingerprint_of(&serde_json::json!(self.deciding_request()))
    }

    /// Is it the fingerprint of this run, or of the same run at a time when records did not say how intervals were made? The
    /// scores of such a run are the same, so it is read back, with its percentiles, where nothing else was asked for.
    pub(crate) fn has_fingerprint(&self, fingerprint: &str) -> bool {
        let is_older = || {
            let mut request = serde_json::json!(self.deciding_request());
            let options = request["bootstrap"].as_object_mut();
            options.and_then(|options| options.remove("interval"));
            self.fingerprint_of(&request) == fingerprint
        };
        self.fingerprint == fingerprint
            || (self.request.bootstrap.interval != MeanInterval::Bca && is_older())
    }

    fn fingerprint_of(&self, request: &serde_json::Value) -> String {
        // A run without a way of SEED's has the fingerprint of the time before there was one.
        let mut request = request.clone();
        let options = request["perception"].as_object_mut();
        if let Some(options) = options.filter(|options| options["seed"].is_null()) {
            options.shift_remove("seed");
        }
        // What copies of a stimulus are to each other decides nothing where nothing is identified.
        let identifies = |metric: &MetricRecord| {
            let conventions = &mut metric.conventions.iter();
            conventions.any(|id| id == "identification-copies")
        };
        if !self.metrics.iter().any(identifies)
            && let Some(options) = request["options"].as_object_mut()
        {
            options.shift_remove("identification_copies");
        }
        let inputs: Vec<(&str, &str)> = self
            .provenance
            .inputs
            .iter()
            .map(|i| (i.role.as_str(), i.sha256.as_str()))
            .collect();
        let mut parts = vec![serde_json::json!([
            OLDEST_SCHEMA,
            self.provenance.versions["neurogauge"],
            request,
            self.label_names,
            inputs,
            self.models,
            self.device,
            self.perceived,
            self.metrics,
        ])];
        // Lists that say nothing more have the fingerprints that they had before lists could.
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
            let changed = then
                .items
                .iter()
                .find(|(stem, hash)| hash_now.get(stem.as_str()) != Some(&hash.as_str()));
            let hash_then = then.hashes();
            let is_new = |(stem, _): &&(String, String)| !hash_then.contains_key(stem.as_str());
            let added = current.items.iter().find(is_new);
            let added = added.map(|(stem, _)| (stem.clone(), "(absent)".to_owned()));
            let (stem, expected) = changed.cloned().or(added).unwrap_or_default();
            return Some(crate::Error::InputChanged {
                role: then.role.clone(),
                path: current.path.clone(),
                found: hash_now
                    .get(stem.as_str())
                    .copied()
                    .unwrap_or("(absent)")
                    .to_owned(),
                stem,
                expected,
            });
        }
        None
    }
}

/// What is known of a model's weights, in words.
fn weights(model: &ModelIdentity) -> String {
    match (model.stand_in, model.sha256.as_str()) {
        (true, _) => "a placeholder without weights".to_owned(),
        (false, "") => "weights that its server knows".to_owned(),
        (false, sha256) => format!("SHA-256 {sha256}"),
    }
}
