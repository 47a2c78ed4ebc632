//! Metrics of pixels.

use crate::arrays::{Images, ImagesView, check_pairs};
use crate::errors::Failure;
use crate::options;
use crate::outcomes::{Scored, scored};
use crate::work;
use neurogauge::core::{Image, Outcome, Side, Undefined};
use neurogauge::metrics::{Compute, PixelOptions, find};
use neurogauge::{Error, Progress};
use pyo3::prelude::*;
use rayon::prelude::*;

/// A metric of pixels for each pair. Without a size, images are compared as they are.
#[pyfunction]
fn pixels<'py>(
    py: Python<'py>,
    metric: &str,
    reference: Images<'py>,
    reconstruction: Images<'py>,
    options: &str,
    resizes: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Scored<'py>> {
    let options: PixelOptions = options::read(options)?;
    let Some((id, compare)) = find(metric).and_then(|found| match found.compute {
        Compute::Pixels(compare) => Some((found.spec.id, compare)),
        _ => None,
    }) else {
        return Err(Failure::Usage(format!("{metric:?} is no metric of pixels")).into());
    };
    let (gt, recon) = (reference.view(), reconstruction.view());
    check_pairs("images", gt.n_images(), recon.n_images())?;
    let outcomes = work::run(py, progress, move |work| {
        let n_pairs = gt.n_images();
        work.start(&format!("comparing pixels, {id}"), n_pairs as u64, 0);
        let outcome = |pair: usize| -> Result<Outcome, Failure> {
            let prepared = |images: &ImagesView<'_>, side: Side| {
                prepare(images.image(pair)?, side, resizes.then_some(&options), pair)
            };
            let (gt, recon) = (prepared(&gt, Side::Gt)?, prepared(&recon, Side::Recon)?);
            work.advance(1);
            match (gt, recon) {
                (Err(reason), _) | (_, Err(reason)) => Ok(Err(reason)),
                (Ok(gt), Ok(recon)) => {
                    compare(&gt, &recon).map_err(|source| Failure::of_pair(pair, id, source))
                }
            }
        };
        let outcomes: Vec<_> = (0..n_pairs).into_par_iter().map(outcome).collect();
        // Of several pairs that fail, the first is named, whichever was compared first.
        outcomes
            .into_iter()
            .collect::<Result<Vec<Outcome>, Failure>>()
    })?;
    Ok(scored(py, &outcomes))
}

/// An image resized, or why there is nothing to compare.
pub(crate) fn prepare(
    image: Image<f32>,
    side: Side,
    options: Option<&PixelOptions>,
    pair: usize,
) -> Result<Result<Image<f32>, Undefined>, Failure> {
    if let Err(reason) = image.check_finite(side) {
        return Ok(Err(reason));
    }
    let Some(options) = options else {
        return Ok(Ok(image));
    };
    let resized = options.apply(image).map_err(|source| Error::Resize {
        pair: pair.to_string(),
        source,
    })?;
    Ok(Ok(resized))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(pixels, module)?)
}
