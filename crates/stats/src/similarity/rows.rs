//! Rows to compare, in memory or elsewhere, with the centre and norm of each.

use super::product::DEPTH;
use super::{RowDefect, Similarity};
use crate::StatsError;
use crate::error::check_lengths;
use crate::summation::sum_over;
use neurogauge_core::parallel;
use neurogauge_core::stopping::stop_if_asked;
use neurogauge_core::{FeatureValue, RowValues};
use std::borrow::Cow;
use std::ops::Range;

/// The rows of a matrix, which need not be in memory.
pub trait RowSource: Sync {
    fn n_rows(&self) -> usize;

    fn n_features(&self) -> usize;

    /// Some values of a row. `row` and `features` are within the matrix.
    fn values(&self, row: usize, features: Range<usize>) -> Result<RowValues<'_>, StatsError>;
}

#[derive(Debug, Clone, Copy)]
pub struct HeldRows<'a, T = f32> {
    rows: &'a [&'a [T]],
    n_features: usize,
}

impl<'a, T> HeldRows<'a, T> {
    /// Rows of one length.
    pub fn new(rows: &'a [&'a [T]]) -> Result<Self, StatsError> {
        let n_features = rows.first().map_or(0, |row| row.len());
        rows.iter().try_for_each(|row| check_lengths(n_features, row.len()))?;
        Ok(HeldRows { rows, n_features })
    }
}

impl<T: FeatureValue> RowSource for HeldRows<'_, T> {
    fn n_rows(&self) -> usize {
        self.rows.len()
    }

    fn n_features(&self) -> usize {
        self.n_features
    }

    fn values(&self, row: usize, features: Range<usize>) -> Result<RowValues<'_>, StatsError> {
        Ok(T::of_row(Cow::Borrowed(&self.rows[row][features])))
    }
}

/// Rows with their centres and norms, which are computed once for many comparisons.
pub struct ComparedRows<'a> {
    pub(super) source: &'a dyn RowSource,
    pub(super) similarity: Similarity,
    pub(super) centres: Vec<Centre>,
}

impl<'a> ComparedRows<'a> {
    /// Reads every row once; each thread holds one whole row at a time.
    pub fn new(source: &'a dyn RowSource, similarity: Similarity) -> Result<Self, StatsError> {
        let centre = |row: usize| {
            stop_if_asked();
            let values = source.values(row, 0..source.n_features())?;
            Ok(match values {
                RowValues::Single(values) => Centre::of(&values, similarity),
                RowValues::Double(values) => Centre::of(&values, similarity),
            })
        };
        Ok(ComparedRows {
            source,
            similarity,
            centres: parallel::try_map(source.n_rows(), centre)?,
        })
    }

    pub fn n_rows(&self) -> usize {
        self.centres.len()
    }

    /// The reason why a row has no similarities.
    pub fn defect(&self, row: usize) -> Option<RowDefect> {
        self.centres[row].defect
    }

    /// The values of some features of some rows.
    pub(super) fn block(&self, rows: Range<usize>, features: Range<usize>) -> Result<Vec<RowValues<'_>>, StatsError> {
        parallel::try_map(rows.len(), |place| self.source.values(rows.start + place, features.clone()))
    }
}

/// The centre and norm that turn the values of a row into deviations.
pub(super) struct Centre {
    /// Subtracted first, which keeps small deviations exact if the mean is much larger.
    first: f64,
    /// Mean of the remaining values.
    mean: f64,
    /// Length of the vector of deviations.
    pub(super) norm: f64,
    /// The square of `norm`, summed like the product of the row with itself.
    pub(super) square: f64,
    pub(super) defect: Option<RowDefect>,
}

impl Centre {
    fn of<T: FeatureValue>(values: &[T], similarity: Similarity) -> Centre {
        let mut centre = Centre {
            first: 0.0,
            mean: 0.0,
            norm: 0.0,
            square: 0.0,
            defect: None,
        };
        if let (Similarity::Correlation, Some(&first)) = (similarity, values.first()) {
            centre.first = first.into();
            let sum = sum_over(values, |value| value.into() - centre.first);
            centre.mean = sum / values.len() as f64;
        }
        let square = |value: T| centre.deviation(value) * centre.deviation(value);
        centre.norm = sum_over(values, square).sqrt();
        if similarity == Similarity::Euclidean {
            centre.square = product_with_itself(values);
        }
        centre.defect = if values.is_empty() {
            Some(RowDefect::Empty)
        } else if !centre.norm.is_finite() {
            Some(RowDefect::NonFinite)
        } else if centre.norm > 0.0 || similarity == Similarity::Euclidean {
            None
        } else if similarity == Similarity::Cosine {
            Some(RowDefect::Empty)
        } else {
            Some(RowDefect::Constant)
        };
        centre
    }

    pub(super) fn deviation(&self, value: impl Into<f64>) -> f64 {
        (value.into() - self.first) - self.mean
    }
}

/// The square of the norm, equal to the bit to the product's entry for equal rows: a chain of fused multiply-adds for
/// each slab.
fn product_with_itself<T: FeatureValue>(values: &[T]) -> f64 {
    let chain = |sum: f64, &value: &T| value.into().mul_add(value.into(), sum);
    values.chunks(DEPTH).map(|slab| slab.iter().fold(0.0, chain)).sum()
}
