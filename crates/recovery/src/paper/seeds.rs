//! How much the results of untrained models depend on their seed (Table 4).

use crate::aligned::{Aligned, are_alike};
use neurogauge::align::{SourceFiles, SourceState, UnitScore};
use neurogauge::stats::{mean, standard_deviation};
use serde::Serialize;
use std::collections::BTreeMap;

/// A pretrained model compared with the untrained ones of its architecture.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SeedControl {
    /// The architecture, with the layer if each layer is a separate source; `overall` for the mean over all rows.
    pub architecture: String,
    /// ProfileMean of the pretrained model, over all target units.
    pub pretrained: f64,
    pub n_seeds: usize,
    /// Mean over seeds of the untrained models' ProfileMean.
    pub mean: f64,
    /// Their standard deviation over seeds (divisor n - 1).
    pub sd: f64,
    /// The lowest and the highest value over seeds.
    pub range: (f64, f64),
    /// Pretrained minus the mean of the untrained.
    pub gap: f64,
    /// sd / |gap|; `None` without a gap.
    pub sd_over_gap: Option<f64>,
    /// Is it a row of the paper's Table 4?
    pub is_of_paper: bool,
}

impl SeedControl {
    fn new(architecture: &str, pretrained: f64, seeds: &[f64]) -> Option<SeedControl> {
        let centre = mean(seeds.iter().copied())?;
        let sd = standard_deviation(seeds)?;
        let gap = pretrained - centre;
        Some(SeedControl {
            architecture: architecture.to_owned(),
            pretrained,
            n_seeds: seeds.len(),
            mean: centre,
            sd,
            range: (
                seeds.iter().copied().fold(f64::INFINITY, f64::min),
                seeds.iter().copied().fold(f64::NEG_INFINITY, f64::max),
            ),
            gap,
            sd_over_gap: (gap != 0.0).then(|| sd / gap.abs()),
            is_of_paper: false,
        })
    }

    /// One row for each architecture (and layer) with a pretrained model and at least two seeds. If at least two rows
    /// have the same seeds, an overall row follows: for each seed, the mean over them.
    pub(super) fn all(aligned: &Aligned) -> Vec<SeedControl> {
        let of_model = |model: &SourceFiles| mean(aligned.of_model(model).filter_map(UnitScore::profile_mean));
        let models = &aligned.config.sources;
        let mut found = Vec::new();
        let mut by_seed: Vec<(f64, Vec<(u64, f64)>)> = Vec::new();
        for model in models {
            let (SourceState::Pretrained, Some(architecture)) = (model.state, &model.architecture) else {
                continue;
            };
            let mut values: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
            for other in models {
                if let (SourceState::Random, Some(seed)) = (other.state, other.seed)
                    && are_alike(other, model)
                {
                    values.entry(seed).or_default().extend(of_model(other));
                }
            }
            let seeds = values.into_iter().filter_map(|(seed, own)| Some((seed, mean(own)?)));
            let seeds: Vec<(u64, f64)> = seeds.collect();
            let (Some(pretrained), true) = (of_model(model), seeds.len() > 1) else {
                continue;
            };
            let means: Vec<f64> = seeds.iter().map(|(_, value)| *value).collect();
            let name = match model.layer() {
                Some(layer) => format!("{architecture} {layer}"),
                None => architecture.clone(),
            };
            found.extend(SeedControl::new(&name, pretrained, &means));
            by_seed.push((pretrained, seeds));
        }
        found.extend(overall(&by_seed));
        found
    }
}

fn overall(by_seed: &[(f64, Vec<(u64, f64)>)]) -> Option<SeedControl> {
    let (first, others) = by_seed.split_first()?;
    let seeds_of = |of: &(f64, Vec<(u64, f64)>)| -> Vec<u64> { of.1.iter().map(|(seed, _)| *seed).collect() };
    let same = others.iter().all(|other| seeds_of(other) == seeds_of(first));
    if others.is_empty() || !same {
        return None;
    }
    let pretrained = mean(by_seed.iter().map(|(pretrained, _)| *pretrained))?;
    let seeds = (0..first.1.len()).filter_map(|place| mean(by_seed.iter().map(|(_, seeds)| seeds[place].1)));
    SeedControl::new("overall", pretrained, &seeds.collect::<Vec<_>>())
}
