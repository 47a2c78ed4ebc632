//! The models that a set of metrics or a plan needs.

mod of_plan;

use crate::kinds::needs_of;
use crate::observers::captions::DEFAULT_CAPTIONER;
use crate::observers::detections::DEFAULT_DETECTOR;
use crate::observers::masks::{DEFAULT_MASK_DETECTOR, DEFAULT_SEGMENTER};
use crate::option_names::METRICS_OPTION;
use crate::selection::wanted;
use crate::{DEFAULT_ENCODER, DEFAULT_PHRASE_ENCODER, Error, ScoreRequest};
use neurogauge_core::ObservationKind;
use neurogauge_metrics::{Compute, LISTS, METRICS, Metric, find, list};
use neurogauge_models::local_vlm::LocalVlm;
use neurogauge_models::registry::did_you_mean;
use neurogauge_models::{MODELS, ModelEntry};
use of_plan::of_plan;
use std::path::Path;

/// The models that each name stands for, without duplicates. A name is a model's id; a metric or a list of metrics
/// (`clip`, `nsd8`, `seed`, `basic`), which stands for the models that make its inputs from images; or the plan of a
/// run (its folder, its `plan.json` or its `run.json`).
///
/// # Errors
/// [`Error::Usage`] for any other name; a plan that cannot be read.
///
/// ```
/// let ids = |name: &str| -> Vec<&str> {
///     let models = neurogauge::models_of(&[name.to_owned()]).unwrap();
///     models.iter().map(|entry| entry.id).collect()
/// };
/// assert_eq!(ids("clip"), ["clip_vit_l_14"]);
/// assert_eq!(ids("nsd8"), ["alexnet", "inception_v3", "clip_vit_l_14", "efficientnet_b1", "swav_resnet50"]);
/// assert_eq!(
///     ids("seed"),
///     ["mm_grounding_dino_swin_l", "git_large_coco", "all-MiniLM-L6-v2", "efficientnet_b1"]
/// );
/// assert_eq!(
///     ids("basic"),
///     ["grounding_dino_tiny", "sam2.1_hiera_large", "git_large_coco", "factual_t5", "all-mpnet-base-v2"]
/// );
/// ```
pub fn models_of(names: &[String]) -> Result<Vec<&'static ModelEntry>, Error> {
    let mut models: Vec<&'static ModelEntry> = Vec::new();
    for name in names {
        for id in ids_of(name)? {
            let entry = neurogauge_models::find(&id)?;
            if !models.iter().any(|known| known.id == entry.id) {
                models.push(entry);
            }
        }
    }
    Ok(models)
}

fn ids_of(name: &str) -> Result<Vec<String>, Error> {
    if MODELS.iter().any(|entry| entry.id == name) {
        return Ok(vec![name.to_owned()]);
    }
    if find(name).is_some_and(has_models) || list(name).is_some() {
        let metrics = wanted(Some(&[name.to_owned()]))?;
        return Ok(metrics
            .iter()
            .filter_map(|id| find(id))
            .flat_map(|metric| needs_of(metric).models)
            .map(str::to_owned)
            .collect());
    }
    let path = Path::new(name);
    if path.exists() {
        return of_plan(path);
    }
    if name.contains('/') || name.ends_with(".json") {
        return Err(Error::Usage(format!("{name}: there is no such plan or run")));
    }
    let models = MODELS.iter().map(|entry| entry.id);
    let metrics = METRICS.iter().filter(|metric| has_models(metric));
    let known: Vec<&str> = (metrics.map(|metric| metric.spec.id))
        .chain(LISTS.iter().map(|(name, _)| *name))
        .chain(models)
        .collect();
    Err(Error::Usage(format!(
        "nothing is called {name:?}{}; expected a model (`neurogauge list models` lists them), a metric that uses models, a list of \
         metrics (nsd8, seed, basic and others of {METRICS_OPTION}), or the folder of a plan or run",
        did_you_mean(name, &known)
    )))
}

/// Does a metric compare models' observations, or is it a composite?
fn has_models(metric: &Metric) -> bool {
    matches!(metric.compute, Compute::Scores { .. }) || !needs_of(metric).models.is_empty()
}

/// The models that a request needs, by name or for its metrics.
fn of_request(request: &ScoreRequest) -> Result<Vec<String>, Error> {
    let captioner = request.captioner.as_ref().map(|choice| choice.model.as_str());
    let detector = request.detector.as_ref().map(|choice| choice.model.as_str());
    let is_described_elsewhere =
        captioner.is_none() && request.vlm.iter().any(|choice| choice.asks.contains(&ObservationKind::Captions));
    let mut ids = Vec::new();
    for metric in wanted(request.metrics.as_deref())?.iter().filter_map(|id| find(id)) {
        let models = needs_of(metric).models.into_iter().filter(|id| match *id {
            DEFAULT_CAPTIONER => !is_described_elsewhere,
            // The request's own detector and segmenter are added below.
            DEFAULT_MASK_DETECTOR | DEFAULT_SEGMENTER => false,
            _ => true,
        });
        ids.extend(models.map(|id| match id {
            DEFAULT_CAPTIONER => captioner.unwrap_or(id),
            DEFAULT_DETECTOR => detector.unwrap_or(id),
            DEFAULT_ENCODER => &request.text_encoder,
            DEFAULT_PHRASE_ENCODER => &request.phrase_encoder,
            id => id,
        }));
    }
    ids.extend(captioner.into_iter().chain(detector));
    ids.extend(request.vlm.iter().map(|choice| choice.model.as_str()).filter(|model| LocalVlm::is_known(model)));
    ids.extend(request.segmenter.iter().flat_map(|choice| [choice.detector.as_str(), choice.model.as_str()]));
    Ok(ids.into_iter().map(str::to_owned).collect())
}
