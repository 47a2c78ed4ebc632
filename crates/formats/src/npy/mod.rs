//! NumPy's `.npy` files.

use crate::FormatError;
use std::path::Path;

/// What the head of a `.npy` file says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NpyHeader {
    /// Sizes of the axes; empty for a single value.
    pub shape: Vec<u64>,
    /// NumPy's spelling, e.g. `<f4`, `|u1`, `|O`.
    pub dtype: String,
    /// First axis fastest.
    pub fortran_order: bool,
    /// Bytes before the first element.
    pub data_offset: u64,
}

/// Reads the header alone.
pub fn read_header(path: &Path) -> Result<NpyHeader, FormatError> {
    let _ = path;
    todo!()
}

/// Shape and values (C order) of a numeric array, converted to `f64`.
pub fn read_f64(path: &Path) -> Result<(Vec<u64>, Vec<f64>), FormatError> {
    let _ = path;
    todo!()
}

/// Shape and values (C order) of a numeric array, converted to `f32`.
pub fn read_f32(path: &Path) -> Result<(Vec<u64>, Vec<f32>), FormatError> {
    let _ = path;
    todo!()
}

/// Writes a C-order `<f4` array, atomically.
pub fn write_f32(path: &Path, shape: &[u64], values: &[f32]) -> Result<(), FormatError> {
    let _ = (path, shape, values);
    todo!()
}

/// Writes a C-order `<f8` array, atomically.
pub fn write_f64(path: &Path, shape: &[u64], values: &[f64]) -> Result<(), FormatError> {
    let _ = (path, shape, values);
    todo!()
}

/// The entries of a dict of texts that `np.save` wrote, in order.
pub fn read_pickled_dict(path: &Path) -> Result<Vec<(String, String)>, FormatError> {
    let _ = path;
    todo!()
}

/// Writes what `np.save(path, dict(entries))` writes, atomically.
pub fn write_pickled_dict(path: &Path, entries: &[(String, String)]) -> Result<(), FormatError> {
    let _ = (path, entries);
    todo!()
}
