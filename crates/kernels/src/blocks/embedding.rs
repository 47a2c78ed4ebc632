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

#[cfg(test)]
mod tests {
    use super::*;
    use candle_core::Device;

    #[test]
    fn a_table_takes_half_the_memory_where_nothing_is_lost() -> Result<()> {
        // 0.1 rounded to bf16, to f16, and unrounded.
        for (tenth, held) in [(0.100_097_656, DType::BF16), (0.099_975_586, DType::F16), (0.1, DType::F32)] {
            let table = Tensor::new(&[[1_f32, -2.0], [tenth, 3.0]], &Device::Cpu)?;
            let embedding = Embedding::new(table);
            assert_eq!(embedding.table.dtype(), held);
            let rows = embedding.forward(&[1, 0, 1])?.to_vec2::<f32>()?;
            assert_eq!(rows, [[tenth, 3.0], [1.0, -2.0], [tenth, 3.0]]);
            assert!(embedding.forward(&[2]).is_err());
        }
        Ok(())
    }
}
