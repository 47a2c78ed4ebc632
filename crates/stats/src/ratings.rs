//! A survey: items rated by raters, some ratings missing.

use crate::StatsError;
use neurogauge_core::counted;

/// One rating per item and rater; ratings may be missing.
///
/// It has at least two items and one rater (ratings may be published as one figure for each item), and no NaN or
/// infinity: missing ratings are `None`.
///
/// ```
/// use neurogauge_stats::Ratings;
/// let ratings = Ratings::new(2, vec![Some(1.0), Some(2.0), Some(4.0), None]).unwrap();
/// assert_eq!((ratings.n_items(), ratings.n_missing()), (2, 1));
/// assert_eq!(ratings.item(1), [Some(4.0), None]);
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    n_raters: usize,
    values: Vec<Option<f64>>,
}

impl Ratings {
    /// Takes the ratings of the first item (one per rater), then those of the second, and so on.
    ///
    /// - Errors: ratings that do not make a table, fewer than two items, a rating that is not finite.
    pub fn new(n_raters: usize, values: Vec<Option<f64>>) -> Result<Self, StatsError> {
        if n_raters == 0 || !values.len().is_multiple_of(n_raters) {
            let found = values.len();
            return Err(StatsError::Data(format!(
                "{found} ratings do not divide evenly among {n_raters} raters; give one per item and rater, with what is \
                 missing marked as such"
            )));
        }
        let n_items = values.len() / n_raters;
        if n_items < 2 {
            return Err(StatsError::Data(format!(
                "the survey has {} and {}; agreement needs at least two of each",
                counted(n_items, "item"),
                counted(n_raters, "rater")
            )));
        }
        for (index, value) in values.iter().enumerate() {
            if let Some(found) = *value
                && !found.is_finite()
            {
                let (item, rater) = (index / n_raters, index % n_raters);
                return Err(StatsError::Data(format!(
                    "rater {rater} gave item {item} the rating {found}; ratings must be finite, and what is missing must \
                     be marked as such"
                )));
            }
        }
        Ok(Ratings { n_raters, values })
    }

    pub fn n_items(&self) -> usize {
        self.values.len() / self.n_raters
    }

    pub fn n_raters(&self) -> usize {
        self.n_raters
    }

    pub fn n_missing(&self) -> usize {
        self.values.iter().filter(|value| value.is_none()).count()
    }

    /// The ratings of one item, in the order of raters.
    ///
    /// # Panics
    ///
    /// If `item` is out of range, as with indexing.
    pub fn item(&self, item: usize) -> &[Option<f64>] {
        &self.values[item * self.n_raters..][..self.n_raters]
    }

    /// The ratings of each item, in the order of items.
    pub fn items(&self) -> impl ExactSizeIterator<Item = &[Option<f64>]> {
        self.values.chunks_exact(self.n_raters)
    }

    /// The ratings of the items that every rater rated.
    pub fn complete_items(&self) -> Vec<Vec<f64>> {
        self.items().filter_map(|item| item.iter().copied().collect()).collect()
    }
}
