//! Distances of the set of all stimuli and the set of all reconstructions.

use crate::arrays::Floats;
use crate::errors::Failure;
use crate::outcomes::{Bootstrap, OrReason, bootstrap, or_reason};
use crate::work;
use neurogauge::core::Undefined;
use neurogauge::metrics::decoding::set_distances::{
    KernelDistance, SetProducts, clip_mmd, frechet_distance, kernel_inception_distance, precision_and_recall,
};
use numpy::PyArray1;
use pyo3::prelude::*;

/// The published and the unbiased distance, the interval of the latter, p, and the pseudo-values.
type Kernel<'py> = OrReason<(f64, f64, Option<(f64, f64)>, f64, Bound<'py, PyArray1<f64>>)>;

/// KID and CMMD; FID of all pairs, extrapolated, and if the sets were alike; precision and recall.
type Found<'py> = ([Kernel<'py>; 2], OrReason<(f64, f64, f64)>, [OrReason<f64>; 2]);

/// All distances of two matrices of equal shapes.
#[pyfunction]
pub(crate) fn set_distances<'py>(
    py: Python<'py>,
    reference: Floats<'py>,
    reconstruction: Floats<'py>,
    over: Bootstrap,
) -> PyResult<Found<'py>> {
    let (gt, recon) = (reference.doubles()?, reconstruction.doubles()?);
    let options = bootstrap(over)?;
    let (kernels, fid, shares) = work::run(py, None, |_| {
        let failed = |source| Failure::of_all("set distances", source);
        let products = SetProducts::of(&gt.data, &recon.data, gt.n_columns).map_err(failed)?;
        let of = |found: Result<KernelDistance, Undefined>| match found {
            Ok(found) => Ok::<_, Failure>(Ok((found.estimate(&options)?.interval, found))),
            Err(reason) => Ok(Err(reason)),
        };
        let kernels = [of(kernel_inception_distance(&products, options.seed))?, of(clip_mmd(&products, options.seed))?];
        let fid = frechet_distance(&products, options.seed).map_err(failed)?;
        Ok((kernels, fid, precision_and_recall(&products)))
    })?;
    let kernels = kernels.map(|found| {
        or_reason(found.map(|(interval, found)| {
            let pseudo = PyArray1::from_vec(py, found.pseudo_values);
            (found.published, found.unbiased, interval, found.p_value, pseudo)
        }))
    });
    let fid = or_reason(fid.map(|found| (found.of_all, found.extrapolated, found.if_alike)));
    Ok((kernels, fid, shares.map(or_reason)))
}
