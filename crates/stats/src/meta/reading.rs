//! All statistics of one metric against one set of human scores.

use super::Statistic;
use crate::{StatsError, TieCalibration, pearson, spearman};
use neurogauge_core::{Outcome, Side, Undefined};

/// A metric's scores of some items, higher is better, with their pairs sorted.
pub(crate) struct Prepared {
    pub(crate) scores: Vec<f64>,
    calibration: Result<TieCalibration, Undefined>,
}

/// One outcome for each of [`Statistic::ALL`], and the best tie threshold.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Reading {
    pub(crate) outcomes: [Outcome; Statistic::ALL.len()],
    pub(crate) epsilon: Option<f64>,
}

impl Prepared {
    pub(crate) fn new(scores: Vec<f64>) -> Result<Self, StatsError> {
        let calibration = TieCalibration::new(&scores)?;
        Ok(Prepared {
            scores,
            calibration,
        })
    }

    /// Against the human scores of the same items.
    pub(crate) fn read(&self, human: &[f64]) -> Result<Reading, StatsError> {
        let best = match &self.calibration {
            Ok(calibration) => calibration.best(human)?,
            Err(reason) => Err(reason.clone()),
        };
        let counted = |of: fn(&crate::Calibrated) -> Outcome| match &best {
            Ok(best) => of(best),
            Err(reason) => Err(reason.clone()),
        };
        let linear = if human.len() < 2 {
            [Err(Undefined::NoPairs), Err(Undefined::NoPairs)]
        } else {
            [
                pearson(&self.scores, human)?,
                spearman(&self.scores, human)?,
            ]
        };
        let [pearson, spearman] = linear;
        let outcomes = [
            counted(|best| Ok(best.accuracy)),
            counted(|best| best.uncalibrated.accuracy()),
            counted(|best| best.uncalibrated.tau_b()),
            pearson,
            spearman,
        ];
        Ok(Reading {
            outcomes: outcomes.map(|outcome| outcome.map_err(in_words_of_surveys)),
            epsilon: best.ok().map(|best| best.epsilon),
        })
    }
}

impl Reading {
    /// The values alone.
    pub(crate) fn values(&self) -> Values {
        self.outcomes
            .each_ref()
            .map(|outcome| outcome.as_ref().ok().copied())
    }
}

/// The values of [`Statistic::ALL`] where they exist.
pub(crate) type Values = [Option<f64>; Statistic::ALL.len()];

/// The statistics speak of stimuli and reconstructions; here these are a metric and people.
pub(crate) fn in_words_of_surveys(reason: Undefined) -> Undefined {
    match reason {
        Undefined::Constant(Side::Gt) => Undefined::ConstantMetric,
        Undefined::Constant(Side::Recon) => Undefined::TiedRatings,
        Undefined::NoPairs | Undefined::Empty(_) => Undefined::TooFewItems,
        Undefined::Identical => Undefined::IdenticalMetrics,
        other => other,
    }
}
