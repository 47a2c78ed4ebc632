//! From outcomes to estimates: `summary.json` and the tables.

use crate::Error;
use crate::interval_notes::{FEW_EVENTS, IdentifiedInterval, Over, Skew, interval_notes, skewness_notes};
use crate::pool_report;
use crate::run_record::RunRecord;
use crate::sample_score::CountedSamples;
use indexmap::IndexMap;
use itertools::Itertools;
use neurogauge_core::{Estimate, Outcome, ScoreTable, Side};
use neurogauge_metrics::{Compute, Metric, find, parts_among, system_columns_of};
use neurogauge_report::{MetricColumn, SystemRow, SystemTable};
use neurogauge_stats::u_statistic::{IdentificationScores, estimate_of_stimuli, n_events, of_stimuli};
use neurogauge_stats::{BootstrapOptions, estimate_over_stimuli, skewness_of_mean};
use serde::Serialize;
use std::borrow::Cow;
use std::collections::BTreeMap;

#[derive(Debug, Clone)]
pub struct MetricSummary {
    pub metric: &'static Metric,
    pub label: String,
    /// The number of distractors of each pair, for identification metrics.
    pub pool_size: Option<usize>,
    /// The value at chance, if known.
    pub chance: Option<f64>,
    pub estimate: Estimate,
    /// Pairs that have no value because the reconstruction failed.
    pub failed: Option<FailedPairs>,
    /// The reasons why pairs have no value, each with its number of pairs, the most frequent first.
    pub reasons: Vec<(String, usize)>,
    /// The skewness of the scores, if it is so strong that the interval is doubtful (convention `strong-skewness`).
    pub strong_skewness: Option<f64>,
    /// How the interval of an identification metric was computed; `None` for other metrics.
    pub(crate) identified: Option<IdentifiedInterval>,
    pub stand_in: bool,
}

/// Pairs that have no value because the reconstruction is faulty (constant, unreadable, nothing found in it), and the
/// mean if they count.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct FailedPairs {
    pub n: usize,
    /// The value that each counts as ([`MetricSpec::of_failure`](neurogauge_core::MetricSpec::of_failure)).
    pub at: f64,
    /// The mean over all pairs that have a value or count as failed.
    pub mean: f64,
}

impl FailedPairs {
    /// The failures in a column; `None` if there are none, or if the metric has no value for failures.
    pub(crate) fn of(metric: &Metric, outcomes: &[Outcome]) -> Option<Self> {
        let at = metric.spec.of_failure()?;
        let is_failed = |outcome: &&Outcome| matches!(outcome, Err(reason) if reason.fault() == Some(Side::Recon));
        let n = outcomes.iter().filter(is_failed).count();
        let values: Vec<f64> = outcomes.iter().flatten().copied().collect();
        let sum = values.iter().sum::<f64>() + at * n as f64;
        (n > 0 && !metric.compute.is_of_all_pairs()).then(|| FailedPairs {
            n,
            at,
            mean: sum / (values.len() + n) as f64,
        })
    }
}

/// A note on means that leave out failures.
fn failed_note(summaries: &[MetricSummary], unit: &str) -> Option<String> {
    let with = |summary: &MetricSummary| {
        let FailedPairs { n, at, mean } = summary.failed?;
        let decimals = summary.metric.spec.decimals;
        Some(format!("{} {mean:.decimals$} ({n} at {at})", summary.label))
    };
    let means: Vec<String> = summaries.iter().filter_map(with).collect();
    (!means.is_empty()).then(|| {
        format!(
            "{unit} whose reconstruction failed are left out of these means; with failures at chance, or at the worst where chance is \
             unknown: {}",
            means.join(", ")
        )
    })
}

/// The population that the interval of a metric's mean refers to.
pub fn population(metric: &Metric) -> &'static str {
    match metric.compute {
        Compute::Identification { .. } => IdentifiedInterval {
            of_pool: metric.compute.needs_pool(),
            ..IdentifiedInterval::default()
        }
        .population(),
        _ => "new stimuli",
    }
}

/// The reasons in a column, with the number of pairs: the most frequent first, ties in alphabetical order.
fn reasons(outcomes: &[Outcome]) -> Vec<(String, usize)> {
    let reasons = outcomes.iter().filter_map(|outcome| outcome.as_ref().err()).map(ToString::to_string);
    reasons
        .counts()
        .into_iter()
        .sorted_by(|(one, n), (other, m)| m.cmp(n).then(one.cmp(other)))
        .collect()
}

/// Reasons in words: a single one without its count, several with their counts.
fn why(reasons: &Reasons) -> String {
    match reasons {
        [(reason, _)] => reason.clone(),
        several => several.iter().map(|(reason, n)| format!("{n} {reason}")).join("; "),
    }
}

/// Reasons why pairs have no value, each with its number of pairs.
type Reasons = [(String, usize)];

/// A sentence for each set of metrics whose pairs lack values for the same reasons.
fn undefined_notes(summaries: &[MetricSummary], unit: &'static str) -> Vec<String> {
    let mut groups: IndexMap<&Reasons, Vec<&str>> = IndexMap::new();
    for summary in summaries.iter().filter(|summary| !summary.reasons.is_empty()) {
        groups.entry(&summary.reasons).or_default().push(&summary.label);
    }
    let sentence = |(reasons, labels): (&Reasons, Vec<&str>)| {
        let n: usize = reasons.iter().map(|(_, n)| n).sum();
        let unit = if n == 1 { unit.trim_end_matches('s') } else { unit };
        format!("{}: {n} {unit} undefined ({})", labels.join(", "), why(reasons))
    };
    groups.into_iter().map(sentence).collect()
}

/// The columns whose means form a system's value: the metric's own column, the columns of its parts, or what each pair
/// adds to a metric of all pairs together. If the best of several samples counts, the metric itself decides which is
/// best: otherwise, each part would have its own best sample.
pub(crate) fn system_columns<'a>(
    metric: &Metric,
    scores: &'a ScoreTable,
    pseudo_values: &'a ScoreTable,
    record: &RunRecord,
) -> Vec<Cow<'a, [Outcome]>> {
    if metric.compute.is_of_all_pairs() {
        return pseudo_values.column(metric.spec.id).map(Cow::Borrowed).into_iter().collect();
    }
    if let Compute::Scores {
        from,
        system: Some(system),
        ..
    } = metric.compute
        && record.request.samples.is_mean()
    {
        let parts = parts_among(from, |part| scores.column(part).is_some());
        let columns = parts.into_iter().map(|part| {
            let columns = system_columns(find(part)?, scores, pseudo_values, record).into_iter();
            Some(columns.map(Cow::into_owned).collect())
        });
        let columns: Option<Vec<Vec<Vec<Outcome>>>> = columns.collect();
        if let Some(columns) = columns.filter(|parts| parts.iter().all(|part| !part.is_empty())) {
            return system_columns_of(system, &columns).into_iter().map(Cow::Owned).collect();
        }
    }
    scores.column(metric.spec.id).map(Cow::Borrowed).into_iter().collect()
}

/// The jackknife's pseudo-values of an identification metric.
pub(crate) fn of_identification<'a>(metric: &Metric, pseudo_values: &'a ScoreTable) -> Option<&'a [Outcome]> {
    let column = pseudo_values.column(metric.spec.id)?;
    (!metric.compute.is_of_all_pairs()).then_some(column)
}

pub(crate) fn summarise(
    (scores, pairs): (&ScoreTable, &[String]),
    pseudo_values: &ScoreTable,
    record: &RunRecord,
) -> Result<Vec<MetricSummary>, Error> {
    let options = &record.request.bootstrap;
    let stimuli = record.clusters_of(pairs);
    let over = Over::of_run(record, &stimuli);
    record
        .metrics
        .iter()
        .filter_map(|recorded| Some((recorded, find(&recorded.id)?)))
        .map(|(recorded, metric)| {
            let (id, range) = (metric.spec.id, metric.spec.range);
            let columns = system_columns(metric, scores, pseudo_values, record);
            let columns: Vec<&[Outcome]> = columns.iter().map(|column| &**column).collect();
            let pseudo = of_identification(metric, pseudo_values);
            let (estimate, identified) = match (pseudo, columns.as_slice()) {
                (Some(pseudo), [outcomes]) => {
                    let too_low_by = record.too_low_by(metric);
                    let scores = IdentificationScores {
                        outcomes,
                        pseudo_values: pseudo,
                        too_low_by,
                    };
                    let estimate = estimate_of_stimuli(scores, &stimuli, range, options)?;
                    let mean = estimate.value.clone().unwrap_or_default();
                    let of_stimuli = of_stimuli(mean, pseudo, &stimuli);
                    let identified = IdentifiedInterval {
                        of_pool: metric.compute.needs_pool(),
                        of_few: n_events(mean + too_low_by, &of_stimuli) < FEW_EVENTS,
                        n_clusters: over.n_clusters(),
                    };
                    (estimate, (!of_stimuli.is_empty()).then_some(identified))
                }
                _ => (estimate_over_stimuli(&columns, &stimuli, range, options)?, None),
            };
            let identification = &record.request.options.identification;
            Ok(MetricSummary {
                metric,
                label: pool_report::label(metric, identification),
                chance: pool_report::chance(metric, record).or_else(|| Some(record.null_levels.get(id)?.mean)),
                pool_size: record.pool_of(id).map(|pool| pool.n_others),
                strong_skewness: skewness_of_mean(&columns)
                    .filter(|_| estimate.interval.is_some() && identified.is_none()),
                estimate,
                failed: FailedPairs::of(metric, scores.column(id).unwrap_or_default()),
                reasons: reasons(scores.column(id).unwrap_or_default()),
                identified,
                stand_in: recorded.stand_in,
            })
        })
        .collect()
}

#[derive(Serialize)]
struct SummaryEntry<'a> {
    label: &'a str,
    direction: neurogauge_core::Direction,
    #[serde(flatten, with = "neurogauge_core::recorded")]
    value: Outcome,
    interval: Option<(f64, f64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_interval: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    strong_skewness: Option<f64>,
    level: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    interval_method: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    interval_population: Option<&'static str>,
    n: usize,
    n_undefined: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<FailedPairs>,
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    undefined_pairs: BTreeMap<&'a str, usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pool_size: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    chance: Option<f64>,
    stand_in: bool,
}

/// `summary.json`: an object with an entry for each metric id.
pub(crate) fn to_json(summaries: &[MetricSummary], options: &BootstrapOptions) -> serde_json::Value {
    let entries = summaries.iter().map(|summary| {
        let spec = &summary.metric.spec;
        let entry = SummaryEntry {
            label: &summary.label,
            direction: spec.direction,
            value: summary.estimate.value.clone(),
            interval: summary.estimate.interval,
            no_interval: summary.estimate.without_interval(),
            strong_skewness: summary.strong_skewness,
            level: options.level,
            interval_method: summary.identified.map(|found| found.method(options)),
            interval_population: summary.identified.map(IdentifiedInterval::population),
            n: summary.estimate.n,
            n_undefined: summary.estimate.n_undefined,
            failed: summary.failed,
            undefined_pairs: summary.reasons.iter().map(|(why, n)| (why.as_str(), *n)).collect(),
            pool_size: summary.pool_size,
            chance: summary.chance,
            stand_in: summary.stand_in,
        };
        (spec.id.to_owned(), serde_json::json!(entry))
    });
    serde_json::Value::Object(entries.collect())
}

/// A note that EffNet's images were prepared as for SEED, either in a separate column or in EffNet's.
fn seeds_note(record: &RunRecord) -> Option<String> {
    let way = record.request.perception.seed?;
    let preset = record.request.perception.preset;
    let is_beside = record.perceived.iter().any(|recipe| recipe.variant.is_some());
    Some(match is_beside {
        true => format!(
            "EffNet (SEED), which SEED is made of: images prepared as {way}, as SEED's released code does; EffNet: as {preset}"
        ),
        false => format!("EffNet: images prepared as {way}, as SEED's released code does"),
    })
}

pub(crate) fn table(system: String, summaries: &[MetricSummary], pairs: &[String], record: &RunRecord) -> SystemTable {
    let level = record.request.bootstrap.level;
    let over = Over::of_run(record, &record.clusters_of(pairs));
    let skewed = summaries.iter().filter(|found| found.estimate.interval.is_some()).map(|found| {
        let n = over.n_stimuli.unwrap_or(found.estimate.n);
        Skew::of(&found.label, found.metric, found.strong_skewness, n)
    });
    let skewed: Vec<Skew<'_>> = skewed.collect();
    let levels = summaries.iter().filter_map(|summary| {
        let spec = &summary.metric.spec;
        let level = record.null_levels.get(spec.id)?;
        let is_shown = summary.chance == Some(level.mean);
        is_shown.then_some((summary.label.as_str(), spec.decimals, level))
    });
    SystemTable {
        title: match &record.parts {
            Some(parts) => format!("{system}: {}", parts.in_words(record.n_pairs)),
            None => format!("{system}: {} pairs", record.n_pairs),
        },
        columns: summaries
            .iter()
            .map(|summary| MetricColumn {
                chance: summary.chance,
                ..pool_report::column(summary.metric, record, summary.stand_in)
            })
            .collect(),
        rows: vec![SystemRow {
            system,
            subject: None,
            estimates: summaries.iter().map(|summary| summary.estimate.clone()).collect(),
            rank: None,
            undefined: Some(summaries.iter().map(|summary| why(&summary.reasons)).collect()),
        }],
        level,
        notes: (record.counted_samples().and_then(CountedSamples::note))
            .into_iter()
            .chain(pool_report::of_run(record))
            .chain(seeds_note(record))
            .chain(record.request.null.and_then(|null| null.note(levels)))
            .chain(undefined_notes(summaries, record.unit()))
            .chain(failed_note(summaries, record.unit()))
            .chain(interval_notes(
                &record.request.bootstrap,
                over,
                summaries.iter().map(|summary| (&*summary.label, &summary.estimate, summary.identified)),
            ))
            .chain(skewness_notes(&skewed, level))
            .chain(record.findings.iter().filter(|found| found.is_shown()).map(ToString::to_string))
            .collect(),
        unit: record.unit(),
    }
}
