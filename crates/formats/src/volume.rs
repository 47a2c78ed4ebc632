//! One value for each voxel of a volume or vertex of a surface, such as labels of regions.

pub use crate::brain_space::Volume;

use crate::brain_space::{Grid, Space};
use crate::budget::{collect, room};
use crate::member::split_member;
use crate::mgh::MghReader;
use crate::{FormatError, Problem, array_file, gifti, nifti, trial_column};
use std::path::Path;

/// Reads `.mgh` and `.mgz`, `.nii` and `.nii.gz` (including CIFTI-2), `.gii`, a column of a table (`voxels.csv:V1`,
/// with a line for each place), or an array (X, Y, Z) or (vertices) in any format of [`array_file`], with the axes in
/// nibabel's order.
///
/// # Errors
/// Errors of [`MghReader`], [`nifti::read`], [`gifti::read`], [`trial_column::numbers`] and [`array_file::open`];
/// another shape.
pub fn read(path: &Path) -> Result<Volume, FormatError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    if ends(&[".nii", ".nii.gz"]) {
        return nifti::read(path);
    }
    if ends(&[".gii", ".gii.gz"]) {
        return gifti::one_frame(path);
    }
    if ends(&[".mgh", ".mgz", ".mgh.gz"]) {
        let file = MghReader::open(path)?;
        let grid = file.grid();
        let frame = file.single_frame()?;
        let values = frame.iter().copied().map(f64::from);
        return Ok(Volume {
            path: path.to_owned(),
            grid,
            values: collect(frame.len(), values, path, "a volume")?,
        });
    }
    if trial_column::is_table(&split_member(path).0) {
        let values = trial_column::numbers(path)?;
        return Ok(Volume {
            path: path.to_owned(),
            grid: Grid::of_places(values.len()),
            values,
        });
    }
    let array = array_file::open(path)?;
    let size = match *array.shape() {
        [n] => [n, 1, 1],
        [x, y, z] => [x, y, z],
        ref found => {
            return Err(Problem::shape(found.to_vec(), "(X, Y, Z) voxels or (vertices)").at(path));
        }
    };
    let size = size.map(|size| size as usize);
    let stored = array.read_f64()?;
    let [nx, ny, nz] = size;
    let mut values = room(stored.len(), path, "a volume")?;
    for z in 0..nz {
        for y in 0..ny {
            values.extend((0..nx).map(|x| stored[(x * ny + y) * nz + z]));
        }
    }
    Ok(Volume {
        path: path.to_owned(),
        grid: Grid {
            size,
            space: Space::Unsaid,
        },
        values,
    })
}
