//! A table of vectors.

use crate::blocks::memory::may_be_halved;
use crate::blocks::packed::{fits_bf16, fits_f16};
use crate::blocks::slices::{values, zeros};
use crate::blocks::tensors::is_packed;
use candle_core::{CpuStorage, DType, Result, Storage, Tensor, bail};
use half::slice::HalfFloatSliceExt;

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
        let (storage, layout) = self.table.storage_and_layout();
        if let (Storage::Cpu(storage), Some((start, end)), DType::F32) =
            (&*storage, layout.contiguous_offsets(), self.dtype)
        {
            let (_, width) = self.table.dims2()?;
            let rows = match storage {
                CpuStorage::F32(all) => rows(&all[start..end], width, ids, <[f32]>::copy_from_slice),
                CpuStorage::BF16(all) => rows(&all[start..end], width, ids, |out, row| row.convert_to_f32_slice(out)),
                CpuStorage::F16(all) => rows(&all[start..end], width, ids, |out, row| row.convert_to_f32_slice(out)),
                _ => bail!("a table of {:?} for rows of f32", self.table.dtype()),
            };
            return Tensor::from_vec(rows?, (ids.len(), width), self.table.device());
        }
        drop(storage);
        let ids = Tensor::from_slice(ids, ids.len(), self.table.device())?;
        self.table.index_select(&ids, 0)?.to_dtype(self.dtype)
    }
}

/// The values in these rows of a table, converted.
fn rows<T>(table: &[T], width: usize, ids: &[u32], convert: impl Fn(&mut [f32], &[T])) -> Result<Vec<f32>> {
    let mut out = zeros(ids.len() * width);
    for (&id, out) in ids.iter().zip(out.chunks_exact_mut(width.max(1))) {
        let first = id as usize * width;
        let Some(row) = table.get(first..first + width) else {
            bail!("row {id} of a table with {} rows", table.len() / width.max(1));
        };
        convert(out, row);
    }
    Ok(out)
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
