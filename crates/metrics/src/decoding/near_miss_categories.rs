//! The categories of near misses, for display with the images.

use super::near_miss::{NearMissOptions, present};
use crate::MetricError;
use crate::categories::Taxonomy;
use neurogauge_core::Detections;

/// A category of the stimulus that is not in the reconstruction, although its supercategory is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NearMissCategory {
    /// The category, by its index in the label list.
    pub category: usize,
    /// Categories of the same supercategory in the reconstruction, in the order of the list.
    pub instead: Vec<usize>,
}

/// The near misses behind [`near_miss`](super::near_miss::near_miss): their number divided by the stimulus' number of
/// categories is its rate.
///
/// **Shapes.** Any number of boxes on either side; near misses are in the order of the label list.
///
/// **Conventions.** `snm-categories`.
///
/// **Undefined.** Empty if the rate is undefined.
///
/// **Errors.** Those of [`near_miss`](super::near_miss::near_miss).
///
/// **Reference.** By hand, exact.
///
/// ```
/// use neurogauge_core::{BoxXyxy, Detection, Detections, LabelList};
/// use neurogauge_metrics::categories::Taxonomy;
/// use neurogauge_metrics::decoding::near_miss::NearMissOptions;
/// use neurogauge_metrics::decoding::near_miss_categories::near_miss_categories;
///
/// let bbox = BoxXyxy::of([0.0, 0.0, 20.0, 20.0]);
/// let labels = LabelList::coco();
/// let index = |name: &str| labels.index_of(name).unwrap();
/// let found = |names: &[&str]| Detections {
///     items: names
///         .iter()
///         .map(|name| Detection { category: index(name), score: 0.5, bbox })
///         .collect(),
///     image_size_px: None,
/// };
/// let (gt, recon) = (found(&["dog", "person"]), found(&["cat", "person", "bus"]));
/// let options = NearMissOptions::default();
/// let missed = near_miss_categories(&gt, &recon, &Taxonomy::new(&labels), &options)?;
/// assert_eq!(missed.len(), 1);
/// assert_eq!((missed[0].category, missed[0].instead.as_slice()), (index("dog"), &[index("cat")][..]));
/// # Ok::<(), neurogauge_metrics::MetricError>(())
/// ```
pub fn near_miss_categories(
    gt: &Detections,
    recon: &Detections,
    taxonomy: &Taxonomy,
    options: &NearMissOptions,
) -> Result<Vec<NearMissCategory>, MetricError> {
    let Ok((gt, recon)) = present(gt, recon, taxonomy, options)? else {
        return Ok(Vec::new());
    };
    let there = |categories: &[bool]| -> Vec<usize> {
        (0..categories.len()).filter(|&category| categories[category]).collect()
    };
    let of_recon = there(&recon.categories);
    let missed = there(&gt.categories).into_iter().filter_map(|category| {
        let supercategory = taxonomy.supercategory(category)?;
        let is_near = !recon.categories[category] && recon.supercategories[supercategory];
        let is_kin = |other: &usize| taxonomy.supercategory(*other) == Some(supercategory);
        is_near.then(|| NearMissCategory {
            category,
            instead: of_recon.iter().copied().filter(is_kin).collect(),
        })
    });
    Ok(missed.collect())
}
