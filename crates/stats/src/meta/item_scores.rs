//! All statistics of one metric against one set of human scores.

use super::Statistic;
use super::within_groups::WithinGroups;
use crate::tie_calibration::Search;
use crate::{StatsError, TieCalibration, pearson, spearman};
use neurogauge_core::{Outcome, Side, Undefined};

/// A metric's scores of some items, higher is better, with their pairs sorted.
pub(crate) struct Prepared {
    pub(crate) scores: Vec<f64>,
    calibration: Result<TieCalibration, Undefined>,
}

/// One outcome for each of [`Statistic::ALL`], then again for each within the groups of each grouping.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ItemScores {
    pub(crate) outcomes: Vec<Outcome>,
    /// The best tie threshold over all pairs.
    pub(crate) epsilon: Option<f64>,
    pub(crate) within: Vec<WithinGroups>,
}

/// Items drawn with replacement: the human scores in the order of the draws, and how often each item was drawn.
pub(crate) struct ScoreSample<'a> {
    pub(crate) scores: &'a [f64],
    pub(crate) human: &'a [f64],
    /// One weight for each item.
    pub(crate) weights: &'a [u32],
    /// One score for each item; values of items with weight 0 are ignored.
    pub(crate) human_by_item: &'a [f64],
}

impl Prepared {
    pub(crate) fn new(scores: Vec<f64>) -> Result<Self, StatsError> {
        let calibration = TieCalibration::new(&scores)?;
        Ok(Prepared { scores, calibration })
    }

    /// Prepares scores that are read only once.
    pub(crate) fn for_one_reading(scores: Vec<f64>) -> Result<Self, StatsError> {
        let calibration = TieCalibration::for_one_search(&scores)?;
        Ok(Prepared { scores, calibration })
    }

    /// The statistics against the human scores of the same items.
    pub(crate) fn read(&self, human: &[f64]) -> Result<ItemScores, StatsError> {
        let calibration = self.calibration.as_ref().map_err(Clone::clone);
        let search = calibration.and_then(|calibration| calibration.best_of_all(human));
        reading(search, &self.scores, human)
    }

    /// The statistics against the human scores of some items, some of them repeated.
    pub(crate) fn read_sample(&self, sample: &ScoreSample) -> Result<ItemScores, StatsError> {
        let calibration = self.calibration.as_ref().map_err(Clone::clone);
        let search =
            calibration.and_then(|calibration| calibration.best_weighted(sample.human_by_item, sample.weights));
        reading(search, sample.scores, sample.human)
    }
}

fn reading(search: Result<Search, Undefined>, scores: &[f64], human: &[f64]) -> Result<ItemScores, StatsError> {
    let linear = if human.len() < 2 {
        [Err(Undefined::NoPairs), Err(Undefined::NoPairs)]
    } else {
        [pearson(scores, human)?, spearman(scores, human)?]
    };
    let [pearson, spearman] = linear;
    let outcomes = Statistic::ALL.map(|statistic| {
        let counts = || Ok(search.as_ref().map_err(Clone::clone)?.calibrated.uncalibrated);
        let outcome = match statistic {
            Statistic::CalibratedAccuracy => search.as_ref().map(|s| s.calibrated.accuracy).map_err(Clone::clone),
            Statistic::Accuracy => counts().and_then(|counts| counts.accuracy()),
            Statistic::KendallTauB => counts().and_then(|counts| counts.tau_b()),
            Statistic::Pearson => pearson.clone(),
            Statistic::Spearman => spearman.clone(),
            Statistic::AccuracyOverUntied => counts().and_then(|counts| counts.accuracy_over_untied()),
            Statistic::KendallTauC => {
                search.as_ref().map_err(Clone::clone).and_then(|s| s.calibrated.uncalibrated.tau_c(s.n_classes))
            }
            Statistic::Tau23 => counts().and_then(|counts| counts.tau_23()),
        };
        outcome.map_err(in_words_of_surveys)
    });
    Ok(ItemScores {
        outcomes: outcomes.to_vec(),
        epsilon: search.ok().map(|search| search.calibrated.epsilon),
        within: Vec::new(),
    })
}

impl ItemScores {
    /// Adds the results within the groups of another grouping.
    pub(crate) fn push<const N: usize>(&mut self, found: (WithinGroups, [Outcome; N])) {
        let (within, outcomes) = found;
        self.outcomes.extend(outcomes.map(|outcome| outcome.map_err(in_words_of_surveys)));
        self.within.push(within);
    }

    /// The values alone.
    pub(crate) fn values(&self) -> Values {
        self.outcomes.iter().map(|outcome| outcome.as_ref().ok().copied()).collect()
    }
}

/// The values where they exist, in the order of the outcomes.
pub(crate) type Values = Vec<Option<f64>>;

/// Translates reasons from stimuli and reconstructions to a metric and people.
pub(crate) fn in_words_of_surveys(reason: Undefined) -> Undefined {
    match reason {
        Undefined::Constant(Side::Gt) => Undefined::ConstantMetric,
        Undefined::Constant(Side::Recon) => Undefined::TiedRatings,
        Undefined::NoPairs | Undefined::Empty(_) => Undefined::TooFewItems,
        Undefined::Identical => Undefined::IdenticalMetrics,
        other => other,
    }
}
