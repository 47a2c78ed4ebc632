//! Mean squares of a two-way layout of items and raters.

use crate::overflow_guard::divisor;
use crate::summation::sum;

/// Mean squares of a table in which every rater rated every item once.
#[derive(Debug)]
pub(crate) struct VarianceComponents {
    pub(crate) n: f64,
    pub(crate) k: f64,
    pub(crate) items: f64,
    pub(crate) raters: f64,
    /// The interaction of items and raters.
    pub(crate) residual: f64,
    pub(crate) within: f64,
}

impl VarianceComponents {
    /// Takes at least two rows (items) of at least two ratings. If squares of ratings would be out of range, ratings
    /// are first divided by the largest one, which does not change ratios of mean squares.
    pub(crate) fn of(items: &[Vec<f64>]) -> Self {
        let Some(largest) = divisor(items.iter().flatten().copied()) else {
            return Self::of_scaled(items);
        };
        let scaled = |row: &Vec<f64>| row.iter().map(|rating| rating / largest).collect();
        Self::of_scaled(&items.iter().map(scaled).collect::<Vec<Vec<f64>>>())
    }

    fn of_scaled(items: &[Vec<f64>]) -> Self {
        let (n, k) = (items.len() as f64, items[0].len() as f64);
        let item_means: Vec<f64> = items.iter().map(|row| sum(row) / k).collect();
        let rater_means = column_means(items);
        // Interactions relative to the first item and the first rater: exactly zero if raters only differ by a
        // constant. They have the same residuals as the table.
        let interactions: Vec<Vec<f64>> = items
            .iter()
            .map(|row| row.iter().zip(&items[0]).map(|(here, first)| (here - row[0]) - (first - items[0][0])).collect())
            .collect();
        let by_item: Vec<f64> = interactions.iter().map(|row| sum(row) / k).collect();
        let by_rater = column_means(&interactions);
        let overall = sum(&by_item) / n;
        let residuals: Vec<f64> = interactions
            .iter()
            .zip(&by_item)
            .flat_map(|(row, item)| row.iter().zip(&by_rater).map(move |(value, rater)| value - item - rater + overall))
            .collect();

        let between_items = match are_equal(&item_means, items) {
            true => 0.0,
            false => k * squared_deviations(&item_means),
        };
        let between_raters = n * squared_deviations(&rater_means);
        let left_over = sum(&residuals.iter().map(|r| r * r).collect::<Vec<f64>>());
        VarianceComponents {
            n,
            k,
            items: between_items / (n - 1.0),
            raters: between_raters / (k - 1.0),
            residual: left_over / ((n - 1.0) * (k - 1.0)),
            within: (between_raters + left_over) / (n * (k - 1.0)),
        }
    }
}

/// Do the means of rows differ by rounding alone? Ratings in tenths have sums that differ in their last bits.
fn are_equal(means: &[f64], rows: &[Vec<f64>]) -> bool {
    let largest = rows.iter().flatten().fold(0.0_f64, |most, value| most.max(value.abs()));
    means.iter().all(|mean| (mean - means[0]).abs() <= 1e-14 * largest)
}

fn column_means(rows: &[Vec<f64>]) -> Vec<f64> {
    (0..rows[0].len())
        .map(|column| {
            let values: Vec<f64> = rows.iter().map(|row| row[column]).collect();
            sum(&values) / rows.len() as f64
        })
        .collect()
}

/// Sum of squared deviations from the mean; exactly zero for equal values.
fn squared_deviations(values: &[f64]) -> f64 {
    let from_first: Vec<f64> = values.iter().map(|v| v - values[0]).collect();
    let mean = sum(&from_first) / values.len() as f64;
    let squares: Vec<f64> = from_first.iter().map(|d| (d - mean) * (d - mean)).collect();
    sum(&squares)
}
