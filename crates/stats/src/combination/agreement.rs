//! One statistic of one combination, computed without the others.

use crate::kendall::KendallCounts;
use crate::meta::{Prepared, Statistic, in_words_of_surveys};
use crate::ranks::{ascending, average_ranks, dense_ranks};
use crate::{StatsError, pearson};
use neurogauge_core::{Outcome, Undefined};
use serde::Serialize;

/// The statistics of combinations: those of the paper, and Spearman's correlation.
pub const COMBINED_STATISTICS: [Statistic; 4] =
    [Statistic::CalibratedAccuracy, Statistic::KendallTauB, Statistic::Pearson, Statistic::Spearman];

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StatisticValue {
    pub statistic: Statistic,
    #[serde(flatten, with = "neurogauge_core::recorded")]
    pub value: Outcome,
}

/// Human scores of some items, ranked once for all combinations.
pub(crate) struct Target {
    scores: Vec<f64>,
    dense: Vec<u32>,
    n_dense: usize,
    average: Vec<f64>,
}

impl Target {
    pub(crate) fn new(scores: Vec<f64>) -> Result<Self, StatsError> {
        let average = average_ranks(&scores)?;
        let (dense, n_dense) = dense_ranks(&scores);
        Ok(Target {
            scores,
            dense,
            n_dense,
            average,
        })
    }

    /// How well combined scores of the same items agree with people.
    pub(crate) fn agreement(&self, statistic: Statistic, combined: &[f64]) -> Result<Outcome, StatsError> {
        if combined.len() < 2 {
            return Ok(Err(Undefined::TooFewItems));
        }
        if combined.iter().any(|v| !v.is_finite()) {
            return Ok(Err(Undefined::Overflow));
        }
        let outcome = match statistic {
            Statistic::KendallTauB => {
                let order = ascending(combined);
                let sorted: Vec<f64> = order.iter().map(|&item| combined[item]).collect();
                let ranks: Vec<u32> = order.iter().map(|&item| self.dense[item]).collect();
                KendallCounts::count(&sorted, &ranks, self.n_dense, 0.0).tau_b()
            }
            Statistic::Pearson => pearson(combined, &self.scores)?,
            Statistic::Spearman => pearson(&average_ranks(combined)?, &self.average)?,
            _ => Prepared::for_one_reading(combined.to_vec())?.read(&self.scores)?.outcomes[statistic as usize].clone(),
        };
        Ok(outcome.map_err(in_words_of_surveys))
    }

    /// All of [`COMBINED_STATISTICS`], or the one reason why all are undefined.
    pub(crate) fn agreements(&self, combined: &Result<Vec<f64>, Undefined>) -> Result<Vec<StatisticValue>, StatsError> {
        let each = COMBINED_STATISTICS.into_iter();
        each.map(|statistic| {
            let value = match combined {
                Ok(scores) => self.agreement(statistic, scores)?,
                Err(reason) => Err(reason.clone()),
            };
            Ok(StatisticValue { statistic, value })
        })
        .collect()
    }
}
