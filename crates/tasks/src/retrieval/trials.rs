//! Embeddings decoded from single trials: which image each shows, and retrieval by averages of several.

use super::{RetrievalRequest, expectation};
use neurogauge::core::option_words::option;
use neurogauge::core::{FeatureValue, Pair};
use neurogauge::formats::embeddings::Embeddings;
use neurogauge::formats::{Problem, trial_column};
use neurogauge::metrics::decoding::retrieval::{Found, RetrievalOptions, retrieve};
use neurogauge::stats::draw_to_front;
use neurogauge::{Error, core::Outcome};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// Random subsets of the trials of each image.
const N_DRAWS: u64 = 20;
/// Subsets are drawn from streams far from those of candidates; those of another size are this far from each other.
const FIRST_STREAM: u64 = 1 << 40;

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

/// The image of each trial, as pairs. `file` has an id for each row of the decoded embeddings, or the number of the row
/// of its image if images have no ids.
pub(super) fn pairs<T: FeatureValue>(
    file: &Path,
    brain: &Embeddings<T>,
    image: &Embeddings<T>,
) -> Result<Vec<Pair>, Error> {
    let shown = trial_column::read(file)?;
    let n_trials = brain.rows.ids().len();
    if shown.len() != n_trials {
        let found = format!("{} entries", shown.len());
        let expected = format!("one for each of the {n_trials} rows of {}", brain.file.display());
        return Err(Problem::content(found, expected).at(file).into());
    }
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
    let pair = |(trial, id): (usize, &String)| match places.get(id.as_str()) {
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
    shown.iter().enumerate().map(pair).collect()
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
    let most = trials.values().map(Vec::len).max().unwrap_or_default();
    let row = |values: &[T]| -> Vec<f64> { values.iter().map(|&value| value.into()).collect() };
    let point = |&n_trials: &usize| {
        let shown: Vec<(&usize, &Vec<usize>)> = trials.iter().filter(|(_, own)| own.len() >= n_trials).collect();
        if n_trials == 0 || shown.len() < request.options.candidates {
            return Err(Error::Usage(format!(
                "{}: {} images have {n_trials} trials or more (the most is {most}), fewer than {}; average fewer trials or take fewer \
                 candidates",
                option("averaged", &n_trials.to_string()),
                shown.len(),
                option("candidates", &request.options.candidates.to_string())
            )));
        }
        let images: Vec<Vec<f64>> = shown.iter().map(|(gt, _)| row(image.rows.row(**gt))).collect();
        let is_all = shown.iter().all(|(_, own)| own.len() == n_trials);
        let n_draws = if is_all { 1 } else { N_DRAWS };
        let options = RetrievalOptions {
            repeats: 1,
            ..request.options
        };
        let (mut sums, mut stimuli) = ([Sums::default(), Sums::default()], Vec::new());
        for draw in 0..n_draws {
            let mut rng = options.seed.stream(FIRST_STREAM * n_trials as u64 + draw);
            let means = shown.iter().map(|(_, own)| {
                let mut own = (*own).clone();
                // In order, so that sums of the same trials are the same.
                let mut drawn = draw_to_front(&mut own, n_trials, &mut rng).to_vec();
                drawn.sort_unstable();
                let mut mean = vec![0.0; brain.rows.n_features()];
                for trial in drawn {
                    let values = row(brain.rows.row(trial));
                    mean.iter_mut().zip(values).for_each(|(sum, value)| *sum += value / n_trials as f64);
                }
                mean
            });
            let means: Vec<Vec<f64>> = means.collect();
            let rows: Vec<(&[f64], &[f64])> =
                means.iter().zip(&images).map(|(a, b)| (a.as_slice(), b.as_slice())).collect();
            let found = retrieve(&rows, &options).map_err(|source| Error::AllPairs {
                figure: "retrieval",
                source,
            })?;
            if found.items.len() < shown.len() {
                return Err(Error::Data(format!(
                    "the mean of {n_trials} trials of an image is similar to none (zero throughout, or for correlation constant)"
                )));
            }
            sums[0].add(&found.forward);
            sums[1].add(&found.backward);
            stimuli = found.stimuli;
        }
        let estimates = sums.map(|sums| expectation(&sums.mean(n_draws as f64), &stimuli, request));
        let [forward, backward] = estimates;
        let (forward, backward) = (forward?, backward?);
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

/// Sums over draws of what each image contributes. Pseudo-values of a mean are means of pseudo-values.
#[derive(Default)]
struct Sums {
    expected: Vec<f64>,
    pseudo: Vec<Outcome>,
}

impl Sums {
    fn add(&mut self, found: &Found) {
        if self.expected.is_empty() {
            self.expected.clone_from(&found.expected);
            self.pseudo.clone_from(&found.pseudo_values);
            return;
        }
        self.expected.iter_mut().zip(&found.expected).for_each(|(sum, own)| *sum += own);
        for (sum, own) in self.pseudo.iter_mut().zip(&found.pseudo_values) {
            if let (Ok(sum), Ok(own)) = (sum, own) {
                *sum += own;
            }
        }
    }

    fn mean(self, n: f64) -> Found {
        Found {
            repeats: Vec::new(),
            expected: self.expected.iter().map(|sum| sum / n).collect(),
            pseudo_values: self.pseudo.into_iter().map(|own| own.map(|sum| sum / n)).collect(),
        }
    }
}
