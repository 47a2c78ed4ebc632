//! A table of vectors.

use candle_core::{Result, Tensor};

/// Row `id` of a table for every id.
#[derive(Debug, Clone)]
pub(crate) struct Embedding {
    table: Tensor,
}

impl Embedding {
    /// From a table of shape (`n_ids`, `n_features`).
    pub(crate) fn new(table: Tensor) -> Self {
        Embedding { table }
    }

    /// The rows of these ids; an id beyond the table is an error.
    pub(crate) fn forward(&self, ids: &[u32]) -> Result<Tensor> {
        let ids = Tensor::from_slice(ids, ids.len(), self.table.device())?;
        self.table.index_select(&ids, 0)
    }
}
