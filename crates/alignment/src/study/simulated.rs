//! A simulated study with a known truth.

use super::{SourceDescription, SourceFeatures, SourceState, Study, TrialOrder, UnitTrials};
use crate::{AlignmentError, SimulatedRegion, Simulation, SimulationOptions};
use neurogauge_core::Seed;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SimulatedSize {
    /// Three subjects, one region, 90 stimuli, one model trained and untrained; for a first look.
    Miniature,
    /// Four subjects, two regions, 150 stimuli; it takes seconds.
    #[default]
    Small,
    /// The size of NSD's shared images: eight subjects, fourteen regions, 515 stimuli, and twenty models.
    Nsd,
}

/// Models: name, features, and the noise of a feature.
const MODELS: [(&str, usize, f64); 4] = [("A", 960, 0.5), ("B", 3840, 0.7), ("C", 1472, 0.9), ("D", 3072, 0.6)];
/// The number of latent dimensions that an untrained model spans; a trained one spans all shared ones.
const UNTRAINED: usize = 2;

/// Recordings of subjects who share latent dimensions, and models with their descriptions: trained models span all
/// shared dimensions, untrained ones only the strongest.
pub fn simulated(size: SimulatedSize, seed: Seed) -> Result<(Study, Vec<SourceDescription>), AlignmentError> {
    let mut options = SimulationOptions {
        seed,
        ..SimulationOptions::default()
    };
    let (mut models, mut seeds) = (MODELS.to_vec(), vec![42, 0, 1, 2]);
    let mut shrink = |n_stimuli, n_subjects, regions: &[(&str, usize)], features: &[(_, _, _)]| {
        options.n_stimuli = n_stimuli;
        options.n_subjects = n_subjects;
        options.n_sessions = 3;
        options.repeats = vec![2, 3];
        let region = |&(roi, n_voxels): &(&str, usize)| SimulatedRegion {
            hemisphere: "lh".to_owned(),
            roi: roi.to_owned(),
            n_voxels,
        };
        options.regions = regions.iter().map(region).collect();
        models = features.to_vec();
        seeds.truncate(features.len());
    };
    match size {
        SimulatedSize::Miniature => shrink(90, 3, &[("V1v", 30)], &[("A", 60, 0.5)]),
        SimulatedSize::Small => {
            let models = [("A", 100, 0.5), ("B", 200, 0.7)];
            shrink(150, 4, &[("V1v", 60), ("hV4", 45)], &models);
        }
        SimulatedSize::Nsd => {}
    }
    let simulation = Simulation::new(options)?;
    let (mut sources, mut descriptions) = (Vec::new(), Vec::new());
    for (name, n_features, noise) in models {
        let trained = (SourceState::Pretrained, None);
        let untrained = seeds.iter().map(|&seed| (SourceState::Random, Some(seed)));
        for (state, seed) in [trained].into_iter().chain(untrained) {
            let n_spanned = match state {
                SourceState::Pretrained => simulation.latents().n_columns(),
                SourceState::Random => UNTRAINED,
            };
            let spanned: Vec<usize> = (0..n_spanned).collect();
            let set = sources.len() as u64;
            let name = match seed {
                None => format!("{name} trained"),
                Some(seed) => format!("{name} untrained {seed}"),
            };
            sources.push(SourceFeatures {
                features: simulation.features(&spanned, n_features, noise, set)?,
                blocks: vec![("features".to_owned(), n_features)],
                name: name.clone(),
            });
            descriptions.push(SourceDescription {
                architecture: name.split(' ').next().map(str::to_owned),
                name,
                state: Some(state),
                seed,
                ..SourceDescription::default()
            });
        }
    }
    Ok((Study::simulated(&simulation, sources)?, descriptions))
}

impl Study {
    /// All units of a simulation, subject by subject.
    pub fn simulated(simulation: &Simulation, sources: Vec<SourceFeatures>) -> Result<Study, AlignmentError> {
        let options = simulation.options();
        let n_regions = options.regions.len();
        let places = (0..options.n_subjects * n_regions).into_par_iter();
        let units = places.map(|place| {
            let unit = simulation.unit(place / n_regions, place % n_regions)?;
            let mut stimuli = vec![0; unit.trials.n_trials()];
            for (stimulus, trials) in unit.trials.repeats().iter().enumerate() {
                trials.iter().for_each(|&trial| stimuli[trial] = stimulus);
            }
            Ok(UnitTrials {
                places: (0..unit.trials.n_voxels()).collect(),
                trials: unit.trials,
                order: Arc::new(TrialOrder {
                    stimuli,
                    sessions: unit.sessions,
                    runs: Vec::new(),
                }),
            })
        });
        Ok(Study {
            stimuli: (0..options.n_stimuli as u64).map(Into::into).collect(),
            units: units.collect::<Result<_, AlignmentError>>()?,
            sources,
            findings: Vec::new(),
        })
    }
}
