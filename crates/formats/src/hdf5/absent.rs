//! The replacement for HDF5 in a build without it.

use crate::FormatError;
use crate::element::ElementType;
use std::convert::Infallible;
use std::ops::Range;
use std::path::Path;

/// A numeric dataset of an HDF5 file; this build can open none.
#[derive(Debug)]
pub struct Dataset {
    none: Infallible,
}

impl Dataset {
    /// Returns an error with advice.
    ///
    /// # Errors
    /// [`FormatError::WithoutHdf5`], always.
    pub fn open(path: &Path, _name: Option<&str>) -> Result<Dataset, FormatError> {
        let path = path.to_owned();
        Err(FormatError::WithoutHdf5 { path })
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

    /// Sizes of the pieces in which it is stored.
    pub fn chunk(&self) -> Option<Vec<usize>> {
        match self.none {}
    }

    /// All values, in single precision.
    ///
    /// # Errors
    /// None: there is no dataset.
    pub fn read_f32(&self) -> Result<Vec<f32>, FormatError> {
        match self.none {}
    }

    /// All values, in double precision.
    ///
    /// # Errors
    /// None: there is no dataset.
    pub fn read_f64(&self) -> Result<Vec<f64>, FormatError> {
        match self.none {}
    }

    /// Whole rows, as bytes.
    ///
    /// # Errors
    /// None: there is no dataset.
    pub fn read_rows(&self, _rows: Range<usize>) -> Result<Vec<u8>, FormatError> {
        match self.none {}
    }

    /// The values of a block.
    ///
    /// # Errors
    /// None: there is no dataset.
    pub fn read_block(&self, _ranges: &[Range<usize>]) -> Result<Vec<f64>, FormatError> {
        match self.none {}
    }
}
