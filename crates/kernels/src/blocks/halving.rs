//! Splits batches that do not fit into a device's memory.

use crate::error::MayLackMemory;

/// The results of `run` for all items, in as few parts as the device's memory allows: if a part of several items does
/// not fit, each half runs separately. The memory that a batch takes is not known in advance, so devices get large
/// batches.
pub fn in_parts<T, R, E: MayLackMemory>(items: &[T], run: &impl Fn(&[T]) -> Result<R, E>) -> Result<Vec<R>, E> {
    match run(items) {
        Err(error) if items.len() > 1 && error.is_out_of_memory() => {
            let (first, second) = items.split_at(items.len() / 2);
            let mut parts = in_parts(first, run)?;
            parts.extend(in_parts(second, run)?);
            Ok(parts)
        }
        result => Ok(vec![result?]),
    }
}
