//! The effect of undefined values on a comparison: which systems have them, whether systems differ in this, and what
//! failures could change.

use super::shared_pairs::NOT_IN_RUN;
use super::shared_runs::{RunColumns, SharedRuns, clip, counted, reason};
use crate::Error;
use itertools::Itertools;
use neurogauge_core::{Direction, MetricSpec, Outcome, ScoreTable, Side, Undefined, first_names};
use neurogauge_metrics::{Compute, Metric, find};
use neurogauge_report::p_in_words;
use neurogauge_stats::{Comparison, Difference, Standing, SubjectComparison, holm, mcnemar_test};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A value that failed reconstructions count as, and its name.
struct Bound {
    name: String,
    of_metric: fn(&MetricSpec) -> Option<f64>,
}

impl SharedRuns<'_> {
    /// Notes on a metric that is undefined for some pairs of a system, or whose subjects have different pairs.
    pub(super) fn undefined_notes(
        &self,
        (metric, n_family, is_identified): (&'static Metric, usize, bool),
        found: &SubjectComparison,
        columns: &RunColumns<'_>,
    ) -> Result<Vec<String>, Error> {
        let systems = self.systems();
        let mut undefined = systems.iter().flat_map(|(_, runs)| self.reasons(runs, columns));
        let is_undefined = undefined.next().is_some();
        let is_whole = |n: usize| n == systems[0].1.len() * self.n_shared;
        if !is_undefined && (self.subjects.is_none() || is_whole(found.n_cells)) {
            return Ok(Vec::new());
        }
        let mut note = format!("{}: {}", metric.spec.label, self.population(found, columns));
        if !is_undefined {
            return Ok(vec![note]);
        }
        let of_system = |(name, runs): &(&str, Vec<usize>)| format!("{name} {}", in_words(self.reasons(runs, columns)));
        note += &format!("; undefined: {}", systems.iter().map(of_system).join(", "));
        let unequal = self.most_unequal(&systems, columns)?;
        if let Some((more, less, p)) = &unequal {
            let of_all = match systems.len() * (systems.len() - 1) / 2 {
                1 => String::new(),
                n => format!(" (Holm, {n} pairs of systems)"),
            };
            let p = p_in_words(*p);
            note += &format!("; do {more} and {less} differ in this? McNemar's exact {p}{of_all}");
        }
        let (means, changed) = match metric.compute.is_of_all_pairs() {
            true => Default::default(),
            false => self.with_failures((metric, n_family, is_identified), found, columns)?,
        };
        note += &means;
        let alpha = 1.0 - self.options.bootstrap.level;
        let unequal = unequal.filter(|(.., p)| *p <= alpha).map(|(more, less, p)| {
            let p = p_in_words(p);
            format!("{more} is undefined more often than {less} ({p}), and what it fails at is left out for all")
        });
        let changed = (!changed.is_empty())
            .then(|| format!("the verdict depends on what failures count: {}", changed.join("; ")));
        let warning: Vec<String> = unequal.into_iter().chain(changed).collect();
        let warning = (!warning.is_empty()).then(|| format!("{}: {}", metric.spec.label, warning.join("; ")));
        Ok([note].into_iter().chain(warning).collect())
    }

    /// In words, the means with failed reconstructions at each bound, and the verdicts that this changes.
    fn with_failures(
        &self,
        (metric, n_family, is_identified): (&'static Metric, usize, bool),
        found: &SubjectComparison,
        columns: &RunColumns<'_>,
    ) -> Result<(String, Vec<String>), Error> {
        let systems = self.systems();
        let names: Vec<&str> = systems.iter().map(|(name, _)| *name).collect();
        let (mut means, mut changed) = (String::new(), Vec::new());
        let mut known = columns.to_vec();
        for bound in bounds(metric) {
            let filled = self.filled(metric, &bound);
            if filled == known {
                continue;
            }
            let scale = (metric.spec.direction, metric.spec.range);
            let mut with = self.tested(scale, n_family, (&filled, None), &self.options.bootstrap)?.comparison;
            clip(&mut with, metric.spec.range, self.options)?;
            known = filled;
            let mean = |(name, standing): (&&str, &Standing)| match &standing.estimate.value {
                Ok(mean) => format!("{name} {mean:.*}", metric.spec.decimals),
                Err(_) => format!("{name} undefined"),
            };
            let (bound, of_systems) = (bound.name, names.iter().zip(&with.systems).map(mean).join(", "));
            means += &format!("; with failures at {bound}: {of_systems}");
            // With failures, the pseudo-values of an identification are unknown, so there is no test.
            let level = self.options.bootstrap.level;
            let changes = changes(&found.comparison, &with, &names, level).filter(|_| !is_identified);
            changed.extend(changes.map(|change| format!("with failures at {bound}, {change}")));
        }
        Ok((means, changed))
    }

    fn systems(&self) -> Vec<(&str, Vec<usize>)> {
        match self.subjects {
            Some(systems) => systems.iter().map(|of| (&*of.system, of.runs.clone())).collect(),
            None => self.names.iter().enumerate().map(|(run, name)| (&**name, vec![run])).collect(),
        }
    }

    /// The reasons why these runs lack values.
    fn reasons<'b>(&self, runs: &'b [usize], columns: &'b RunColumns<'_>) -> impl Iterator<Item = &'b Undefined> {
        let pairs = 0..self.n_shared;
        runs.iter().flat_map(move |&run| pairs.clone().filter_map(move |pair| reason(&columns[run], pair)))
    }

    /// Describes what the means average over.
    fn population(&self, found: &SubjectComparison, columns: &RunColumns<'_>) -> String {
        let (unit, n_shared) = (self.unit, self.n_shared);
        if self.subjects.is_some() {
            let n_cells = found.n_cells;
            let runs = &self.systems()[0].1;
            let has = |run: usize, pair: usize| columns[run].iter().any(|column| column[pair] != Err(NOT_IN_RUN));
            let of_run = |&run: &usize| (0..n_shared).filter(|&pair| has(run, pair)).count();
            return format!(
                "of the {n_cells} of {} values of {} subjects and {n_shared} {unit} that all systems could be scored on",
                runs.iter().map(of_run).sum::<usize>(),
                runs.len()
            );
        }
        let of_part = |part: usize| {
            let has_all = |pair: &usize| columns.iter().all(|run| run[part][*pair].is_ok());
            (0..n_shared).filter(has_all).count()
        };
        let n_parts = columns.first().map_or(0, Vec::len);
        let counts = || (0..n_parts).map(of_part);
        match (counts().min(), counts().max()) {
            (Some(least), Some(most)) if least < most => format!(
                "the mean of its parts, each of the {unit} that all systems could be scored on by it ({least} to {most} of {n_shared})"
            ),
            _ => {
                format!("of the {} of {n_shared} {unit} that all systems could be scored on", found.comparison.n_shared)
            }
        }
    }

    /// The two systems that are undefined most unequally: first the one that is undefined more often, with the p value
    /// of McNemar's exact test over stimuli after Holm's correction.
    fn most_unequal<'b>(
        &self,
        systems: &[(&'b str, Vec<usize>)],
        columns: &RunColumns<'_>,
    ) -> Result<Option<(&'b str, &'b str, f64)>, Error> {
        let by_stimulus = |(_, runs): &(&str, Vec<usize>)| {
            let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
            for (pair, stimulus) in self.stimuli.iter().enumerate() {
                let lacks = runs.iter().filter(|run| reason(&columns[**run], pair).is_some());
                *counts.entry(*stimulus).or_default() += lacks.count();
            }
            counts.into_values().collect::<Vec<usize>>()
        };
        let counts: Vec<Vec<usize>> = systems.iter().map(by_stimulus).collect();
        let pairs = (0..systems.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        let of_pair = |(a, b): (usize, usize)| {
            let more = |one: usize, other: usize| {
                counts[one].iter().zip(&counts[other]).filter(|(one, other)| one > other).count()
            };
            let (of_a, of_b) = (more(a, b), more(b, a));
            let order = if of_a > of_b { (a, b) } else { (b, a) };
            (order, mcnemar_test(of_a, of_b))
        };
        let tests: Vec<((usize, usize), f64)> = pairs.map(of_pair).collect();
        let corrected = holm(&tests.iter().map(|(_, p)| *p).collect::<Vec<f64>>())?;
        let found = tests.iter().zip(corrected).map(|(((more, less), _), p)| (systems[*more].0, systems[*less].0, p));
        Ok(found.min_by(|one, other| one.2.total_cmp(&other.2)).filter(|(.., p)| *p < 1.0))
    }

    /// The columns of all runs with failed reconstructions at a bound; each part of a composite has its own bound.
    fn filled(&self, metric: &Metric, bound: &Bound) -> Vec<Vec<Cow<'static, [Outcome]>>> {
        let of_run = |table: &Cow<'_, ScoreTable>| {
            let mut table = table.clone().into_owned();
            for (id, column) in &mut table.columns {
                let Some(at) = find(id).and_then(|metric| (bound.of_metric)(&metric.spec)) else {
                    continue;
                };
                let fault = |outcome: &Outcome| outcome.as_ref().err()?.fault();
                let failed = column.iter_mut().filter(|outcome| fault(outcome) == Some(Side::Recon));
                failed.for_each(|outcome| *outcome = Ok(at));
            }
            Cow::Owned(table)
        };
        let tables: Vec<Cow<'_, ScoreTable>> = self.scores.iter().map(of_run).collect();
        let columns = self.columns(metric, &tables).into_iter();
        columns
            .map(|of_run| of_run.into_iter().map(|column| Cow::Owned(column.into_owned())).collect())
            .collect()
    }
}

/// The values that failed reconstructions may count as: chance (or 0 on a scale that is symmetric around it), and the
/// worst value.
fn bounds(metric: &Metric) -> Vec<Bound> {
    let spec = &metric.spec;
    let is_composite = matches!(metric.compute, Compute::Scores { system: Some(_), .. });
    let named = |name: &str, of_metric: fn(&MetricSpec) -> Option<f64>| {
        let at = of_metric(spec)?;
        let name = match is_composite {
            true => format!("{name} of each part"),
            false => format!("{at} ({name})"),
        };
        Some(Bound { name, of_metric })
    };
    let chance = match spec.chance {
        None if !is_composite => "no relation",
        _ => "chance",
    };
    let is_worst = !is_composite && spec.of_failure() == worst(spec);
    let chance = named(chance, MetricSpec::of_failure).filter(|_| !is_worst);
    chance.into_iter().chain(named("the worst", worst)).collect()
}

fn worst(spec: &MetricSpec) -> Option<f64> {
    let worst = match spec.direction {
        Direction::Higher => spec.range.0,
        Direction::Lower => spec.range.1,
    };
    Some(worst).filter(|worst| worst.is_finite())
}

/// In words, the differences whose verdict changes with failures.
fn changes(found: &Comparison, with: &Comparison, names: &[&str], level: f64) -> Option<String> {
    let verdict = |found: &Difference| {
        let value = found.value.as_ref().ok()?;
        let is_shown = found.p_value.is_some_and(|p| p <= 1.0 - level);
        Some(if is_shown { value.signum() } else { 0.0 })
    };
    let words = |found: &Difference| {
        let value = found.value.as_ref().map_or_else(|_| "undefined".to_owned(), |value| format!("{value:.4}"));
        let ends = found.interval.map(|(low, high)| format!(" [{low:.4}, {high:.4}]"));
        value + &ends.unwrap_or_default()
    };
    let both = found.differences.iter().zip(&with.differences);
    let changed = both.filter(|(found, with)| verdict(found) != verdict(with));
    let changed: Vec<String> = changed
        .map(|(found, with)| {
            let (a, b) = (names[found.minuend], names[found.subtrahend]);
            format!("{a} − {b} is {} in place of {}", words(with), words(found))
        })
        .collect();
    let names: Vec<&str> = changed.iter().map(String::as_str).collect();
    (!names.is_empty()).then(|| first_names(&names))
}

/// The number of undefined values, and the reasons.
fn in_words<'a>(reasons: impl Iterator<Item = &'a Undefined>) -> String {
    let reasons: Vec<&Undefined> = reasons.collect();
    let n = reasons.len();
    match reasons.first() {
        None => "0".to_owned(),
        Some(first) if reasons.iter().all(|reason| reason == first) => format!("{n} ({first})"),
        Some(_) => format!("{n} ({})", counted(reasons.into_iter())),
    }
}
