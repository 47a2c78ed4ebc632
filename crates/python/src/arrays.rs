//! Converts NumPy arrays for the crates.
//!
//! `neurogauge/_arrays.py` has checked the type and number of axes. Images are read in place, in any memory order;
//! matrices are contiguous by then (Python copies them if necessary).

use crate::errors::Failure;
use crate::work;
use neurogauge::core::Image;
use neurogauge::core::image::OutOfRange;
use numpy::ndarray::{Array1, ArrayView3, ArrayView4, Axis};
use numpy::{Element, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray4};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::borrow::Cow;

/// Images of shape (n images, height, width, 3), 8-bit or float.
#[derive(FromPyObject)]
pub(crate) enum Images<'py> {
    /// 0 to 255.
    Bytes(PyReadonlyArray4<'py, u8>),
    /// Nominally 0 to 1.
    Floats(PyReadonlyArray4<'py, f32>),
}

impl Images<'_> {
    /// A view that other threads may read while this is held.
    pub(crate) fn view(&self) -> ImagesView<'_> {
        match self {
            Images::Bytes(array) => ImagesView::Bytes(array.as_array()),
            Images::Floats(array) => ImagesView::Floats(array.as_array()),
        }
    }
}

/// Images, read in place.
#[derive(Debug, Clone, Copy)]
pub(crate) enum ImagesView<'a> {
    Bytes(ArrayView4<'a, u8>),
    Floats(ArrayView4<'a, f32>),
}

impl ImagesView<'_> {
    /// Number of images.
    pub(crate) fn n_images(&self) -> usize {
        match self {
            ImagesView::Bytes(array) => array.len_of(Axis(0)),
            ImagesView::Floats(array) => array.len_of(Axis(0)),
        }
    }

    /// The image at an index (convention `image-unit`).
    pub(crate) fn image(&self, index: usize) -> Result<Image<f32>, Failure> {
        match self {
            ImagesView::Bytes(array) => Ok(copied(array.index_axis(Axis(0), index))?.to_unit_float()),
            ImagesView::Floats(array) => copied(array.index_axis(Axis(0), index)),
        }
    }
}

/// For images with values outside 0 to 1: a warning, what to do about it, and whether they must be on another scale.
/// `None` for 8-bit images, and if all values are inside.
#[pyfunction]
pub(crate) fn out_of_range(py: Python<'_>, images: Images<'_>) -> PyResult<Option<(String, &'static str, bool)>> {
    let images = images.view();
    let ImagesView::Floats(_) = images else {
        return Ok(None);
    };
    let found = work::run(py, None, |_| {
        let range = |image: usize| Ok(images.image(image)?.range());
        let ranges = (0..images.n_images()).into_par_iter().map(range);
        let ranges = ranges.collect::<Result<Vec<_>, Failure>>()?;
        Ok(OutOfRange::of(ranges.into_iter()))
    })?;
    Ok(found.map(|found| (found.to_string(), found.remedy(), found.is_other_scale())))
}

fn copied<T: Copy>(image: ArrayView3<'_, T>) -> Result<Image<T>, Failure> {
    let (height_px, width_px, _) = image.dim();
    let values = image.iter().copied().collect();
    Image::new(width_px, height_px, values).map_err(|error| Failure::Data(error.to_string()))
}

/// A contiguous matrix of shape (row, value), in its original precision.
#[derive(FromPyObject)]
pub(crate) enum Floats<'py> {
    /// 32 bits.
    Single(PyReadonlyArray2<'py, f32>),
    /// 64 bits.
    Double(PyReadonlyArray2<'py, f64>),
}

impl Floats<'_> {
    /// All values in double precision, which is exact.
    pub(crate) fn doubles(&self) -> Result<Matrix<'_, f64>, Failure> {
        match self {
            Floats::Single(array) => {
                let Matrix {
                    n_rows,
                    n_columns,
                    data,
                } = Matrix::of(array)?;
                let data = data.iter().map(|&value| f64::from(value)).collect();
                Ok(Matrix {
                    n_rows,
                    n_columns,
                    data,
                })
            }
            Floats::Double(array) => Matrix::of(array),
        }
    }
}

/// The values of all rows, concatenated.
pub(crate) struct Matrix<'a, T: Clone> {
    pub(crate) n_rows: usize,
    pub(crate) n_columns: usize,
    pub(crate) data: Cow<'a, [T]>,
}

impl<'a, T: Clone + Element> Matrix<'a, T> {
    /// The matrix, read in place.
    pub(crate) fn of(array: &'a PyReadonlyArray2<'_, T>) -> Result<Self, Failure> {
        let data = array.as_slice().map_err(|_| not_contiguous())?;
        let (n_rows, n_columns) = array.as_array().dim();
        let data = Cow::Borrowed(data);
        Ok(Matrix {
            n_rows,
            n_columns,
            data,
        })
    }

    pub(crate) fn rows(&self) -> Vec<&[T]> {
        let row = |index: usize| &self.data[index * self.n_columns..(index + 1) * self.n_columns];
        (0..self.n_rows).map(row).collect()
    }
}

/// The values of a vector, in place or copied if it is not contiguous.
pub(crate) fn values(array: &PyReadonlyArray1<'_, f64>) -> Vec<f64> {
    Array1::from_iter(array.as_array().iter().copied()).to_vec()
}

/// Fails unless both numbers are equal.
pub(crate) fn check_pairs(what: &str, reference: usize, reconstruction: usize) -> Result<(), Failure> {
    if reference == reconstruction {
        return Ok(());
    }
    Err(Failure::Data(format!(
        "reference has {reference} {what} and reconstruction {reconstruction}; pair i is the i-th of both, so both \
         must have as many"
    )))
}

fn not_contiguous() -> Failure {
    Failure::Data("a matrix is not contiguous; make it so with numpy.ascontiguousarray".to_owned())
}
