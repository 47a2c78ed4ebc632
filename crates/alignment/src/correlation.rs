//! Correlation of predicted and measured responses, voxel by voxel and for all ranks at once.

use crate::product::{centre_columns, product};
use faer::{Mat, MatRef};
use multiversion::multiversion;
use neurogauge_stats::summation::{sum, sum_over};
use std::ops::Range;

/// Z-scored responses, or predictions of them, count as constant if the norm of their deviations from the mean is at
/// most this.
const LEAST_NORM: f64 = 1e-10;

/// The measured side of a validation set.
#[derive(Debug, Clone)]
pub(crate) struct Measured {
    centred: Mat<f64>,
    /// For each voxel, 1 over the norm of its centred responses; 0 if they are constant.
    inverse_norms: Vec<f64>,
}

impl Measured {
    /// From responses of `n_stimuli` rows.
    pub(crate) fn new(responses: MatRef<'_, f64>) -> Self {
        let mut centred = responses.to_owned();
        centre_columns(&mut centred);
        let inverse_norms = (0..centred.ncols())
            .map(|voxel| {
                let squares = sum_over(centred.col_as_slice(voxel), |z| z * z);
                inverse_norm(squares)
            })
            .collect();
        Measured { centred, inverse_norms }
    }

    pub(crate) fn n_voxels(&self) -> usize {
        self.inverse_norms.len()
    }

    /// For each of `fits`, a range of columns, and each rank k up to its number of columns: the mean
    /// over voxels of Pearson's r between the measured responses and the prediction from the first k
    /// of these columns of `coordinates` (a row per stimulus) times those of `loadings` (a row per
    /// voxel), transposed.
    ///
    /// The numerator of r and the variance of the prediction are sums over the columns, and over pairs of columns, so
    /// each rank adds one term to both, and no prediction has to be formed.
    pub(crate) fn scores_by_rank(
        &self,
        coordinates: MatRef<'_, f64>,
        loadings: MatRef<'_, f64>,
        fits: &[Range<usize>],
    ) -> Vec<Vec<f64>> {
        let mut centred = coordinates.to_owned();
        centre_columns(&mut centred);
        let covariances = product(self.centred.transpose(), centred.as_ref());
        fits.iter()
            .map(|fit| {
                let of = |matrix| columns(matrix, fit);
                let (centred, covariances) = (of(centred.as_ref()), of(covariances.as_ref()));
                self.correlations_by_rank(centred, covariances, of(loadings), |_, sum| sum)
            })
            .collect()
    }

    /// Pearson's r of each voxel for the prediction from all columns.
    pub(crate) fn correlations(&self, coordinates: MatRef<'_, f64>, loadings: &Mat<f64>) -> Vec<f64> {
        let mut last = vec![0.0; self.n_voxels()];
        let mut centred = coordinates.to_owned();
        centre_columns(&mut centred);
        let covariances = product(self.centred.transpose(), centred.as_ref());
        let (centred, covariances) = (centred.as_ref(), covariances.as_ref());
        self.correlations_by_rank(centred, covariances, loadings.as_ref(), |correlations, _| {
            last.copy_from_slice(correlations);
        });
        last
    }

    fn correlations_by_rank<T>(
        &self,
        centred: MatRef<'_, f64>,
        covariances: MatRef<'_, f64>,
        loadings: MatRef<'_, f64>,
        mut each: impl FnMut(&[f64], f64) -> T,
    ) -> Vec<T> {
        let n_voxels = self.n_voxels();
        // Pairs of a column with an earlier one count twice.
        let mut pairs = product(centred.transpose(), centred);
        let own: Vec<f64> = (0..pairs.ncols()).map(|rank| pairs[(rank, rank)]).collect();
        for rank in 0..pairs.ncols() {
            let (earlier, rest) = pairs.col_as_slice_mut(rank).split_at_mut(rank);
            earlier.iter_mut().for_each(|pair| *pair *= 2.0);
            rest.fill(0.0);
        }
        let mixed = product(loadings, pairs.as_ref());
        let mut numerators = vec![0.0; n_voxels];
        let mut variances = vec![0.0; n_voxels];
        let mut correlations = vec![0.0; n_voxels];
        (0..centred.ncols())
            .map(|rank| {
                let (loading, covariance) = (column(loadings, rank), column(covariances, rank));
                add_products(&mut numerators, loading, covariance);
                add_squares(&mut variances, loading, own[rank], mixed.col_as_slice(rank));
                correlate(&numerators, &variances, &self.inverse_norms, &mut correlations);
                let sum = sum(&correlations);
                each(&correlations, sum / n_voxels as f64)
            })
            .collect()
    }
}

/// Some of a matrix's columns.
fn columns<'a>(matrix: MatRef<'a, f64>, columns: &Range<usize>) -> MatRef<'a, f64> {
    matrix.subcols(columns.start, columns.len())
}

/// One column; every matrix here has its columns contiguous.
fn column(matrix: MatRef<'_, f64>, place: usize) -> &[f64] {
    matrix.col(place).try_as_col_major().map_or(&[], |column| column.as_slice())
}

#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
fn add_products(sums: &mut [f64], x: &[f64], y: &[f64]) {
    for (sum, (x, y)) in sums.iter_mut().zip(x.iter().zip(y)) {
        *sum += x * y;
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
fn add_squares(sums: &mut [f64], loading: &[f64], own: f64, mixed: &[f64]) {
    for (sum, (loading, mixed)) in sums.iter_mut().zip(loading.iter().zip(mixed)) {
        *sum += loading * (own * loading + mixed);
    }
}

#[multiversion(targets("x86_64+avx512f+avx512vl+fma", "x86_64+avx2+fma"))]
fn correlate(numerators: &[f64], variances: &[f64], inverse_norms: &[f64], correlations: &mut [f64]) {
    let sides = numerators.iter().zip(variances).zip(inverse_norms);
    for (correlation, ((numerator, variance), inverse)) in correlations.iter_mut().zip(sides) {
        *correlation = numerator * inverse * inverse_norm(*variance);
    }
}

/// 1 over the norm of centred values whose squares sum to `squares`; 0 if they are constant.
#[inline(always)]
fn inverse_norm(squares: f64) -> f64 {
    if squares > LEAST_NORM * LEAST_NORM {
        1.0 / squares.sqrt()
    } else {
        0.0
    }
}
