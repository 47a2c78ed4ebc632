//! Models: their layers (Figure 10 A, D, E), objectives (10 C), architectures (11 D, 12 D), seeds (Table 4), and the rows
//! of Table 5.

use crate::aligned::{Aligned, are_alike};
use crate::preset;
use indexmap::IndexMap;
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
    let mut models: IndexMap<String, Vec<&SourceFiles>> = IndexMap::new();
    for source in &aligned.config.sources {
        let layer = source.layer().unwrap_or_default();
        let model = source.name.strip_suffix(&layer).unwrap_or(&source.name).trim_end();
        models.entry(model.to_owned()).or_default().push(source);
    }
    let mut found = Vec::new();
    for (model, sources) in models {
        let n_layers = sources.iter().filter(|source| source.each_layer).count();
        let mut place = 0;
        for source in sources {
            let is_layer = source.each_layer && n_layers > 1;
            place += usize::from(is_layer);
            let row = json!({
                "model": model,
                // The pooling of positions is usually equal for all layers.
                "layer": source.layer().filter(|_| is_layer).as_deref().and_then(|layer| layer.split(':').next()),
                "place": is_layer.then_some(place),
                "depth": is_layer.then(|| (place - 1) as f64 / (n_layers - 1) as f64),
                "family": source.family.as_ref().filter(|_| is_layer || !source.each_layer),
                "is_pretrained": source.state == SourceState::Pretrained,
                "objective": source.weights.as_ref().unwrap_or(&model),
                "row": preset::id_of(source),
            });
            found.push(aligned.with_means(row, &aligned.of_model(source).collect_vec())?);
        }
    }
    Ok(found)
}

/// Families of two or more trained models with different objectives.
pub(super) fn families(sources: &[Value]) -> Vec<Value> {
    let trained = sources.iter().filter(|own| own["is_pretrained"] == true && !own["family"].is_null());
    let objectives = trained.map(|own| (own["family"].as_str(), own["objective"].as_str())).unique();
    objectives.map(|(family, _)| family).duplicates().map(|family| json!({"family": family})).collect()
}

/// Means of each architecture (the model's name without one) and state, in the order of the configuration.
pub(super) fn architectures(aligned: &Aligned) -> Result<Vec<Value>, Error> {
    let mut groups: IndexMap<_, Vec<&UnitScore>> = IndexMap::new();
    for entry in aligned.of_models() {
        let model = aligned.model_of(entry).map(|own| own.architecture.as_ref().unwrap_or(&own.name));
        groups.entry((model, aligned.kind_of(entry))).or_default().push(entry);
    }
    let rows = groups
        .iter()
        .map(|((model, state), entries)| aligned.with_means(json!({"architecture": model, "state": state}), entries));
    rows.collect()
}

/// A row's name, whether the paper has it, and the ProfileMean of a pretrained model and of untrained ones by seed.
type Seeds = (String, bool, f64, BTreeMap<u64, f64>);

/// A row for each architecture (and layer) with a pretrained model and at least two seeds of untrained ones, of their
/// ProfileMean over all target units. If two rows or more have the same seeds, a row `overall` follows: for each seed, the
/// mean over them.
pub(super) fn seeds(aligned: &Aligned) -> Vec<Value> {
    let of_model = |model: &SourceFiles| mean(aligned.of_model(model).filter_map(UnitScore::profile_mean));
    let models = &aligned.config.sources;
    let of_siblings = |model: &SourceFiles| {
        let siblings = models.iter().filter(|own| own.state == SourceState::Random && are_alike(own, model));
        let values = siblings.filter_map(|own| Some((own.seed?, of_model(own)?))).into_group_map().into_iter();
        let by_seed: BTreeMap<u64, f64> = values.filter_map(|(seed, own)| Some((seed, mean(own)?))).collect();
        let name = [Some(model.architecture.clone()?), model.layer()].into_iter().flatten().join(" ");
        // The paper's Table 4 has four seeds.
        let is_of_paper = preset::id_of(model).is_some() && by_seed.len() == 4;
        Some((name, is_of_paper, of_model(model)?, by_seed)).filter(|row| row.3.len() > 1)
    };
    let trained = models.iter().filter(|own| own.state == SourceState::Pretrained);
    let mut rows: Vec<Seeds> = trained.filter_map(of_siblings).collect();
    if rows.len() > 1 && rows.iter().map(|row| row.3.keys().collect_vec()).all_equal() {
        let over = |of: &dyn Fn(&Seeds) -> f64| mean(rows.iter().map(of)).unwrap_or_default();
        let by_seed = rows[0].3.keys().map(|seed| (*seed, over(&|row| row.3[seed]))).collect();
        let is_of_paper = rows.len() == 4 && rows.iter().all(|row| row.1);
        rows.push(("overall".to_owned(), is_of_paper, over(&|row| row.2), by_seed));
    }
    rows.iter().filter_map(row_of_seeds).collect()
}

/// Mean, standard deviation (divisor n - 1) and range over seeds, and the gap to the pretrained model.
fn row_of_seeds((name, is_of_paper, pretrained, by_seed): &Seeds) -> Option<Value> {
    let seeds = by_seed.values().copied().collect_vec();
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
        "is_of_paper": is_of_paper,
    }))
}
