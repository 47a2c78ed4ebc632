//! Z-scores from the statistics of training rows.

use crate::Matrix;
use faer::Mat;
use multiversion::multiversion;
use neurogauge_stats::summation::sum_over;

/// Standard deviations below this count as zero.
const LEAST_DEVIATION: f64 = 1e-8;

/// Mean and standard deviation of every column of the training rows of one fit.
///
/// z = (x - mean) / sd, with the population standard deviation (divisor n) of the training rows.
/// A deviation below 1e-8, or one that is not finite, becomes 1; a z that is not finite becomes 0.
/// So a constant column becomes zeros, and so does one with a NaN among its training rows.
///
/// ```
/// use neurogauge_alignment::{Matrix, Standardisation};
/// let x = Matrix::from_rows(3, 2, &[1.0, 7.0, 3.0, 7.0, 9.0, 7.5])?;
/// let z = Standardisation::of(&x, &[0, 1]).apply(&x, &[2]);
/// // Mean 2 and deviation 1; mean 7 and no deviation.
/// assert_eq!((z.get(0, 0), z.get(0, 1)), (7.0, 0.5));
/// # Ok::<(), neurogauge_alignment::AlignmentError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Standardisation {
    means: Vec<f64>,
    deviations: Vec<f64>,
}

impl Standardisation {
    /// The statistics of the rows at the positions `training`.
    pub fn of(x: &Matrix, training: &[usize]) -> Self {
        let mut chosen = Vec::with_capacity(training.len());
        let (means, deviations) = (0..x.n_columns())
            .map(|column| {
                let values = x.column(column);
                chosen.clear();
                chosen.extend(training.iter().map(|&row| values[row]));
                let (mean, deviation) = moments(&chosen);
                let usable = deviation.is_finite() && deviation >= LEAST_DEVIATION;
                (mean, if usable { deviation } else { 1.0 })
            })
            .unzip();
        Standardisation { means, deviations }
    }

    /// The z-scores of the rows at the positions `rows`, in that order.
    pub fn apply(&self, x: &Matrix, rows: &[usize]) -> Matrix {
        let mut z = Mat::zeros(rows.len(), x.n_columns());
        for column in 0..x.n_columns() {
            let values = x.column(column);
            let (mean, deviation) = (self.means[column], self.deviations[column]);
            let z = z.col_as_slice_mut(column);
            for (z, &row) in z.iter_mut().zip(rows) {
                *z = values[row];
            }
            score(z, mean, deviation);
        }
        z.into()
    }

    pub fn means(&self) -> &[f64] {
        &self.means
    }

    pub fn deviations(&self) -> &[f64] {
        &self.deviations
    }
}

/// Z-scores of all rows, computed separately for each label (a session) and column; applied to the responses of single
/// trials before repeats are averaged.
///
/// The rules are those of [`Standardisation`].
///
/// - Shapes: `labels` holds one label per row of `x`.
pub fn standardise_within(x: &Matrix, labels: &[u32]) -> Matrix {
    let mut sessions = labels.to_vec();
    sessions.sort_unstable();
    sessions.dedup();
    let mut z = Mat::zeros(x.n_rows(), x.n_columns());
    for session in sessions {
        let rows: Vec<usize> = (0..labels.len().min(x.n_rows())).filter(|&row| labels[row] == session).collect();
        let scores = Standardisation::of(x, &rows).apply(x, &rows);
        for column in 0..x.n_columns() {
            let to = z.col_as_slice_mut(column);
            for (&row, &score) in rows.iter().zip(scores.column(column)) {
                to[row] = score;
            }
        }
    }
    z.into()
}

/// Turns values into z-scores; non-finite ones become 0.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn score(values: &mut [f64], mean: f64, deviation: f64) {
    for value in values {
        let score = (*value - mean) / deviation;
        *value = if score.abs() < f64::INFINITY { score } else { 0.0 };
    }
}

/// Mean and population standard deviation.
///
/// Deviations are relative to the first value, so that the mean of equal values is exact and a constant column becomes
/// exact zeros.
#[multiversion(targets("x86_64+avx512f+avx512vl", "x86_64+avx2"))]
fn moments(values: &[f64]) -> (f64, f64) {
    let Some(&first) = values.first() else {
        return (0.0, 0.0);
    };
    let n = values.len() as f64;
    let mean = first + sum_over(values, |value| value - first) / n;
    let squares = sum_over(values, |value| (value - mean) * (value - mean));
    (mean, (squares / n).sqrt())
}
