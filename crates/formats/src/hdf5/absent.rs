//! The replacement for HDF5 in a build without it.

use crate::element::ElementType;
use crate::{FormatError, Problem};
use std::convert::Infallible;
use std::ops::Range;
use std::path::Path;

/// A numeric dataset of an HDF5 file, which this build cannot open.
#[derive(Debug)]
pub struct Dataset {
    none: Infallible,
}

impl Dataset {
    /// Always fails, with advice.
    pub fn open(path: &Path, _name: Option<&str>) -> Result<Dataset, FormatError> {
        let reason = "this neurogauge was built without HDF5; build it with `cargo build --release --package neurogauge \
                      --features hdf5` (it needs a C compiler and CMake 3.26), or save the array as .npy or .npz";
        Err(Problem::new(reason).at(path))
    }

    pub fn path(&self) -> &Path {
        match self.none {}
    }

    /// Sizes of the axes.
    pub fn shape(&self) -> &[u64] {
        match self.none {}
    }

    pub fn element_type(&self) -> ElementType {
        match self.none {}
    }

    /// Sizes of the chunks in which it is stored.
    pub fn chunk(&self) -> Option<Vec<usize>> {
        match self.none {}
    }

    /// All values, in single precision.
    pub fn read_f32(&self) -> Result<Vec<f32>, FormatError> {
        match self.none {}
    }

    /// All values, in double precision.
    pub fn read_f64(&self) -> Result<Vec<f64>, FormatError> {
        match self.none {}
    }

    /// Whole rows, as bytes.
    pub fn read_rows(&self, _rows: Range<usize>) -> Result<Vec<u8>, FormatError> {
        match self.none {}
    }

    /// The values of a block.
    pub fn read_block(&self, _ranges: &[Range<usize>]) -> Result<Vec<f64>, FormatError> {
        match self.none {}
    }
}
