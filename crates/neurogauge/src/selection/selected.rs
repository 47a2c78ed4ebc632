//! The metrics that are selected, and what was left out.

use crate::lpips::LpipsPlan;
use crate::perceive::FeatureRecipe;
use crate::scene_graph_tools::GraphTools;
use neurogauge_metrics::{Compute, Metric};

/// Where the values of a metric come from.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Origin {
    /// Compared here.
    Computed,
    /// From the feature matrices of this name, given or perceived.
    Features(String),
    /// Per-pair values that SEED's layout already holds.
    Imported,
}

#[derive(Debug, Clone)]
pub(crate) struct Selected {
    pub(crate) metric: &'static Metric,
    pub(crate) origin: Origin,
}

pub(crate) struct Selection {
    /// In registry order, parts before composites.
    pub(crate) metrics: Vec<Selected>,
    /// Feature matrices that are made of the images first.
    pub(crate) perceived: Vec<FeatureRecipe>,
    /// Networks that compare the images of each pair.
    pub(crate) lpips: Vec<LpipsPlan>,
    /// What scene graphs are compared with.
    pub(crate) graph_tools: GraphTools,
    /// Metrics left out because an input is missing.
    pub(crate) skipped: Vec<&'static str>,
    /// Metrics left out because the weights of a model are missing, with the model.
    pub(crate) without_weights: Vec<(&'static str, String)>,
}

impl Selection {
    /// Does a metric compare captions here?
    pub(crate) fn compares_captions(&self) -> bool {
        self.metrics.iter().any(|selected| {
            selected.origin == Origin::Computed
                && matches!(selected.metric.compute, Compute::Captions(_))
        })
    }

    /// Are scene graphs compared here?
    pub(crate) fn compares_graphs(&self) -> bool {
        let mut selected = self.metrics.iter();
        selected.any(|s| matches!(s.metric.compute, Compute::SceneGraphs(_)))
    }

    /// Does anything need captions: a metric of theirs, a parser, the filter of nouns?
    pub(crate) fn needs_captions(&self) -> bool {
        self.compares_captions() || (self.graph_tools.needs_captions() && self.compares_graphs())
    }

    /// Does a metric compare detections here?
    pub(crate) fn compares_detections(&self) -> bool {
        self.metrics.iter().any(|selected| {
            selected.origin == Origin::Computed
                && matches!(selected.metric.compute, Compute::Detections(_))
        })
    }

    /// A sentence on what was left out, and one on which weights would bring it in.
    pub(crate) fn skipped_notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if !self.skipped.is_empty() {
            notes.push(format!(
                "left out: {}; --metrics NAME says what a metric needs",
                self.skipped.join(", ")
            ));
        }
        if !self.without_weights.is_empty() {
            let metrics: Vec<&str> = self.without_weights.iter().map(|(id, _)| *id).collect();
            let mut models: Vec<&str> = Vec::new();
            for (_, model) in &self.without_weights {
                if !models.contains(&model.as_str()) {
                    models.push(model);
                }
            }
            notes.push(format!(
                "left out, for want of weights on this machine: {}; `neurogauge models fetch MODEL` \
                 gets them (MODEL: {}), and so does asking for a metric by name with --metrics",
                metrics.join(", "),
                models.join(", ")
            ));
        }
        notes
    }

    /// How the features are made that pairs are told from a pool by.
    pub(crate) fn perceived_of_pool(&self) -> Vec<FeatureRecipe> {
        let is_of_pool = |recipe: &&FeatureRecipe| {
            let origin = Origin::Features(recipe.name());
            let mut metrics = self.metrics.iter();
            metrics.any(|s| s.metric.compute.needs_pool() && s.origin == origin)
        };
        self.perceived.iter().filter(is_of_pool).cloned().collect()
    }

    /// How a feature matrix is made of the images, if it is.
    pub(crate) fn recipe(&self, features: &str) -> Option<&FeatureRecipe> {
        self.perceived
            .iter()
            .find(|recipe| recipe.name() == features)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_notes_say_what_is_missing_and_how_to_get_it() {
        let model = |id: &str| id.to_owned();
        let selection = Selection {
            metrics: Vec::new(),
            perceived: Vec::new(),
            lpips: Vec::new(),
            graph_tools: GraphTools::default(),
            skipped: vec!["cap_sim"],
            without_weights: vec![
                ("alexnet2", model("alexnet")),
                ("alexnet5", model("alexnet")),
                ("effnet", model("efficientnet_b1")),
            ],
        };
        let [skipped, without_weights] = &selection.skipped_notes()[..] else {
            panic!("two notes");
        };
        assert!(skipped.starts_with("left out: cap_sim;"), "{skipped}");
        for part in [
            "alexnet2, alexnet5, effnet",
            "neurogauge models fetch",
            "(MODEL: alexnet, efficientnet_b1)",
        ] {
            assert!(without_weights.contains(part), "{without_weights}");
        }
    }
}
