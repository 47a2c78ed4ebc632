//! Options of a meta-evaluation.

use crate::{BootstrapOptions, StatsError};
use serde::{Deserialize, Serialize};

/// A way to measure how a metric agrees with people.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Statistic {
    /// Pairwise accuracy at the tie threshold that suits the metric best
    /// ([`TieCalibration`](crate::TieCalibration)).
    CalibratedAccuracy,
    /// Pairwise accuracy if the metric only ties equal scores
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
    /// All statistics: first [`MAIN`](Self::MAIN), then others that measure much the same.
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

    pub const MAIN: [Statistic; 5] = [
        Statistic::CalibratedAccuracy,
        Statistic::Accuracy,
        Statistic::KendallTauB,
        Statistic::Pearson,
        Statistic::Spearman,
    ];

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
    #[default]
    Mean,
    /// Each rater's ratings are first brought to mean 0 and standard deviation 1 (divided by n) over all items that the
    /// rater rated, and then averaged. A rater whose ratings are all equal is left out.
    #[serde(rename = "zscore")]
    ZScore,
}

/// The population that an interval describes: what would be drawn again if the survey were repeated.
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Resampled {
    /// Other people of the same kind; with few of them, intervals are far too narrow
    Raters,
    /// Other items of the same kind, for the same people
    #[default]
    Items,
    /// Both
    Both,
}

/// How an interval is computed: [`bca_interval`](crate::bca_interval) has the jackknife over what is resampled, and
/// correlations are on the scale of Fisher's z for Student's t.
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum IntervalMethod {
    /// Student's t with the jackknife over items
    Studentized,
    /// Between percentiles of resamples
    Percentile,
    /// The same, corrected for bias and skewness; not with --bootstrap both
    Bca,
}

/// How [`evaluate_metrics`](super::evaluate_metrics) works.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MetaOptions {
    pub human_score: HumanScore,
    pub resampled: Resampled,
    /// How intervals are computed. `None` means [`Studentized`](IntervalMethod::Studentized) over items, and
    /// [`Percentile`](IntervalMethod::Percentile) if raters are drawn.
    pub interval: Option<IntervalMethod>,
    /// Number of resamples, level and seed. The level also applies to the intraclass correlations.
    #[serde(serialize_with = "BootstrapOptions::without_interval")]
    pub bootstrap: BootstrapOptions,
    pub permutations: usize,
}

impl Default for MetaOptions {
    fn default() -> Self {
        MetaOptions {
            human_score: HumanScore::default(),
            resampled: Resampled::default(),
            interval: None,
            bootstrap: BootstrapOptions {
                resamples: 1000,
                ..BootstrapOptions::default()
            },
            permutations: 200,
        }
    }
}

impl MetaOptions {
    /// The bootstrap of SEED's section 5.1: raters are drawn, and intervals are between percentiles.
    ///
    /// ```
    /// use neurogauge_stats::meta::{IntervalMethod, MetaOptions, Resampled};
    /// assert_eq!(MetaOptions::seed().resampled, Resampled::Raters);
    /// assert_eq!(MetaOptions::seed().method(), IntervalMethod::Percentile);
    /// ```
    pub fn seed() -> Self {
        MetaOptions {
            resampled: Resampled::Raters,
            ..MetaOptions::default()
        }
    }

    /// The requested or the default method of intervals.
    pub fn method(&self) -> IntervalMethod {
        self.interval.unwrap_or(match self.resampled {
            Resampled::Items => IntervalMethod::Studentized,
            Resampled::Raters | Resampled::Both => IntervalMethod::Percentile,
        })
    }

    /// How intervals are computed, in words; `items` is the word for the units.
    ///
    /// ```
    /// use neurogauge_stats::meta::MetaOptions;
    /// let shown = MetaOptions::default().in_words("items");
    /// assert_eq!(shown, "Student's t, with the jackknife over items");
    /// let shown = MetaOptions::seed().in_words("items");
    /// assert_eq!(shown, "percentile bootstrap over raters, 1000 resamples, seed 42");
    /// ```
    pub fn in_words(&self, items: &str) -> String {
        let drawn = match self.resampled {
            Resampled::Raters => "raters".to_owned(),
            Resampled::Items => items.to_owned(),
            Resampled::Both => format!("raters and {items}"),
        };
        let method = match self.method() {
            IntervalMethod::Studentized => {
                return format!("Student's t, with the jackknife over {items}");
            }
            IntervalMethod::Percentile => "percentile",
            IntervalMethod::Bca => "BCa",
        };
        format!(
            "{method} bootstrap over {drawn}, {} resamples, seed {}",
            self.bootstrap.resamples, self.bootstrap.seed.0
        )
    }

    pub fn check(&self) -> Result<(), StatsError> {
        self.bootstrap.check()?;
        if self.permutations == 0 {
            return Err(StatsError::option("permutations", self.permutations, "at least 1"));
        }
        let refused = match (self.method(), self.resampled) {
            (IntervalMethod::Bca, Resampled::Both) => Some((
                "bca, with raters and items resampled",
                "percentile; BCa needs one kind of unit to leave out, raters or items",
            )),
            (IntervalMethod::Studentized, Resampled::Raters | Resampled::Both) => {
                Some(("studentized, with raters resampled", "percentile or bca; studentized intervals are over items"))
            }
            _ => None,
        };
        match refused {
            Some((found, expected)) => Err(StatsError::option("interval", found, expected)),
            None => Ok(()),
        }
    }
}
