//! What has to be known of a row before it is multiplied.

use super::{RowDefect, Similarity};
use crate::summation::sum_over;
use rayon::prelude::*;

/// A row and what turns its values into deviations.
pub(super) struct Row<'a> {
    values: &'a [f32],
    /// Taken off first: it leaves small deviations exact where the mean is large against them.
    first: f64,
    /// Mean of what is left then.
    mean: f64,
    /// Length of the vector of deviations.
    pub(super) norm: f64,
    pub(super) defect: Option<RowDefect>,
}

impl<'a> Row<'a> {
    pub(super) fn all(rows: &[&'a [f32]], similarity: Similarity) -> Vec<Row<'a>> {
        rows.par_iter()
            .map(|values| Row::of(values, similarity))
            .collect()
    }

    fn of(values: &'a [f32], similarity: Similarity) -> Row<'a> {
        let mut row = Row {
            values,
            first: 0.0,
            mean: 0.0,
            norm: 0.0,
            defect: None,
        };
        if let (Similarity::Correlation, Some(&first)) = (similarity, values.first()) {
            row.first = f64::from(first);
            let sum = sum_over(values, |value| f64::from(value) - row.first);
            row.mean = sum / values.len() as f64;
        }
        let square = |value: f32| row.deviation(value) * row.deviation(value);
        // Squares of any two f32 lie far inside the range of f64.
        row.norm = sum_over(values, square).sqrt();
        row.defect = if values.is_empty() {
            Some(RowDefect::Empty)
        } else if !row.norm.is_finite() {
            Some(RowDefect::NonFinite)
        } else if row.norm > 0.0 {
            None
        } else if similarity == Similarity::Cosine {
            Some(RowDefect::Empty)
        } else {
            Some(RowDefect::Constant)
        };
        row
    }

    fn deviation(&self, value: f32) -> f64 {
        (f64::from(value) - self.first) - self.mean
    }

    /// The deviations of features `from..to`.
    pub(super) fn deviations(&self, from: usize, to: usize) -> impl Iterator<Item = f64> {
        let values = self.values[from..to].iter();
        values.map(|&value| self.deviation(value))
    }
}
