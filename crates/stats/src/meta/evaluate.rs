//! The whole meta-evaluation.

use super::agreement::rater_agreement;
use super::chance::chance;
use super::differences::{Whole, differences};
use super::human::HumanScores;
use super::measured::{Subject, interval};
use super::units::Units;
use super::{
    Chance, MetaOptions, MetaResult, MetricAgreement, MetricColumn, Statistic, StatisticEstimate,
};
use crate::{Ratings, StatsError};
use neurogauge_core::Direction;

/// How well metrics agree with people, as SEED's authors measure it (sections 4.4 and 5.1) and as
/// Deutsch, Foster and Freitag (2023) propose: pairwise accuracy with tie calibration, Kendall's
/// tau-b, Pearson's and Spearman's correlation with the human score of each item.
///
/// - Shapes: a survey of n items by k raters; each metric has n scores, in the order of the items.
/// - Items without a score are left out for that metric and counted; differences between two metrics
///   are over the items that both have. Items without a rating count for nothing.
/// - Intervals: the bootstrap draws raters, items or both with replacement, as many as there are.
///   Resample r draws from stream r of the seed, the same for all metrics, so differences are paired.
///   With raters drawn, most resamples lie below the value: fewer distinct raters make a noisier
///   human score. The interval can lie below the value altogether; differences are hardly touched.
///   The tie threshold is calibrated anew in each resample. An item that was drawn twice makes a
///   pair with itself, tied in both samples: with items resampled, accuracies of resamples are
///   higher by about (1 − accuracy)/n. z-scores are those of the whole survey in every resample.
/// - Chance levels: over permutations of the human scores among the items.
/// - Conventions: `human-score`, `meta-bootstrap`, `meta-chance`.
/// - Undefined, with the reason in each figure: a constant metric, ratings that are all tied, fewer
///   than two items.
/// - Errors: [`StatsError::InvalidOption`], [`StatsError::LengthMismatch`] for a metric without one
///   score per item, [`StatsError::TooManyItems`].
/// - Reference: each statistic equals the function of this crate that computes it.
///
/// ```
/// use neurogauge_core::Direction;
/// use neurogauge_stats::Ratings;
/// use neurogauge_stats::meta::{MetaOptions, MetricColumn, evaluate_metrics};
/// // Four items, two raters; mean ratings 1, 3, 3, 5.
/// let ratings = [1, 1, 2, 4, 3, 3, 5, 5].map(|v| Some(f64::from(v)));
/// let ratings = Ratings::new(2, ratings.to_vec()).unwrap();
/// let distance = MetricColumn {
///     name: "distance".into(),
///     direction: Direction::Lower,
///     scores: [0.9, 0.55, 0.5, 0.1].map(Some).to_vec(),
/// };
/// let found = evaluate_metrics(&ratings, &[distance], &MetaOptions::default()).unwrap();
/// let accuracy = |s: usize| found.metrics[0].statistics[s].value.clone().unwrap();
/// assert_eq!(accuracy(0), 1.0); // the two items of mean 3 tied, as people do
/// assert_eq!(accuracy(1), 5.0 / 6.0);
/// ```
pub fn evaluate_metrics(
    ratings: &Ratings,
    metrics: &[MetricColumn],
    options: &MetaOptions,
) -> Result<MetaResult, StatsError> {
    options.check()?;
    let human = HumanScores::new(ratings, options.human_score);
    let units = Units::new(&human, options.resampled)?;
    let means = human.means(&units.all().raters);
    let mut wholes = Vec::with_capacity(metrics.len());
    let mut found = Vec::with_capacity(metrics.len());
    for column in metrics {
        if column.scores.len() != ratings.n_items() {
            return Err(StatsError::LengthMismatch {
                x: column.scores.len(),
                y: ratings.n_items(),
            });
        }
        let scores = oriented(column);
        let rated: Vec<u32> = (0_u32..)
            .zip(&means)
            .filter(|(_, mean)| mean.is_some())
            .map(|(item, _)| item)
            .collect();
        let subject = Subject::new(&scores, &rated)?;
        let items = &subject.items;
        let human_scores: Vec<f64> = items.iter().filter_map(|&i| means[i as usize]).collect();
        let measured = subject.measure(&human, &units, options)?;
        let chances = chance(&subject.prepared, &human_scores, options)?;
        let statistics = Statistic::ALL
            .iter()
            .zip(chances)
            .enumerate()
            .map(|(s, (&statistic, chance))| {
                let value = measured.reading.outcomes[s].clone();
                let (interval, n_undefined_resamples) = interval(
                    value.as_ref().ok().copied(),
                    measured.replicates.iter().map(|values| values[s]),
                    measured.jackknife.iter().map(|values| values[s]),
                    options,
                )?;
                Ok(StatisticEstimate {
                    statistic,
                    chance: if value.is_ok() {
                        chance
                    } else {
                        Chance::default()
                    },
                    value,
                    interval,
                    n_undefined_resamples,
                })
            })
            .collect::<Result<_, StatsError>>()?;
        found.push(MetricAgreement {
            name: column.name.clone(),
            direction: column.direction,
            n_items: items.len(),
            n_without_score: rated.len() - items.len(),
            epsilon: measured.reading.epsilon,
            statistics,
        });
        wholes.push(Whole {
            column,
            items: subject.items,
            scores,
            measured,
        });
    }
    Ok(MetaResult {
        options: *options,
        n_items: ratings.n_items(),
        n_raters: ratings.n_raters(),
        n_missing_ratings: ratings.n_missing(),
        n_raters_left_out: human.n_raters_left_out,
        agreement: rater_agreement(ratings, options.human_score, options.bootstrap.level)?,
        metrics: found,
        differences: differences(&wholes, &human, &units, options)?,
    })
}

/// The scores so that higher is better.
pub(crate) fn oriented(column: &MetricColumn) -> Vec<Option<f64>> {
    let sign = match column.direction {
        Direction::Higher => 1.0,
        Direction::Lower => -1.0,
    };
    let finite = |score: &Option<f64>| score.filter(|s| s.is_finite()).map(|s| sign * s);
    column.scores.iter().map(finite).collect()
}
