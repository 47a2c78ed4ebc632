//! Networks trained on several objectives (Figure 10 C, D and E).

use super::DepthProfile;
use super::layers::model_and_layer;
use crate::aligned::{Aligned, bar, cell};
use indexmap::IndexMap;
use neurogauge::Error;
use neurogauge::align::{SourceFiles, SourceState};
use neurogauge::alignment::UnitEstimate;
use neurogauge::report::figures::{Bar, Bars};
use neurogauge::report::{Cell, Table};
use serde::Serialize;

/// The name of the group of bars for whole models.
const ALL_LAYERS: &str = "all layers";

/// Trained models of one family with different objectives.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FamilyObjectives {
    /// The family, as configured.
    pub family: String,
    /// Its models, at least two.
    pub models: Vec<ObjectiveScores>,
}

/// A model of a family.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ObjectiveScores {
    /// A description of its weights, or its name if there is none.
    pub objective: String,
    /// BrainRefScore (ProfileMean without other subjects) of all layers together, and of each layer that is a separate
    /// source.
    pub scores: Vec<(String, UnitEstimate)>,
}

/// Layers, with their scores.
type LayerScores = Vec<(String, UnitEstimate)>;

/// Families with at least two trained models.
pub(super) fn families(aligned: &Aligned, depth: &[DepthProfile]) -> Result<Vec<FamilyObjectives>, Error> {
    let sources = &aligned.config.sources;
    let mut scored: Vec<(&SourceFiles, &String, LayerScores)> = Vec::new();
    for source in sources.iter().filter(|own| !own.each_layer) {
        let score = aligned.mean_of(aligned.of_model(source), |entry| aligned.score(entry))?;
        scored.push((source, &source.name, vec![(ALL_LAYERS.to_owned(), score)]));
    }
    for model in depth {
        let is_layer = |own: &&SourceFiles| model_and_layer(own).is_some_and(|(name, _)| name == model.model);
        let scores = model.layers.iter().map(|layer| match aligned.has_brains() {
            true => (layer.layer.clone(), layer.brain_ref_score),
            false => (layer.layer.clone(), layer.profile_mean),
        });
        scored.extend(sources.iter().find(is_layer).map(|source| (source, &model.model, scores.collect())));
    }
    let mut families: IndexMap<&String, IndexMap<&String, LayerScores>> = IndexMap::new();
    for (source, name, scores) in scored {
        if let (Some(family), SourceState::Pretrained) = (&source.family, source.state) {
            let objective = source.weights.as_ref().unwrap_or(name);
            families.entry(family).or_default().entry(objective).or_default().extend(scores);
        }
    }
    let of_objective = |(objective, scores): (&String, _)| ObjectiveScores {
        objective: objective.clone(),
        scores,
    };
    let families = families.into_iter().filter(|(_, models)| models.len() > 1);
    let families = families.map(|(family, models)| FamilyObjectives {
        family: family.clone(),
        models: models.into_iter().map(of_objective).collect(),
    });
    Ok(families.collect())
}

pub(super) fn table(found: &[FamilyObjectives], aligned: &Aligned) -> Option<Table> {
    let models = found.iter().flat_map(|family| family.models.iter().map(move |model| (family, model)));
    let rows = models.flat_map(|(family, model)| model.scores.iter().map(move |own| (family, model, own)));
    Table::of("Objectives of one network", rows)
        .column_of_groups("family", |(family, ..)| family.family.clone())
        .column("weights", |(_, model, _)| Cell::text(model.objective.as_str()))
        .column("layer", |(.., (layer, _))| Cell::text(layer.as_str()))
        .column(aligned.score_name(), |(.., (_, score))| cell(score))
        .noted(vec!["Means over target units".to_owned()])
        .filled()
}

/// One bar for each model; groups are all layers together, and each layer by its position.
pub(super) fn bars(family: &FamilyObjectives, aligned: &Aligned) -> Bars {
    let models = || family.models.iter();
    let whole_of =
        |model: &ObjectiveScores| model.scores.iter().find(|(layer, _)| layer == ALL_LAYERS).map(|own| own.1);
    let layers_of = |model: &ObjectiveScores| -> Vec<UnitEstimate> {
        model.scores.iter().filter(|(layer, _)| layer != ALL_LAYERS).map(|own| own.1).collect()
    };
    let mut groups: Vec<(String, Vec<Bar>)> = Vec::new();
    if models().any(|model| whole_of(model).is_some()) {
        groups.push((ALL_LAYERS.to_owned(), models().map(|model| bar(whole_of(model))).collect()));
    }
    for place in 0..models().map(|model| layers_of(model).len()).max().unwrap_or(0) {
        let own = models().map(|model| bar(layers_of(model).get(place).copied()));
        groups.push((format!("layer {}", place + 1), own.collect()));
    }
    let (groups, bars) = groups.into_iter().unzip();
    Bars {
        title: format!("Objectives of {}", family.family),
        y_label: aligned.score_name().to_owned(),
        bars,
        groups,
        series: models().map(|model| model.objective.clone()).collect(),
        caption: format!(
            "One network, learned in several ways. Layers by their place among those named; means over target units, {}.",
            aligned.interval_caption()
        ),
    }
}
