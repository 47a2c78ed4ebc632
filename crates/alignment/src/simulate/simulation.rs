//! The simulated data set and its units.

use super::SimulationOptions;
use crate::normal::{normal, standard_normal};
use crate::{AlignmentError, Matrix, Standardisation, Trials, Unit, span, standardise_within};
use faer::Mat;
use neurogauge_stats::draw_to_front;
use rand::Rng;

/// A simulated data set; its units are made one by one, so that few are in memory at a time.
///
/// Streams of the seed: 0 for the shared latent dimensions; for subject s, 1 + 2s for its private
/// ones and 2 + 2s for its trials; 2^32 (s + 1) + region for a unit; 2^62 + i for features.
#[derive(Debug, Clone)]
pub struct Simulation {
    options: SimulationOptions,
    latents: Matrix,
}

impl Simulation {
    /// Draws the parts that all subjects share.
    pub fn new(options: SimulationOptions) -> Result<Self, AlignmentError> {
        let n_trials = options.n_stimuli * options.repeats.iter().copied().min().unwrap_or(0);
        let checks = [
            ("n_stimuli", options.n_stimuli, 1),
            ("n_subjects", options.n_subjects, 1),
            ("regions", options.regions.len(), 1),
            ("repeats", options.repeats.iter().copied().min().unwrap_or(0), 1),
            ("n_sessions", options.n_sessions, 1),
        ];
        for (option, found, least) in checks {
            if found < least {
                return Err(AlignmentError::option(option, found, "at least 1"));
            }
        }
        if options.n_sessions > n_trials {
            return Err(AlignmentError::option("n_sessions", options.n_sessions, "no more than there are trials"));
        }
        let latents = normal(options.n_stimuli, &options.shared, &mut options.seed.stream(0));
        Ok(Simulation { options, latents })
    }

    /// The latent dimensions, scaled by their strengths: (n_stimuli, n_shared).
    pub fn latents(&self) -> &Matrix {
        &self.latents
    }

    pub fn options(&self) -> &SimulationOptions {
        &self.options
    }

    /// The unit of a subject and region, both counted from 0.
    pub fn unit(&self, subject: usize, region: usize) -> Result<SimulatedUnit, AlignmentError> {
        let options = &self.options;
        let Some(place) = options.regions.get(region).filter(|_| subject < options.n_subjects) else {
            return Err(AlignmentError::option(
                "simulated unit",
                format!("subject {subject}, region {region}"),
                "positions of a subject and a region, counted from 0",
            ));
        };
        let streams = 2 * subject as u64;
        let mut of_trials = options.seed.stream(2 + streams);
        let stimuli = self.draw_trials(&mut of_trials);
        let private = normal(options.n_stimuli, &options.private, &mut options.seed.stream(1 + streams));
        let unit_stream = ((subject as u64 + 1) << 32) | region as u64;
        let mut rng = options.seed.stream(unit_stream);
        let n_latents = self.latents.n_columns() + private.n_columns();
        let weights = normal(place.n_voxels, &vec![1.0; n_latents], &mut rng);
        let noise_weights = normal(place.n_voxels, &options.shared_noise, &mut rng);
        let (n_trials, n_shared) = (stimuli.len(), self.latents.n_columns());
        let sessions: Vec<u32> = (0..n_trials).map(|trial| (trial * options.n_sessions / n_trials) as u32).collect();
        let gains = normal(options.n_sessions, &[0.2, 1.0], &mut rng);
        let noise = normal(n_trials, &vec![1.0; options.shared_noise.len()], &mut rng);
        let mut responses = Mat::zeros(n_trials, place.n_voxels);
        for voxel in 0..place.n_voxels {
            for trial in 0..n_trials {
                let stimulus = stimuli[trial];
                let latent = |d: usize| match d.checked_sub(n_shared) {
                    None => self.latents.get(stimulus, d),
                    Some(d) => private.get(stimulus, d),
                };
                let signal: f64 = (0..n_latents).map(|d| latent(d) * weights.get(voxel, d)).sum();
                let shared: f64 =
                    (0..noise.n_columns()).map(|d| noise.get(trial, d) * noise_weights.get(voxel, d)).sum();
                let session = sessions[trial] as usize;
                let own = options.noise * standard_normal(&mut rng);
                responses[(trial, voxel)] =
                    (signal + shared + own) * gains.get(session, 0).exp() + gains.get(session, 1);
            }
        }
        let name = format!("subj{:02}", subject + 1);
        let unit = Unit::new(&name, &place.hemisphere, &place.roi);
        let responses = standardise_within(&responses.into(), &sessions);
        Ok(SimulatedUnit {
            trials: Trials::new(&unit, responses, &stimuli, options.n_stimuli)?,
            sessions,
            weights,
        })
    }

    /// Features of a model that spans some of the shared latent dimensions: each feature mixes these and adds noise.
    /// Each feature set i has a separate stream.
    pub fn features(
        &self,
        spanned: &[usize],
        n_features: usize,
        noise: f64,
        set: u64,
    ) -> Result<Matrix, AlignmentError> {
        if let Some(found) = spanned.iter().find(|&&d| d >= self.latents.n_columns()) {
            return Err(AlignmentError::option(
                "spanned dimension",
                found,
                "a position of a shared latent dimension, counted from 0",
            ));
        }
        let mut rng = self.options.seed.stream((1 << 62) | set);
        let weights = normal(n_features, &vec![1.0; spanned.len()], &mut rng);
        Ok(Matrix::from_fn(self.options.n_stimuli, n_features, |stimulus, feature| {
            let latents = spanned.iter().enumerate();
            let signal: f64 =
                latents.map(|(place, &d)| self.latents.get(stimulus, d) * weights.get(feature, place)).sum();
            signal + noise * standard_normal(&mut rng)
        }))
    }

    /// The stimulus of each trial of a subject, in the order in which they were shown.
    fn draw_trials(&self, rng: &mut impl Rng) -> Vec<usize> {
        let mut choices = self.options.repeats.clone();
        let mut stimuli: Vec<usize> = (0..self.options.n_stimuli)
            .flat_map(|stimulus| {
                let repeats = draw_to_front(&mut choices, 1, rng)[0];
                std::iter::repeat_n(stimulus, repeats)
            })
            .collect();
        let n_trials = stimuli.len();
        draw_to_front(&mut stimuli, n_trials, rng);
        stimuli
    }
}

/// A simulated target unit.
#[derive(Debug, Clone)]
pub struct SimulatedUnit {
    /// Its trials, z-scored within sessions.
    pub trials: Trials,
    pub sessions: Vec<u32>,
    /// Weights of the shared latent dimensions, then of the private ones: (n_voxels, n_latents).
    pub weights: Matrix,
}

impl SimulatedUnit {
    /// An orthonormal basis of the first `rank` planted dimensions in the space of z-scored
    /// image-level responses: a direction must be divided by the standard deviation of each voxel.
    pub fn planted(&self, rank: usize) -> Matrix {
        let means = self.trials.means();
        let all: Vec<usize> = (0..means.n_rows()).collect();
        let scale = Standardisation::of(&means, &all);
        let directions = Matrix::from_fn(means.n_columns(), self.weights.n_columns(), |voxel, d| {
            self.weights.get(voxel, d) / scale.deviations()[voxel]
        });
        span(&directions, rank)
    }
}
