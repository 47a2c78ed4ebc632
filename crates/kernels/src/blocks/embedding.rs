//! A table of vectors.

use crate::blocks::memory::may_be_halved;
use crate::blocks::packed::{fits_bf16, fits_f16};
use crate::blocks::slices::values;
use crate::blocks::tensors::is_packed;
use candle_core::{DType, Result, Storage, Tensor};

/// Returns row `id` of a table for every id.
#[derive(Debug, Clone)]
pub struct Embedding {
    table: Tensor,
    /// The output's type.
    dtype: DType,
}

impl Embedding {
    /// Builds it from a table of shape (`n_ids`, `n_features`). If bf16 or f16 can represent all values exactly, it
    /// takes half the memory.
    pub fn new(table: Tensor) -> Self {
        let dtype = table.dtype();
        let halved = half_type(&table).and_then(|half| table.to_dtype(half).ok());
        Embedding {
            table: halved.unwrap_or(table),
            dtype,
        }
    }

    /// The rows with these ids; an id beyond the table is an error.
    pub fn forward(&self, ids: &[u32]) -> Result<Tensor> {
        let ids = Tensor::from_slice(ids, ids.len(), self.table.device())?;
        self.table.index_select(&ids, 0)?.to_dtype(self.dtype)
    }
}

/// The 16-bit type that represents all values of a table in main memory exactly, if there is one.
fn half_type(table: &Tensor) -> Option<DType> {
    if !is_packed(table) || !may_be_halved() {
        return None;
    }
    let (storage, layout) = table.storage_and_layout();
    let Storage::Cpu(storage) = &*storage else {
        return None;
    };
    let values = values(storage, layout).ok()?;
    if values.iter().all(fits_bf16) {
        Some(DType::BF16)
    } else {
        values.iter().all(fits_f16).then_some(DType::F16)
    }
}
