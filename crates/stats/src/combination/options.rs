//! The options of combinations.

use crate::StatsError;
use crate::meta::Statistic;
use serde::{Deserialize, Serialize};

/// How a metric's scores (higher is better) are scaled before they are averaged with others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scaling {
    /// No scaling: the metric with the widest spread counts most, as in SEED's section C.3.
    #[default]
    Raw,
    /// (x − mean) / standard deviation (divided by n). A constant metric has no z-scores, so a combination with it is
    /// undefined.
    #[serde(rename = "zscore")]
    ZScore,
    /// The number of items below x, counting half of those equal to x (the average rank minus ½).
    Rank,
}

impl Scaling {
    /// The scaling, in the words of tables.
    pub fn in_words(self) -> &'static str {
        match self {
            Scaling::Raw => "raw scores",
            Scaling::ZScore => "z-scores",
            Scaling::Rank => "ranks",
        }
    }

    pub fn id(self) -> &'static str {
        match self {
            Scaling::Raw => "raw",
            Scaling::ZScore => "zscore",
            Scaling::Rank => "rank",
        }
    }
}

/// How [`combine_metrics`](super::combine_metrics) works.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CombinationOptions {
    pub scaling: Scaling,
    pub select_by: Statistic,
    pub folds: usize,
}

impl Default for CombinationOptions {
    fn default() -> Self {
        CombinationOptions {
            scaling: Scaling::default(),
            select_by: Statistic::KendallTauB,
            folds: 5,
        }
    }
}

impl CombinationOptions {
    pub fn check(&self) -> Result<(), StatsError> {
        if self.folds < 2 {
            return Err(StatsError::option("folds", self.folds, "at least 2"));
        }
        Ok(())
    }
}
