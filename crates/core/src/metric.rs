//! The specification of a metric.

use serde::{Deserialize, Serialize};

/// Which way is better.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Larger values are better.
    Higher,
    /// Smaller values are better.
    Lower,
}

impl Direction {
    /// The arrow that tables put after a metric's name.
    pub fn arrow(self) -> &'static str {
        match self {
            Direction::Higher => "↑",
            Direction::Lower => "↓",
        }
    }

    /// Is `a` strictly better than `b`?
    pub fn better(self, a: f64, b: f64) -> bool {
        match self {
            Direction::Higher => a > b,
            Direction::Lower => a < b,
        }
    }
}

/// The column group of a metric in the field's tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Pixels and early layers.
    LowLevel,
    /// Deep features.
    HighLevel,
    /// Correlations of features, which do not depend on a pool.
    PoolFree,
    /// Identification among images that are the same for all systems.
    CommonPool,
    /// SEED and its parts.
    Semantic,
    /// BASIC-L and its levels.
    Structure,
    /// Rates of one kind of failure.
    Failure,
    /// The user's own metrics.
    Own,
}

impl Group {
    /// Heading used in tables.
    pub fn label(self) -> &'static str {
        match self {
            Group::LowLevel => "Low-Level",
            Group::HighLevel => "High-Level",
            Group::PoolFree => "Pool-free",
            Group::CommonPool => "Common pool",
            Group::Semantic => "Semantic",
            Group::Structure => "Structure",
            Group::Failure => "Failure modes",
            Group::Own => "Own",
        }
    }
}

impl MetricSpec {
    /// The value that a failed reconstruction counts as (convention `failed-reconstructions`): chance level if it is
    /// known; otherwise 0 on a scale that is symmetric around it, such as correlations, and else the worst value.
    /// `None` if there is no worst value.
    pub fn of_failure(&self) -> Option<f64> {
        let (least, greatest) = self.range;
        let worst = match self.direction {
            Direction::Higher => least,
            Direction::Lower => greatest,
        };
        let of_scale = if least == -greatest { 0.0 } else { worst };
        self.chance.or(Some(of_scale).filter(|value| value.is_finite()))
    }
}

/// How to name and read a metric. The registry in `neurogauge-metrics` holds one for each metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MetricSpec {
    /// Stable id, the same in the command line, Rust, Python, JSON and Parquet.
    pub id: &'static str,
    /// Name in tables, as the field prints it.
    pub label: &'static str,
    /// One sentence for the help text.
    pub about: &'static str,
    pub group: Group,
    pub direction: Direction,
    /// Smallest and largest possible value.
    pub range: (f64, f64),
    /// Expected value for unrelated images, if known.
    pub chance: Option<f64>,
    /// Ids of the conventions (`docs/pages/conventions`) that decide its value, separated by spaces.
    pub conventions: &'static str,
    /// Decimals that tables print.
    pub decimals: usize,
    /// Is it computed only if its id is requested, and left out of runs of everything that the inputs allow?
    pub on_request: bool,
}

impl MetricSpec {
    pub fn conventions(&self) -> impl Iterator<Item = &'static str> {
        self.conventions.split(' ').filter(|id| !id.is_empty())
    }
}
