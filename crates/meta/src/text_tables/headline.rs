//! Says in a few sentences which metric agrees best with people.

use crate::MetaRecord;
use neurogauge::core::counted;
use neurogauge::report::{Ranked, Ranking, TestedDifference};
use neurogauge::stats::meta::{MetricAgreement, MetricDifference, Statistic, StatisticEstimate, figure_of};
use std::cmp::Ordering;

/// The statistic of the sentence, which also sorts tables.
const STATISTIC: Statistic = Statistic::KendallTauB;
const DECIMALS: usize = 3;
/// Above this, a correlation is 1 except for rounding.
const PERFECT: f64 = 1.0 - 1e-12;

fn figure(metric: &MetricAgreement) -> Option<&StatisticEstimate> {
    figure_of(&metric.statistics, STATISTIC)
}

fn value_of(metric: &MetricAgreement, statistic: Statistic) -> Option<f64> {
    figure_of(&metric.statistics, statistic)?.value.as_ref().ok().copied()
}

/// The order of tables and figures: the best first, metrics without a value last.
pub(crate) fn by_agreement(a: &MetricAgreement, b: &MetricAgreement) -> Ordering {
    let value = |metric| value_of(metric, STATISTIC).unwrap_or(f64::NEG_INFINITY);
    value(b).total_cmp(&value(a))
}

pub(crate) fn headline(record: &MetaRecord) -> String {
    let label = STATISTIC.label();
    let metrics = record.result.metrics.iter();
    let mut own: Vec<&MetricAgreement> = metrics.filter(|m| !record.is_stand_in(&m.name)).collect();
    if own.is_empty() {
        return "No metric can be said to agree with people: all of them rest on placeholder models, whose numbers mean nothing."
            .to_owned();
    }
    // A stable sort: ties keep the order of the metrics.
    own.sort_by(|a, b| by_agreement(a, b));
    let ranked: Vec<Ranked<'_>> = own
        .iter()
        .filter_map(|metric| {
            let figure = figure(metric)?;
            Some(Ranked {
                name: &metric.name,
                value: *figure.value.as_ref().ok()?,
                interval: figure.interval.filter(|_| figure.interval_note.is_none()),
            })
        })
        .collect();
    let Some(best) = ranked.first() else {
        return format!("No metric has a {label} with people; the notes below the table say why.");
    };
    let value = with_interval(best);
    let chance = figure(own[0]).and_then(|figure| figure.chance.percentile_95);
    let chance =
        chance.map_or("chance is 0".to_owned(), |high| format!("one random order in 20 reaches {high:.DECIMALS$}"));
    let mut sentences = vec![match own.iter().filter(|metric| agrees(metric)).count() {
        0 if ranked.len() == 1 => {
            format!("It is not shown that {} agrees with people: {label} {value}, and {chance}.", best.name)
        }
        0 => format!(
            "It is not shown that any metric agrees with people: the highest {label} is {value}, of {}, and {chance}.",
            best.name
        ),
        _ if ranked.len() == 1 => format!("{} agrees with people: {label} {value}.", best.name),
        _ => Ranking {
            kind: "metric",
            claim: "agrees best with people",
            quantity: label,
            correction: &correction(record, best.name, ranked[1].name),
            alpha: 1.0 - record.result.options.bootstrap.level,
            decimals: DECIMALS,
        }
        .sentence(&ranked, |other| difference(record, best.name, ranked[other].name).filter(|_| agrees(own[0]))),
    }];
    if best.value < 0.0 {
        sentences.push(
            "If 1 is the best answer of this survey, turn the ratings round (8 - rating, where there are seven answers)."
                .to_owned(),
        );
    }
    sentences.extend(others_first(&own));
    let ceiling = figure_of(&record.result.agreement.ceilings, STATISTIC);
    let ceiling = ceiling.and_then(|ceiling| ceiling.value.as_ref().ok().copied());
    sentences.extend(ceiling.filter(|ceiling| *ceiling < 0.9995).map(|ceiling| {
        format!(
            "A perfect metric would have about {ceiling:.DECIMALS$}, because the human scores are noisy themselves."
        )
    }));
    sentences.join(" ")
}

/// How p is corrected, and whether more resamples could reduce that of the first two metrics.
fn correction(record: &MetaRecord, first: &str, second: &str) -> String {
    let result = &record.result;
    let options = &result.options.bootstrap;
    // The two-sided p counts at least one resample on the other side of 0.
    let smallest = 2.0 / options.resamples.max(1) as f64;
    let is_of_these = |found: &&MetricDifference| {
        let names = [found.minuend.as_str(), found.subtrahend.as_str()];
        names.contains(&first) && names.contains(&second)
    };
    let found = result.differences.iter().find(is_of_these);
    let found = found.and_then(|found| figure_of(&found.statistics, STATISTIC));
    let p_values = found.and_then(|found| found.p_value.zip(found.p_holm));
    let more = match p_values {
        Some((p, holm)) if p <= smallest * 1.001 && holm > 1.0 - options.level => {
            format!(", too many for {}", counted(options.resamples, "resample"))
        }
        _ => String::new(),
    };
    format!("Holm, {}{more}", counted(result.differences.len(), "difference"))
}

/// Is the agreement above chance, by the interval and by the permutations? Perfect agreement has no interval.
fn agrees(metric: &MetricAgreement) -> bool {
    let Some(figure) = figure(metric) else {
        return false;
    };
    let sound = figure.interval.filter(|_| figure.interval_note.is_none());
    let value = figure.value.as_ref().ok().copied().unwrap_or(f64::NAN);
    sound.map_or(value > PERFECT, |(low, _)| low > 0.0)
        && figure.chance.percentile_95.is_some_and(|chance| value > chance)
}

/// A value such as `0.720 [0.680, 0.763]`, without the interval if it is missing or doubtful.
fn with_interval(of: &Ranked<'_>) -> String {
    match of.interval {
        Some((low, high)) => format!("{:.DECIMALS$} [{low:.DECIMALS$}, {high:.DECIMALS$}]", of.value),
        None => format!("{:.DECIMALS$}", of.value),
    }
}

/// The first metric minus the other, over the items that both have; `None` if unknown or doubtful.
fn difference(record: &MetaRecord, first: &str, other: &str) -> Option<TestedDifference> {
    let (found, sign) = record.result.differences.iter().find_map(|found| {
        match (found.minuend.as_str(), found.subtrahend.as_str()) {
            (a, b) if a == first && b == other => Some((found, 1.0)),
            (a, b) if a == other && b == first => Some((found, -1.0)),
            _ => None,
        }
    })?;
    let figure = figure_of(&found.statistics, STATISTIC)?;
    let ends = |(low, high): (f64, f64)| match sign > 0.0 {
        true => (low, high),
        false => (-high, -low),
    };
    Some(TestedDifference {
        value: sign * figure.value.as_ref().ok()?,
        interval: figure.interval.filter(|_| figure.interval_note.is_none()).map(ends),
        p: figure.p_holm.filter(|_| figure.interval_note.is_none()),
    })
}

/// A sentence such as `Pairwise acc. and Pearson put pixcorr first.`, if other main statistics rank another metric
/// first.
fn others_first(own: &[&MetricAgreement]) -> Option<String> {
    let mut firsts: Vec<(&str, Vec<&str>)> = Vec::new();
    for statistic in Statistic::MAIN {
        let Some(highest) = own.iter().filter_map(|metric| value_of(metric, statistic)).reduce(f64::max) else {
            continue;
        };
        let is_first = |metric: &&&MetricAgreement| value_of(metric, statistic) == Some(highest);
        let Some(first) = own.iter().find(is_first).filter(|first| first.name != own[0].name) else {
            continue;
        };
        match firsts.iter_mut().find(|(name, _)| *name == first.name) {
            Some((_, labels)) => labels.push(statistic.label()),
            None => firsts.push((&first.name, vec![statistic.label()])),
        }
    }
    let clauses = firsts.iter().map(|(name, labels)| match labels.as_slice() {
        [label] => format!("{label} puts {name} first"),
        [labels @ .., last] => format!("{} and {last} put {name} first", labels.join(", ")),
        [] => String::new(),
    });
    let clauses: Vec<String> = clauses.collect();
    (!clauses.is_empty()).then(|| format!("{}.", clauses.join("; ")))
}
