//! Identification by means of several trials' features.

use super::options::IdentificationOptions;
use super::{Identification, Others, identify_among};
use crate::MetricError;
use neurogauge_stats::{MeanRows, RowSource, TrialSubset, mean_over_subsets};

/// [`identify_among`] with means of several trials' features as reconstructions: each image is identified by the mean of
/// the rows of `recon` that a subset has for it, and values and pseudo-values are averaged over `subsets` (convention
/// `trials`).
///
/// - Shapes: row i of `gt` and entry i of each subset are image i; `others` has one entry for each image.
/// - Undefined: an image with an undefined value in any subset.
/// - Errors: those of [`identify_among`].
///
/// ```
/// use neurogauge_core::Seed;
/// use neurogauge_metrics::decoding::identification::{Others, identify_means};
/// use neurogauge_stats::{similarity::HeldRows, trial_subsets};
/// let images: [&[f32]; 2] = [&[1.0, 2.0, 4.0], &[3.0, 1.0, 0.0]];
/// // Both trials of the first image are closer to the second, and their mean is the first.
/// let trials: [&[f32]; 4] = [&[9.0, 2.0, 4.0], &[-7.0, 2.0, 4.0], &[3.0, 1.0, 0.0], &[3.0, 1.0, 0.0]];
/// let (images, trials) = (HeldRows::new(&images).unwrap(), HeldRows::new(&trials).unwrap());
/// let by = |n: usize| {
///     let subsets = trial_subsets(&[vec![0, 1], vec![2, 3]], n, Seed(1));
///     identify_means(&images, &trials, &subsets, Others::of(None), &Default::default()).unwrap().outcomes
/// };
/// assert_eq!(by(2), [Ok(1.0), Ok(1.0)]);
/// assert!(by(1)[0].clone().unwrap() < 1.0);
/// ```
pub fn identify_means(
    gt: &dyn RowSource,
    recon: &dyn RowSource,
    subsets: &[TrialSubset],
    others: Others<'_>,
    options: &IdentificationOptions,
) -> Result<Identification, MetricError> {
    let (mut n_others, mut left_out) = (0, Vec::new());
    let columns = mean_over_subsets(subsets, |subset| {
        let found = identify_among(gt, &MeanRows::new(recon, subset), others, options)?;
        (n_others, left_out) = (found.n_others, found.left_out);
        Ok::<_, MetricError>([found.outcomes, found.pseudo_values])
    })?;
    let [outcomes, pseudo_values] = columns;
    Ok(Identification {
        outcomes,
        n_others,
        left_out,
        pseudo_values,
    })
}
