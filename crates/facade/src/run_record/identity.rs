//! Everything that affects the numbers of a run.

use super::{MetricRecord, RunRecord};
use crate::Error;
use crate::clusters::ClusterChoice;
use crate::request::ScoreRequest;
use crate::settings::ModelChoices;
use crate::word_or_file::WordOrFile;
use neurogauge_core::option_words::option;
use neurogauge_core::{InputPaths, ModelIdentity};
use neurogauge_formats::content_hash;
use neurogauge_formats::input_record::InputRecord;
use std::collections::BTreeMap;

/// Increased when fingerprints hash other things, so that finished runs are scored again.
const FINGERPRINT: u32 = 1;

impl RunRecord {
    /// Everything that affects the numbers, by name, in order to compare two runs.
    pub(crate) fn identity(&self) -> serde_json::Value {
        let mut request = serde_json::json!(self.deciding_request());
        let options = request.as_object_mut();
        let options = options.map(|options| {
            // These appear with the inputs, the label names, the metrics and the models.
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

    /// The request without fields that are elsewhere in the record or do not affect any number.
    fn deciding_request(&self) -> ScoreRequest {
        ScoreRequest {
            inputs: InputPaths::default(),
            labels: String::new(),
            metrics: None,
            models: ModelChoices::default(),
            // A file is listed among the inputs.
            cluster: match self.request.cluster {
                ClusterChoice::File(_) => ClusterChoice::default(),
                ref choice => choice.clone(),
            },
            region: self.request.region.clone().filter(|choice| matches!(choice, WordOrFile::Word(_))),
            ..self.request.clone()
        }
    }

    pub(crate) fn compute_fingerprint(&self) -> String {
        let mut request = serde_json::json!(self.deciding_request());
        // A separate preparation for SEED is recorded only if there is one.
        let options = request["perception"].as_object_mut();
        if let Some(options) = options.filter(|options| options["seed"].is_null()) {
            options.shift_remove("seed");
        }
        // The treatment of copies of a stimulus matters only for identification.
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
    pub(crate) fn first_change(&self, now: &[InputRecord]) -> Option<Error> {
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
            let added = current.items.iter().find(is_new).map(|(stem, _)| (stem.clone(), "(absent)".to_owned()));
            let (stem, expected) = changed.cloned().or(added).unwrap_or_default();
            return Some(Error::Data(format!(
                "{} {stem:?} ({}) has changed since the run was recorded: SHA-256 {} instead of {expected}; restore the file, \
                 or score again without {}",
                then.role,
                current.path,
                hash_now.get(stem.as_str()).copied().unwrap_or("(absent)"),
                option("from-run", "")
            )));
        }
        None
    }
}

fn weights(model: &ModelIdentity) -> String {
    match (model.stand_in, model.sha256.as_str()) {
        (true, _) => "a placeholder without weights".to_owned(),
        (false, "") => "weights that its server knows".to_owned(),
        (false, sha256) => format!("SHA-256 {sha256}"),
    }
}
