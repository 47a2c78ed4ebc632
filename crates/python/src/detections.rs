//! Metrics of detections.

use crate::arrays::check_pairs;
use crate::errors::Failure;
use crate::options;
use crate::outcomes::{Scored, Summary, explained, scored, summary};
use crate::work;
use neurogauge::core::{BoxXyxy, Detection, Detections, LabelList, Outcome, Side, Undefined};
use neurogauge::metrics::decoding::grounding;
use neurogauge::metrics::{BoxFunction, DetectionFunction, Metric, Options, Taxonomy, find};
use neurogauge::stats::{BootstrapOptions, estimate_ratio};
use numpy::{PyReadonlyArray1, PyReadonlyArray2};
use pyo3::prelude::*;

/// Labels, scores and boxes (left, top, right, bottom) of one image.
type Found<'py> = (PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, f64>, PyReadonlyArray2<'py, f64>);

/// A metric of detections for each pair, its details, and the number of pairs with unsorted scores, if that matters.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "two sides and what they are compared by")]
pub(crate) fn detections<'py>(
    py: Python<'py>,
    metric: &str,
    reference: Vec<Found<'py>>,
    reconstruction: Vec<Found<'py>>,
    label_names: Vec<String>,
    label_groups: &str,
    image_size_px: Option<(f64, f64)>,
    options: &str,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<((Scored<'py>, String), usize)> {
    let options: Options = options::read(options)?;
    let compare = |found: &Metric| Some((found.spec.id, found.compute.function::<DetectionFunction>()?));
    let Some((id, compare)) = find(metric).and_then(compare) else {
        return Err(Failure::Usage(format!("{metric:?} is not a metric of detections")).into());
    };
    check_pairs("images", reference.len(), reconstruction.len())?;
    let gt = of_images(&reference, "reference", image_size_px)?;
    let recon = of_images(&reconstruction, "reconstruction", image_size_px)?;
    let labels = LabelList::new("given", label_names).grouped(options::read(label_groups)?);
    let taxonomy = Taxonomy::new(&labels);
    let stops = options.objects.stops_at_first_below();
    let unordered = |(gt, recon): &(&Detections, &Detections)| stops && !(gt.is_descending() && recon.is_descending());
    let n_unordered = gt.iter().zip(&recon).filter(unordered).count();
    let outcome = |pair: usize| {
        let found = compare(&gt[pair], &recon[pair], &taxonomy, &options);
        found.map_err(|source| Failure::of_pair(pair, id, source))
    };
    let outcomes = work::each(py, progress, ("comparing detections", gt.len()), outcome)?;
    Ok((explained(py, outcomes)?, n_unordered))
}

fn of_images(found: &[Found<'_>], side: &str, image_size_px: Option<(f64, f64)>) -> Result<Vec<Detections>, Failure> {
    let detection = |image: usize, index: usize| -> Result<Detection, Failure> {
        let (labels, scores, boxes) = &found[image];
        let label = labels.as_array()[index];
        let category = usize::try_from(label)
            .map_err(|_| Failure::Data(format!("{side}[{image}]: label {index} is {label}; labels count from 0")))?;
        let row = boxes.as_array();
        let row = row.row(index);
        Ok(Detection {
            category,
            score: scores.as_array()[index],
            bbox: BoxXyxy::of([row[0], row[1], row[2], row[3]]),
        })
    };
    let of_image = |(image, (labels, scores, boxes)): (usize, &Found<'_>)| {
        let n = labels.as_array().len();
        let (n_boxes, n_edges) = boxes.as_array().dim();
        if scores.as_array().len() != n || n_boxes != n || n_edges != 4 {
            return Err(Failure::Data(format!(
                "{side}[{image}]: {n} labels, {} scores and boxes of shape ({n_boxes}, {n_edges}); expected as many \
                 of each, boxes as (n, 4)",
                scores.as_array().len()
            )));
        }
        Ok(Detections::of(
            (0..n).map(|index| detection(image, index)).collect::<Result<_, _>>()?,
            image_size_px,
        ))
    };
    found.iter().enumerate().map(of_image).collect()
}

/// A metric of boxes of the stimulus's categories: for each pair the mean over its boxes, and for all boxes a value
/// with an interval.
#[pyfunction]
pub(crate) fn grounded_boxes<'py>(
    py: Python<'py>,
    metric: &str,
    reference: Vec<Found<'py>>,
    reconstruction: Vec<Found<'py>>,
    level: f64,
) -> PyResult<(Scored<'py>, Summary)> {
    let Some(score) = find(metric).and_then(|found| found.compute.function::<BoxFunction>()) else {
        return Err(Failure::Usage(format!("{metric:?} is not a metric of boxes")).into());
    };
    check_pairs("images", reference.len(), reconstruction.len())?;
    let gt = of_images(&reference, "reference", None)?;
    let recon = of_images(&reconstruction, "reconstruction", None)?;
    // For each pair the sum over its boxes, and their number.
    let sums = gt.iter().zip(&recon).map(|(gt, recon)| {
        let boxes = grounding::grounded_boxes(gt, recon);
        let scores: Vec<f64> = boxes.iter().flat_map(|(_, boxes)| score(boxes)).collect();
        (scores.iter().sum::<f64>(), scores.len() as f64)
    });
    let sums: Vec<(f64, f64)> = sums.collect();
    let mean = |(sum, n): &(f64, f64)| match *n > 0.0 {
        true => Ok(sum / n),
        false => Err(Undefined::NoCategories(Side::Gt)),
    };
    let means: Vec<Outcome> = sums.iter().map(mean).collect();
    let options = BootstrapOptions {
        level,
        ..BootstrapOptions::default()
    };
    let mut estimate = estimate_ratio(&sums, &options).map_err(Failure::from)?;
    estimate.n = means.iter().flatten().count();
    estimate.n_undefined = means.len() - estimate.n;
    Ok((scored(py, &means), summary(&estimate)))
}

/// The names in a built-in list of labels; `None` if there is no list of this id.
#[pyfunction]
pub(crate) fn builtin_labels(id: &str) -> Option<Vec<String>> {
    Some(LabelList::builtin(id)?.names().to_vec())
}
