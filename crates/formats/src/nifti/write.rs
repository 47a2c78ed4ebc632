//! Writes volumes.

use crate::brain_space::{Grid, Space};
use crate::{FormatError, Problem, atomic_file};
use std::path::Path;

const HEADER: usize = 348;
/// Bytes before the values: the header, and four that say that no extension follows.
const BEFORE: usize = 352;
const FLOAT32: i16 = 16;
const MILLIMETRES: u8 = 2;

/// Writes frames of single-precision values as NIfTI-1 (`.nii`), at the place that the grid says.
///
/// - Shapes: each frame has a value for each voxel, X varying fastest.
/// - Errors: a grid that is no volume, or too large for NIfTI-1; the file cannot be written.
/// - Reference: nibabel reads the same values, shape and affine.
///
/// ```
/// use neurogauge_formats::brain_space::{Affine, Grid, Space};
/// use neurogauge_formats::{nifti, volume};
/// let affine = Affine([[2.0, 0.0, 0.0, -5.0], [0.0, 3.0, 0.0, 1.0], [0.0, 0.0, 4.0, 0.5]]);
/// let grid = Grid { size: [1, 2, 2], space: Space::Voxels(affine) };
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("map.nii");
/// nifti::write(&path, &grid, &[vec![1.0, 2.5, f32::NAN, 4.0]]).unwrap();
/// let found = volume::read(&path).unwrap();
/// assert_eq!((found.grid, found.values[1], found.values[2].is_nan()), (grid, 2.5, true));
/// ```
pub fn write(path: &Path, grid: &Grid, frames: &[Vec<f32>]) -> Result<(), FormatError> {
    let sizes = [grid.size.as_slice(), &[frames.len()]].concat();
    let Ok(axes) = sizes.iter().map(|&size| i16::try_from(size)).collect::<Result<Vec<i16>, _>>() else {
        return Err(Problem::shape(&sizes, "at most 32767 along each axis").at(path));
    };
    let (affine, steps) = match &grid.space {
        Space::Voxels(affine) => {
            let step = |axis: usize| affine.0.iter().map(|row| row[axis] * row[axis]).sum::<f64>().sqrt();
            (Some(affine.0), [0, 1, 2].map(step))
        }
        Space::VoxelSize(steps) => (None, *steps),
        Space::Unsaid | Space::Surface(_) | Space::Grayordinates(_) => {
            return Err(Problem::content("places of a surface or an array", "voxels of a volume").at(path));
        }
    };
    let mut bytes = vec![0; BEFORE];
    let mut put = |at: usize, value: &[u8]| bytes[at..at + value.len()].copy_from_slice(value);
    put(0, &(HEADER as i32).to_le_bytes());
    let n_axes = if frames.len() > 1 { 4 } else { 3 };
    for (place, size) in [n_axes].into_iter().chain(axes).chain([1; 3]).enumerate() {
        put(40 + 2 * place, &size.to_le_bytes());
    }
    put(70, &FLOAT32.to_le_bytes());
    put(72, &32_i16.to_le_bytes());
    for (axis, step) in [1.0, steps[0], steps[1], steps[2], 1.0].into_iter().enumerate() {
        put(76 + 4 * axis, &(step as f32).to_le_bytes());
    }
    put(108, &(BEFORE as f32).to_le_bytes());
    put(123, &[MILLIMETRES]);
    if let Some(rows) = affine {
        // In the space of the responses, whatever it is.
        put(254, &1_i16.to_le_bytes());
        for (place, value) in rows.iter().flatten().enumerate() {
            put(280 + 4 * place, &(*value as f32).to_le_bytes());
        }
    }
    put(344, b"n+1\0");
    bytes.extend(frames.iter().flatten().flat_map(|value| value.to_le_bytes()));
    atomic_file::write(path, &bytes)
}
