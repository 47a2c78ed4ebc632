//! The whole meta-evaluation.

use super::agreement::rater_agreement_within;
use super::chance::chance;
use super::differences::{Whole, differences};
use super::human::HumanScores;
use super::interval::of_estimate;
use super::metric_statistics::{MetricStatistics, Subject};
use super::units::Units;
use super::{
    Chance, GroupedAgreement, GroupedEstimate, Grouping, MetaOptions, MetaResult, MetricAgreement, MetricColumn,
    Statistic, StatisticEstimate,
};
use crate::error::check_lengths;
use crate::{Ratings, StatsError};
use neurogauge_core::Direction;

/// How well metrics agree with people, as SEED's authors measure it (sections 4.4 and 5.1) and as
/// Deutsch, Foster and Freitag (2023) propose: pairwise accuracy with tie calibration, without it, and over the pairs
/// that people do not tie, Kendall's tau-b, tau-c and tau-23, Pearson's and Spearman's correlation with the human score
/// of each item.
///
/// - Shapes: a survey of n items by k raters; each metric has n scores, in the order of the items.
/// - Items without a score are left out for that metric and counted; differences between two metrics
///   are over the items that both have. Items without a rating are ignored.
/// - Intervals and tests, by [`MetaOptions::method`]. *Studentized*, over items: the standard error is the jackknife's,
///   and Student's t has n − 1 degrees of freedom. For statistics of pairs the jackknife is that of the linearised
///   statistic at the calibrated ε; correlations are transformed to Fisher's z and corrected for bias. For differences
///   of statistics of pairs, the part of the variance that the jackknife counts twice (which belongs to pairs rather
///   than items) is subtracted, up to 4096 items, and t has (n − 1)/2 degrees of freedom; differences of correlations
///   have Zou's interval (2007), with the p value from the level at which it ends at zero. Simulated coverage is in
///   `bench/calibration/meta.tsv`. *Percentile* and *BCa*: raters, items or both are drawn with replacement, as
///   many as there are; resample r draws from stream r of the seed, the same for all metrics, so differences are
///   paired. If raters are drawn, most resamples are below the value, because fewer distinct raters make a noisier
///   human score. The tie threshold is calibrated again in each resample. An item that is drawn twice forms a pair with
///   itself, tied in both samples: with items resampled, accuracies of resamples are higher by about (1 − accuracy)/n.
///   Every resample uses the z-scores of the whole survey.
/// - For every method, an interval without width is refused, and one that does not contain its value in its interior
///   is marked ([`IntervalNote`](super::IntervalNote)).
/// - Chance levels: over permutations of the human scores among the items.
/// - Conventions: `human-score`, `meta-bootstrap`, `meta-chance`.
/// - Undefined, with the reason in each figure: a constant metric, ratings that are all tied, fewer
///   than two items.
/// - Errors: an option out of its range, a metric without one score per item, more than 2³² items.
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
    evaluate_metrics_within(ratings, (&[], None), metrics, options)
}

/// [`evaluate_metrics`], with the same statistics within the groups of each of `groupings`: over the items of a group
/// only, then averaged over groups (by stimulus, over the systems that decoded it; by system, over stimuli).
///
/// - Groups have equal weight, regardless of their number of items. A group in which a statistic is undefined is left
///   out of its mean and counted. Pairwise accuracies and tau-23 are defined for two items or more, even if one side
///   ties them all;
///   all groups share one ε.
/// - Chance levels: the human scores are permuted within each group.
/// - `stimuli` groups the items that show the same stimulus, for example decoded by several systems. Such items are
///   dependent, so they are drawn, left out and permuted together: with G stimuli, t has G − 1 degrees of freedom for
///   one metric and (G − 1)/2 for differences of statistics of pairs. Williams' test is undefined: it needs independent
///   items. `None`, or a stimulus for each item: items are independent.
/// - Intervals over items: for means over groups, groups are drawn with replacement, each with all of its items; if
///   studentized, Student's t has one degree of freedom less than there are groups.
/// - Errors: also a grouping with a different number of items and more pairs within groups than memory can hold.
/// - Reference: `AverageCorrelation` (by item, by system) and `KendallWithTiesOpt` of
///   mt-metrics-eval.
///
/// ```
/// use neurogauge_core::Direction;
/// use neurogauge_stats::Ratings;
/// use neurogauge_stats::meta::{Grouping, MetaOptions, MetricColumn, evaluate_metrics_within};
/// // Two stimuli, two systems each; both raters prefer the second system.
/// let ratings = [1, 2, 3, 4, 1, 1, 2, 5].map(|v| Some(f64::from(v)));
/// let ratings = Ratings::new(2, ratings.to_vec()).unwrap();
/// let by_stimulus = Grouping::new("stimulus", &["1", "1", "2", "2"]).unwrap();
/// let metric = MetricColumn {
///     name: "metric".into(),
///     direction: Direction::Higher,
///     scores: [0.1, 0.2, 0.6, 0.5].map(Some).to_vec(),
/// };
/// let options = MetaOptions::default();
/// let groupings = (&[by_stimulus][..], None);
/// let found = evaluate_metrics_within(&ratings, groupings, &[metric], &options).unwrap();
/// let accuracy = &found.metrics[0].grouped[0].statistics[1].estimate;
/// assert_eq!(accuracy.value, Ok(0.5)); // right for the first stimulus, wrong for the second
/// ```
pub fn evaluate_metrics_within(
    ratings: &Ratings,
    (groupings, stimuli): (&[Grouping], Option<&Grouping>),
    metrics: &[MetricColumn],
    options: &MetaOptions,
) -> Result<MetaResult, StatsError> {
    options.check()?;
    let lengths = groupings.iter().chain(stimuli).map(Grouping::n_items);
    for found in lengths.chain(metrics.iter().map(|column| column.scores.len())) {
        check_lengths(found, ratings.n_items())?;
    }
    let human = HumanScores::new(ratings, options.human_score);
    let units = Units::new(&human, groupings, stimuli, options.resampled)?;
    let means = human.means(&units.all().raters);
    let rated: Vec<u32> = (0_u32..).zip(&means).filter(|(_, mean)| mean.is_some()).map(|(item, _)| item).collect();
    let mut wholes = Vec::with_capacity(metrics.len());
    let mut found = Vec::with_capacity(metrics.len());
    for column in metrics {
        let scores = oriented(column);
        let subject = Subject::new(&scores, &rated, groupings)?;
        let items = subject.items.iter();
        let human_scores: Vec<f64> = items.filter_map(|&item| means[item as usize]).collect();
        let measured = subject.measure(&human, &units, options)?;
        let of_stimuli = units.stimuli_of(&subject.items);
        let chances = chance(&subject, &human_scores, of_stimuli.as_deref(), options)?;
        let mut estimates = estimates(&measured, chances, options)?;
        let mut within = estimates.split_off(Statistic::ALL.len()).into_iter();
        let grouped = groupings.iter().zip(&measured.reading.within).map(|(grouping, reading)| GroupedAgreement {
            grouping: grouping.name.clone(),
            n_groups: reading.n_groups,
            epsilon: reading.epsilon,
            // The order matters: the iterator that ends first must come first.
            statistics: reading
                .n_left_out
                .into_iter()
                .zip(within.by_ref())
                .map(|(n_groups_left_out, estimate)| GroupedEstimate {
                    estimate,
                    n_groups_left_out,
                })
                .collect(),
        });
        found.push(MetricAgreement {
            name: column.name.clone(),
            direction: column.direction,
            n_items: subject.items.len(),
            n_without_score: rated.len() - subject.items.len(),
            epsilon: measured.reading.epsilon,
            grouped: grouped.collect(),
            statistics: estimates,
        });
        wholes.push(Whole {
            column,
            items: subject.items,
            scores,
            measured,
        });
    }
    let level = options.bootstrap.level;
    Ok(MetaResult {
        options: MetaOptions {
            interval: Some(options.method()),
            ..*options
        },
        n_items: ratings.n_items(),
        n_stimuli: units.n_stimuli(),
        n_raters: ratings.n_raters(),
        n_missing_ratings: ratings.n_missing(),
        n_raters_left_out: human.n_raters_left_out,
        agreement: rater_agreement_within(ratings, groupings, options.human_score, level)?,
        metrics: found,
        differences: differences(&wholes, (&human, &units, groupings), options)?,
    })
}

/// The estimate of each outcome of a reading.
fn estimates(
    measured: &MetricStatistics,
    chances: Vec<Chance>,
    options: &MetaOptions,
) -> Result<Vec<StatisticEstimate>, StatsError> {
    let figures = measured.reading.outcomes.iter().zip(chances).enumerate();
    figures
        .map(|(s, (value, chance))| {
            let found = of_estimate(measured, s, options)?;
            Ok(StatisticEstimate {
                statistic: Statistic::ALL[s % Statistic::ALL.len()],
                chance: if value.is_ok() { chance } else { Chance::default() },
                value: value.clone(),
                interval: found.interval,
                interval_note: found.note,
                n_undefined_resamples: found.n_undefined_resamples,
            })
        })
        .collect()
}

/// The scores, oriented so that higher is better.
pub(crate) fn oriented(column: &MetricColumn) -> Vec<Option<f64>> {
    let sign = match column.direction {
        Direction::Higher => 1.0,
        Direction::Lower => -1.0,
    };
    let finite = |score: &Option<f64>| score.filter(|s| s.is_finite()).map(|s| sign * s);
    column.scores.iter().map(finite).collect()
}
