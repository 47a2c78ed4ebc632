//! Models: their layers (Figure 10 A, D, E), objectives (10 C), architectures (11 D, 12 D), seeds (Table 4), and the rows
//! of Table 5.

use crate::aligned::{Aligned, are_alike, brain_ref_score, shape_distance};
use crate::published;
use indexmap::IndexMap;
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::align::{SourceFiles, SourceState, UnitScore};
use neurogauge::stats::{mean, standard_deviation};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The means of a model's scores over target units.
fn scores(aligned: &Aligned, source: &SourceFiles) -> Result<Value, Error> {
    let of = |value: &dyn Fn(&UnitScore) -> Option<f64>| aligned.mean_of(aligned.of_model(source), value);
    Ok(json!({
        "accuracy": of(&|entry| Some(entry.accuracy))?,
        "profile_mean": of(&UnitScore::profile_mean)?,
        "brain_ref_score": of(&brain_ref_score)?,
        "shape_distance": of(&shape_distance)?,
        "score": of(&|entry| aligned.score(entry))?,
    }))
}

/// The models of Table 5, in the order of the configuration.
pub(super) fn rows(aligned: &Aligned) -> Result<Vec<Value>, Error> {
    let mut rows = Vec::new();
    for source in &aligned.config.sources {
        if let Some(row) = published::id_of(source) {
            let mut own = scores(aligned, source)?;
            own["row"] = json!(row);
            rows.push(own);
        }
    }
    Ok(rows)
}

/// Models with at least two layers as separate sources; `depth` is 0 for the first layer and 1 for the last.
pub(super) fn depth(aligned: &Aligned) -> Result<Vec<Value>, Error> {
    let mut models: IndexMap<String, Vec<(String, &SourceFiles)>> = IndexMap::new();
    for source in &aligned.config.sources {
        if let Some((model, layer)) = model_and_layer(source) {
            models.entry(model).or_default().push((layer, source));
        }
    }
    let mut found = Vec::new();
    for (model, layers) in models.into_iter().filter(|(_, layers)| layers.len() > 1) {
        let mut of_layers = Vec::new();
        for (place, (layer, source)) in layers.iter().enumerate() {
            let mut own = scores(aligned, source)?;
            // The pooling of positions is usually equal for all layers.
            own["layer"] = json!(layer.split(':').next());
            own["depth"] = json!(place as f64 / (layers.len() - 1) as f64);
            of_layers.push(own);
        }
        found.push(json!({"model": model, "layers": of_layers}));
    }
    Ok(found)
}

/// The model and the layer of a source that is a single layer, from its name.
fn model_and_layer(source: &SourceFiles) -> Option<(String, String)> {
    let layer = source.layer()?;
    Some((source.name.strip_suffix(&layer).unwrap_or(&source.name).trim_end().to_owned(), layer))
}

/// Families of two or more trained models with different objectives: the scores of all layers together, and of each layer
/// that is a separate source, with its place from 1.
pub(super) fn objectives(aligned: &Aligned, depth: &[Value]) -> Result<Vec<Value>, Error> {
    let sources = &aligned.config.sources;
    let mut scored: Vec<(&SourceFiles, &str, Vec<Value>)> = Vec::new();
    for source in sources.iter().filter(|own| !own.each_layer) {
        let score = aligned.mean_of(aligned.of_model(source), |entry| aligned.score(entry))?;
        scored.push((source, &source.name, vec![json!({"layer": "all layers", "place": null, "score": score})]));
    }
    for model in depth {
        let name = model["model"].as_str().unwrap_or_default();
        let is_layer = |own: &&SourceFiles| model_and_layer(own).is_some_and(|(own, _)| own == name);
        let layers = (1..).zip(model["layers"].as_array().into_iter().flatten());
        let scores = layers.map(|(at, own)| json!({"layer": own["layer"], "place": at, "score": own["score"]}));
        scored.extend(sources.iter().find(is_layer).map(|source| (source, name, scores.collect())));
    }
    let mut families: IndexMap<&String, IndexMap<&str, Vec<Value>>> = IndexMap::new();
    for (source, name, scores) in scored {
        if let (Some(family), SourceState::Pretrained) = (&source.family, source.state) {
            let objective = source.weights.as_deref().unwrap_or(name);
            families.entry(family).or_default().entry(objective).or_default().extend(scores);
        }
    }
    let families = families.into_iter().filter(|(_, models)| models.len() > 1).map(|(family, models)| {
        let models = models.iter().map(|(objective, scores)| json!({"objective": objective, "scores": scores}));
        json!({"family": family, "models": models.collect_vec()})
    });
    Ok(families.collect())
}

/// Ranks and ShapeDist of each architecture (the model's name without one) and state, in the order of the configuration.
pub(super) fn architectures(aligned: &Aligned) -> Result<Vec<Value>, Error> {
    let name_of = |entry: &UnitScore| {
        let model = aligned.model_of(entry)?;
        Some(model.architecture.clone().unwrap_or(model.name.clone()))
    };
    let groups = aligned.entries.iter().filter_map(|entry| Some((name_of(entry)?, aligned.kind_of(entry))));
    let found = groups.unique().map(|(architecture, kind)| {
        let of = |value: &dyn Fn(&UnitScore) -> Option<f64>| {
            let own = aligned.of_kind(kind).filter(|entry| name_of(entry).as_ref() == Some(&architecture));
            aligned.mean_of(own, value)
        };
        Ok(json!({
            "architecture": architecture,
            "state": kind.label(),
            "selected_rank": of(&|entry| Some(entry.selected_rank))?,
            "effective_rank": of(&|entry| entry.effective_rank)?,
            "shape_distance": of(&shape_distance)?,
        }))
    });
    found.collect()
}

/// A row for each architecture (and layer) with a pretrained model and at least two seeds of untrained ones, of their
/// ProfileMean over all target units. If two rows or more have the same seeds, a row `overall` follows: for each seed, the
/// mean over them.
pub(super) fn seeds(aligned: &Aligned) -> Vec<Value> {
    let of_model = |model: &SourceFiles| mean(aligned.of_model(model).filter_map(UnitScore::profile_mean));
    let models = &aligned.config.sources;
    let mut found = Vec::new();
    let mut by_row: Vec<(f64, BTreeMap<u64, f64>)> = Vec::new();
    for model in models.iter().filter(|own| own.state == SourceState::Pretrained) {
        let mut values: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        for other in models.iter().filter(|own| own.state == SourceState::Random && are_alike(own, model)) {
            if let Some(seed) = other.seed {
                values.entry(seed).or_default().extend(of_model(other));
            }
        }
        let seeds: BTreeMap<u64, f64> = values.into_iter().filter_map(|(seed, own)| Some((seed, mean(own)?))).collect();
        let (Some(architecture), Some(pretrained), true) = (&model.architecture, of_model(model), seeds.len() > 1)
        else {
            continue;
        };
        let name = [Some(architecture.clone()), model.layer()].into_iter().flatten().join(" ");
        found.extend(seed_row(&name, published::id_of(model).is_some(), pretrained, seeds.values().copied()));
        by_row.push((pretrained, seeds));
    }
    if by_row.len() > 1 && by_row.iter().map(|(_, seeds)| seeds.keys().collect_vec()).all_equal() {
        let of_paper = found.len() == 4 && found.iter().all(|own| own["is_of_paper"] == true);
        let mean_of = |seed: &u64| mean(by_row.iter().map(|(_, seeds)| seeds[seed]));
        let seeds = by_row[0].1.keys().filter_map(mean_of);
        let pretrained = mean(by_row.iter().map(|(pretrained, _)| *pretrained));
        found.extend(pretrained.and_then(|pretrained| seed_row("overall", of_paper, pretrained, seeds)));
    }
    found
}

/// Mean, standard deviation (divisor n - 1) and range over seeds, and the gap to the pretrained model.
fn seed_row(name: &str, of_paper: bool, pretrained: f64, seeds: impl Iterator<Item = f64>) -> Option<Value> {
    let seeds = seeds.collect_vec();
    let (centre, sd) = (mean(seeds.iter().copied())?, standard_deviation(&seeds)?);
    let gap = pretrained - centre;
    Some(json!({
        "architecture": name,
        "pretrained": pretrained,
        "n_seeds": seeds.len(),
        "mean": centre,
        "sd": sd,
        "range": [seeds.iter().copied().reduce(f64::min), seeds.iter().copied().reduce(f64::max)],
        "gap": gap,
        "sd_over_gap": (gap != 0.0).then(|| sd / gap.abs()),
        // The paper's Table 4 has four seeds.
        "is_of_paper": of_paper && seeds.len() == 4,
    }))
}
