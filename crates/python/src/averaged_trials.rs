//! Features of several trials of an image, which are averaged.

use neurogauge::core::{Outcome, Seed, Undefined};
use neurogauge::stats::{TrialSubset, trial_subsets};

/// The image of each row, how many trials are averaged, and the seed of their subsets.
pub(crate) type Averaged = (Vec<usize>, usize, u64);

/// The images that have as many trials, and subsets of their trials.
pub(crate) struct ShownImages {
    pub(crate) images: Vec<usize>,
    pub(crate) subsets: Vec<TrialSubset>,
}

impl ShownImages {
    pub(crate) fn of((image_of, n_trials, seed): &Averaged, n_images: usize) -> Self {
        let mut trials: Vec<Vec<usize>> = vec![Vec::new(); n_images];
        image_of.iter().enumerate().for_each(|(trial, &image)| trials[image].push(trial));
        let images: Vec<usize> = (0..n_images).filter(|&image| trials[image].len() >= *n_trials).collect();
        let shown: Vec<Vec<usize>> = images.iter().map(|&image| trials[image].clone()).collect();
        ShownImages {
            images,
            subsets: trial_subsets(&shown, *n_trials, Seed(*seed)),
        }
    }

    /// An outcome for every image.
    pub(crate) fn of_all(&self, n_images: usize, outcomes: Vec<Outcome>) -> Vec<Outcome> {
        let mut all = vec![Err(Undefined::Because("fewer trials than are averaged".into())); n_images];
        for (&image, outcome) in self.images.iter().zip(outcomes) {
            all[image] = outcome;
        }
        all
    }
}
