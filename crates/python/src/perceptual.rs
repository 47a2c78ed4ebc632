//! LPIPS: distances of images in the layers of a network.

use crate::arrays::{Images, check_pairs};
use crate::errors::Failure;
use crate::images::both;
use crate::options;
use crate::outcomes::{Scored, scored};
use crate::work;
use neurogauge::core::Sides;
use neurogauge::metrics::PixelOptions;
use neurogauge::models::LpipsNet;
use neurogauge::{LoadedLpips, ModelChoices, RunSettings};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of the images in messages.
const IMAGES: &str = "reference and reconstruction";

/// LPIPS of each pair, and its id. Without heads a placeholder is used; without a size, images are compared unchanged.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "two sides, what they are compared by, and where it is found")]
pub(crate) fn lpips<'py>(
    py: Python<'py>,
    reference: Images<'py>,
    reconstruction: Images<'py>,
    heads: Option<PathBuf>,
    options: &str,
    resizes: bool,
    weights: Option<PathBuf>,
    checkpoint: Option<PathBuf>,
    weight_precision: &str,
    device: &str,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(&'static str, Scored<'py>)> {
    let options: PixelOptions = options::read(options)?;
    let precision = weight_precision.parse();
    let settings = RunSettings {
        weights,
        allow_download: true,
        models: ModelChoices {
            checkpoints: of_either_network(checkpoint),
            weight_precision: precision.map_err(|error| Failure::Usage(format!("weight_precision is {error}")))?,
            device: device.parse().map_err(Failure::Usage)?,
            lpips_heads: Vec::new(),
        },
        ..RunSettings::default()
    };
    let (gt, recon) = (reference.view(), reconstruction.view());
    check_pairs("images", gt.n_images(), recon.n_images())?;
    let lpips = work::run(py, progress, |work| match &heads {
        Some(heads) => Ok(LoadedLpips::load(heads, &settings, work)?),
        None => Ok(LoadedLpips::stand_in()?),
    })?;
    let outcome = |pair: usize| match both(pair, &gt, &recon, resizes.then_some(&options))? {
        Err(reason) => Ok(Err(reason)),
        Ok((gt, recon)) => {
            let names = (pair.to_string(), Path::new(IMAGES));
            Ok(Ok(lpips.distance((&names.0, names.1), &Sides::new(gt, recon), None)?))
        }
    };
    let outcomes = work::each(py, progress, (lpips.metric(), gt.n_images()), outcome)?;
    Ok((lpips.metric(), scored(py, &outcomes)))
}

/// The heads determine the network, so a weights file is used for that network.
fn of_either_network(checkpoint: Option<PathBuf>) -> BTreeMap<String, PathBuf> {
    let of_network = |path: PathBuf| LpipsNet::ALL.map(|net| (net.backbone().to_owned(), path.clone()));
    checkpoint.into_iter().flat_map(of_network).collect()
}
