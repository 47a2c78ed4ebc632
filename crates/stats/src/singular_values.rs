//! Singular values of square matrices.

use crate::StatsError;
use crate::summation::sum_over_pairs;
use neurogauge_core::stopping::stop_if_asked;

/// Values below this share of the matrix's norm are rounding errors.
const NOTHING: f64 = 1e-14;

/// The most steps for one eigenvalue; two or three are usual.
const MOST_STEPS: usize = 60;

/// The singular values of a square matrix, in no particular order: Householder reflections make it bidiagonal (Golub and
/// Kahan, 1965), and implicit QL steps find the eigenvalues ±σ of the tridiagonal matrix with the same entries.
///
/// - Shapes: `matrix` holds n rows of n values; the result has n.
/// - Range: 0 and above, each to about 1e-15 of the largest. A matrix of rank r takes r of n reflections.
/// - Errors: values that are not a square matrix, or not finite.
/// - Reference: `numpy.linalg.svd` 2.4.6, to 1e-12 of the largest.
///
/// ```
/// use neurogauge_stats::singular_values;
/// let mut found = singular_values(vec![0.0, 2.0, 3.0, 0.0]).unwrap();
/// found.sort_by(f64::total_cmp);
/// assert!((found[0] - 2.0).abs() < 1e-14 && (found[1] - 3.0).abs() < 1e-14);
/// ```
pub fn singular_values(mut matrix: Vec<f64>) -> Result<Vec<f64>, StatsError> {
    let n = matrix.len().isqrt();
    if n * n != matrix.len() || matrix.iter().any(|value| !value.is_finite()) {
        return Err(StatsError::option("the matrix", "not square or not finite", "n rows of n finite numbers"));
    }
    let largest = matrix.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    if largest == 0.0 {
        return Ok(vec![0.0; n]);
    }
    let nothing = NOTHING * largest;
    // The tridiagonal matrix has zeros on its diagonal and, beside it, the bidiagonal's entries in turn.
    let mut beside = vec![0.0; 2 * n];
    for k in 0..n {
        stop_if_asked();
        let is_left = |value: &f64| value.abs() > nothing;
        let column: Vec<f64> = (k..n).map(|row| matrix[row * n + k]).collect();
        // A column of zeros may have others behind it, unless the rank is reached.
        if !column.iter().any(is_left) && !(k..n).any(|row| matrix[row * n + k..][..n - k].iter().any(is_left)) {
            break;
        }
        let (entry, reflection) = reflect(column);
        beside[2 * k] = entry;
        let mut sums = vec![0.0; n - k - 1];
        for (weight, row) in reflection.iter().zip(k..n) {
            add(&mut sums, *weight, &matrix[row * n + k + 1..][..n - k - 1]);
        }
        for (weight, row) in reflection.iter().zip(k..n) {
            add(&mut matrix[row * n + k + 1..][..n - k - 1], -weight, &sums);
        }
        if k + 1 == n {
            break;
        }
        let (entry, reflection) = reflect(matrix[k * n + k + 1..(k + 1) * n].to_vec());
        beside[2 * k + 1] = entry;
        for row in k + 1..n {
            let values = &mut matrix[row * n + k + 1..][..n - k - 1];
            let weight = dot(values, &reflection);
            add(values, -weight, &reflection);
        }
    }
    let mut values = eigenvalues(beside)?;
    values.sort_by(|one, other| other.total_cmp(one));
    values.truncate(n);
    Ok(values.into_iter().map(|value| value.max(0.0)).collect())
}

/// The entry to which a reflection turns a vector, and the vector v of the reflection 1 - v vᵀ.
fn reflect(mut vector: Vec<f64>) -> (f64, Vec<f64>) {
    let norm = dot(&vector, &vector).sqrt();
    if norm == 0.0 {
        return (0.0, vector);
    }
    let entry = -norm.copysign(vector[0]);
    vector[0] -= entry;
    let scale = (2.0 / dot(&vector, &vector)).sqrt();
    vector.iter_mut().for_each(|value| *value *= scale);
    (entry, vector)
}

fn add(to: &mut [f64], weight: f64, values: &[f64]) {
    to.iter_mut().zip(values).for_each(|(to, value)| *to += weight * value);
}

fn dot(x: &[f64], y: &[f64]) -> f64 {
    sum_over_pairs(x, y, |x, y| x * y)
}

/// The eigenvalues of the symmetric tridiagonal matrix with zeros on its diagonal; the last entry of `beside` is not
/// part of it.
fn eigenvalues(mut beside: Vec<f64>) -> Result<Vec<f64>, StatsError> {
    let n = beside.len();
    let mut diagonal = vec![0.0_f64; n];
    let largest = beside.iter().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    for first in 0..n {
        for step in 0.. {
            let is_split = |place: &usize| beside[*place].abs() <= f64::EPSILON * largest * 0.5;
            let last = (first..n - 1).find(is_split).unwrap_or(n - 1);
            if last == first {
                break;
            }
            if step == MOST_STEPS {
                return Err(StatsError::Data("the singular values of the matrix do not converge".to_owned()));
            }
            // Wilkinson's shift.
            let half = (diagonal[first + 1] - diagonal[first]) / (2.0 * beside[first]);
            let root = half.hypot(1.0).copysign(half);
            let mut shifted = diagonal[last] - diagonal[first] + beside[first] / (half + root);
            let (mut sine, mut cosine, mut moved) = (1.0, 1.0, 0.0);
            let mut is_cut = false;
            for place in (first..last).rev() {
                let (along, across) = (sine * beside[place], cosine * beside[place]);
                let norm = along.hypot(shifted);
                beside[place + 1] = norm;
                if norm == 0.0 {
                    diagonal[place + 1] -= moved;
                    beside[last] = 0.0;
                    is_cut = true;
                    break;
                }
                (sine, cosine) = (along / norm, shifted / norm);
                shifted = diagonal[place + 1] - moved;
                let turned = (diagonal[place] - shifted) * sine + 2.0 * cosine * across;
                moved = sine * turned;
                diagonal[place + 1] = shifted + moved;
                shifted = cosine * turned - across;
            }
            if !is_cut {
                diagonal[first] -= moved;
                beside[first] = shifted;
                beside[last] = 0.0;
            }
        }
    }
    Ok(diagonal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge_core::synthetic::Synthetic;

    #[test]
    fn a_product_of_few_rows_has_as_many_values_and_their_squares_add_up() {
        let noise = Synthetic::new("singular values", 0);
        for (n, rank) in [(1, 1), (5, 5), (40, 7), (40, 40)] {
            let value = |place: usize| f64::from(noise.uniform(place as u64)) - 0.5;
            let row = |row: usize, k: usize| value(row * rank + k);
            let entry = |i: usize, j: usize| (0..rank).map(|k| row(i, k) * row(j + n, k)).sum::<f64>();
            let matrix: Vec<f64> = (0..n * n).map(|place| entry(place / n, place % n)).collect();
            let found = singular_values(matrix.clone()).unwrap();
            let largest = found[0];
            assert_eq!(found.iter().filter(|value| **value > 1e-12 * largest).count(), rank, "{n}");
            let squares: f64 = matrix.iter().map(|value| value * value).sum();
            assert!((found.iter().map(|value| value * value).sum::<f64>() - squares).abs() < 1e-13 * squares, "{n}");
        }
    }

    #[test]
    fn a_positive_matrix_has_its_trace_as_their_sum_also_where_columns_are_empty() {
        // Blocks 2 1 / 1 2 (values 3 and 1) and 5, with a zero row and column between them.
        let mut matrix = vec![0.0; 16];
        for (row, column, value) in [(0, 0, 2.0), (0, 1, 1.0), (1, 0, 1.0), (1, 1, 2.0), (3, 3, 5.0)] {
            matrix[row * 4 + column] = value;
        }
        let found = singular_values(matrix).unwrap();
        for (found, expected) in found.iter().zip([5.0, 3.0, 1.0, 0.0]) {
            assert!((found - expected).abs() < 1e-14, "{found}");
        }
        assert!(singular_values(vec![1.0; 3]).is_err() && singular_values(vec![f64::NAN]).is_err());
        assert_eq!(singular_values(Vec::new()), Ok(Vec::new()));
    }
}
