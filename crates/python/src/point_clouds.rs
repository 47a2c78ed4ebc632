//! Distances between point clouds.

use crate::errors::Failure;
use crate::options;
use crate::outcomes::{Scored, scored};
use crate::work;
use neurogauge::core::Outcome;
use neurogauge::metrics::decoding::point_clouds::{
    ChamferForm, Point, PointScale, chamfer_distance, earth_movers_distance,
};
use numpy::PyReadonlyArray2;
use pyo3::prelude::*;
use serde::Deserialize;

/// The metric, and what affects its values.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Options {
    /// `None` for the earth mover's distance.
    chamfer: Option<ChamferForm>,
    scale: PointScale,
}

/// The distance between each pair of clouds, which have shape (n_points, 3).
#[pyfunction]
pub(crate) fn point_clouds<'py>(
    py: Python<'py>,
    reference: Vec<PyReadonlyArray2<'py, f64>>,
    reconstruction: Vec<PyReadonlyArray2<'py, f64>>,
    options: &str,
) -> PyResult<Scored<'py>> {
    let options: Options = options::read(options)?;
    let (gt, recon) = (clouds(&reference)?, clouds(&reconstruction)?);
    crate::arrays::check_pairs("point clouds", gt.len(), recon.len())?;
    let of_pair = |pair: usize| -> Outcome {
        let scaled = |clouds: &[Vec<Point>]| options.scale.apply(clouds[pair].clone());
        let (gt, recon) = (scaled(&gt)?, scaled(&recon)?);
        match options.chamfer {
            Some(form) => chamfer_distance(&gt, &recon, form),
            None => earth_movers_distance(&gt, &recon),
        }
    };
    let outcomes = work::each(py, None, ("comparing point clouds", gt.len()), |pair| Ok(of_pair(pair)))?;
    Ok(scored(py, &outcomes))
}

fn clouds(arrays: &[PyReadonlyArray2<'_, f64>]) -> Result<Vec<Vec<Point>>, Failure> {
    let cloud = |array: &PyReadonlyArray2<'_, f64>| {
        let rows = array.as_array();
        let points = rows.rows().into_iter().map(|row| match row.iter().copied().collect::<Vec<f64>>()[..] {
            [x, y, z] => Ok([x, y, z]),
            _ => Err(Failure::Usage(format!("a point has {} coordinates; expected 3", row.len()))),
        });
        points.collect()
    };
    arrays.iter().map(cloud).collect()
}
