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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::decoding::near_miss::{CategorySet, ReconCategories, near_miss};
    use neurogauge_core::synthetic::Synthetic;
    use neurogauge_core::{BoxXyxy, Detection, LabelList};
    use std::collections::BTreeSet;

    fn drawn(name: &str, n_categories: usize) -> Detections {
        let draws = Synthetic::new(name, 3);
        let share = |index: u64| f64::from(draws.uniform(index));
        let items = (0..6).map(|index| Detection {
            category: (share(2 * index) * n_categories as f64) as usize,
            score: share(2 * index + 1),
            bbox: BoxXyxy::of([0.0, 0.0, 10.0, 10.0]),
        });
        Detections::of(items.collect(), None)
    }

    #[test]
    fn their_share_is_the_rate_whatever_the_options() {
        let labels = LabelList::coco_gender();
        let taxonomy = Taxonomy::new(&labels);
        let mut n_near = 0;
        for place in 0..60 {
            let n = labels.names().len();
            let gt = drawn(&format!("gt {place}"), n);
            let recon = drawn(&format!("recon {place}"), n);
            for categories in [CategorySet::Salient, CategorySet::All] {
                for recon_categories in [ReconCategories::Same, ReconCategories::All] {
                    let options = NearMissOptions {
                        categories,
                        recon_categories,
                        ..NearMissOptions::default()
                    };
                    let missed = near_miss_categories(&gt, &recon, &taxonomy, &options).unwrap();
                    assert!(missed.iter().all(|near| !near.instead.is_empty()));
                    n_near += missed.len();
                    let rate = near_miss(&gt, &recon, &taxonomy, &options).unwrap().rate;
                    let counts = |item: &&Detection| {
                        let is_salient = taxonomy.is_salient(item.category) == Some(true);
                        item.score >= 0.3 && (is_salient || categories == CategorySet::All)
                    };
                    let of_gt = gt.items.iter().filter(counts).map(|item| item.category);
                    let n_gt = of_gt.collect::<BTreeSet<usize>>().len();
                    match rate {
                        Ok(rate) => assert_eq!(rate, missed.len() as f64 / n_gt as f64),
                        Err(_) => assert!(missed.is_empty() && n_gt == 0),
                    }
                }
            }
        }
        assert!(n_near > 20, "the draws show something: {n_near}");
    }
}
