//! Every metric's description and needs, and which of these are missing on this machine.

mod page;

pub use page::{page, tables};

use neurogauge::core::option_words::option;
use neurogauge::metrics::{Compute, METRICS, Metric, MetricDescription, find, list};
use neurogauge::models::registry;
use neurogauge::models::weights::{WeightOptions, locate};
use neurogauge::{Error, Needs, RunSettings, installed_wordnet, needs_of, presets_of, unknown_metric};
use serde::Serialize;
use std::collections::BTreeMap;

/// A metric, and its needs on this machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CatalogueEntry {
    /// Its description in the registry.
    #[serde(flatten)]
    pub description: MetricDescription,
    /// Everything from which it can be computed, in words.
    pub needs: String,
    /// The models that compute it from images alone.
    pub models: Vec<NeededModel>,
    /// What no model makes, so that the user must provide it.
    pub to_give: Vec<String>,
    /// Presets, and the effect of each.
    pub presets: Vec<(String, String)>,
    /// A command that computes it.
    pub example: String,
}

/// A model, and whether its weights are on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NeededModel {
    pub id: String,
    /// Are its weights on this machine?
    pub is_here: bool,
}

impl CatalogueEntry {
    /// What is missing to compute it from images alone: weights and inputs. Empty if it can be computed.
    pub fn missing(&self) -> Vec<String> {
        let absent = self.models.iter().filter(|model| !model.is_here);
        let absent: Vec<&str> = absent.map(|model| model.id.as_str()).collect();
        let weights = (!absent.is_empty()).then(|| format!("weights of {}", absent.join(", ")));
        weights.into_iter().chain(self.to_give.clone()).collect()
    }
}

/// The metrics that these names stand for, or all if there are no names.
///
/// # Errors
/// [`Error::Usage`] for a name that is neither a metric nor a list.
pub fn metric_catalogue(names: &[&str], settings: &RunSettings) -> Result<Vec<CatalogueEntry>, Error> {
    let mut metrics = Vec::new();
    for name in names {
        match (find(name), list(name)) {
            (Some(metric), _) => metrics.push(metric),
            (None, Some(ids)) => metrics.extend(ids.iter().filter_map(|id| find(id))),
            (None, None) => return Err(Error::Usage(unknown_metric(name))),
        }
    }
    if names.is_empty() {
        metrics.extend(METRICS);
    }
    let mut machine = Machine {
        options: WeightOptions::given(settings.weights.as_deref(), settings.allow_download),
        known: BTreeMap::new(),
        has_wordnet: installed_wordnet().is_ok(),
    };
    Ok(metrics.into_iter().map(|metric| machine.entry(metric)).collect())
}

/// The tools and weights on this machine.
struct Machine {
    options: WeightOptions,
    /// Models that were looked for, and whether they were found.
    known: BTreeMap<&'static str, bool>,
    has_wordnet: bool,
}

impl Machine {
    fn entry(&mut self, metric: &Metric) -> CatalogueEntry {
        let (mut models, mut to_give) = (Vec::<NeededModel>::new(), Vec::<String>::new());
        for needs in parts_of(metric) {
            for id in needs.models.into_iter().filter(|_| needs.is_of_images) {
                if models.iter().all(|known| known.id != id) {
                    let is_here = self.has(id);
                    models.push(NeededModel {
                        id: id.to_owned(),
                        is_here,
                    });
                }
            }
            let dictionary = (needs.looks_words_up && !self.has_wordnet)
                .then(|| format!("WordNet 3.0 ({})", option("wordnet", "DIR")));
            for what in needs.to_give.into_iter().chain(dictionary) {
                if !to_give.contains(&what) {
                    to_give.push(what);
                }
            }
        }
        let needs = needs_of(metric);
        CatalogueEntry {
            description: metric.description(),
            needs: needs.ways(),
            models,
            to_give,
            presets: presets_of(metric),
            example: example(metric.spec.id, &needs),
        }
    }

    fn has(&mut self, id: &'static str) -> bool {
        let options = &self.options;
        *self.known.entry(id).or_insert_with(|| {
            let found = registry::find(id).and_then(|entry| locate(entry, options));
            // Broken weights count as missing; `neurogauge list models` describes the fault.
            found.is_ok_and(|found| found.is_some())
        })
    }
}

/// The needs of a metric; for a composite, those of its parts.
fn parts_of(metric: &Metric) -> Vec<Needs> {
    match metric.compute {
        Compute::Scores { from, .. } => from.iter().filter_map(|part| find(part)).flat_map(parts_of).collect(),
        _ => vec![needs_of(metric)],
    }
}

/// A command that computes a metric.
fn example(id: &str, needs: &Needs) -> String {
    let options = match id {
        "basic" | "basic_l" | "basic_h" => " --observations observations/",
        _ => needs.options,
    };
    format!("neurogauge score stimuli/ reconstructions/ --metrics {id}{options}")
}
