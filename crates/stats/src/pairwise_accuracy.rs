//! Pairwise accuracy: the share of item pairs on which a metric and people prefer the same item.

use crate::paired::is_constant;
use crate::{KendallCounts, StatsError};
use neurogauge_core::{Outcome, Side, Undefined};

impl KendallCounts {
    /// Pairwise accuracy (Deutsch et al. 2023, "acc23"), (C + T_xy) / P: the share of all pairs that both samples order
    /// in the same way or both tie.
    ///
    /// - Range: 0 to 1; higher is better. Random scores without ties get half the share of pairs
    ///   that people order, not ½.
    /// - Undefined: every pair of `x` is tied (`Constant`, side `Gt`) or every pair of `y`
    ///   (`Recon`). The published code returns the share of tied human pairs or of tied metric pairs in these cases,
    ///   which does not measure agreement.
    ///
    /// ```
    /// use neurogauge_stats::KendallCounts;
    /// let counts = KendallCounts::of(&[0.1, 0.2, 0.3], &[1.0, 2.0, 2.0]).unwrap().unwrap();
    /// assert_eq!(counts.accuracy(), Ok(2.0 / 3.0));
    /// ```
    pub fn accuracy(&self) -> Outcome {
        self.check_ordered()?;
        Ok(self.share_right())
    }

    /// (C + T_xy) / P, even if one side ties everything.
    pub(crate) fn share_right(&self) -> f64 {
        (self.concordant + self.ties_both) as f64 / self.pairs() as f64
    }

    /// Pairwise accuracy over the pairs that `y` (people) does not tie, C / (C + D + T_x).
    ///
    /// - Range: 0 to 1; higher is better; chance level ½ without ties in `x`, which count as wrong.
    /// - Undefined: as [`accuracy`](Self::accuracy).
    ///
    /// ```
    /// use neurogauge_stats::KendallCounts;
    /// let counts = KendallCounts::of(&[0.1, 0.2, 0.3], &[1.0, 2.0, 2.0]).unwrap().unwrap();
    /// assert_eq!(counts.accuracy_over_untied(), Ok(1.0));
    /// ```
    pub fn accuracy_over_untied(&self) -> Outcome {
        self.check_ordered()?;
        match self.concordant + self.discordant + self.ties_x {
            0 => Err(Undefined::Constant(Side::Recon)),
            pairs => Ok(self.concordant as f64 / pairs as f64),
        }
    }
}

/// Pairwise accuracy of a metric at a fixed tie threshold, in O(n log n): the share of all pairs of items that metric
/// and people order in the same way or both tie, where the metric ties a pair if
/// |m_i − m_j| ≤ `epsilon`.
///
/// - Shapes: `metric` and `human` have one score per item, higher is better in both (negate a metric for which lower is
///   better).
/// - Range: 0 to 1; higher is better.
/// - Undefined: no items (`Empty`), a NaN or an infinity (`NonFinite`), a single item (`NoPairs`), all scores equal
///   (`Constant`); the metric is side `Gt`, people are `Recon`. If `epsilon` ties all pairs of a metric whose scores
///   differ, the accuracy is defined: it is the share of pairs that people tie.
/// - Errors: samples of different lengths, a negative or NaN `epsilon`.
/// - Reference: `KendallVariants` of mt-metrics-eval (`variant="acc23"`), exact.
///
/// ```
/// use neurogauge_stats::pairwise_accuracy;
/// let metric = [0.1, 0.5, 0.6];
/// let human = [1.0, 4.0, 4.0];
/// assert_eq!(pairwise_accuracy(&metric, &human, 0.0).unwrap(), Ok(2.0 / 3.0));
/// assert_eq!(pairwise_accuracy(&metric, &human, 0.2).unwrap(), Ok(1.0));
/// ```
pub fn pairwise_accuracy(metric: &[f64], human: &[f64], epsilon: f64) -> Result<Outcome, StatsError> {
    let counts = KendallCounts::with_epsilon(metric, human, epsilon)?;
    Ok(counts.and_then(|counts| {
        for (scores, side) in [(metric, Side::Gt), (human, Side::Recon)] {
            if is_constant(scores) {
                return Err(Undefined::Constant(side));
            }
        }
        Ok(counts.share_right())
    }))
}
