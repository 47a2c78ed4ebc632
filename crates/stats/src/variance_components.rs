//! Mean squares of a two-way layout of items and raters, and the intraclass correlations they give.

use crate::distributions::{f_exceeded_with, f_exceeds};
use crate::icc::{Icc, IccConvention, IccForm};
use crate::overflow_guard::divisor;
use crate::summation::sum;

/// Mean squares of a table in which every rater rated every item once.
#[derive(Debug)]
pub(crate) struct VarianceComponents {
    n: f64,
    /// Number of raters.
    k: f64,
    pub(crate) items: f64,
    raters: f64,
    /// The residual of items and raters.
    residual: f64,
    within: f64,
}

impl VarianceComponents {
    /// For at least two rows (items) of at least two ratings. If squares of ratings would be out of range, ratings are
    /// first divided by the largest, which does not change ratios of mean squares.
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

    pub(crate) fn icc(&self, form: IccForm, tail: f64, convention: IccConvention) -> Icc {
        let (n, k) = (self.n, self.k);
        let one_way = matches!(form, IccForm::OneWaySingle | IccForm::OneWayMean);
        let agreement = matches!(form, IccForm::AgreementSingle | IccForm::AgreementMean);
        let single = matches!(form, IccForm::OneWaySingle | IccForm::AgreementSingle | IccForm::ConsistencySingle);
        let (error, df2) = if one_way {
            (self.within, n * (k - 1.0))
        } else {
            (self.residual, (n - 1.0) * (k - 1.0))
        };
        let value = self.value(form);
        let f = self.items / error;
        let df1 = n - 1.0;
        let satterthwaite = self.satterthwaite(match convention {
            IccConvention::Pingouin => self.value(IccForm::AgreementSingle),
            IccConvention::Irr => value,
        });
        let tested_df2 = match convention {
            IccConvention::Irr if agreement && satterthwaite.is_finite() => satterthwaite,
            _ => df2,
        };
        let mut icc = Icc {
            form,
            value,
            f,
            df1,
            df2: tested_df2,
            p_value: f_exceeds(f, df1, tested_df2),
            interval: None,
        };
        if f.is_finite() {
            let (low, high) = if agreement {
                self.agreement_interval(tail, satterthwaite)
            } else {
                let low = f / f_exceeded_with(tail, df1, df2);
                let high = f * f_exceeded_with(tail, df2, df1);
                ((low - 1.0) / (low + k - 1.0), (high - 1.0) / (high + k - 1.0))
            };
            let (low, high) = match single {
                true => (low, high),
                false => (self.stepped_up(low), self.stepped_up(high)),
            };
            icc.interval = (low <= high).then_some((low, high));
        }
        icc
    }

    fn value(&self, form: IccForm) -> f64 {
        let (n, k) = (self.n, self.k);
        let (items, raters) = (self.items, self.raters);
        let (residual, within) = (self.residual, self.within);
        match form {
            IccForm::OneWaySingle => (items - within) / (items + (k - 1.0) * within),
            IccForm::AgreementSingle => {
                let spread = (k - 1.0) * residual + k * (raters - residual) / n;
                (items - residual) / (items + spread)
            }
            IccForm::ConsistencySingle => (items - residual) / (items + (k - 1.0) * residual),
            IccForm::OneWayMean => (items - within) / items,
            IccForm::AgreementMean => (items - residual) / (items + (raters - residual) / n),
            IccForm::ConsistencyMean => (items - residual) / items,
        }
    }

    /// Degrees of freedom of the mixture of rater and residual mean squares that an agreement of
    /// `icc` implies.
    fn satterthwaite(&self, icc: f64) -> f64 {
        let (n, k) = (self.n, self.k);
        let raters = k * icc * (self.raters / self.residual);
        let residual = n * (1.0 + (k - 1.0) * icc) - k * icc;
        let spread = (n - 1.0) * raters * raters + residual * residual;
        (n - 1.0) * (k - 1.0) * (raters + residual) * (raters + residual) / spread
    }

    fn agreement_interval(&self, tail: f64, df2: f64) -> (f64, f64) {
        let (n, k, items) = (self.n, self.k, self.items);
        let others = k * self.raters + (k * n - k - n) * self.residual;
        let low = f_exceeded_with(tail, n - 1.0, df2);
        let high = f_exceeded_with(tail, df2, n - 1.0);
        (
            n * (items - low * self.residual) / (low * others + n * items),
            n * (high * items - self.residual) / (others + n * high * items),
        )
    }

    /// The reliability of the mean of all raters (Spearman and Brown) from the reliability of one.
    fn stepped_up(&self, single: f64) -> f64 {
        single * self.k / (1.0 + single * (self.k - 1.0))
    }
}

/// Do means of rows differ by rounding alone? Ratings in tenths have sums that differ in their last bits.
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
