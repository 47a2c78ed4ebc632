//! What is asked for.

use crate::{BootstrapOptions, StatsError};
use serde::{Deserialize, Serialize};

/// A way to measure how a metric agrees with people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Statistic {
    /// Pairwise accuracy at the tie threshold that suits the metric best
    /// ([`TieCalibration`](crate::TieCalibration)).
    CalibratedAccuracy,
    /// Pairwise accuracy where the metric ties equal scores only
    /// ([`KendallCounts::accuracy`](crate::KendallCounts::accuracy)).
    Accuracy,
    /// [`kendall_tau_b`](crate::kendall_tau_b).
    KendallTauB,
    /// [`pearson`](crate::pearson).
    Pearson,
    /// [`spearman`](crate::spearman).
    Spearman,
    /// Pairwise accuracy over the pairs that people do not tie
    /// ([`KendallCounts::accuracy_over_untied`](crate::KendallCounts::accuracy_over_untied)).
    AccuracyOverUntied,
    /// [`kendall_tau_c`](crate::kendall_tau_c).
    KendallTauC,
    /// [`KendallCounts::tau_23`](crate::KendallCounts::tau_23).
    Tau23,
}

impl Statistic {
    /// All of them: first [`MAIN`](Self::MAIN), then what says much the same in another way.
    pub const ALL: [Statistic; 8] = [
        Statistic::CalibratedAccuracy,
        Statistic::Accuracy,
        Statistic::KendallTauB,
        Statistic::Pearson,
        Statistic::Spearman,
        Statistic::AccuracyOverUntied,
        Statistic::KendallTauC,
        Statistic::Tau23,
    ];

    /// Those of the main tables, in their order.
    pub const MAIN: [Statistic; 5] = [
        Statistic::CalibratedAccuracy,
        Statistic::Accuracy,
        Statistic::KendallTauB,
        Statistic::Pearson,
        Statistic::Spearman,
    ];

    /// The name in files.
    pub fn id(self) -> &'static str {
        match self {
            Statistic::CalibratedAccuracy => "calibrated_accuracy",
            Statistic::Accuracy => "accuracy",
            Statistic::KendallTauB => "kendall_tau_b",
            Statistic::Pearson => "pearson",
            Statistic::Spearman => "spearman",
            Statistic::AccuracyOverUntied => "accuracy_over_untied",
            Statistic::KendallTauC => "kendall_tau_c",
            Statistic::Tau23 => "tau_23",
        }
    }

    /// The name that tables print.
    pub fn label(self) -> &'static str {
        match self {
            Statistic::CalibratedAccuracy => "Pairwise acc.",
            Statistic::Accuracy => "Acc. at ε = 0",
            Statistic::KendallTauB => "Kendall τ-b",
            Statistic::Pearson => "Pearson",
            Statistic::Spearman => "Spearman",
            Statistic::AccuracyOverUntied => "Acc. over untied",
            Statistic::KendallTauC => "Kendall τ-c",
            Statistic::Tau23 => "τ-23",
        }
    }
}

/// How the ratings of an item become one score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HumanScore {
    /// Their mean.
    #[default]
    Mean,
    /// Each rater's ratings are first brought to mean 0 and standard deviation 1 (divided by n) over
    /// all items that the rater rated; then the mean. A rater who rated everything alike says
    /// nothing and is left out.
    #[serde(rename = "zscore")]
    ZScore,
}

/// What the bootstrap draws with replacement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resampled {
    /// Raters: how would other people of the same kind have judged these items?
    #[default]
    Raters,
    /// Items: how would these people have judged other items of the same kind?
    Items,
    /// Raters and items, independently.
    Both,
}

/// How an interval is made of the resamples.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntervalMethod {
    /// Between two of their percentiles.
    #[default]
    Percentile,
    /// [`bca_interval`](crate::bca_interval), with the jackknife over what is resampled.
    Bca,
}

/// How [`evaluate_metrics`](super::evaluate_metrics) works.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MetaOptions {
    /// How the ratings of an item become one score.
    pub human_score: HumanScore,
    /// What the bootstrap draws.
    pub resampled: Resampled,
    /// How intervals are made.
    pub interval: IntervalMethod,
    /// Number of resamples, level and seed. The level is also that of the intraclass correlations.
    pub bootstrap: BootstrapOptions,
    /// Number of permutations behind the chance levels.
    pub permutations: usize,
}

impl Default for MetaOptions {
    fn default() -> Self {
        MetaOptions {
            human_score: HumanScore::default(),
            resampled: Resampled::default(),
            interval: IntervalMethod::default(),
            bootstrap: BootstrapOptions {
                resamples: 1000,
                ..BootstrapOptions::default()
            },
            permutations: 200,
        }
    }
}

impl MetaOptions {
    /// An error that names the option which is out of range, if one is.
    pub fn check(&self) -> Result<(), StatsError> {
        self.bootstrap.check()?;
        if self.permutations == 0 {
            return Err(StatsError::InvalidOption {
                option: "permutations",
                found: self.permutations.to_string(),
                expected: "at least 1",
            });
        }
        if self.interval == IntervalMethod::Bca && self.resampled == Resampled::Both {
            return Err(StatsError::InvalidOption {
                option: "interval",
                found: "bca, with raters and items resampled".to_owned(),
                expected: "percentile; BCa needs one kind of unit to leave out, raters or items",
            });
        }
        Ok(())
    }
}
