//! Metrics of masks.

use crate::arrays::check_pairs;
use crate::errors::Failure;
use crate::options;
use crate::outcomes::{Scored, details, scored};
use crate::work;
use neurogauge::core::{BackgroundElement, Categorisation, Explained, ForegroundObject, InstanceMask, Mask, Masks};
use neurogauge::metrics::{Options, PairFunction, find};
use numpy::PyReadonlyArray3;
use numpy::ndarray::Axis;
use pyo3::prelude::*;

/// Foreground objects with their parts, and background elements.
type Categories = (Vec<(String, Vec<String>)>, Vec<String>);

/// Names, scores, masks (n, height, width) and categories of one image.
type Segmented<'py> = (Vec<String>, Vec<f64>, PyReadonlyArray3<'py, bool>, Option<Categories>);

type CompareMasks = PairFunction<Masks>;

/// Metrics of masks for each pair, with details.
#[pyfunction]
pub(crate) fn masks<'py>(
    py: Python<'py>,
    metrics: Vec<String>,
    reference: Vec<Segmented<'py>>,
    reconstruction: Vec<Segmented<'py>>,
    options: &str,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<(Vec<Scored<'py>>, String)> {
    let options: Options = options::read(options)?;
    let metrics = metrics.iter().map(|metric| of_masks(metric)).collect::<Result<Vec<_>, Failure>>()?;
    check_pairs("images", reference.len(), reconstruction.len())?;
    let gt = of_images(reference, "reference")?;
    let recon = of_images(reconstruction, "reconstruction")?;
    let outcomes = |pair: usize| {
        let compared = |(id, compare): &(&'static str, CompareMasks)| {
            let found = compare(&gt[pair], &recon[pair], &options);
            found.map_err(|source| Failure::of_pair(pair, id, source))
        };
        metrics.iter().map(compared).collect::<Result<Vec<Explained>, Failure>>()
    };
    let rows = work::each(py, progress, ("comparing masks", gt.len()), outcomes)?;
    let column = |place: usize| rows.iter().map(|row| row[place].outcome.clone()).collect::<Vec<_>>();
    let columns = (0..metrics.len()).map(|place| scored(py, &column(place))).collect();
    let behind = rows.into_iter().map(|row| row.into_iter().flat_map(|one| one.details).collect());
    Ok((columns, details(behind.collect())?))
}

fn of_masks(metric: &str) -> Result<(&'static str, CompareMasks), Failure> {
    let found = find(metric).and_then(|found| Some((found.spec.id, found.compute.function()?)));
    found.ok_or_else(|| Failure::Usage(format!("{metric:?} is not a metric of masks")))
}

fn of_images(segmented: Vec<Segmented<'_>>, side: &str) -> Result<Vec<Masks>, Failure> {
    let of_image = |(image, (names, scores, masks, categories)): (usize, Segmented<'_>)| {
        let masks = masks.as_array();
        let (n, height, width) = masks.dim();
        if names.len() != n || scores.len() != n {
            return Err(Failure::Data(format!(
                "{side}[{image}]: {} labels, {} scores and {n} masks; expected as many of each",
                names.len(),
                scores.len()
            )));
        }
        let refused = |reason: String| Failure::Data(format!("{side}[{image}]: {reason}"));
        let (Ok(height_px), Ok(width_px)) = (u32::try_from(height), u32::try_from(width)) else {
            return Err(refused(format!("masks of {height} x {width} px are too large")));
        };
        let items = names.into_iter().zip(scores).enumerate();
        let item = |(index, (name, score)): (usize, (String, f64))| {
            let pixels = masks.index_axis(Axis(0), index);
            let mask = Mask::from_pixels(height_px, width_px, |x, y| pixels[[y as usize, x as usize]])
                .map_err(|error| refused(error.to_string()))?;
            Ok(InstanceMask {
                name,
                score,
                bbox: mask.bounding_box(),
                mask,
            })
        };
        Ok(Masks::of(
            (width_px, height_px),
            items.map(item).collect::<Result<_, Failure>>()?,
            categories.map(categorisation),
        ))
    };
    segmented.into_iter().enumerate().map(of_image).collect()
}

fn categorisation((foreground, background): Categories) -> Categorisation {
    Categorisation {
        foreground: foreground
            .into_iter()
            .map(|(name, parts)| ForegroundObject {
                name,
                semantic_category: String::new(),
                parts,
            })
            .collect(),
        background: background
            .into_iter()
            .map(|name| BackgroundElement {
                name,
                semantic_category: String::new(),
            })
            .collect(),
    }
}
