//! Models: their layers (Figure 10 A, D, E), objectives (10 C), architectures (11 D, 12 D), seeds (Table 4), and the rows
//! of Table 5.

use crate::aligned::{Aligned, are_alike};
use crate::published;
use indexmap::{IndexMap, IndexSet};
use itertools::Itertools;
use neurogauge::Error;
use neurogauge::align::{SourceFiles, SourceState, UnitScore};
use neurogauge::stats::{mean, standard_deviation};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// All sources, model by model, with the means of their scores over target units. Of models with at least two layers as
/// separate sources, `place` counts the layers from 1, and `depth` is 0 for the first and 1 for the last; `row` is that of
/// the paper's Table 5.
pub(super) fn sources(aligned: &Aligned) -> Result<Vec<Value>, Error> {
    let mut found = Vec::new();
    for (model, sources) in by_model(aligned) {
        let n_layers = sources.iter().filter(|source| source.each_layer).count();
        let mut place = 0;
        for source in sources {
            let of = |value: &dyn Fn(&UnitScore) -> Option<f64>| aligned.mean_of(aligned.of_model(source), value);
            let is_layer = source.each_layer && n_layers > 1;
            place += usize::from(is_layer);
            found.push(json!({
                "model": model,
                // The pooling of positions is usually equal for all layers.
                "layer": source.layer().filter(|_| is_layer).as_deref().and_then(|layer| layer.split(':').next()),
                "place": is_layer.then_some(place),
                "depth": is_layer.then(|| (place - 1) as f64 / (n_layers - 1) as f64),
                "family": source.family.as_ref().filter(|_| is_layer || !source.each_layer),
                "is_pretrained": source.state == SourceState::Pretrained,
                "objective": source.weights.as_ref().unwrap_or(&model),
                "row": published::id_of(source),
                "accuracy": of(&|entry| Some(entry.accuracy))?,
                "profile_mean": of(&UnitScore::profile_mean)?,
                "brain_ref_score": of(&UnitScore::brain_ref_score)?,
                "shape_distance": of(&UnitScore::shape_distance)?,
                "score": of(&|entry| aligned.score(entry))?,
            }));
        }
    }
    Ok(found)
}

/// The sources of each model, which are several if layers are separate sources.
fn by_model(aligned: &Aligned) -> IndexMap<String, Vec<&SourceFiles>> {
    let mut models: IndexMap<String, Vec<&SourceFiles>> = IndexMap::new();
    for source in &aligned.config.sources {
        let layer = source.layer().unwrap_or_default();
        let model = source.name.strip_suffix(&layer).unwrap_or(&source.name).trim_end();
        models.entry(model.to_owned()).or_default().push(source);
    }
    models
}

/// Families of two or more trained models with different objectives.
pub(super) fn families(sources: &[Value]) -> Vec<Value> {
    let mut families: IndexMap<&str, IndexSet<&str>> = IndexMap::new();
    for own in sources.iter().filter(|own| own["is_pretrained"] == true) {
        if let (Some(family), Some(objective)) = (own["family"].as_str(), own["objective"].as_str()) {
            families.entry(family).or_default().insert(objective);
        }
    }
    families.retain(|_, objectives| objectives.len() > 1);
    families.into_keys().map(|family| json!({"family": family})).collect()
}

/// Ranks and ShapeDist of each architecture (the model's name without one) and state, in the order of the configuration.
pub(super) fn architectures(aligned: &Aligned) -> Result<Vec<Value>, Error> {
    let group_of = |entry: &UnitScore| {
        let model = aligned.model_of(entry)?;
        Some((model.architecture.as_ref().unwrap_or(&model.name).clone(), aligned.kind_of(entry)))
    };
    let found = aligned.entries.iter().filter_map(group_of).unique().map(|group| {
        let of = |value: &dyn Fn(&UnitScore) -> Option<f64>| {
            aligned.mean_of(aligned.entries.iter().filter(|entry| group_of(entry).as_ref() == Some(&group)), value)
        };
        Ok(json!({
            "architecture": group.0,
            "state": group.1.label(),
            "selected_rank": of(&|entry| Some(entry.selected_rank))?,
            "effective_rank": of(&|entry| entry.effective_rank)?,
            "shape_distance": of(&UnitScore::shape_distance)?,
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
        let siblings = models.iter().filter(|own| own.state == SourceState::Random && are_alike(own, model));
        let values = siblings.filter_map(|own| Some((own.seed?, of_model(own)?))).into_group_map();
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
