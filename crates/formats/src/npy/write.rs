//! Writes numeric arrays.

use crate::stored_array::element_count;
use crate::{FormatError, Problem, atomic_file};
use npyz::WriterBuilder;
use std::path::Path;

/// Writes a C-order `<f4` array, atomically.
///
/// # Errors
/// The values do not fill the shape.
pub fn write_f32(path: &Path, shape: &[u64], values: &[f32]) -> Result<(), FormatError> {
    write(path, shape, values, "<f4", |value| value.to_le_bytes())
}

/// Writes a C-order `<f8` array, atomically.
pub fn write_f64(path: &Path, shape: &[u64], values: &[f64]) -> Result<(), FormatError> {
    write(path, shape, values, "<f8", |value| value.to_le_bytes())
}

fn write<T: Copy, const N: usize>(
    path: &Path,
    shape: &[u64],
    values: &[T],
    dtype: &str,
    to_bytes: impl Fn(T) -> [u8; N],
) -> Result<(), FormatError> {
    if element_count(shape) != Some(values.len() as u64) {
        return Err(Problem::value_count(shape, values.len()).at(path));
    }
    atomic_file::write_with(path, |writer| {
        write_header(writer, shape, dtype)?;
        values.iter().try_for_each(|&value| writer.write_all(&to_bytes(value)))
    })
}

/// Writes the header of a C-order array.
pub(super) fn write_header(writer: &mut dyn std::io::Write, shape: &[u64], dtype: &str) -> std::io::Result<()> {
    let dtype = dtype.parse().map_err(std::io::Error::other)?;
    npyz::WriteOptions::new_header_only()
        .dtype(npyz::DType::new_scalar(dtype))
        .shape(shape)
        .writer(writer)
        .write_header_only()?;
    Ok(())
}
