//! Metrics of pixels.

use crate::arrays::{Images, ImagesView, check_pairs};
use crate::errors::{Failure, bug};
use crate::options;
use crate::outcomes::{Scored, scored};
use crate::work;
use neurogauge::Error;
use neurogauge::core::{Image, Side, Undefined};
use neurogauge::formats::image_file::{Transparency, read_rgb8};
use neurogauge::formats::image_source::{self, ChannelAxis};
use neurogauge::metrics::{Compute, PixelOptions, find};
use numpy::ndarray::{Array3, ArrayView3, Axis, Slice};
use numpy::{Element, PyArray3, PyReadonlyArray4};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::path::PathBuf;

/// A metric of pixels for each pair. Without a size, images are compared unchanged.
#[pyfunction]
pub(crate) fn pixels<'py>(
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
        return Err(Failure::Usage(format!("{metric:?} is not a metric of pixels")).into());
    };
    let (gt, recon) = (reference.view(), reconstruction.view());
    check_pairs("images", gt.n_images(), recon.n_images())?;
    let outcome = |pair: usize| match both(pair, &gt, &recon, resizes.then_some(&options))? {
        Err(reason) => Ok(Err(reason)),
        Ok((gt, recon)) => compare(&gt, &recon, &options).map_err(|source| Failure::of_pair(pair, id, source)),
    };
    let stage = format!("comparing pixels, {id}");
    let outcomes = work::each(py, progress, (&stage, gt.n_images()), outcome)?;
    Ok(scored(py, &outcomes))
}

/// The images of a pair, or the reason why they cannot be compared.
type Both = Result<(Image<f32>, Image<f32>), Undefined>;

/// Both images of a pair, resized, or the reason why they cannot be compared.
pub(crate) fn both(
    pair: usize,
    gt: &ImagesView<'_>,
    recon: &ImagesView<'_>,
    options: Option<&PixelOptions>,
) -> Result<Both, Failure> {
    let gt = prepare(gt.image(pair)?, Side::Gt, options, pair)?;
    let recon = prepare(recon.image(pair)?, Side::Recon, options, pair)?;
    Ok(gt.and_then(|gt| Ok((gt, recon?))))
}

fn prepare(
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

/// Reads files as the command line does: 8-bit RGB, (height, width, 3) each.
#[pyfunction]
pub(crate) fn read_images(py: Python<'_>, paths: Vec<PathBuf>) -> PyResult<Vec<Bound<'_, PyArray3<u8>>>> {
    let read = work::run(py, None, |_| {
        let read: Vec<_> = paths.par_iter().map(|path| Ok(read_rgb8(path).map_err(Error::from)?)).collect();
        // Here, too, the error is the first in order.
        read.into_iter().collect::<Result<Vec<Image<u8>>, Failure>>()
    })?;
    Ok(read.into_iter().map(|image| rgb_array(py, image)).collect::<Result<_, Failure>>()?)
}

/// The axis of the channels in an array of pictures, as files have it: "none", "first" or "last".
#[pyfunction]
pub(crate) fn channel_axis(name: &str, shape: Vec<u64>, channels_first: bool) -> PyResult<&'static str> {
    let axis = image_source::channel_axis(name.as_ref(), &shape, channels_first).map_err(Error::from);
    Ok(match axis.map_err(Failure::from)? {
        ChannelAxis::None => "none",
        ChannelAxis::First => "first",
        ChannelAxis::Last => "last",
    })
}

/// Number of pictures (n images, height, width, 4) whose transparent pixels hide other colours than a background has.
#[pyfunction]
pub(crate) fn n_hiding_colours(py: Python<'_>, images: PyReadonlyArray4<'_, u8>) -> PyResult<usize> {
    let images = images.as_array();
    work::run(py, None, |_| {
        let hides = |image: ArrayView3<'_, u8>| -> Result<usize, Failure> {
            let (height_px, width_px, _) = image.dim();
            let colours = image.slice_axis(Axis(2), Slice::from(..3)).iter().copied().collect();
            let alpha: Vec<u8> = image.index_axis(Axis(2), 3).iter().copied().collect();
            let image = Image::new(width_px, height_px, colours).map_err(|_| bug())?;
            Ok(usize::from(Transparency::of(&image, &alpha) == Transparency::HidesColours))
        };
        let images: Vec<ArrayView3<'_, u8>> = images.outer_iter().collect();
        Ok(images.into_par_iter().map(hides).collect::<Result<Vec<usize>, Failure>>()?.into_iter().sum())
    })
}

/// An image as an array of shape (height, width, 3).
pub(crate) fn rgb_array<T: Element + Copy>(py: Python<'_>, image: Image<T>) -> Result<Bound<'_, PyArray3<T>>, Failure> {
    let shape = (image.height_px(), image.width_px(), 3);
    let values = Array3::from_shape_vec(shape, image.into_data()).map_err(|_| bug())?;
    Ok(PyArray3::from_owned_array(py, values))
}
