//! One network learned in several ways (Figure 10 C, D and E).

use super::DepthProfile;
use super::layers::model_and_layer;
use crate::aligned::{Aligned, bar, cell};
use neurogauge::Error;
use neurogauge::align::{SourceFiles, SourceState};
use neurogauge::alignment::UnitEstimate;
use neurogauge::report::figures::{Bar, Bars};
use neurogauge::report::{Cell, TextTable};
use serde::Serialize;

/// What the group of bars of a whole model is called.
const ALL_LAYERS: &str = "all layers";

/// Trained models of one family that learned different things.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FamilyObjectives {
    /// The family, as configured.
    pub family: String,
    /// Its models; two or more.
    pub models: Vec<ObjectiveScores>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ObjectiveScores {
    /// Its weights in words, or its name without.
    pub objective: String,
    /// BrainRefScore (ProfileMean without other subjects) of all layers together, and of each layer that is a source by
    /// itself.
    pub scores: Vec<(String, UnitEstimate)>,
}

/// Families of two trained models or more.
pub(super) fn families(aligned: &Aligned, depth: &[DepthProfile]) -> Result<Vec<FamilyObjectives>, Error> {
    let mut found: Vec<FamilyObjectives> = Vec::new();
    let mut add = |source: &SourceFiles, scores: Vec<(String, UnitEstimate)>, name: &str| {
        let (Some(family), SourceState::Pretrained) = (&source.family, source.state) else {
            return;
        };
        let place = found.iter().position(|known| known.family == *family);
        let place = place.unwrap_or_else(|| {
            found.push(FamilyObjectives {
                family: family.clone(),
                models: Vec::new(),
            });
            found.len() - 1
        });
        let models = &mut found[place].models;
        let objective = source.weights.as_deref().unwrap_or(name);
        match models.iter_mut().find(|known| known.objective == objective) {
            Some(model) => model.scores.extend(scores),
            None => models.push(ObjectiveScores {
                objective: objective.to_owned(),
                scores,
            }),
        }
    };
    for source in aligned.config.sources.iter().filter(|own| !own.each_layer) {
        let score = aligned.mean_of(aligned.of_model(source), |entry| aligned.score(entry))?;
        let scores = vec![(ALL_LAYERS.to_owned(), score)];
        add(source, scores, &source.name);
    }
    for model in depth {
        let mut sources = aligned.config.sources.iter();
        let is_layer = |own: &&SourceFiles| model_and_layer(own).is_some_and(|(name, _)| name == model.model);
        let Some(source) = sources.find(is_layer) else {
            continue;
        };
        let scores = model.layers.iter().map(|layer| {
            let score = if aligned.has_brains() {
                layer.brain_ref_score
            } else {
                layer.profile_mean
            };
            (layer.layer.clone(), score)
        });
        add(source, scores.collect(), &model.model);
    }
    found.retain(|family| family.models.len() > 1);
    Ok(found)
}

fn label(aligned: &Aligned) -> &'static str {
    if aligned.has_brains() {
        "BrainRefScore"
    } else {
        "ProfileMean"
    }
}

pub(super) fn table(found: &[FamilyObjectives], aligned: &Aligned) -> Option<TextTable> {
    let rows = found.iter().flat_map(|family| {
        family
            .models
            .iter()
            .flat_map(move |model| model.scores.iter().map(move |(layer, score)| (family, model, layer, score)))
    });
    TextTable::of("Objectives of one network", rows)
        .column_of_groups("family", |(family, ..)| family.family.clone())
        .column("weights", |(_, model, ..)| Cell::text(model.objective.as_str()))
        .column("layer", |(_, _, layer, _)| Cell::text(layer.as_str()))
        .column(label(aligned), |(.., score)| cell(score))
        .noted(vec!["Means over target units".to_owned()])
        .filled()
}

/// A bar for each model; groups are all layers together, and each layer by its place.
pub(super) fn bars(family: &FamilyObjectives, aligned: &Aligned) -> Bars {
    let layers_of = |model: &ObjectiveScores| -> Vec<(String, UnitEstimate)> {
        model.scores.iter().filter(|(layer, _)| layer != ALL_LAYERS).cloned().collect()
    };
    let has_whole = |model: &ObjectiveScores| model.scores.iter().any(|(layer, _)| layer == ALL_LAYERS);
    let n_layers = family.models.iter().map(|model| layers_of(model).len()).max().unwrap_or(0);
    let mut groups: Vec<String> = Vec::new();
    let is_whole = family.models.iter().any(has_whole);
    groups.extend(is_whole.then(|| ALL_LAYERS.to_owned()));
    groups.extend((0..n_layers).map(|place| format!("layer {}", place + 1)));
    let of_models = |of: &dyn Fn(&ObjectiveScores) -> Option<UnitEstimate>| {
        family.models.iter().map(|model| bar(of(model))).collect::<Vec<Bar>>()
    };
    let whole = is_whole
        .then(|| of_models(&|model| model.scores.iter().find(|(layer, _)| layer == ALL_LAYERS).map(|own| own.1)));
    let layers = (0..n_layers).map(|place| of_models(&|model| layers_of(model).get(place).map(|own| own.1)));
    Bars {
        title: format!("Objectives of {}", family.family),
        y_label: label(aligned).to_owned(),
        bars: whole.into_iter().chain(layers).collect(),
        groups,
        series: (family.models.iter()).map(|model| model.objective.clone()).collect(),
        caption: format!(
            "One network, learned in several ways. Layers by their place among those named; means over target units, {}.",
            aligned.interval_caption()
        ),
    }
}
