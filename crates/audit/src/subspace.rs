//! The span of a set of features, and the share of other features in it.

use neurogauge::Error;
use neurogauge::alignment::{AlignmentError, Matrix, symmetric_eigenpairs};
use neurogauge::stats::StatsError;
use neurogauge::stats::similarity::inner_products;

/// Directions with less than this share of the largest variance are treated as rounding errors of single precision.
const SMALLEST_SHARE: f64 = 1e-10;

#[derive(Debug, Clone)]
pub struct Span {
    pub mean: Vec<f64>,
    /// Variances along the orthonormal directions, descending, without those of rounding errors.
    pub variances: Vec<f64>,
    /// The directions, one after another: (rank, n_features).
    pub directions: Vec<f64>,
}

impl Span {
    /// The span of `rows`, (n_rows, `n_features`) row-major, computed from the smaller of the two matrices of inner
    /// products.
    ///
    /// # Errors
    /// The rows are incomplete; the eigenvalue problem does not converge.
    pub fn of(rows: &[f64], n_features: usize) -> Result<Span, Error> {
        let n_rows = rows.len() / n_features.max(1);
        let mean = mean_row(rows, n_features);
        let centred: Vec<f64> = rows.chunks_exact(n_features).flat_map(|row| less(row, &mean)).collect();
        let columns = transposed(&centred, n_features);
        let (products, side) = match n_rows < n_features {
            true => (inner_products(&centred, &centred, n_features)?, n_rows),
            false => (inner_products(&columns, &columns, n_rows)?, n_features),
        };
        let (values, vectors) = symmetric_eigenpairs(&square(&products, side)?)?;
        let largest = values.first().copied().unwrap_or(0.0);
        let rank = values.iter().take_while(|&&value| value > largest * SMALLEST_SHARE).count();
        let rank = rank.min(n_rows.saturating_sub(1));
        let axes: Vec<f64> = (0..rank).flat_map(|axis| vectors.column(axis).to_vec()).collect();
        let directions = match n_rows < n_features {
            // The directions are linear combinations of the rows, each divided by its length.
            true => {
                let mut directions = inner_products(&axes, &columns, n_rows)?;
                for (direction, value) in directions.chunks_exact_mut(n_features).zip(&values) {
                    direction.iter_mut().for_each(|entry| *entry /= value.sqrt());
                }
                directions
            }
            false => axes,
        };
        let degrees = (n_rows.max(2) - 1) as f64;
        Ok(Span {
            mean,
            variances: values[..rank].iter().map(|value| value / degrees).collect(),
            directions,
        })
    }

    pub(crate) fn truncate(&mut self, rank: usize) {
        self.variances.truncate(rank);
        self.directions.truncate(rank * self.mean.len());
    }

    /// Coordinates of rows along the directions, row after row.
    pub(crate) fn coordinates_of(&self, rows: &[f64]) -> Result<Vec<f64>, StatsError> {
        let centred: Vec<f64> = rows.chunks_exact(self.mean.len()).flat_map(|row| less(row, &self.mean)).collect();
        self.coordinates(&centred)
    }

    pub fn rank(&self) -> usize {
        self.variances.len()
    }

    /// exp(H) of the shares p of the variances, H = −Σ p ln p (Roy and Vetterli 2007). `None` without spread.
    pub fn effective_rank(&self) -> Option<f64> {
        let total: f64 = self.variances.iter().sum();
        let entropy = |value: &f64| -(value / total) * (value / total).ln();
        (total > 0.0).then(|| self.variances.iter().map(entropy).sum::<f64>().exp())
    }

    /// The share of the variance of other rows that lies in the span: Σ |P(x − x̄)|² / Σ |x − x̄|², where x̄ is the mean
    /// of these rows. `None` if they have no variance.
    ///
    /// # Errors
    /// The rows are incomplete.
    pub fn share_of_variance(&self, rows: &[f64]) -> Result<Option<f64>, Error> {
        let n_features = self.mean.len();
        let mean = mean_row(rows, n_features);
        let centred: Vec<f64> = rows.chunks_exact(n_features).flat_map(|row| less(row, &mean)).collect();
        let squares = |values: &[f64]| values.iter().map(|value| value * value).sum::<f64>();
        let (all, within) = (squares(&centred), squares(&self.coordinates(&centred)?));
        Ok((all > 0.0).then(|| (within / all).min(1.0)))
    }

    /// The points of the affine span that are nearest to these rows, row after row.
    ///
    /// # Errors
    /// The rows are incomplete.
    pub fn nearest_points(&self, rows: &[f64]) -> Result<Vec<f64>, Error> {
        let n_features = self.mean.len();
        let centred: Vec<f64> = rows.chunks_exact(n_features).flat_map(|row| less(row, &self.mean)).collect();
        let n_rows = centred.len() / n_features.max(1);
        if self.rank() == 0 {
            return Ok(self.mean.repeat(n_rows));
        }
        let coordinates = self.coordinates(&centred)?;
        let by_feature = transposed(&self.directions, n_features);
        let mut points = inner_products(&coordinates, &by_feature, self.rank())?;
        for point in points.chunks_exact_mut(n_features) {
            point.iter_mut().zip(&self.mean).for_each(|(value, mean)| *value += mean);
        }
        Ok(points)
    }

    /// Coordinates of centred rows along the directions.
    fn coordinates(&self, centred: &[f64]) -> Result<Vec<f64>, StatsError> {
        match self.rank() {
            0 => Ok(Vec::new()),
            _ => inner_products(centred, &self.directions, self.mean.len()),
        }
    }
}

fn less(row: &[f64], mean: &[f64]) -> Vec<f64> {
    row.iter().zip(mean).map(|(value, mean)| value - mean).collect()
}

pub(crate) fn mean_row(rows: &[f64], n_features: usize) -> Vec<f64> {
    let mut sums = vec![0.0; n_features];
    for row in rows.chunks_exact(n_features) {
        sums.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
    }
    let n_rows = (rows.len() / n_features.max(1)).max(1) as f64;
    sums.iter().map(|sum| sum / n_rows).collect()
}

fn transposed(rows: &[f64], n_columns: usize) -> Vec<f64> {
    let n_rows = rows.len() / n_columns.max(1);
    let places = (0..n_columns).flat_map(|column| (0..n_rows).map(move |row| (row, column)));
    places.map(|(row, column)| rows[row * n_columns + column]).collect()
}

fn square(values: &[f64], side: usize) -> Result<Matrix, AlignmentError> {
    Matrix::from_rows(side, side, values)
}

#[cfg(test)]
mod tests {
    use super::*;
    use neurogauge::core::synthetic::Synthetic;

    fn random(name: &str, n: usize) -> Vec<f64> {
        let values = Synthetic::new(name, 3);
        (0..n).map(|index| f64::from(values.uniform(index as u64)) - 0.5).collect()
    }

    /// `n_rows` rows of `n_features` that lie in a plane of `rank` dimensions.
    fn of_rank(name: &str, n_rows: usize, n_features: usize, rank: usize) -> Vec<f64> {
        let (rows, axes) = (random(name, n_rows * rank), random("axes", n_features * rank));
        inner_products(&rows, &axes, rank).unwrap()
    }

    #[test]
    fn both_ways_to_the_span_agree() {
        let wide = of_rank("rows", 8, 20, 3);
        let tall = [of_rank("rows", 8, 20, 3), of_rank("more", 30, 20, 3)].concat();
        let test = random("test", 5 * 20);
        let shares = [wide, tall].map(|rows| {
            let span = Span::of(&rows, 20).unwrap();
            assert_eq!(span.rank(), 3);
            span.share_of_variance(&test).unwrap().unwrap()
        });
        assert!((shares[0] - shares[1]).abs() < 1e-9, "{shares:?}");
    }

    #[test]
    fn points_of_the_span_are_their_own_nearest_points() {
        let rows = of_rank("rows", 8, 20, 3);
        let span = Span::of(&rows, 20).unwrap();
        let nearest = span.nearest_points(&rows).unwrap();
        for (value, again) in rows.iter().zip(&nearest) {
            assert!((value - again).abs() < 1e-9);
        }
        assert!((span.share_of_variance(&rows).unwrap().unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_random_plane_holds_its_share_of_isotropic_rows() {
        let span = Span::of(&of_rank("rows", 50, 40, 10), 40).unwrap();
        let share = span.share_of_variance(&random("test", 2000 * 40)).unwrap().unwrap();
        assert!((share - 0.25).abs() < 0.02, "{share}");
    }

    #[test]
    fn rows_without_spread_have_no_dimension() {
        let span = Span::of(&[1.0, 2.0, 1.0, 2.0], 2).unwrap();
        assert_eq!((span.rank(), span.effective_rank()), (0, None));
        assert_eq!(span.nearest_points(&[5.0, 5.0]).unwrap(), [1.0, 2.0]);
    }
}
