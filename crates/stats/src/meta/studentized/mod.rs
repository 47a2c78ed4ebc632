//! Standard errors from a single pass over the survey: the items' contributions to a statistic show how much it would
//! vary with other items.

mod correlations;
mod groups;
mod pairs;
mod stimuli;

use super::item_scores::ItemScores;
use super::metric_statistics::Subject;
use super::{IntervalNote, Statistic};
use crate::distributions::{t_exceeded_with, t_two_sided};
use crate::{KendallCounts, StatsError};
use correlations::FisherZ;
use groups::GroupMean;
use neurogauge_core::stopping::stop_if_asked;
pub(super) use pairs::JointPairs;
use pairs::{PairStatistic, PairedScores};
use stimuli::OfStimulus;

/// With fewer items or stimuli, there is no standard error.
const FEWEST_ITEMS: usize = 4;
/// With fewer groups, a mean over groups has no standard error.
const FEWEST_GROUPS: usize = 3;

/// The contribution of each item to each statistic of a metric, and of each group to each mean over groups.
pub(crate) struct Studied {
    /// One entry for each outcome of a reading, in their order.
    contributions: Vec<Contributions>,
    pairs: PairedScores,
}

/// The contributions of units to a statistic.
enum Contributions {
    Pairs(PairStatistic),
    Correlation(FisherZ),
    Groups(GroupMean),
    None(IntervalNote),
}

type Studentized = Result<(f64, f64), IntervalNote>;

impl Studied {
    /// Contributions for a metric over its items, which all have a human score; `stimuli` has the positions of each
    /// stimulus' items if some have several.
    pub(super) fn of(
        subject: &Subject,
        human: &[f64],
        stimuli: Option<Vec<Vec<u32>>>,
        reading: &ItemScores,
    ) -> Result<Self, StatsError> {
        stop_if_asked();
        let scores = subject.prepared.scores.as_slice();
        let epsilon = reading.epsilon.unwrap_or(0.0);
        let too_few = |note| Statistic::ALL.map(|_| Contributions::None(note)).into();
        let mut contributions = match &stimuli {
            Some(stimuli) if stimuli.len() < FEWEST_ITEMS => too_few(IntervalNote::TooFewStimuli),
            None if scores.len() < FEWEST_ITEMS => too_few(IntervalNote::TooFewItems),
            _ => over_items(scores, human, stimuli.as_deref(), epsilon)?,
        };
        for (within, found) in subject.within.iter().zip(&reading.within) {
            let values = within.of_each_group(scores, human, found.epsilon.unwrap_or(0.0))?;
            contributions.extend(Statistic::ALL.map(|statistic| {
                let of_groups = values.iter().map(|group| group[statistic as usize]);
                match GroupMean::of(&of_groups.collect::<Vec<Option<f64>>>()) {
                    Some(mean) => Contributions::Groups(mean),
                    None => Contributions::None(IntervalNote::TooFewGroups),
                }
            }));
        }
        Ok(Studied {
            contributions,
            pairs: PairedScores {
                scores: scores.to_vec(),
                human: human.to_vec(),
                epsilon,
                stimuli,
            },
        })
    }

    /// The interval of outcome `s`, whose value is given.
    pub(super) fn interval(&self, s: usize, value: f64, level: f64) -> Studentized {
        let tail = (1.0 - level) / 2.0;
        let (standard_error, df) = match &self.contributions[s] {
            Contributions::Pairs(pairs) => (pairs.standard_error(), pairs.n() - 1.0),
            Contributions::Groups(mean) => (mean.standard_error(), mean.df()),
            Contributions::Correlation(z) => return Ok(z.interval(tail)),
            Contributions::None(note) => return Err(*note),
        };
        symmetric(value, standard_error, t_exceeded_with(tail, df), range(s))
    }

    /// The interval of the difference of outcome `s` from that of another metric over the same items,
    /// and the p value of no difference.
    pub(super) fn difference(
        &self,
        other: &Self,
        joint: &JointPairs,
        (s, value): (usize, f64),
        level: f64,
    ) -> (Studentized, Option<f64>) {
        let tail = (1.0 - level) / 2.0;
        let found = match (&self.contributions[s], &other.contributions[s]) {
            (Contributions::Pairs(a), Contributions::Pairs(b)) => {
                let is_calibrated = s == Statistic::CalibratedAccuracy as usize;
                Ok(a.difference(b, joint.of_threshold(is_calibrated)))
            }
            (Contributions::Groups(a), Contributions::Groups(b)) => a.difference(b).ok_or(IntervalNote::TooFewGroups),
            (Contributions::Correlation(a), Contributions::Correlation(b)) => {
                return (Ok(a.difference(b, tail)), Some(a.difference_p(b)));
            }
            (Contributions::None(note), _) | (_, Contributions::None(note)) => Err(*note),
            // This cannot happen: the same outcome of two readings has the same kind.
            _ => Err(IntervalNote::NoSpread),
        };
        let (standard_error, df) = match found {
            Ok(found) => found,
            Err(note) => return (Err(note), None),
        };
        let (lowest, highest) = range(s);
        let ends = (lowest - highest, highest - lowest);
        let interval = symmetric(value, standard_error, t_exceeded_with(tail, df), ends);
        let p_value = match interval {
            _ if value == 0.0 => Some(1.0),
            Ok(_) => Some(t_two_sided(value / standard_error, df)),
            Err(_) => None,
        };
        (interval, p_value)
    }

    /// The joint relations of the pairs of items in two metrics.
    pub(super) fn joint(&self, other: &Self) -> JointPairs {
        JointPairs::of(&self.pairs, &other.pairs)
    }
}

/// The contributions to each of [`Statistic::ALL`] over all items; for a constant sample, all are undefined.
fn over_items(
    scores: &[f64],
    human: &[f64],
    stimuli: Option<&[Vec<u32>]>,
    epsilon: f64,
) -> Result<Vec<Contributions>, StatsError> {
    let at = |epsilon| {
        let within = stimuli.map(|stimuli| OfStimulus::each(scores, human, stimuli, epsilon));
        let of_items = KendallCounts::of_each_item(scores, human, epsilon);
        Ok::<_, StatsError>((of_items, within.transpose()?))
    };
    let (calibrated, plain) = (at(epsilon)?, at(0.0)?);
    let n_classes = [scores, human].map(|sample| crate::ranks::dense_ranks(sample).1);
    let n_classes = n_classes[0].min(n_classes[1]);
    let correlation = |found: Result<FisherZ, IntervalNote>| match found {
        Ok(z) => Contributions::Correlation(z),
        Err(note) => Contributions::None(note),
    };
    let [pearson, spearman] = match stimuli {
        None => [
            correlations::pearson_without_each(scores, human)?,
            correlations::spearman_without_each(scores, human, &plain.0)?,
        ],
        Some(stimuli) => correlations::without_each_stimulus(scores, human, stimuli)?,
    };
    Ok(vec![
        pair_statistic(Statistic::CalibratedAccuracy, &calibrated, n_classes),
        pair_statistic(Statistic::Accuracy, &plain, n_classes),
        pair_statistic(Statistic::KendallTauB, &plain, n_classes),
        correlation(pearson),
        correlation(spearman),
        pair_statistic(Statistic::AccuracyOverUntied, &plain, n_classes),
        pair_statistic(Statistic::KendallTauC, &plain, n_classes),
        pair_statistic(Statistic::Tau23, &plain, n_classes),
    ])
}

fn pair_statistic(
    statistic: Statistic,
    (of_items, within): &(Vec<KendallCounts>, Option<Vec<OfStimulus>>),
    n_classes: usize,
) -> Contributions {
    match PairStatistic::of(statistic, of_items, within.as_deref(), n_classes) {
        Some(found) => Contributions::Pairs(found),
        None => Contributions::None(IntervalNote::NoSpread),
    }
}

fn range(s: usize) -> (f64, f64) {
    match Statistic::ALL[s % Statistic::ALL.len()] {
        Statistic::CalibratedAccuracy | Statistic::Accuracy | Statistic::AccuracyOverUntied => (0.0, 1.0),
        _ => (-1.0, 1.0),
    }
}

/// The value plus and minus `factor` standard errors, clipped to the statistic's range.
fn symmetric(value: f64, standard_error: f64, factor: f64, (lowest, highest): (f64, f64)) -> Studentized {
    // Deviations of equal items are only rounding errors.
    if standard_error < 1e-12 {
        return Err(IntervalNote::NoSpread);
    }
    let reach = factor * standard_error;
    Ok(((value - reach).max(lowest), (value + reach).min(highest)))
}
