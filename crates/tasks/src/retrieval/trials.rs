//! Embeddings decoded from single trials: which image each shows, and retrieval by averages of several.

use super::{RetrievalRequest, expectation};
use neurogauge::core::{FeatureValue, Finding, Pair};
use neurogauge::formats::embeddings::Embeddings;
use neurogauge::formats::{Problem, trial_images};
use neurogauge::metrics::decoding::retrieval::{RetrievalOptions, retrieve_means};
use neurogauge::stats::similarity::HeldRows;
use neurogauge::stats::trial_subsets;
use neurogauge::{Error, images_with_trials};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// Retrieval by averages of a number of trials, one for each image that has as many.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AveragedRetrieval {
    pub n_trials: usize,
    pub n_images: usize,
    /// Brain to image: the expectation over draws of candidates, and its mean over random subsets of the trials.
    pub forward: Option<f64>,
    /// For new images and new candidates.
    pub forward_interval: Option<(f64, f64)>,
    /// Image to brain.
    pub backward: Option<f64>,
    pub backward_interval: Option<(f64, f64)>,
}

/// The image of each trial, as pairs, and what `file` was taken for. `file` has the image's id for each row of the decoded embeddings, or the number of
/// its row if images have no ids.
pub(super) fn pairs<T: FeatureValue>(
    file: &Path,
    brain: &Embeddings<T>,
    image: &Embeddings<T>,
) -> Result<(Vec<Pair>, Vec<Finding>), Error> {
    let trials = trial_images::read(file)?;
    let shown = trials.images_of(brain.rows.ids());
    let (shown, findings) =
        shown.map_err(|reason| Error::Data(format!("{reason} (the trials of {})", brain.file.display())))?;
    if brain.rows.n_features() != image.rows.n_features() {
        return Err(Error::Data(format!(
            "{} holds embeddings of {} values and {} of {}; both must have as many",
            brain.file.display(),
            brain.rows.n_features(),
            image.file.display(),
            image.rows.n_features()
        )));
    }
    let ids = image.rows.ids();
    let places: HashMap<&str, usize> = ids.iter().enumerate().map(|(place, id)| (id.as_str(), place)).collect();
    let pair = |(trial, id): (usize, &str)| match places.get(id) {
        Some(&gt) => Ok(Pair {
            stem: format!("{id}, trial {trial}"),
            gt,
            recon: trial,
        }),
        None => {
            let reason = format!(
                "its image is {id:?}, which {} does not have; that has {:?} and others",
                image.file.display(),
                ids.first().map_or("", String::as_str)
            );
            Err(Problem::invalid(format!("trial {trial} (counted from 0)"), reason).at(file).into())
        }
    };
    Ok((shown.into_iter().enumerate().map(pair).collect::<Result<_, Error>>()?, findings))
}

/// Retrieval by averages of each requested number of trials.
pub(super) fn averaged<T: FeatureValue>(
    request: &RetrievalRequest,
    pairs: &[Pair],
    brain: &Embeddings<T>,
    image: &Embeddings<T>,
) -> Result<Vec<AveragedRetrieval>, Error> {
    let mut trials: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    pairs.iter().for_each(|pair| trials.entry(pair.gt).or_default().push(pair.recon));
    let (images, trials): (Vec<usize>, Vec<Vec<usize>>) = trials.into_iter().unzip();
    let rows: Vec<&[T]> = (0..brain.rows.ids().len()).map(|row| brain.rows.row(row)).collect();
    let rows = HeldRows::new(&rows)?;
    let point = |&n_trials: &usize| {
        let shown = images_with_trials(&trials, n_trials, ("candidates", request.options.candidates))?;
        let image_of =
            |&place: &usize| -> Vec<f64> { image.rows.row(images[place]).iter().map(|&value| value.into()).collect() };
        let images: Vec<Vec<f64>> = shown.iter().map(image_of).collect();
        let trials: Vec<Vec<usize>> = shown.iter().map(|&place| trials[place].clone()).collect();
        let options = RetrievalOptions {
            repeats: 1,
            ..request.options
        };
        let images: Vec<&[f64]> = images.iter().map(Vec::as_slice).collect();
        let found = retrieve_means(&rows, &images, &trial_subsets(&trials, n_trials, options.seed), &options);
        let found = found.map_err(|source| Error::AllPairs {
            figure: "retrieval",
            source,
        })?;
        let forward = expectation(&found.forward, &found.stimuli, request)?;
        let backward = expectation(&found.backward, &found.stimuli, request)?;
        Ok(AveragedRetrieval {
            n_trials,
            n_images: shown.len(),
            forward: forward.value.ok(),
            forward_interval: forward.interval,
            backward: backward.value.ok(),
            backward_interval: backward.interval,
        })
    };
    request.averaged.iter().map(point).collect()
}
