//! The statistics within groups of items, averaged over the groups.

use super::units::GroupWeights;
use super::{Grouping, Statistic};
use crate::grouped_pairs::GroupedPairs;
use crate::summation::sum;
use crate::{KendallCounts, StatsError, kendall_tau_c, pearson, spearman};
use neurogauge_core::{Outcome, Undefined};

const N_STATISTICS: usize = Statistic::ALL.len();

/// A metric's scores in groups, with the pairs inside each group sorted.
pub(crate) struct Within {
    /// Positions of each group's items among the scores.
    members: Vec<Vec<u32>>,
    pairs: GroupedPairs,
}

/// Results in addition to the values.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct WithinGroups {
    /// The best tie threshold for all groups.
    pub(crate) epsilon: Option<f64>,
    pub(crate) n_groups: usize,
    /// Number of groups in which a statistic is undefined, for each of [`Statistic::ALL`].
    pub(crate) n_left_out: [usize; N_STATISTICS],
}

impl Within {
    /// Prepares the scores of `items`, which are positions in the survey.
    pub(crate) fn new(grouping: &Grouping, items: &[u32], scores: &[f64]) -> Result<Self, StatsError> {
        let members = grouping.members(items);
        let pairs = GroupedPairs::new(&members, scores)?;
        Ok(Within { members, pairs })
    }

    /// The mean of each statistic over the groups in which it has a value; an item whose human score is NaN is left
    /// out.
    pub(crate) fn read(
        &self,
        scores: &[f64],
        human: &[f64],
        weights: &GroupWeights,
    ) -> Result<(WithinGroups, [Outcome; N_STATISTICS]), StatsError> {
        let weights = match weights {
            GroupWeights::Once => vec![1; self.members.len()],
            GroupWeights::Drawn(weights) => weights.clone(),
            GroupWeights::Nothing => {
                let none = [const { Err(Undefined::NoPairs) }; N_STATISTICS];
                return Ok((WithinGroups::default(), none));
            }
        };
        let best = self.pairs.best(human, &weights);
        let mut means: [Mean; N_STATISTICS] = Default::default();
        let mut reading = WithinGroups {
            epsilon: best.as_ref().ok().map(|(_, epsilon)| *epsilon),
            ..WithinGroups::default()
        };
        for (members, &weight) in self.members.iter().zip(&weights) {
            let there = members.iter().map(|&place| place as usize);
            let (x, y): (Vec<f64>, Vec<f64>) =
                there.filter(|&place| !human[place].is_nan()).map(|place| (scores[place], human[place])).unzip();
            if x.is_empty() || weight == 0 {
                continue;
            }
            reading.n_groups += 1;
            for ((mean, outcome), left_out) in means.iter_mut().zip(of_group(&x, &y)?).zip(&mut reading.n_left_out) {
                *left_out += usize::from(outcome.is_err());
                mean.add(outcome, f64::from(weight));
            }
        }
        let mut outcomes = means.map(Mean::outcome);
        // All groups share one threshold; groups in which one side ties everything count, as in the published search,
        // but at least one group must have an order.
        outcomes[Statistic::CalibratedAccuracy as usize] =
            best.as_ref().map(|(accuracy, _)| *accuracy).map_err(Clone::clone);
        if let Err(reason) = best {
            for statistic in [Statistic::Accuracy, Statistic::Tau23] {
                outcomes[statistic as usize] = Err(reason.clone());
            }
        }
        Ok((reading, outcomes))
    }

    /// Each statistic in each group, with the accuracy at the tie threshold `epsilon` as the calibrated one; `None` if
    /// it has no value. Every item has a human score.
    pub(crate) fn of_each_group(
        &self,
        scores: &[f64],
        human: &[f64],
        epsilon: f64,
    ) -> Result<Vec<[Option<f64>; N_STATISTICS]>, StatsError> {
        let of_members = |members: &Vec<u32>| {
            let at = |values: &[f64]| -> Vec<f64> { members.iter().map(|&place| values[place as usize]).collect() };
            let (x, y) = (at(scores), at(human));
            let mut values = of_group(&x, &y)?.map(Result::ok);
            let counts = KendallCounts::with_epsilon(&x, &y, epsilon)?;
            let calibrated = counts.ok().map(|counts| counts.share_right());
            values[Statistic::CalibratedAccuracy as usize] = calibrated;
            Ok(values)
        };
        self.members.iter().map(of_members).collect()
    }

    /// The human scores, with those of each group rearranged by `shuffle`.
    pub(crate) fn shuffled(&self, human: &[f64], mut shuffle: impl FnMut(&mut [f64])) -> Vec<f64> {
        let mut dealt = human.to_vec();
        for members in &self.members {
            let mut group: Vec<f64> = members.iter().map(|&place| human[place as usize]).collect();
            shuffle(&mut group);
            for (&place, score) in members.iter().zip(group) {
                dealt[place as usize] = score;
            }
        }
        dealt
    }
}

/// Each of [`Statistic::ALL`] in one group. The value of the calibrated accuracy only tells whether the group counts.
fn of_group(x: &[f64], y: &[f64]) -> Result<[Outcome; N_STATISTICS], StatsError> {
    let counts = match KendallCounts::of(x, y)? {
        Ok(counts) => counts,
        Err(reason) => return Ok(Statistic::ALL.map(|_| Err(reason.clone()))),
    };
    let mut outcomes = [const { Err(Undefined::NoPairs) }; N_STATISTICS];
    for (outcome, statistic) in outcomes.iter_mut().zip(Statistic::ALL) {
        *outcome = match statistic {
            Statistic::CalibratedAccuracy | Statistic::Accuracy => Ok(counts.share_right()),
            Statistic::KendallTauB => counts.tau_b(),
            Statistic::Pearson => pearson(x, y)?,
            Statistic::Spearman => spearman(x, y)?,
            Statistic::AccuracyOverUntied => counts.accuracy_over_untied(),
            Statistic::KendallTauC => kendall_tau_c(x, y)?,
            Statistic::Tau23 => Ok(counts.excess_right()),
        };
    }
    Ok(outcomes)
}

/// A weighted mean of the defined values.
#[derive(Default)]
struct Mean {
    values: Vec<f64>,
    weight: f64,
    /// The reason of the first undefined group; any other reason replaces that of fewer than two items.
    reason: Option<Undefined>,
}

impl Mean {
    fn add(&mut self, outcome: Outcome, weight: f64) {
        match (outcome, &self.reason) {
            (Ok(value), _) => {
                self.values.push(weight * value);
                self.weight += weight;
            }
            (Err(reason), None | Some(Undefined::NoPairs)) => self.reason = Some(reason),
            (Err(_), Some(_)) => {}
        }
    }

    fn outcome(self) -> Outcome {
        if self.values.is_empty() {
            return Err(self.reason.unwrap_or(Undefined::NoPairs));
        }
        Ok(sum(&self.values) / self.weight)
    }
}
