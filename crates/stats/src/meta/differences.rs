//! Tests whether one metric agrees with people better than another.

use super::human::HumanScores;
use super::interval::Pair;
use super::item_scores::in_words_of_surveys;
use super::metric_statistics::{MetricStatistics, Subject};
use super::units::Units;
use super::{
    GroupedDifferences, Grouping, MetaOptions, MetricColumn, MetricDifference, Statistic, StatisticDifference,
    WilliamsResult,
};
use crate::{StatsError, holm, pearson, williams_test};
use neurogauge_core::Undefined;
use std::borrow::Cow;
use std::collections::HashMap;

/// The reason why Williams' test is undefined.
const DEPENDENT: &str = "items of one stimulus are not independent";

/// A metric with its oriented scores, and its statistics over all of its items.
pub(crate) struct Whole<'a> {
    pub(crate) column: &'a MetricColumn,
    /// Higher is better.
    pub(crate) scores: Vec<Option<f64>>,
    pub(crate) items: Vec<u32>,
    pub(crate) measured: MetricStatistics,
}

/// The differences of every two metrics, over the items that both have.
pub(crate) fn differences(
    metrics: &[Whole],
    (human, units, groupings): (&HumanScores, &Units, &[Grouping]),
    options: &MetaOptions,
) -> Result<Vec<MetricDifference>, StatsError> {
    let pairs: Vec<(usize, usize)> =
        (0..metrics.len()).flat_map(|a| (a + 1..metrics.len()).map(move |b| (a, b))).collect();
    // Metrics with gaps are measured again on the items that they share with others, once for each set of shared items.
    let mut on_shared: HashMap<(usize, Vec<u32>), MetricStatistics> = HashMap::new();
    let mut found = Vec::with_capacity(pairs.len());
    for (a, b) in pairs {
        let shared = shared_items(&metrics[a].items, &metrics[b].items);
        for metric in [a, b] {
            let whole = &metrics[metric];
            if whole.items.len() > shared.len() && !on_shared.contains_key(&(metric, shared.to_vec())) {
                let measured = Subject::new(&whole.scores, &shared, groupings)?.measure(human, units, options)?;
                on_shared.insert((metric, shared.to_vec()), measured);
            }
        }
        let measured = |metric: usize| on_shared.get(&(metric, shared.to_vec())).unwrap_or(&metrics[metric].measured);
        let mut figures = figures(measured(a), measured(b), options)?.into_iter();
        let mut next = || figures.by_ref().take(Statistic::ALL.len()).collect();
        found.push(MetricDifference {
            minuend: metrics[a].column.name.clone(),
            subtrahend: metrics[b].column.name.clone(),
            n_items: shared.len(),
            statistics: next(),
            grouped: groupings
                .iter()
                .map(|grouping| GroupedDifferences {
                    grouping: grouping.name.clone(),
                    statistics: next(),
                })
                .collect(),
            williams: match units.stimuli_of(&shared) {
                None => williams(&metrics[a], &metrics[b], measured(a), measured(b), &shared)?,
                Some(_) => Err(Undefined::Because(Cow::Borrowed(DEPENDENT))),
            },
        });
    }
    correct(&mut found)?;
    Ok(found)
}

fn shared_items<'a>(a: &'a [u32], b: &[u32]) -> Cow<'a, [u32]> {
    if a == b {
        return Cow::Borrowed(a);
    }
    let shared = a.iter().filter(|item| b.binary_search(item).is_ok());
    Cow::Owned(shared.copied().collect())
}

/// The difference of each outcome of a reading.
fn figures(
    a: &MetricStatistics,
    b: &MetricStatistics,
    options: &MetaOptions,
) -> Result<Vec<StatisticDifference>, StatsError> {
    let pair = Pair::of(a, b);
    let each = 0..a.reading.outcomes.len();
    each.map(|s| {
        let (value, found) = pair.difference(s, options)?;
        Ok(StatisticDifference {
            statistic: Statistic::ALL[s % Statistic::ALL.len()],
            value,
            interval: found.interval,
            interval_note: found.note,
            n_undefined_resamples: found.n_undefined_resamples,
            p_value: found.p_value,
            p_holm: None,
        })
    })
    .collect()
}

fn williams(
    a: &Whole,
    b: &Whole,
    measured_a: &MetricStatistics,
    measured_b: &MetricStatistics,
    shared: &[u32],
) -> Result<Result<WilliamsResult, Undefined>, StatsError> {
    const PEARSON: usize = Statistic::Pearson as usize;
    let scores =
        |whole: &Whole| -> Vec<f64> { shared.iter().filter_map(|&item| whole.scores[item as usize]).collect() };
    let between = pearson(&scores(a), &scores(b))?;
    let (of_a, of_b) = (&measured_a.reading.outcomes[PEARSON], &measured_b.reading.outcomes[PEARSON]);
    let (r1, r2, r12) = match (of_a, of_b, between) {
        (Ok(r1), Ok(r2), Ok(r12)) => (*r1, *r2, r12),
        (Err(reason), ..) | (_, Err(reason), _) => return Ok(Err(reason.clone())),
        (_, _, Err(_)) => return Ok(Err(Undefined::ConstantMetric)),
    };
    let test = williams_test(r1, r2, r12, shared.len())?;
    Ok(test
        .map(|test| WilliamsResult {
            t: test.t,
            df: test.df,
            p_value: test.p_value,
            p_holm: test.p_value,
        })
        .map_err(in_words_of_surveys))
}

/// Holm's correction over the pairs, for each statistic and for Williams' test.
fn correct(found: &mut [MetricDifference]) -> Result<(), StatsError> {
    let n_figures = found.first().map_or(0, |d| all_figures(d).count());
    for s in 0..n_figures {
        let of_pairs = found.iter().filter_map(|d| all_figures(d).nth(s));
        let p_values: Vec<f64> = of_pairs.filter_map(|figure| figure.p_value).collect();
        let mut corrected = holm(&p_values)?.into_iter();
        for difference in found.iter_mut() {
            let grouped = difference.grouped.iter_mut().flat_map(|g| &mut g.statistics);
            if let Some(figure) = difference.statistics.iter_mut().chain(grouped).nth(s) {
                figure.p_holm = figure.p_value.and_then(|_| corrected.next());
            }
        }
    }
    let tests = |found: &[MetricDifference]| -> Vec<f64> {
        found.iter().filter_map(|d| d.williams.as_ref().ok()).map(|test| test.p_value).collect()
    };
    let corrected = holm(&tests(found))?;
    for (test, p_holm) in found.iter_mut().filter_map(|d| d.williams.as_mut().ok()).zip(corrected) {
        test.p_holm = p_holm;
    }
    Ok(())
}

fn all_figures(difference: &MetricDifference) -> impl Iterator<Item = &StatisticDifference> {
    let grouped = difference.grouped.iter().flat_map(|g| &g.statistics);
    difference.statistics.iter().chain(grouped)
}
