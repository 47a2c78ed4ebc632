//! Betas in a subject's own volume: `betas_sessionNN.hdf5`.

use crate::budget::collect;
use crate::hdf5::Dataset;
use crate::{FormatError, Problem};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

/// Stored whole numbers are percent signal change times this.
const STORED_PER_PERCENT: f64 = 300.0;
/// Values in memory at a time, unless a single chunk is larger.
const AT_ONCE: usize = 1 << 22;

/// The single-trial betas of a session, which can be read at any voxels.
///
/// - Shape: the dataset `betas`, (n_trials, Z, Y, X) as h5py shows it, (X, Y, Z, n_trials) in MATLAB; voxel (x, y, z)
///   is place x + X (y + Y z), as in a NIfTI volume of the same size.
/// - Units: percent signal change. Whole numbers, which NSD stores, are divided by 300.
/// - Memory: 32 MiB or one chunk of the file, and the requested values.
/// - Errors: those of [`Dataset::open_for_blocks`]; another shape.
#[derive(Debug)]
pub struct VolumeBetas {
    dataset: Dataset,
    /// Sizes of the axes: trials, Z, Y, X.
    shape: [usize; 4],
}

impl VolumeBetas {
    /// Opens a session's file.
    pub fn open(path: &Path) -> Result<VolumeBetas, FormatError> {
        let dataset = Dataset::open_for_blocks(path, Some("betas"))?;
        let &[n_trials, z, y, x] = dataset.shape() else {
            return Err(Problem::shape(dataset.shape().to_vec(), "betas of (n_trials, Z, Y, X)").at(path));
        };
        let shape = [n_trials, z, y, x].map(|size| size as usize);
        Ok(VolumeBetas { dataset, shape })
    }

    /// The sizes X, Y, Z.
    pub fn size(&self) -> [usize; 3] {
        let [_, z, y, x] = self.shape;
        [x, y, z]
    }

    pub fn n_trials(&self) -> usize {
        self.shape[0]
    }

    /// The values at `places`: (n_trials, places), trial after trial.
    ///
    /// # Errors
    /// A place is outside the volume; the file is damaged.
    pub fn read(&self, places: &[usize]) -> Result<Vec<f64>, FormatError> {
        let [n_trials, nz, ny, nx] = self.shape;
        if let Some(place) = places.iter().find(|&&place| place >= nx * ny * nz) {
            let reason = format!("the volume has {} voxels, counted from 0", nx * ny * nz);
            return Err(Problem::invalid(format!("voxel {place}"), reason).at(self.dataset.path()));
        }
        let chunk = self.dataset.chunk().unwrap_or_else(|| vec![1, nz, ny, nx]);
        let size = |axis: usize| chunk.get(axis).copied().unwrap_or(1).max(1);
        // Voxels in the same column of chunks are read together.
        let mut columns: BTreeMap<[usize; 3], Vec<(usize, [usize; 3])>> = BTreeMap::new();
        for (column, &place) in places.iter().enumerate() {
            let voxel = [place / (nx * ny), place / nx % ny, place % nx];
            let cell = [0, 1, 2].map(|axis| voxel[axis] / size(axis + 1));
            columns.entry(cell).or_default().push((column, voxel));
        }
        let scale = if self.dataset.element_type().is_float() {
            1.0
        } else {
            STORED_PER_PERCENT
        };
        let n_values = n_trials.saturating_mul(places.len());
        let zeros = std::iter::repeat_n(0.0, n_values);
        let mut values = collect(n_values, zeros, self.dataset.path(), "the responses")?;
        for voxels in columns.values() {
            let [z, y, x] = bounds(voxels);
            let per_trial = z.len() * y.len() * x.len();
            let n_chunks = (AT_ONCE / (per_trial * size(0)).max(1)).max(1);
            for first in (0..n_trials).step_by(size(0) * n_chunks) {
                let trials = first..n_trials.min(first + size(0) * n_chunks);
                let ranges = [trials.clone(), z.clone(), y.clone(), x.clone()];
                let block = self.dataset.read_block(&ranges)?;
                for (trial, frame) in trials.zip(block.chunks_exact(per_trial)) {
                    for &(column, [vz, vy, vx]) in voxels {
                        let row = (vz - z.start) * y.len() + (vy - y.start);
                        let value = frame[row * x.len() + (vx - x.start)];
                        values[trial * places.len() + column] = value / scale;
                    }
                }
            }
        }
        Ok(values)
    }
}

/// The smallest block that holds all voxels.
fn bounds(voxels: &[(usize, [usize; 3])]) -> [Range<usize>; 3] {
    [0, 1, 2].map(|axis| {
        let along = || voxels.iter().map(|(_, voxel)| voxel[axis]);
        let end = along().max().map_or(0, |last| last + 1);
        along().min().unwrap_or(0)..end
    })
}
