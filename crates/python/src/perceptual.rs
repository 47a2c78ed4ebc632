//! LPIPS: distances of images in the layers of a network.

use crate::arrays::{Images, ImagesView, check_pairs};
use crate::errors::Failure;
use crate::images::prepare;
use crate::options;
use crate::outcomes::{Scored, scored};
use crate::work;
use neurogauge::core::{Outcome, Side};
use neurogauge::metrics::PixelOptions;
use neurogauge::models::LpipsNet;
use neurogauge::{LoadedLpips, ModelChoices, Progress, RunSettings};
use pyo3::prelude::*;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The name of the images in messages.
const IMAGES: &str = "reference and reconstruction";

/// LPIPS of each pair, and its id. Without heads a placeholder compares; without a size, images are compared as they
/// are.
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
    download: bool,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(&'static str, Scored<'py>)> {
    let options: PixelOptions = options::read(options)?;
    let precision = weight_precision.parse();
    let settings = RunSettings {
        weights,
        allow_download: download,
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
    let (id, outcomes) = work::run(py, progress, move |work| {
        let lpips = match &heads {
            Some(heads) => LoadedLpips::load(heads, &settings, work)?,
            None => LoadedLpips::stand_in()?,
        };
        let n_pairs = gt.n_images();
        work.start(lpips.metric(), n_pairs as u64, 0);
        let outcome = |pair: usize| -> Result<Outcome, Failure> {
            let prepared = |images: &ImagesView<'_>, side: Side| {
                prepare(images.image(pair)?, side, resizes.then_some(&options), pair)
            };
            let (gt, recon) = (prepared(&gt, Side::Gt)?, prepared(&recon, Side::Recon)?);
            work.advance(1);
            Ok(match (gt, recon) {
                (Err(reason), _) | (_, Err(reason)) => Err(reason),
                (Ok(gt), Ok(recon)) => Ok(lpips.distance(&pair.to_string(), Path::new(IMAGES), &gt, &recon)?),
            })
        };
        let outcomes = (0..n_pairs).into_par_iter().map(outcome);
        let outcomes = outcomes.collect::<Result<Vec<Outcome>, Failure>>()?;
        Ok((lpips.metric(), outcomes))
    })?;
    Ok((id, scored(py, &outcomes)))
}

/// The heads determine the network, so a file of weights is used for that network.
fn of_either_network(checkpoint: Option<PathBuf>) -> BTreeMap<String, PathBuf> {
    let of_network = |path: PathBuf| LpipsNet::ALL.map(|net| (net.backbone().to_owned(), path.clone()));
    checkpoint.into_iter().flat_map(of_network).collect()
}
