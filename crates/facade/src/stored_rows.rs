//! Rows of a feature matrix, for comparisons.

use neurogauge_core::RowValues;
use neurogauge_formats::features::StoredFeatures;
use neurogauge_stats::{RowSource, StatsError};
use std::ops::Range;

/// Some rows of a matrix in a given order, which stay in the file until they are compared.
#[derive(Debug)]
pub struct StoredRows<'a> {
    of: &'a StoredFeatures,
    rows: Vec<usize>,
}

impl<'a> StoredRows<'a> {
    /// Selects these rows, all of which the matrix must have.
    pub fn of(of: &'a StoredFeatures, rows: Vec<usize>) -> Self {
        StoredRows { of, rows }
    }

    pub fn all(of: &'a StoredFeatures) -> Self {
        StoredRows::of(of, (0..of.ids().len()).collect())
    }
}

impl RowSource for StoredRows<'_> {
    fn n_rows(&self) -> usize {
        self.rows.len()
    }

    fn n_features(&self) -> usize {
        self.of.n_features()
    }

    fn values(&self, row: usize, features: Range<usize>) -> Result<RowValues<'_>, StatsError> {
        let values = self.of.values(self.rows[row], features);
        values.map_err(|error| StatsError::Data(error.to_string()))
    }
}
