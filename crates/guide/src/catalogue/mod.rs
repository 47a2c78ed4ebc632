//! Every metric's description, needs, and what of these is missing on this machine.

mod page;

pub use page::{page, table};

use neurogauge::core::option_words::{NamedOption, option};
use neurogauge::metrics::{CaptionWords, Compute, METRICS, Metric, MetricDescription, find, list};
use neurogauge::models::weights::{WeightOptions, locate};
use neurogauge::models::{LpipsNet, model_of_family, registry};
use neurogauge::{
    DEFAULT_CAPTIONER, DEFAULT_DETECTOR, DEFAULT_ENCODER, DEFAULT_PARSER, DEFAULT_PHRASE_ENCODER, Error, RunSettings,
    installed_wordnet, presets_of, unknown_metric, ways_to,
};
use serde::Serialize;
use std::collections::BTreeMap;

const LPIPS_HEADS_FILE: NamedOption<'static> = option("lpips-heads", "FILE");
const MASKS_MODEL: NamedOption<'static> = option("masks", "MODEL");
const VLM_URL: NamedOption<'static> = option("vlm", "URL");
const POOL: NamedOption<'static> = option("pool", "");

/// A metric, and its needs on this machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CatalogueEntry {
    /// The registry's description of it.
    #[serde(flatten)]
    pub description: MetricDescription,
    /// All that it can be computed from, in words.
    pub needs: String,
    /// The models that compute it from images alone.
    pub models: Vec<NeededModel>,
    /// What no model makes, so that it has to be given.
    pub to_give: Vec<String>,
    /// Presets, and what each does.
    pub presets: Vec<(String, String)>,
    /// A command that computes it.
    pub example: String,
}

/// A model, and whether its weights are on this machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NeededModel {
    pub id: String,
    /// Are its weights here?
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

/// The metrics that these names stand for, or all without any.
///
/// ```
/// use neurogauge::RunSettings;
/// use neurogauge_guide::catalogue::metric_catalogue;
/// let metrics = metric_catalogue(&["ssim"], &RunSettings::default())?;
/// assert!(metrics[0].missing().is_empty());
/// # Ok::<(), neurogauge::Error>(())
/// ```
///
/// # Errors
/// [`Error::Usage`] for a name that no metric and no list has.
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
    /// Models that were looked for.
    known: BTreeMap<&'static str, bool>,
    has_wordnet: bool,
}

impl Machine {
    fn entry(&mut self, metric: &Metric) -> CatalogueEntry {
        let mut needed = Needed::default();
        needed.add(metric, self.has_wordnet);
        let models = needed.models.into_iter().map(|id| NeededModel {
            id: id.to_owned(),
            is_here: self.has(id),
        });
        let id = metric.spec.id;
        CatalogueEntry {
            description: metric.description(),
            needs: ways_to(metric),
            models: models.collect(),
            to_give: needed.to_give,
            presets: presets_of(metric),
            example: example(metric, id),
        }
    }

    fn has(&mut self, id: &'static str) -> bool {
        let options = &self.options;
        *self.known.entry(id).or_insert_with(|| {
            let found = registry::find(id).and_then(|entry| locate(entry, options));
            // Broken weights count as missing; `neurogauge models list` describes the fault.
            found.is_ok_and(|found| found.is_some())
        })
    }
}

/// The models and inputs that compute a metric from images alone.
#[derive(Default)]
struct Needed {
    models: Vec<&'static str>,
    to_give: Vec<String>,
}

impl Needed {
    fn model(&mut self, id: &'static str) {
        if !self.models.contains(&id) {
            self.models.push(id);
        }
    }

    fn give(&mut self, what: String) {
        if !self.to_give.contains(&what) {
            self.to_give.push(what);
        }
    }

    fn dictionary(&mut self, is_here: bool) {
        if !is_here {
            self.give(format!("WordNet 3.0 ({})", option("wordnet", "DIR")));
        }
    }

    fn add(&mut self, metric: &Metric, has_wordnet: bool) {
        let id = metric.spec.id;
        match metric.compute {
            Compute::Pixels(_) => {}
            Compute::Perceptual { .. } => {
                let net = LpipsNet::ALL.into_iter().find(|net| net.metric() == id);
                net.into_iter().for_each(|net| self.model(net.backbone()));
                self.give(format!("its linear heads ({LPIPS_HEADS_FILE})"));
            }
            Compute::Features { .. } | Compute::Frames { .. } | Compute::Identification { .. } => {
                let features = metric.compute.features().first();
                if let Some((model, _)) = features.and_then(|name| name.split_once('.')) {
                    let known = registry::find(model_of_family(model));
                    known.into_iter().for_each(|entry| self.model(entry.id));
                }
                if metric.compute.needs_pool() {
                    self.give(format!("a pool of other images ({POOL})"));
                }
            }
            Compute::Detections(_) | Compute::GroundedBoxes(_) => self.model(DEFAULT_DETECTOR),
            Compute::CategoryNames(_) => self.give("categories of both sides".to_owned()),
            Compute::ImageTexts(_) => {
                self.give(format!("texts in the images of both sides, or a vision-language model ({VLM_URL})"));
            }
            Compute::VqaScores(_) => {
                self.give(format!("captions of the stimuli and a vision-language model ({VLM_URL})"));
            }
            Compute::Masks(_) => self.give(format!("masks of both sides (or categories and {MASKS_MODEL})")),
            Compute::Captions(_) => {
                self.model(DEFAULT_CAPTIONER);
                self.model(DEFAULT_ENCODER);
            }
            Compute::CaptionsOfImages { images, texts, .. } => {
                self.model(DEFAULT_CAPTIONER);
                let image = images.first().and_then(|name| name.split_once('.'));
                image.into_iter().for_each(|(model, _)| self.model(model));
                self.model(texts);
            }
            Compute::CaptionWords { words, .. } => {
                self.model(DEFAULT_CAPTIONER);
                self.dictionary(has_wordnet || words != CaptionWords::Nltk);
            }
            Compute::SceneGraphs(_) => {
                self.model(DEFAULT_CAPTIONER);
                self.model(DEFAULT_PARSER);
                self.model(DEFAULT_PHRASE_ENCODER);
                self.dictionary(has_wordnet);
            }
            Compute::Scores { from, .. } => {
                let parts = from.iter().filter_map(|part| find(part));
                parts.for_each(|part| self.add(part, has_wordnet));
            }
        }
    }
}

/// A command that computes a metric.
fn example(metric: &Metric, id: &str) -> String {
    let further = match metric.compute {
        Compute::Perceptual { .. } => " --lpips-heads heads.pth",
        Compute::SceneGraphs(_) => " --parser t5 --captioner git_large_coco",
        Compute::CategoryNames(_) | Compute::Masks(_) => " --observations observations/",
        Compute::VqaScores(_) | Compute::ImageTexts(_) => " --vlm http://localhost:8000 --vlm-model NAME",
        _ if metric.compute.needs_pool() => " --pool others/",
        _ if ["basic", "basic_l", "basic_h"].contains(&id) => " --observations observations/",
        _ => "",
    };
    format!("neurogauge score stimuli/ reconstructions/ --metrics {id}{further}")
}
