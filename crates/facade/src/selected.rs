//! The selected metrics, and the ones left out.

use crate::lpips::LpipsRecipe;
use crate::observers::features::FeatureRecipe;
use crate::option_names::{METRICS_NAME, METRICS_OPTION};
use crate::request::ScoreRequest;
use crate::run_record::LeftOut;
use crate::scene_graph_tools::GraphTools;
use neurogauge_core::ObservationKind;
use neurogauge_metrics::{Compute, EmbeddingFunction, GraphFunction, Metric};

/// Where a metric's values come from, or why it has none.
#[derive(Debug, Clone)]
pub(crate) enum MetricSource {
    /// From observations that are given or that an observer of the request makes, or from other metrics.
    Compared,
    /// From a network that compares the images of each pair.
    Network(LpipsRecipe),
    /// From the feature matrices of this name: given, or made from the images by this recipe.
    Features(String, Option<FeatureRecipe>),
    /// Per-pair values from SEED's layout, because nothing else is available or because the named encoder has no
    /// weights on this machine.
    Recorded(Option<String>),
    /// It has none: the weights of a model that it needs are not on this machine.
    WithoutWeights(String),
    /// It has none: it lacks an input that no model makes; the text says which.
    Lacking(String),
}

impl MetricSource {
    pub(crate) fn is_compared(&self) -> bool {
        matches!(self, MetricSource::Compared | MetricSource::Network(_))
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Selected {
    pub(crate) metric: &'static Metric,
    pub(crate) source: MetricSource,
}

impl Selected {
    /// Does it compare embeddings of captions, and not their words?
    pub(crate) fn embeds_captions(&self) -> bool {
        self.source.is_compared() && self.metric.compute.function::<EmbeddingFunction>().is_some()
    }
}

pub(crate) struct Selection {
    /// The metrics in the order of the registry, parts before composites.
    pub(crate) metrics: Vec<Selected>,
    /// Is EffNet with SEED's images among them, alone or in addition to EffNet with the preset's images?
    pub(crate) has_seeds_way: bool,
    pub(crate) graph_tools: GraphTools,
    /// Metrics for which an input or the weights of a model are missing.
    pub(crate) left_out: Vec<LeftOut>,
    /// The inputs of left-out metrics that lack only their encoder. They are opened and paired nevertheless, so that
    /// their faults are found and the same pairs are scored on every machine.
    pub(crate) without_encoder: Vec<ObservationKind>,
    /// Left-out metrics that are covered by a note on another metric.
    pub(crate) implied: Vec<&'static str>,
}

impl Selection {
    pub(crate) fn compares(&self, kind: ObservationKind) -> bool {
        self.metrics.iter().any(|s| {
            let compute = &s.metric.compute;
            let is_here = s.source.is_compared() || compute.texts_of_images().is_some();
            is_here && compute.kind() == Some(kind)
        })
    }

    /// The encoder of captions that are compared with images, if any are.
    pub(crate) fn encoder_of_images(&self) -> Option<&'static str> {
        self.metrics.iter().find_map(|selected| selected.metric.compute.texts_of_images())
    }

    pub(crate) fn embeds_captions(&self) -> bool {
        self.metrics.iter().any(Selected::embeds_captions)
    }

    /// Does a metric compare observations of this kind, or need them to compare others? Graphs need captions for their
    /// nouns, and masks need categories for their names.
    pub(crate) fn needs(&self, kind: ObservationKind) -> bool {
        let is_compared_with = match kind {
            ObservationKind::Captions => {
                self.graph_tools.needs_captions() && self.compares(ObservationKind::SceneGraphs)
            }
            ObservationKind::Categories => self.compares(ObservationKind::Masks),
            _ => false,
        };
        is_compared_with || self.compares(kind)
    }

    /// One sentence on the metrics that were left out, and one on the weights that they need.
    pub(crate) fn skipped_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let (mut skipped, mut without_weights) = (Vec::new(), Vec::new());
        let mut models: Vec<&str> = Vec::new();
        for LeftOut { metric, model, .. } in &self.left_out {
            match model {
                Some(model) => {
                    without_weights.push(metric.as_str());
                    if !models.contains(&model.as_str()) {
                        models.push(model);
                    }
                }
                None if self.implied.contains(&metric.as_str()) => {}
                None => skipped.push(metric.as_str()),
            }
        }
        if !skipped.is_empty() {
            notes.push(format!("left out: {}; {METRICS_NAME} says what a metric needs", skipped.join(", ")));
        }
        if !without_weights.is_empty() {
            notes.push(format!(
                "left out, for want of weights: {}. `neurogauge models fetch {}` gets them, and so does asking for a metric by name with \
                 {METRICS_OPTION}",
                without_weights.join(", "),
                models.join(" ")
            ));
        }
        notes
    }

    /// The recipes of the features that are made from the images for some metrics, each once.
    pub(crate) fn perceived(&self, of: impl Fn(&Compute) -> bool) -> Vec<FeatureRecipe> {
        let mut recipes: Vec<FeatureRecipe> = Vec::new();
        for selected in self.metrics.iter().filter(|selected| of(&selected.metric.compute)) {
            match &selected.source {
                MetricSource::Features(_, Some(recipe)) if !recipes.contains(recipe) => recipes.push(recipe.clone()),
                _ => {}
            }
        }
        recipes
    }

    /// The networks that compare images.
    pub(crate) fn networks(&self) -> impl Iterator<Item = &LpipsRecipe> {
        self.metrics.iter().filter_map(|selected| match &selected.source {
            MetricSource::Network(recipe) => Some(recipe),
            _ => None,
        })
    }
}

/// The encoder of the texts that a metric compares, if it compares their embeddings.
pub(crate) fn encoder_of<'r>(metric: &Metric, request: &'r ScoreRequest) -> Option<&'r str> {
    if metric.compute.function::<EmbeddingFunction>().is_some() {
        return Some(&request.text_encoder);
    }
    let of_graphs = metric.compute.function::<GraphFunction>();
    of_graphs
        .filter(|_| request.options.basic_h.needs_embeddings())
        .map(|_| request.phrase_encoder.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notes_say_what_is_missing_and_how_to_get_it() {
        let left_out = |metric: &str, model: Option<&str>| LeftOut {
            metric: metric.to_owned(),
            reason: String::new(),
            model: model.map(str::to_owned),
        };
        let selection = Selection {
            metrics: Vec::new(),
            has_seeds_way: false,
            graph_tools: GraphTools::default(),
            left_out: vec![
                left_out("cap_sim", None),
                left_out("basic_h_objects", None),
                left_out("alexnet2", Some("alexnet")),
                left_out("alexnet5", Some("alexnet")),
                left_out("effnet", Some("efficientnet_b1")),
            ],
            without_encoder: Vec::new(),
            implied: vec!["basic_h_objects"],
        };
        let [skipped, without_weights] = &selection.skipped_notes()[..] else {
            panic!("two notes");
        };
        assert!(skipped.starts_with("left out: cap_sim;"), "{skipped}");
        for part in ["alexnet2, alexnet5, effnet", "`neurogauge models fetch alexnet efficientnet_b1`"] {
            assert!(without_weights.contains(part), "{without_weights}");
        }
    }
}
