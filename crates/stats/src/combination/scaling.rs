//! Scores on a common scale.

use super::Scaling;
use crate::summation::{sum, sum_over};
use neurogauge_core::Undefined;

/// Columns on a common scale, ready to be averaged.
///
/// It computes their sum instead of the average: both order and space items equally, and sums of ranks are exact, so
/// ties stay ties.
pub struct Scaled {
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
    pub fn by(reference: &[Vec<f64>], columns: &[Vec<f64>], scaling: Scaling) -> Self {
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
    pub fn own(columns: &[Vec<f64>], scaling: Scaling) -> Self {
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
    pub fn sum(&self, parts: &[usize]) -> Result<Vec<f64>, Undefined> {
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
