//! The contribution of each part to a composite.

use super::agreement::COMBINED_STATISTICS;
use super::scaling::Scaled;
use super::{CompleteScores, Scaling, ScoreTable};
use crate::meta::{
    HumanScores, Inference, IntervalNote, MetaOptions, MetricStatistics, Pair, Statistic, Subject, Units, of_estimate,
};
use crate::{StatsError, holm};
use neurogauge_core::{Outcome, Undefined};
use serde::Serialize;

/// An equal-weight average of some metrics.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Composite {
    pub name: String,
    /// Positions of its parts among the metrics.
    pub parts: Vec<usize>,
}

/// A composite, and the composite without each of its parts.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompositeContributions {
    pub name: String,
    pub parts: Vec<String>,
    /// Items that people and all parts have a score for.
    pub n_items: usize,
    /// Rated items that lack a part.
    pub n_left_out: usize,
    /// The average of all parts: one value for each of [`COMBINED_STATISTICS`](super::COMBINED_STATISTICS).
    pub statistics: Vec<CompositeStatistic>,
    pub contributions: Vec<PartContribution>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CompositeStatistic {
    pub statistic: Statistic,
    #[serde(flatten, with = "neurogauge_core::recorded")]
    pub value: Outcome,
    pub interval: Option<(f64, f64)>,
    pub interval_note: Option<IntervalNote>,
    pub n_undefined_resamples: usize,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartContribution {
    pub part: String,
    /// One value for each of [`COMBINED_STATISTICS`](super::COMBINED_STATISTICS).
    pub statistics: Vec<PartStatistic>,
}

/// The contribution of a part to a statistic.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PartStatistic {
    pub statistic: Statistic,
    /// The value with all parts minus the value without this one: positive if the part helps.
    #[serde(flatten, with = "neurogauge_core::recorded")]
    pub value: Outcome,
    /// The value of the average of the other parts.
    pub without: Option<f64>,
    pub interval: Option<(f64, f64)>,
    pub interval_note: Option<IntervalNote>,
    /// Resamples in which either value is undefined.
    pub n_undefined_resamples: usize,
    /// Two-sided p value, computed as for differences between metrics.
    pub p_value: Option<f64>,
    /// The p value after Holm's correction over the parts of the composite.
    pub p_holm: Option<f64>,
}

/// Measures a composite of at least two parts, with all of them and without each.
pub(crate) fn contributions(
    table: &ScoreTable,
    composite: &Composite,
    scaling: Scaling,
    human: &HumanScores,
    units: &Units,
    options: &MetaOptions,
) -> Result<CompositeContributions, StatsError> {
    let scores = table.complete(&composite.parts);
    let scaled = Scaled::own(&scores.columns, scaling);
    let all: Vec<usize> = (0..composite.parts.len()).collect();
    let measured = |parts: &[usize]| -> Result<Result<MetricStatistics, Undefined>, StatsError> {
        let combined = match scaled.sum(parts) {
            Ok(combined) if combined.iter().all(|v| v.is_finite()) => combined,
            Ok(_) => return Ok(Err(Undefined::Overflow)),
            Err(reason) => return Ok(Err(reason)),
        };
        let mut column = vec![None; table.n_items()];
        for (&item, score) in scores.items.iter().zip(combined) {
            column[item as usize] = Some(score);
        }
        Ok(Ok(Subject::new(&column, &scores.items, &[])?.measure(human, units, options)?))
    };
    let with_all = measured(&all)?;
    let statistics = COMBINED_STATISTICS
        .into_iter()
        .map(|statistic| of_composite(statistic, &with_all, options))
        .collect::<Result<_, StatsError>>()?;
    let mut found = Vec::with_capacity(all.len());
    for &left_out in &all {
        let others: Vec<usize> = all.iter().copied().filter(|&p| p != left_out).collect();
        let without = measured(&others)?;
        let pair = match (&with_all, &without) {
            (Ok(all), Ok(others)) => Some(Pair::of(all, others)),
            _ => None,
        };
        found.push(PartContribution {
            part: scores.names[left_out].clone(),
            statistics: COMBINED_STATISTICS
                .into_iter()
                .map(|statistic| of_part(statistic, &with_all, &without, pair.as_ref(), options))
                .collect::<Result<_, StatsError>>()?,
        });
    }
    correct(&mut found)?;
    let CompleteScores { names, items, .. } = scores;
    Ok(CompositeContributions {
        name: composite.name.clone(),
        parts: names,
        n_items: items.len(),
        n_left_out: scores.n_left_out,
        statistics,
        contributions: found,
    })
}

fn outcome(measured: &Result<MetricStatistics, Undefined>, statistic: Statistic) -> Outcome {
    match measured {
        Ok(measured) => measured.reading.outcomes[statistic as usize].clone(),
        Err(reason) => Err(reason.clone()),
    }
}

fn of_composite(
    statistic: Statistic,
    measured: &Result<MetricStatistics, Undefined>,
    options: &MetaOptions,
) -> Result<CompositeStatistic, StatsError> {
    let found = match measured {
        Ok(measured) => of_estimate(measured, statistic as usize, options)?,
        Err(_) => Inference::none(options.bootstrap.resamples),
    };
    Ok(CompositeStatistic {
        statistic,
        value: outcome(measured, statistic),
        interval: found.interval,
        interval_note: found.note,
        n_undefined_resamples: found.n_undefined_resamples,
    })
}

fn of_part(
    statistic: Statistic,
    with_all: &Result<MetricStatistics, Undefined>,
    without: &Result<MetricStatistics, Undefined>,
    pair: Option<&Pair>,
    options: &MetaOptions,
) -> Result<PartStatistic, StatsError> {
    let others = outcome(without, statistic);
    let (value, found) = match pair {
        Some(pair) => pair.difference(statistic as usize, options)?,
        None => {
            let value = outcome(with_all, statistic).and_then(|all| Ok(all - others.clone()?));
            (value, Inference::none(options.bootstrap.resamples))
        }
    };
    Ok(PartStatistic {
        statistic,
        value,
        without: others.ok(),
        interval: found.interval,
        interval_note: found.note,
        n_undefined_resamples: found.n_undefined_resamples,
        p_value: found.p_value,
        p_holm: None,
    })
}

/// Holm's correction over the parts, for each statistic.
fn correct(found: &mut [PartContribution]) -> Result<(), StatsError> {
    for s in 0..COMBINED_STATISTICS.len() {
        let p_values: Vec<f64> = found.iter().filter_map(|part| part.statistics[s].p_value).collect();
        let mut corrected = holm(&p_values)?.into_iter();
        for part in found.iter_mut() {
            let figure = &mut part.statistics[s];
            figure.p_holm = figure.p_value.and_then(|_| corrected.next());
        }
    }
    Ok(())
}
