//! Semantic near-miss: the right kind of thing, but not the thing itself.

use super::objects::{OFFICIAL_MIN_AREA_PX2, check_area, check_scores, non_finite_side};
use crate::MetricError;
use crate::categories::Taxonomy;
use neurogauge_core::{Detections, Outcome, Side, Undefined};
use serde::{Deserialize, Serialize};

/// The categories of the stimulus that are examined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CategorySet {
    /// The 30 salient ones, as in the paper.
    #[default]
    Salient,
    /// Every category of the label list.
    All,
}

/// The categories of the reconstruction that may match.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReconCategories {
    /// Categories of the same set.
    #[default]
    Same,
    /// Every category of the label list: an inconspicuous stop sign then counts for a salient
    /// bench.
    All,
}

/// Options of [`near_miss`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct NearMissOptions {
    /// A category is present if one of its boxes has at least this score (0.3 in the paper).
    pub threshold: f64,
    pub categories: CategorySet,
    pub recon_categories: ReconCategories,
    /// Boxes with less area are ignored: 50 px², as in the authors' Object F1, whose pipeline the paper says it
    /// re-uses.
    pub min_area_px2: f64,
}

impl Default for NearMissOptions {
    fn default() -> Self {
        NearMissOptions {
            threshold: 0.3,
            categories: CategorySet::Salient,
            recon_categories: ReconCategories::Same,
            min_area_px2: OFFICIAL_MIN_AREA_PX2,
        }
    }
}

/// The three numbers of one pair.
#[derive(Debug, Clone, PartialEq)]
pub struct NearMiss {
    /// Share of the stimulus's categories that are in the reconstruction.
    pub recall: Outcome,
    /// Share of the stimulus's categories whose supercategory is in the reconstruction.
    pub relaxed_recall: Outcome,
    /// Relaxed recall minus recall.
    pub rate: Outcome,
}

/// How often the reconstruction has another member of the supercategory instead of the stimulus's
/// category: a cat for a dog (SEED paper, section 5.4).
///
/// Over the categories of the stimulus at one threshold, Recall (Eq. 1) is the share that is in the
/// reconstruction, Relaxed Recall the share whose supercategory is, and the rate is Relaxed Recall
/// minus Recall.
///
/// **Shapes.** Any number of boxes on either side.
///
/// **Range.** 0 to 1; for the rate lower is better, for both recalls higher.
///
/// **Conventions.** `snm-categories`.
///
/// **Undefined.** The stimulus has none of the categories asked for, or a score or box is not a finite number.
///
/// **Errors.** a label that is not in the taxonomy's list, a score outside 0 to 1, an option out of its range.
///
/// **Reference.** `reference/near_miss.py`, sets of names; equal except for the rounding of one
/// subtraction (1e-15).
///
/// ```
/// use neurogauge_core::{BoxXyxy, Detection, Detections, LabelList};
/// use neurogauge_metrics::categories::Taxonomy;
/// use neurogauge_metrics::decoding::near_miss::{NearMissOptions, near_miss};
///
/// let bbox = BoxXyxy::of([0.0, 0.0, 20.0, 20.0]);
/// let labels = LabelList::coco();
/// let found = |names: &[&str]| Detections {
///     items: names
///         .iter()
///         .filter_map(|name| labels.index_of(name))
///         .map(|category| Detection { category, score: 0.5, bbox })
///         .collect(),
///     image_size_px: None,
/// };
/// let taxonomy = Taxonomy::new(&labels);
/// let options = NearMissOptions::default();
/// let scores = near_miss(&found(&["dog", "person"]), &found(&["cat", "person"]), &taxonomy, &options)?;
/// assert_eq!(scores.recall, Ok(0.5));
/// assert_eq!(scores.relaxed_recall, Ok(1.0));
/// assert_eq!(scores.rate, Ok(0.5));
/// # Ok::<(), neurogauge_metrics::MetricError>(())
/// ```
pub fn near_miss(
    gt: &Detections,
    recon: &Detections,
    taxonomy: &Taxonomy,
    options: &NearMissOptions,
) -> Result<NearMiss, MetricError> {
    let (gt, recon) = match present(gt, recon, taxonomy, options)? {
        Ok(both) => both,
        Err(reason) => return Ok(NearMiss::undefined(&reason)),
    };

    let (mut n_gt, mut n_recalled, mut n_relaxed) = (0_u32, 0_u32, 0_u32);
    for (category, _) in gt.categories.iter().enumerate().filter(|(_, there)| **there) {
        let is_related =
            taxonomy.supercategory(category).is_some_and(|supercategory| recon.supercategories[supercategory]);
        n_gt += 1;
        n_recalled += u32::from(recon.categories[category]);
        n_relaxed += u32::from(is_related);
    }
    if n_gt == 0 {
        return Ok(NearMiss::undefined(&Undefined::NoCategories(Side::Gt)));
    }
    let share = |count: u32| Ok(f64::from(count) / f64::from(n_gt));
    Ok(NearMiss {
        recall: share(n_recalled),
        relaxed_recall: share(n_relaxed),
        rate: share(n_relaxed - n_recalled),
    })
}

impl NearMiss {
    fn undefined(reason: &Undefined) -> Self {
        NearMiss {
            recall: Err(reason.clone()),
            relaxed_recall: Err(reason.clone()),
            rate: Err(reason.clone()),
        }
    }
}

/// The categories in the stimulus and in the reconstruction, or why they are undefined.
pub(super) fn present(
    gt: &Detections,
    recon: &Detections,
    taxonomy: &Taxonomy,
    options: &NearMissOptions,
) -> Result<Result<(Present, Present), Undefined>, MetricError> {
    check_options(options)?;
    if let Some(side) = non_finite_side(gt, recon) {
        return Ok(Err(Undefined::NonFinite(side)));
    }
    check_scores(gt, recon)?;
    let recon_set = match options.recon_categories {
        ReconCategories::Same => options.categories,
        ReconCategories::All => CategorySet::All,
    };
    Ok(Ok((
        Present::new(gt, Side::Gt, taxonomy, options.categories, options)?,
        Present::new(recon, Side::Recon, taxonomy, recon_set, options)?,
    )))
}

/// The categories in one image at the threshold, by index.
pub(super) struct Present {
    pub(super) categories: Vec<bool>,
    pub(super) supercategories: Vec<bool>,
}

impl Present {
    fn new(
        detections: &Detections,
        side: Side,
        taxonomy: &Taxonomy,
        set: CategorySet,
        options: &NearMissOptions,
    ) -> Result<Self, MetricError> {
        let mut categories = vec![false; taxonomy.n_categories()];
        let mut supercategories = vec![false; taxonomy.n_supercategory_slots()];
        for (index, item) in detections.items.iter().enumerate() {
            let (Some(supercategory), Some(is_salient)) =
                (taxonomy.supercategory(item.category), taxonomy.is_salient(item.category))
            else {
                let (category, n) = (item.category, taxonomy.n_categories());
                return Err(MetricError::Data(format!(
                    "box {index} (counted from 0) of the {side} has label {category}, but the label list has {n} names (0 \
                     to {}); give the list that the detector was run with",
                    n.saturating_sub(1)
                )));
            };
            let counts = (is_salient || set == CategorySet::All)
                && item.score >= options.threshold
                && item.bbox.area_px2() >= options.min_area_px2;
            if counts {
                categories[item.category] = true;
                supercategories[supercategory] = true;
            }
        }
        Ok(Present {
            categories,
            supercategories,
        })
    }
}

fn check_options(options: &NearMissOptions) -> Result<(), MetricError> {
    check_area(options.min_area_px2)?;
    if (0.0..=1.0).contains(&options.threshold) {
        return Ok(());
    }
    Err(MetricError::option("near-miss threshold", options.threshold, "a confidence from 0 to 1"))
}
