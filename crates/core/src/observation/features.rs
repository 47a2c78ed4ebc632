//! Feature vectors.

/// A feature matrix: one row for each image, all of one model and layer.
#[derive(Debug, Clone, PartialEq)]
pub struct Features {
    ids: Vec<String>,
    n_features: usize,
    data: Vec<f32>,
}

/// The parts of a feature matrix do not fit together.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{n_ids} ids with {n_features} features each need {expected} values, got {found}")]
pub struct FeaturesError {
    n_ids: usize,
    n_features: usize,
    expected: usize,
    found: usize,
}

impl Features {
    /// `data` holds `ids.len()` rows of `n_features` values each.
    pub fn new(ids: Vec<String>, n_features: usize, data: Vec<f32>) -> Result<Self, FeaturesError> {
        let expected = ids.len() * n_features;
        if data.len() != expected {
            return Err(FeaturesError {
                n_ids: ids.len(),
                n_features,
                expected,
                found: data.len(),
            });
        }
        Ok(Features {
            ids,
            n_features,
            data,
        })
    }

    /// One id for each row.
    pub fn ids(&self) -> &[String] {
        &self.ids
    }

    /// Length of a row.
    pub fn n_features(&self) -> usize {
        self.n_features
    }

    /// All rows, one after the other.
    pub fn data(&self) -> &[f32] {
        &self.data
    }

    /// Row `index`.
    pub fn row(&self, index: usize) -> &[f32] {
        &self.data[index * self.n_features..(index + 1) * self.n_features]
    }
}
