//! The images of a run's pairs, for metrics computed in Python.

use crate::errors::{Failure, bug};
use crate::images::rgb_array;
use crate::work;
use neurogauge::core::Sides;
use neurogauge::formats::image_source::ImageSource;
use neurogauge::{Error, PairViews, load_run};
use pyo3::prelude::*;
use std::path::PathBuf;

/// The images of a run, opened once for all pairs.
#[pyclass(frozen, module = "neurogauge._neurogauge")]
pub(crate) struct RunImages(Sides<ImageSource>);

#[pymethods]
impl RunImages {
    /// Opens the inputs of the run in a folder.
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let sources = work::run(py, None, |_| Ok(PairViews::open(&load_run(&path)?)?.into_images()))?;
        let none = || Failure::Data(format!("{}: the run has no images", path.display()));
        Ok(RunImages(sources.ok_or_else(none)?))
    }

    /// Stimulus and reconstruction of a pair, shape (height, width, 3): 8 bits, or floats if floats are stored.
    fn pair<'py>(&self, py: Python<'py>, stem: &str) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let of_side = |source: &ImageSource| {
            let place = source.stems().iter().position(|known| known == stem).ok_or_else(bug)?;
            Ok(match source.load_u8(place).map_err(Error::from)? {
                Some(image) => rgb_array(py, image)?.into_any(),
                None => rgb_array(py, source.load(place).map_err(Error::from)?)?.into_any(),
            })
        };
        Ok([&self.0.gt, &self.0.recon].map(of_side).into_iter().collect::<Result<_, Failure>>()?)
    }
}
