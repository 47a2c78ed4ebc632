//! Human ratings: how much each rater likes each item.

use crate::FormatError;
use std::path::Path;

/// Ratings by item and rater; a rating may be missing.
#[derive(Debug, Clone, PartialEq)]
pub struct RatingTable {
    /// Ids of the items, unique, natural order.
    pub items: Vec<String>,
    /// Ids of the raters, unique, natural order.
    pub raters: Vec<String>,
    /// Shape (n_items, n_raters), item-major; finite where present.
    pub values: Vec<Option<f64>>,
}

/// Names of the columns of a table of ratings; `None` is guessed among the usual names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RatingColumns {
    /// What was rated; several columns that make up one id as a comma list, e.g. `text,model`.
    pub item: Option<String>,
    /// Who rated.
    pub rater: Option<String>,
    /// The rating.
    pub value: Option<String>,
}

/// Reads ratings from a long or wide CSV file or an `.npy` file.
///
/// # Errors
/// A cell that is no number, a rating outside `scale`, an item rated twice by one rater.
pub fn read(
    path: &Path,
    _columns: &RatingColumns,
    _scale: Option<(f64, f64)>,
) -> Result<RatingTable, FormatError> {
    Err(FormatError::NotFound {
        path: path.to_owned(),
        expected: "ratings".to_owned(),
    })
}
