//! The fit of Appendix B done plainly: W, C and the matrices of features by features and voxels by
//! voxels are formed, systems are solved, bases come from QR.

#![allow(dead_code, clippy::unwrap_used)]

use faer::linalg::solvers::Solve;
use faer::{Mat, Side};
use neurogauge_alignment::{FoldPlan, Matrix, Pool, PreparedSource, PreparedTarget, Standardisation, Unit};
use neurogauge_core::synthetic::Synthetic;

/// Values of the array `name`, uniform over [-0.5, 0.5).
pub(crate) fn noise(name: &str, n_rows: usize, n_columns: usize) -> Matrix {
    let values = Synthetic::new(name, 0);
    Matrix::from_fn(n_rows, n_columns, |row, column| f64::from(values.uniform((row * n_columns + column) as u64)) - 0.5)
}

/// `latents` (rows x dimensions) mixed into columns, plus noise.
pub(crate) fn mixed(name: &str, latents: &Matrix, n_columns: usize, noise_level: f64) -> Matrix {
    let weights = noise(&format!("{name} weights"), latents.n_columns(), n_columns);
    let error = noise(&format!("{name} noise"), latents.n_rows(), n_columns);
    Matrix::from_fn(latents.n_rows(), n_columns, |row, column| {
        let signal: f64 = (0..latents.n_columns())
            .map(|d| latents.get(row, d) * weights.get(d, column) / (1.0 + d as f64))
            .sum();
        signal + noise_level * error.get(row, column)
    })
}

/// A source and a target, ready for an outer fold.
pub(crate) fn prepared(x: &Matrix, y: &Matrix, plan: &FoldPlan, fold: usize) -> (PreparedSource, PreparedTarget) {
    let unit = Unit::new("s", "lh", "V1v");
    (
        PreparedSource::new("source", x, plan, fold).unwrap(),
        PreparedTarget::new(&unit, y, plan, fold).unwrap(),
    )
}

pub(crate) fn dense(x: &Matrix) -> Mat<f64> {
    Mat::from_fn(x.n_rows(), x.n_columns(), |row, column| x.get(row, column))
}

fn regularised(x: &Mat<f64>, alpha: f64) -> Mat<f64> {
    let mut r = x.transpose() * x;
    for place in 0..r.nrows() {
        r[(place, place)] += alpha;
    }
    r
}

fn ridge(x: &Mat<f64>, y: &Mat<f64>, alpha: f64) -> Mat<f64> {
    regularised(x, alpha).llt(Side::Lower).unwrap().solve(x.transpose() * y)
}

/// A fit of one rank and alpha: the source basis, and the coefficients from its coordinates.
pub(crate) struct Fit {
    pub(crate) source: Mat<f64>,
    pub(crate) readout: Mat<f64>,
}

pub(crate) fn fit(x: &Mat<f64>, y: &Mat<f64>, rank: usize, alpha: f64) -> Fit {
    let w = ridge(x, y, alpha);
    let c = x.transpose() * y;
    let mut crossed = c.transpose() * &w;
    crossed = (&crossed + crossed.transpose()) * faer::Scale(0.5);
    let eigen = crossed.self_adjoint_eigen(Side::Lower).unwrap();
    let q = y.ncols();
    let leading = Mat::from_fn(q, rank, |row, k| eigen.U()[(row, q - 1 - k)]);
    let source = (w * leading).qr().compute_thin_Q();
    let readout = ridge(&(x * &source), y, alpha);
    Fit { source, readout }
}

impl Fit {
    /// The projector onto the induced target subspace.
    pub(crate) fn projector(&self) -> Mat<f64> {
        let q = self.readout.transpose().to_owned().qr().compute_thin_Q();
        &q * q.transpose()
    }
}

pub(crate) fn pearson(x: &[f64], y: &[f64]) -> f64 {
    neurogauge_stats::pearson(x, y).unwrap().unwrap_or(0.0)
}

/// Mean over voxels of Pearson's r.
pub(crate) fn score(predicted: &Mat<f64>, measured: &Mat<f64>) -> f64 {
    let q = measured.ncols();
    let sum: f64 = (0..q).map(|v| pearson(predicted.col_as_slice(v), measured.col_as_slice(v))).sum();
    sum / q as f64
}

/// Z-scored training and other rows.
pub(crate) fn scores(x: &Matrix, training: &[usize], other: &[usize]) -> (Mat<f64>, Mat<f64>) {
    let scale = Standardisation::of(x, training);
    (dense(&scale.apply(x, training)), dense(&scale.apply(x, other)))
}

/// Positions in the pool that each inner fold is trained on, and those it holds out.
pub(crate) fn inner(pool: &Pool, fold: usize) -> (Vec<usize>, Vec<usize>) {
    let held_out = pool.inner[fold].clone();
    let training = (0..pool.len()).filter(|p| !held_out.contains(p)).collect();
    (training, held_out)
}

pub(crate) fn stimuli(pool: &Pool, places: &[usize]) -> Vec<usize> {
    places.iter().map(|&place| pool.stimuli[place]).collect()
}

/// Validation score of one candidate in each inner fold.
pub(crate) fn validation(x: &Matrix, y: &Matrix, pool: &Pool, rank: usize, alpha: f64) -> Vec<f64> {
    (0..pool.inner.len())
        .map(|fold| {
            let (training, held_out) = inner(pool, fold);
            let (training, held_out) = (stimuli(pool, &training), stimuli(pool, &held_out));
            let (x_training, x_other) = scores(x, &training, &held_out);
            let (y_training, y_other) = scores(y, &training, &held_out);
            let fit = fit(&x_training, &y_training, rank, alpha);
            score(&(x_other * &fit.source * &fit.readout), &y_other)
        })
        .collect()
}

/// Readout alpha and accuracy from the source basis of the outer fit.
pub(crate) fn read_out(
    x: &Matrix,
    y: &Matrix,
    pool: &Pool,
    test: &[usize],
    basis: &Mat<f64>,
    alphas: &[f64],
) -> (f64, f64) {
    let (x_training, x_test) = scores(x, &pool.stimuli, test);
    let z_training = Matrix::from_fn(x_training.nrows(), basis.ncols(), {
        let z = &x_training * basis;
        move |row, column| z[(row, column)]
    });
    let z_test = &x_test * basis;
    let mut best = (f64::NEG_INFINITY, 0.0);
    for &alpha in alphas {
        let mean: f64 = (0..pool.inner.len())
            .map(|fold| {
                let (training, held_out) = inner(pool, fold);
                let (z, z_other) = scores(&z_training, &training, &held_out);
                let (y, y_other) = scores(y, &stimuli(pool, &training), &stimuli(pool, &held_out));
                score(&(z_other * ridge(&z, &y, alpha)), &y_other)
            })
            .sum::<f64>()
            / pool.inner.len() as f64;
        if mean > best.0 + 1e-12 {
            best = (mean, alpha);
        }
    }
    let n = z_training.n_rows();
    let all = Matrix::from_fn(n + test.len(), basis.ncols(), |row, column| {
        if row < n {
            z_training.get(row, column)
        } else {
            z_test[(row - n, column)]
        }
    });
    let (z, z_other) = scores(&all, &(0..n).collect::<Vec<_>>(), &(n..n + test.len()).collect::<Vec<_>>());
    let (y, y_other) = scores(y, &pool.stimuli, test);
    (best.1, score(&(z_other * ridge(&z, &y, best.1)), &y_other))
}
