//! Identification by means of several trials' features.

use super::Context;
use crate::Error;
use crate::averaged_trials::images_with_trials;
use crate::run_record::AveragedIdentification;
use neurogauge_core::Sides;
use neurogauge_core::option_words::option;
use neurogauge_metrics::decoding::identification::{Others, identify_means};
use neurogauge_stats::parts::Parts;
use neurogauge_stats::u_statistic::{IdentificationScores, estimate_of_stimuli, of_mean};
use neurogauge_stats::{MeanRows, RowSource, trial_subsets};

/// The trials that a metric of identification compares, with one entry for each.
pub(super) struct Trials<'a> {
    pub(super) sides: Sides<&'a dyn RowSource>,
    pub(super) parts: &'a Parts,
    pub(super) stimuli: &'a [usize],
    pub(super) clusters: &'a [usize],
    pub(super) pool: Option<&'a dyn RowSource>,
}

/// Identification by means of each requested number of trials.
pub(super) fn averaged(
    context: &Context<'_>,
    id: &'static str,
    trials: &Trials<'_>,
) -> Result<Vec<AveragedIdentification>, Error> {
    let request = context.request;
    let options = &request.options.identification;
    let images = (0..trials.parts.n_items()).map(|item| trials.parts.samples(item).concat());
    let images: Vec<Vec<usize>> = images.filter(|own| !own.is_empty()).collect();
    if !request.averaged.is_empty() {
        images.iter().try_for_each(|own| trials.refuse_other_stimuli(own))?;
    }
    let point = |&n_trials: &usize| {
        let shown = images_with_trials(&images, n_trials, ("n_way", options.n_way))?;
        let shown: Vec<Vec<usize>> = shown.into_iter().map(|image| images[image].clone()).collect();
        let of_images = |of: &[usize]| shown.iter().map(|own| of[own[0]]).collect::<Vec<usize>>();
        let (stimuli, clusters) = (of_images(trials.stimuli), of_images(trials.clusters));
        let own: Vec<Vec<usize>> = shown.iter().map(|own| vec![own[0]]).collect();
        let gt = MeanRows::new(trials.sides.gt, &own);
        let others = match trials.pool {
            Some(pool) => Others::Pool(pool),
            None => Others::Pairs {
                stimuli: Some(&stimuli),
                copies: request.options.identification_copies,
                clusters: Some(&clusters),
                parts: None,
            },
        };
        let subsets = trial_subsets(&shown, n_trials, request.bootstrap.seed);
        context.progress.start(&format!("averaging {n_trials} trials, {id}"), 1, 0);
        let found = identify_means(&gt, trials.sides.recon, &subsets, others, options);
        context.progress.finish();
        let found = found.map_err(|source| Error::AllPairs { figure: id, source })?;
        let pseudo_values = match trials.pool {
            Some(_) => of_mean(&found.outcomes, &clusters),
            None => found.pseudo_values,
        };
        let scores = IdentificationScores {
            outcomes: &found.outcomes,
            pseudo_values: &pseudo_values,
            too_low_by: options.too_low_by(found.n_others),
        };
        Ok(AveragedIdentification {
            metric: id.to_owned(),
            n_trials,
            n_images: shown.len(),
            estimate: estimate_of_stimuli(scores, &clusters, (0.0, 1.0), &request.bootstrap)?,
        })
    };
    request.averaged.iter().map(point).collect()
}

impl Trials<'_> {
    /// Fails if trials of an image are compared with different stimuli.
    fn refuse_other_stimuli(&self, own: &[usize]) -> Result<(), Error> {
        let stimuli = self.sides.gt;
        let values = |trial: usize| stimuli.values(trial, 0..stimuli.n_features());
        let first = values(own[0])?;
        for &trial in &own[1..] {
            if values(trial)? != first {
                return Err(Error::Usage(format!(
                    "{}: the samples of an item have different stimuli, so they are no trials of one image; leave it out",
                    option("averaged", "N")
                )));
            }
        }
        Ok(())
    }
}
