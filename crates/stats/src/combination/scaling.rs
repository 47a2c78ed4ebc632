//! Scores on a common scale.

use super::Scaling;
use crate::summation::{sum, sum_over};
use neurogauge_core::Undefined;

/// Columns on a common scale, ready to be averaged.
///
/// It computes their sum instead of the average: both order and space items equally, and sums of ranks are exact, so
/// ties stay ties.
pub(crate) struct Scaled {
    columns: Vec<Result<Vec<f64>, Undefined>>,
}

/// A scaling of scores, learnt from a sample.
enum Scale {
    Raw,
    ZScore { mean: f64, deviation: f64 },
    Rank { sorted: Vec<f64> },
}

impl Scaled {
    /// Columns of one set of items, on the scale of another (training) set.
    pub(crate) fn by(reference: &[Vec<f64>], columns: &[Vec<f64>], scaling: Scaling) -> Self {
        let each = reference.iter().zip(columns);
        Scaled {
            columns: each
                .map(|(reference, column)| {
                    let scale = Scale::of(reference, scaling)?;
                    Ok(column.iter().map(|&score| scale.apply(score)).collect())
                })
                .collect(),
        }
    }

    /// Columns on their own scale.
    pub(crate) fn own(columns: &[Vec<f64>], scaling: Scaling) -> Self {
        Self::by(columns, columns, scaling)
    }

    pub(crate) fn n_columns(&self) -> usize {
        self.columns.len()
    }

    pub(crate) fn column(&self, index: usize) -> Result<&[f64], Undefined> {
        match &self.columns[index] {
            Ok(column) => Ok(column),
            Err(reason) => Err(reason.clone()),
        }
    }

    /// The sum of some columns, added in the order given.
    pub(crate) fn sum(&self, parts: &[usize]) -> Result<Vec<f64>, Undefined> {
        let mut total: Vec<f64> = Vec::new();
        for (place, &part) in parts.iter().enumerate() {
            let column = self.column(part)?;
            if place == 0 {
                total = column.to_vec();
            } else {
                total.iter_mut().zip(column).for_each(|(t, v)| *t += v);
            }
        }
        Ok(total)
    }

    /// The sum of all columns with a positive weight, each times its weight.
    pub(crate) fn weighted(&self, weights: &[f64]) -> Result<Vec<f64>, Undefined> {
        let mut total: Vec<f64> = Vec::new();
        for (part, &weight) in weights.iter().enumerate().filter(|(_, w)| **w > 0.0) {
            let column = self.column(part)?;
            total.resize(column.len(), 0.0);
            total.iter_mut().zip(column).for_each(|(t, v)| *t += weight * v);
        }
        Ok(total)
    }

    /// The columns with their means removed; a column without a scale is all zero.
    pub(crate) fn centred(&self, n_items: usize) -> Vec<Vec<f64>> {
        let each = self.columns.iter();
        each.map(|column| match column {
            Ok(column) => {
                let mean = sum(column) / column.len() as f64;
                column.iter().map(|v| v - mean).collect()
            }
            Err(_) => vec![0.0; n_items],
        })
        .collect()
    }
}

impl Scale {
    fn of(sample: &[f64], scaling: Scaling) -> Result<Self, Undefined> {
        Ok(match scaling {
            Scaling::Raw => Scale::Raw,
            Scaling::ZScore if sample.len() < 2 => return Err(Undefined::TooFewItems),
            Scaling::ZScore => {
                let n = sample.len() as f64;
                let mean = sum(sample) / n;
                let deviation = (sum_over(sample, |v| (v - mean) * (v - mean)) / n).sqrt();
                if sample.windows(2).all(|two| two[0] == two[1]) || deviation == 0.0 {
                    return Err(Undefined::ConstantMetric);
                }
                Scale::ZScore { mean, deviation }
            }
            Scaling::Rank => {
                let mut sorted = sample.to_vec();
                sorted.sort_unstable_by(f64::total_cmp);
                Scale::Rank { sorted }
            }
        })
    }

    fn apply(&self, score: f64) -> f64 {
        match self {
            Scale::Raw => score,
            Scale::ZScore { mean, deviation } => (score - mean) / deviation,
            Scale::Rank { sorted } => {
                let below = sorted.partition_point(|&other| other < score);
                let up_to = sorted.partition_point(|&other| other <= score);
                (below + up_to) as f64 / 2.0
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn total(columns: &[Vec<f64>], scaling: Scaling) -> Vec<f64> {
        let parts: Vec<usize> = (0..columns.len()).collect();
        Scaled::own(columns, scaling).sum(&parts).unwrap()
    }

    #[test]
    fn sums_by_hand() {
        let columns = [vec![1.0, 3.0, 3.0, 1.0], vec![10.0, 20.0, 40.0, 30.0]];
        assert_eq!(total(&columns, Scaling::Raw), [11.0, 23.0, 43.0, 31.0]);
        // The lower items plus half of the equal ones: 1, 3, 3, 1 and ½, 1½, 3½, 2½.
        assert_eq!(total(&columns, Scaling::Rank), [1.5, 4.5, 6.5, 3.5]);
        // Mean 2, deviation 1; mean 25, deviation √125.
        let z = total(&columns, Scaling::ZScore);
        assert!((z[0] - (-1.0 - 15.0 / 125_f64.sqrt())).abs() < 1e-15);
    }

    #[test]
    fn new_items_stand_on_the_scale_of_the_training_items() {
        let (train, new) = ([vec![0.0, 2.0, 2.0, 4.0]], [vec![2.0, 100.0, -1.0]]);
        let ranks = Scaled::by(&train, &new, Scaling::Rank).sum(&[0]).unwrap();
        assert_eq!(ranks, [2.0, 4.0, 0.0]);
        let z = Scaled::by(&train, &new, Scaling::ZScore).sum(&[0]).unwrap();
        assert_eq!(z, [0.0, 98.0 / 2_f64.sqrt(), -3.0 / 2_f64.sqrt()]);
    }

    #[test]
    fn what_does_not_vary_has_ranks_but_no_z_scores() {
        let flat = [vec![0.1, 0.1, 0.1]];
        assert_eq!(Scaled::own(&flat, Scaling::ZScore).sum(&[0]), Err(Undefined::ConstantMetric));
        assert_eq!(total(&flat, Scaling::Rank), [1.5; 3]);
    }
}
