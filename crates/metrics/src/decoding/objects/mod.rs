//! Object Recall, Object Precision and Object F1: whether both images contain the same kinds of things.

mod categories;
mod exact;
pub(crate) mod grid;
mod matched;
mod options;
pub(crate) mod slots;
mod validity;
pub(crate) mod weights;

pub use categories::CategoryReach;
pub use options::{ObjectOptions, Preset, Variant};

pub(super) use options::{OFFICIAL_MIN_AREA_PX2, check_area};
pub(super) use validity::{check_scores, non_finite_side};

use crate::MetricError;
use matched::{MatchedCategory, with_matched};
use neurogauge_core::{Detections, Outcome, Side, Undefined};

/// The three numbers of one pair.
#[derive(Debug, Clone, PartialEq)]
pub struct ObjectScores {
    /// Share of the stimulus's categories that are in the reconstruction, averaged over thresholds.
    pub recall: Outcome,
    /// Share of the reconstruction's categories that are in the stimulus, averaged over thresholds.
    pub precision: Outcome,
    /// Harmonic mean of the two.
    pub f1: Outcome,
    /// The counts behind the three: the threshold up to which each category is present on each side, by ascending
    /// category.
    pub categories: Vec<CategoryReach>,
}

/// Object Recall, Precision and F1 of a stimulus and its reconstruction, from what a detector found
/// in each.
///
/// At a threshold t, a category is in an image if one of its boxes scores at least t. Then
///
/// - Recall_t = categories in both / categories in the stimulus (Eq. 1 of the SEED paper),
/// - Precision_t = categories in both / categories in the reconstruction (Eq. 2),
/// - each is averaged over t from 0 to the highest score of its own side (Eq. 3), in the manner of
///   the [`Preset`],
/// - F1 = 2 / (1 / Recall + 1 / Precision), and 0 if either is 0 (Eq. 4).
///
/// With a [`Variant`], categories are weighted (by the side's highest-scoring box of the category; for equal scores by
/// the box with more weight), or count in part.
///
/// **Shapes.** Any number of boxes on either side, in the order of their file.
///
/// **Range.** 0 to 1, higher is better. Chance depends on the images.
///
/// **Conventions.** `object-presets`, `object-score-order`, `object-variants`.
///
/// **Undefined.** `paper`: the side of the quantity has no box; for F1, either side. `exact`: the
/// same, also if all scores of the side are 0. `official`: never for this reason, a side without a category scores 1.
/// All: a score or box is not a finite number.
///
/// **Errors.** images of unknown size (size and location variants), a score outside 0 to 1, an option out of its range.
///
/// **Reference.** `reference/objects.py`, a plain restatement of the authors' released code (`official`: bit for bit)
/// and of the paper (`paper`, `exact`: rational arithmetic, 1e-12, which allows for the rounding of some hundred
/// additions).
///
/// ```
/// use neurogauge_core::{BoxXyxy, Detection, Detections};
/// use neurogauge_metrics::decoding::objects::{ObjectOptions, Preset, object_scores};
///
/// let bbox = BoxXyxy::of([0.0, 0.0, 20.0, 20.0]);
/// let found = |categories: &[(usize, f64)]| Detections {
///     items: categories
///         .iter()
///         .map(|&(category, score)| Detection { category, score, bbox })
///         .collect(),
///     image_size_px: None,
/// };
/// let (dog, cat) = (18, 17);
/// let gt = found(&[(dog, 0.75)]);
/// let recon = found(&[(dog, 0.375), (cat, 0.1875)]);
/// let options = ObjectOptions { preset: Preset::Exact, ..ObjectOptions::default() };
/// let scores = object_scores(&gt, &recon, &options)?;
/// assert_eq!(scores.recall, Ok(0.5)); // the dog is found for half of the thresholds up to 0.75
/// assert_eq!(scores.precision, Ok(0.75)); // 1/2 up to 0.1875, where the cat counts too, then 1
/// assert_eq!(scores.f1, Ok(0.6));
/// # Ok::<(), neurogauge_metrics::MetricError>(())
/// ```
pub fn object_scores(
    gt: &Detections,
    recon: &Detections,
    options: &ObjectOptions,
) -> Result<ObjectScores, MetricError> {
    options.validate()?;
    if options.variant.needs_image_size() {
        validity::check_image_sizes(gt, recon, options.variant)?;
    }
    if let Some(side) = non_finite_side(gt, recon) {
        let undefined = || Err(Undefined::NonFinite(side));
        return Ok(ObjectScores {
            recall: undefined(),
            precision: undefined(),
            f1: undefined(),
            categories: Vec::new(),
        });
    }
    check_scores(gt, recon)?;
    Ok(with_matched(gt, recon, options, |matched| score(matched, options)))
}

fn score(matched: &[MatchedCategory<'_>], options: &ObjectOptions) -> ObjectScores {
    let average = |side| match options.preset {
        Preset::Official => Ok(grid::official(matched, side, options.variant)),
        Preset::Paper => grid::paper(matched, side, options.variant),
        Preset::Exact => exact::integral(matched, side, options.variant),
    };
    let (recall, precision) = (average(Side::Gt), average(Side::Recon));
    let f1 = match (&recall, &precision) {
        (Ok(recall), Ok(precision)) => Ok(harmonic_mean(*recall, *precision)),
        (Err(reason), _) | (_, Err(reason)) => Err(reason.clone()),
    };
    ObjectScores {
        recall,
        precision,
        f1,
        categories: categories::reaches(matched, options.lowest_threshold()),
    }
}

/// Eq. 4, in the authors' order of operations.
pub(super) fn harmonic_mean(recall: f64, precision: f64) -> f64 {
    if recall == 0.0 || precision == 0.0 {
        return 0.0;
    }
    2.0 * (precision * recall) / (precision + recall)
}
