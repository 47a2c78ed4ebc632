//! Baseline subspaces that a good source must beat.

use crate::eigen::all_eigenpairs;
use crate::error::check_length;
use crate::normal::standard_normal;
use crate::product::{leading, product};
use crate::subspace::orthonormal;
use crate::{AlignmentError, Matrix, PreparedTarget};
use faer::Mat;
use neurogauge_core::Seed;
use neurogauge_stats::quantile;

/// The leading principal components of the target's image-level training responses, as an orthonormal basis (n_voxels,
/// rank): they maximise variance rather than reproducible prediction.
///
/// Fewer columns if the responses have fewer dimensions.
pub fn target_pca(target: &PreparedTarget, rank: usize) -> Result<Matrix, AlignmentError> {
    let fit = &target.fits.outer;
    let pairs = all_eigenpairs(&fit.gram)?;
    let first = pairs.values.first().copied().unwrap_or(0.0);
    let count = pairs.values.iter().take(rank).take_while(|&&value| value > 0.0 && value > 1e-13 * first).count();
    let left = leading(pairs.vectors.as_ref(), count);
    let directions = product(fit.responses.transpose(), left);
    Ok(orthonormal(&directions).into())
}

/// Standard normal numbers (n_voxels, count), column after column, from stream `stream` of the seed.
pub fn draw_directions(n_voxels: usize, count: usize, seed: Seed, stream: u64) -> Matrix {
    let mut rng = seed.stream(stream);
    let mut draws = Mat::zeros(n_voxels, count);
    for column in 0..count {
        for value in draws.col_as_slice_mut(column) {
            *value = standard_normal(&mut rng);
        }
    }
    draws.into()
}

/// An orthonormal basis of `rank` random directions of a space of `n_voxels`, uniform over all
/// subspaces of that rank: the draws of [`draw_directions`], orthonormalised.
pub fn random_directions(n_voxels: usize, rank: usize, seed: Seed, stream: u64) -> Matrix {
    let rank = rank.min(n_voxels);
    span(&draw_directions(n_voxels, rank, seed, stream), rank)
}

/// An orthonormal basis of the span of the leading `rank` columns of `directions`.
pub fn span(directions: &Matrix, rank: usize) -> Matrix {
    orthonormal(&leading(directions.as_ref(), rank).to_owned()).into()
}

/// The mean of `values` in the highest quarter of `keys` minus the mean in the lowest, quartiles by
/// linear interpolation and inclusive.
pub fn quartile_contrast(keys: &[f64], values: &[f64]) -> Result<f64, AlignmentError> {
    check_length("sample", 1, values.len(), keys.len())?;
    let (low, high) = (quantile(keys, 0.25)?, quantile(keys, 0.75)?);
    let mean_where = |keep: &dyn Fn(f64) -> bool| {
        let kept = keys.iter().zip(values).filter(|(key, _)| keep(**key));
        let (sum, n) = kept.fold((0.0, 0.0), |(sum, n), (_, value)| (sum + value, n + 1.0));
        sum / n
    };
    Ok(mean_where(&|key| key >= high) - mean_where(&|key| key <= low))
}
