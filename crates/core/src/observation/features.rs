//! Feature vectors.

use std::borrow::Cow;

/// A number of a feature vector: single or double precision, as it was given.
pub trait FeatureValue: Copy + PartialEq + Into<f64> + Send + Sync + 'static {
    /// The values of a row in this precision.
    fn of_row(values: Cow<'_, [Self]>) -> RowValues<'_>;
}

impl FeatureValue for f32 {
    fn of_row(values: Cow<'_, [f32]>) -> RowValues<'_> {
        RowValues::Single(values)
    }
}

impl FeatureValue for f64 {
    fn of_row(values: Cow<'_, [f64]>) -> RowValues<'_> {
        RowValues::Double(values)
    }
}

/// The values of a row, in the precision of their source.
#[derive(Debug, Clone)]
pub enum RowValues<'a> {
    Single(Cow<'a, [f32]>),
    Double(Cow<'a, [f64]>),
}

/// Rows of equal numbers are equal in any precision.
impl PartialEq for RowValues<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (RowValues::Single(own), RowValues::Single(other)) => own == other,
            (RowValues::Double(own), RowValues::Double(other)) => own == other,
            (RowValues::Single(single), RowValues::Double(double))
            | (RowValues::Double(double), RowValues::Single(single)) => {
                single.iter().map(|&value| f64::from(value)).eq(double.iter().copied())
            }
        }
    }
}

impl RowValues<'_> {
    /// Calls `of_value` with every value.
    pub fn for_each(&self, mut of_value: impl FnMut(f64)) {
        match self {
            RowValues::Single(values) => values.iter().for_each(|&value| of_value(value.into())),
            RowValues::Double(values) => values.iter().for_each(|&value| of_value(value)),
        }
    }

    /// All values in double precision, which loses nothing.
    pub fn to_double(&self) -> Vec<f64> {
        match self {
            RowValues::Single(values) => values.iter().map(|&value| f64::from(value)).collect(),
            RowValues::Double(values) => values.to_vec(),
        }
    }
}

/// A feature matrix: one row for each image, all of one model and layer.
#[derive(Debug, Clone, PartialEq)]
pub struct Features<T = f32> {
    ids: Vec<String>,
    n_features: usize,
    data: Vec<T>,
}

/// The ids, the row length and the data of a feature matrix do not fit together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{n_ids} ids with {n_features} features each need {expected} values, got {found}")]
pub struct FeaturesError {
    n_ids: usize,
    n_features: usize,
    expected: usize,
    found: usize,
}

impl<T> Features<T> {
    /// Makes a matrix from `data`, which holds `ids.len()` rows of `n_features` values each.
    pub fn new(ids: Vec<String>, n_features: usize, data: Vec<T>) -> Result<Self, FeaturesError> {
        let expected = ids.len() * n_features;
        if data.len() != expected {
            return Err(FeaturesError {
                n_ids: ids.len(),
                n_features,
                expected,
                found: data.len(),
            });
        }
        Ok(Features { ids, n_features, data })
    }

    /// One id for each row.
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// Length of a row.
    pub fn n_features(&self) -> usize {
        self.n_features
    }

    /// All rows, one after another.
    pub fn data(&self) -> &[T] {
        &self.data
    }

    pub fn row(&self, index: usize) -> &[T] {
        &self.data[index * self.n_features..(index + 1) * self.n_features]
    }
}
