//! Least squares with coefficients that are not negative.

use crate::StatsError;
use crate::error::{check_finite, check_lengths};
use crate::summation::{sum_over, sum_over_pairs};

/// The share of a column's squared length that must be outside the span of the columns in use. A column within rounding
/// of that span would get an arbitrary coefficient.
const OWN_PART: f64 = 1e-10;

/// A gradient below this share of the length of `y` is rounding.
const RISE: f64 = 1e-12;

/// The coefficients b ≥ 0 that minimise ‖Σ_j b_j x_j − y‖².
///
/// Lawson and Hanson's active set, on columns of length 1: columns enter one at a time, first the column that is most
/// aligned with the residual, and leave when their coefficient would become negative.
///
/// - Shapes: each column has as many values as `y`; one coefficient for each column.
/// - Conventions: among columns that are combinations of each other, those that enter later get 0 (ties enter in
///   order); a column of zeros gets 0. There is no intercept: centre columns and `y` to get one.
/// - Errors: samples of different lengths, a value that is not finite.
/// - Reference: `scipy.optimize.nnls` 1.17.1 to 1e-9 if no column depends on others.
///
/// ```
/// use neurogauge_stats::nonnegative_least_squares;
/// let columns = [vec![1.0, 0.0, 0.0], vec![0.0, 2.0, 0.0], vec![0.0, 0.0, 1.0]];
/// let found = nonnegative_least_squares(&columns, &[3.0, 5.0, -1.0]).unwrap();
/// assert_eq!(found, [3.0, 2.5, 0.0]);
/// ```
pub fn nonnegative_least_squares(columns: &[Vec<f64>], y: &[f64]) -> Result<Vec<f64>, StatsError> {
    for column in columns {
        check_lengths(column.len(), y.len())?;
    }
    for sample in columns.iter().map(Vec::as_slice).chain([y]) {
        check_finite(sample)?;
    }
    let problem = Problem::new(columns, y);
    let solution = problem.solve();
    let coefficients = solution.iter().zip(&problem.lengths);
    Ok(coefficients.map(|(&b, &length)| if b > 0.0 { b / length } else { 0.0 }).collect())
}

/// Products of columns of length 1 with each other and with `y`.
struct Problem {
    lengths: Vec<f64>,
    products: Vec<Vec<f64>>,
    with_y: Vec<f64>,
    y_length: f64,
}

impl Problem {
    fn new(columns: &[Vec<f64>], y: &[f64]) -> Self {
        let length = |sample: &[f64]| {
            // Scaled so that squares stay within the range of f64.
            let largest = sample.iter().fold(0.0, |max: f64, v| max.max(v.abs()));
            if largest == 0.0 {
                return 0.0;
            }
            sum_over(sample, |v| (v / largest) * (v / largest)).sqrt() * largest
        };
        let lengths: Vec<f64> = columns.iter().map(|column| length(column)).collect();
        let unit: Vec<Vec<f64>> = columns
            .iter()
            .zip(&lengths)
            .map(|(column, &length)| {
                let divisor = if length > 0.0 { length } else { 1.0 };
                column.iter().map(|v| v / divisor).collect()
            })
            .collect();
        let product = |a: &[f64], b: &[f64]| sum_over_pairs(a, b, |a, b| a * b);
        Problem {
            products: unit.iter().map(|a| unit.iter().map(|b| product(a, b)).collect()).collect(),
            with_y: unit.iter().map(|column| product(column, y)).collect(),
            y_length: length(y),
            lengths,
        }
    }

    fn solve(&self) -> Vec<f64> {
        let n = self.lengths.len();
        let mut solution = vec![0.0; n];
        let mut used: Vec<usize> = Vec::new();
        let mut refused = vec![false; n];
        // Every entry lowers the squared error, so no set of columns occurs twice except through rounding; the bound
        // guarantees termination.
        for _ in 0..(10 * n * n) {
            let Some(entering) = self.entering(&solution, &used, &refused) else {
                break;
            };
            used.push(entering);
            match self.least_squares(&used) {
                Some(fitted) if fitted[used.len() - 1] > 0.0 => {
                    self.settle(&mut solution, &mut used, fitted);
                    refused.fill(false);
                }
                _ => {
                    used.pop();
                    refused[entering] = true;
                }
            }
        }
        solution
    }

    /// The unused column with the steepest descent.
    fn entering(&self, solution: &[f64], used: &[usize], refused: &[bool]) -> Option<usize> {
        let mut best = None;
        let mut steepest = RISE * self.y_length;
        for (column, &length) in self.lengths.iter().enumerate() {
            if refused[column] || used.contains(&column) || length == 0.0 {
                continue;
            }
            let explained: f64 = used.iter().map(|&other| self.products[column][other] * solution[other]).sum();
            let descent = self.with_y[column] - explained;
            if descent > steepest {
                steepest = descent;
                best = Some(column);
            }
        }
        best
    }

    /// Moves from the solution towards the fit of the columns in use, dropping columns that reach zero on the way.
    fn settle(&self, solution: &mut [f64], used: &mut Vec<usize>, mut fitted: Vec<f64>) {
        loop {
            let mut step = 1.0;
            for (&column, &target) in used.iter().zip(&fitted) {
                if target <= 0.0 {
                    step = f64::min(step, solution[column] / (solution[column] - target));
                }
            }
            if fitted.iter().all(|&target| target > 0.0) {
                for (&column, &target) in used.iter().zip(&fitted) {
                    solution[column] = target;
                }
                return;
            }
            let mut kept = Vec::with_capacity(used.len());
            for (&column, &target) in used.iter().zip(&fitted) {
                let here = solution[column];
                // The coefficient that limits the step is set to exactly zero.
                let reaches_zero = target <= 0.0 && here / (here - target) <= step;
                solution[column] = if reaches_zero {
                    0.0
                } else {
                    kept.push(column);
                    here + step * (target - here)
                };
            }
            *used = kept;
            match self.least_squares(used) {
                Some(next) => fitted = next,
                None => return,
            }
        }
    }

    /// Coefficients of the columns in use without the bound, by Cholesky factorisation; `None` if the last column
    /// depends on the others.
    fn least_squares(&self, used: &[usize]) -> Option<Vec<f64>> {
        let n = used.len();
        let mut factor = vec![vec![0.0; n]; n];
        for row in 0..n {
            for column in 0..=row {
                let done: f64 = (0..column).map(|k| factor[row][k] * factor[column][k]).sum();
                let rest = self.products[used[row]][used[column]] - done;
                factor[row][column] = if row > column {
                    rest / factor[column][column]
                } else if rest > OWN_PART {
                    rest.sqrt()
                } else {
                    return None;
                };
            }
        }
        let mut x = vec![0.0; n];
        for row in 0..n {
            let done: f64 = (0..row).map(|k| factor[row][k] * x[k]).sum();
            x[row] = (self.with_y[used[row]] - done) / factor[row][row];
        }
        for row in (0..n).rev() {
            let done: f64 = (row + 1..n).map(|k| factor[k][row] * x[k]).sum();
            x[row] = (x[row] - done) / factor[row][row];
        }
        Some(x)
    }
}
