//! Layers as separate sources: the depth of a model at which it has the dimensions that brains share (Figure 10 A, D,
//! E).

use crate::aligned::{Aligned, brain_ref_score};
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::align::{SourceFiles, UnitScore};
use neurogauge::alignment::UnitEstimate;
use serde::Serialize;

/// The layers of one model, in the order in which they were named.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct DepthProfile {
    pub model: String,
    /// The layers, from the first to the last.
    pub layers: Vec<LayerScore>,
}

impl DepthProfile {
    /// The names of its layers.
    pub(super) fn names(&self) -> Vec<&str> {
        self.layers.iter().map(|layer| layer.layer.as_str()).collect()
    }
}

/// One layer as a source.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LayerScore {
    pub layer: String,
    /// 0 for the first of the model's named layers, 1 for the last.
    pub depth: f64,
    pub accuracy: UnitEstimate,
    /// ProfileMean.
    pub profile_mean: UnitEstimate,
    /// BrainRefScore; undefined without other subjects.
    pub brain_ref_score: UnitEstimate,
    /// BrainRefScore; ProfileMean without other subjects.
    pub score: UnitEstimate,
}

/// The model and the layer of a source that is a single layer, from its name.
pub(super) fn model_and_layer(source: &SourceFiles) -> Option<(String, String)> {
    let layer = source.layer()?;
    Some((source.name.strip_suffix(&layer).unwrap_or(&source.name).trim_end().to_owned(), layer))
}

/// One profile for each model with at least two layers as separate sources.
pub(super) fn depth_profiles(aligned: &Aligned) -> Result<Vec<DepthProfile>, Error> {
    let sources = aligned.config.sources.iter().filter_map(|source| Some((model_and_layer(source)?, source)));
    let layers = sources.map(|((name, layer), source)| (name, (source, layer))).collect_vec();
    let names = layers.iter().map(|(name, _)| name.clone()).unique().collect_vec();
    let mut by_model = layers.into_iter().into_group_map();
    let models = names.into_iter().filter_map(|name| Some((by_model.remove(&name)?, name)));
    let profiles = models.filter(|(layers, _)| layers.len() > 1).map(|(layers, model)| {
        let last = (layers.len() - 1) as f64;
        let layers = layers.into_iter().enumerate();
        let layers = layers.map(|(place, (source, layer))| {
            let of = |value: &dyn Fn(&UnitScore) -> Option<f64>| aligned.mean_of(aligned.of_model(source), value);
            Ok(LayerScore {
                // The pooling of positions is usually equal for all layers.
                layer: layer.split(':').next().unwrap_or_default().to_owned(),
                depth: place as f64 / last,
                accuracy: of(&|entry| Some(entry.accuracy))?,
                profile_mean: of(&UnitScore::profile_mean)?,
                brain_ref_score: of(&brain_ref_score)?,
                score: of(&|entry| aligned.score(entry))?,
            })
        });
        Ok(DepthProfile {
            model,
            layers: layers.collect::<Result<_, Error>>()?,
        })
    });
    profiles.collect()
}
