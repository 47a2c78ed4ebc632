//! Networks trained on several objectives (Figure 10 C, D and E).

use super::DepthProfile;
use super::layers::model_and_layer;
use crate::aligned::Aligned;
use indexmap::IndexMap;
use neurogauge::Error;
use neurogauge::align::{SourceFiles, SourceState};
use neurogauge::alignment::UnitEstimate;
use serde::Serialize;

/// The name of whole models among layers.
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
    pub scores: Vec<ObjectiveScore>,
}

/// A score of a model, or of one of its layers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ObjectiveScore {
    pub layer: String,
    /// Its place among the layers named, from 1; `None` for all together.
    pub place: Option<usize>,
    pub score: UnitEstimate,
}

/// Families with at least two trained models.
pub(super) fn families(aligned: &Aligned, depth: &[DepthProfile]) -> Result<Vec<FamilyObjectives>, Error> {
    let sources = &aligned.config.sources;
    let mut scored: Vec<(&SourceFiles, &String, Vec<ObjectiveScore>)> = Vec::new();
    for source in sources.iter().filter(|own| !own.each_layer) {
        let score = aligned.mean_of(aligned.of_model(source), |entry| aligned.score(entry))?;
        let whole = ObjectiveScore {
            layer: ALL_LAYERS.to_owned(),
            place: None,
            score,
        };
        scored.push((source, &source.name, vec![whole]));
    }
    for model in depth {
        let is_layer = |own: &&SourceFiles| model_and_layer(own).is_some_and(|(name, _)| name == model.model);
        let scores = (1..).zip(&model.layers).map(|(place, layer)| ObjectiveScore {
            layer: layer.layer.clone(),
            place: Some(place),
            score: layer.score,
        });
        scored.extend(sources.iter().find(is_layer).map(|source| (source, &model.model, scores.collect())));
    }
    let mut families: IndexMap<&String, IndexMap<&String, Vec<ObjectiveScore>>> = IndexMap::new();
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
