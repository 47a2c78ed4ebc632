//! The mask matching ratio: the share of pixels that are foreground in both images or background in both.

use super::basic_l::{BasicLOptions, foregrounds};
use crate::MetricError;
use crate::masks::intersection_px2;
use neurogauge_core::{Masks, Outcome};

/// The share of the pixels that two images agree on: foreground in both, or background in both (BASIC paper, appendix
/// B, which names the metric and has it as a figure for videos).
///
/// With g and r the pixels of all foreground objects on the two sides and N the pixels of the image,
/// MMR = (|g ∩ r| + N − |g ∪ r|) / N, which is 1 less the Hamming distance of the two foregrounds.
///
/// **Shapes.** Any number of masks on either side, all of one image size.
///
/// **Range.** 0 to 1, higher is better. An image with a small foreground agrees with any other such image on most
/// pixels, so two unrelated pairs may be near 1.
///
/// **Conventions.** `mask-matching-ratio`, `basic-l-categories`, `mask-score`, `mask-size`.
///
/// **Undefined.** A side has no mask of a foreground object. Masks without pixels count as absent.
///
/// **Errors.** masks of images of different sizes, a score outside 0 to 1, an option out of its range.
///
/// **Reference.** `reference/mask_matching_ratio.py`: `scipy.spatial.distance.hamming` 1.17.1; within 1e-12.
///
/// ```
/// use neurogauge_core::{BoxXyxy, InstanceMask, Mask, Masks};
/// use neurogauge_metrics::decoding::basic_l::BasicLOptions;
/// use neurogauge_metrics::decoding::mask_matching_ratio::mask_matching_ratio;
/// let with = |runs: &[u32]| Masks {
///     size_px: (3, 2),
///     items: vec![InstanceMask {
///         name: "dog".into(),
///         score: 1.0,
///         bbox: BoxXyxy::of([0.0, 0.0, 3.0, 2.0]),
///         mask: Mask::from_runs(2, 3, runs.to_vec()).unwrap(),
///     }],
///     categories: None,
/// };
/// // Two pixels are foreground in both, and none is background in both.
/// let (gt, recon) = (with(&[0, 4, 2]), with(&[2, 4]));
/// let ratio = mask_matching_ratio(&gt, &recon, &BasicLOptions::default())?;
/// assert_eq!(ratio, Ok(2.0 / 6.0));
/// # Ok::<(), neurogauge_metrics::MetricError>(())
/// ```
pub fn mask_matching_ratio(gt: &Masks, recon: &Masks, options: &BasicLOptions) -> Result<Outcome, MetricError> {
    let (g, r) = match foregrounds(gt, recon, options)? {
        Ok(both) => both,
        Err(reason) => return Ok(Err(reason)),
    };
    let n = u64::from(gt.size_px.0) * u64::from(gt.size_px.1);
    let differ = g.area_px2() + r.area_px2() - 2 * intersection_px2(&g, &r)?;
    Ok(Ok((n - differ) as f64 / n as f64))
}
