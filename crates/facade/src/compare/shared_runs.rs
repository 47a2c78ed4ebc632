//! One metric in all runs, on the pairs that they share.

use super::options::CompareOptions;
use super::pools;
use super::shared_pairs::{NOT_IN_RUN, restrict, shared_stimuli};
use super::subjects::SystemSubjects;
use crate::Error;
use crate::score::Run;
use crate::summary::{of_identification, system_columns};
use itertools::Itertools;
use neurogauge_core::{Direction, Outcome, ScoreTable, Undefined};
use neurogauge_metrics::{Metric, in_order};
use neurogauge_stats::{
    BootstrapOptions, Comparison, IdentificationScores, SubjectComparison, SubjectPopulation, SubjectScores, bounded,
    compare_identifications, compare_over_stimuli, compare_subjects, mean_over,
};
use std::borrow::Cow;

/// The runs of a comparison, on the pairs that all of them have.
pub(super) struct SharedRuns<'a> {
    pub(super) runs: &'a [&'a Run],
    pub(super) names: &'a [String],
    /// The subjects of each system; `None` if subjects are not distinguished.
    pub(super) subjects: Option<&'a [SystemSubjects]>,
    pub(super) n_shared: usize,
    /// `pairs` or `items`.
    pub(super) unit: &'static str,
    pub(super) options: &'a CompareOptions,
    pub(super) scores: Vec<Cow<'a, ScoreTable>>,
    pseudo_values: Vec<Cow<'a, ScoreTable>>,
    /// The stimulus of each shared pair.
    pub(super) stimuli: Vec<usize>,
}

/// The result for one metric.
pub(super) struct ComparedMetric {
    /// The result for each system; without subjects if they are not distinguished.
    pub(super) found: SubjectComparison,
    /// If equivalence is requested, the level of two one-sided tests and the comparison at this level.
    pub(super) one_sided: Option<(f64, Comparison)>,
    /// The values of the pairs that all systems have, for each system; `None` for a metric that is not a mean over
    /// pairs.
    pub(super) pairs: Option<Vec<Vec<f64>>>,
    /// For each run, why it lacks values that another run has; empty if it lacks none.
    pub(super) lacking: Vec<String>,
    /// Is it an identification with pseudo-values, whose interval is over the stimuli as distractors too?
    pub(super) is_over_stimuli: bool,
}

/// The columns of each run: one, or several for a metric that is not a mean over pairs.
pub(super) type RunColumns<'a> = [Vec<Cow<'a, [Outcome]>>];

impl<'a> SharedRuns<'a> {
    pub(super) fn of(
        runs: &'a [&'a Run],
        (names, subjects): (&'a [String], Option<&'a [SystemSubjects]>),
        (shared, unit): (&[String], &'static str),
        options: &'a CompareOptions,
    ) -> Self {
        let shared_of = |table: fn(&Run) -> (&ScoreTable, &[String])| -> Vec<Cow<'a, ScoreTable>> {
            runs.iter().map(|run| restrict(table(run), shared)).collect()
        };
        SharedRuns {
            runs,
            names,
            subjects,
            n_shared: shared.len(),
            unit,
            options,
            scores: shared_of(|run| (&run.scores, run.stems())),
            pseudo_values: shared_of(|run| (&run.pseudo_values, &run.pseudo_values.pairs)),
            stimuli: shared_stimuli(runs, shared),
        }
    }

    pub(super) fn metrics(&self) -> Vec<&'static Metric> {
        let columns = self.scores.iter().flat_map(|table| &table.columns);
        in_order(columns.map(|(id, _)| id.as_str()))
    }

    pub(super) fn lacking(&self, metric: &Metric) -> Vec<&'a str> {
        let runs = self.names.iter().zip(&self.scores);
        runs.filter(|(_, table)| table.column(metric.spec.id).is_none())
            .map(|(name, _)| name.as_str())
            .collect()
    }

    /// Compares a metric that all runs have, as one of `n_family` tests.
    pub(super) fn compared(
        &self,
        metric: &'static Metric,
        n_family: usize,
        notes: &mut Vec<String>,
    ) -> Result<ComparedMetric, Error> {
        let columns = self.columns(metric, &self.scores);
        let identified = self.identified(metric, &columns);
        let scale = (metric.spec.direction, metric.spec.range);
        let tested =
            |bootstrap: &BootstrapOptions| self.tested(scale, n_family, (&columns, identified.as_deref()), bootstrap);
        let mut found = tested(&self.options.bootstrap)?;
        clip(&mut found.comparison, scale.1, self.options)?;
        let one_sided = self.options.equivalence.map(|_| {
            let level = self.options.one_sided_level(n_family);
            let bootstrap = BootstrapOptions {
                level,
                ..self.options.bootstrap
            };
            Ok::<_, Error>((level, tested(&bootstrap)?.comparison))
        });
        notes.extend(self.undefined_notes((metric, n_family, identified.is_some()), &found, &columns)?);
        notes.extend(self.notes(metric));
        Ok(ComparedMetric {
            found,
            lacking: lacking(&columns),
            one_sided: one_sided.transpose()?,
            pairs: self.pairs(&columns),
            is_over_stimuli: identified.is_some(),
        })
    }

    /// The columns that make up a metric's value, for each run, from the scores of all runs.
    pub(super) fn columns<'b>(
        &'b self,
        metric: &Metric,
        scores: &'b [Cow<'_, ScoreTable>],
    ) -> Vec<Vec<Cow<'b, [Outcome]>>> {
        let runs = scores.iter().zip(&self.pseudo_values).zip(self.runs);
        runs.map(|((table, pseudo), run)| system_columns(metric, table, pseudo, &run.record)).collect()
    }

    /// The scores of each run with the pseudo-values of their jackknife, if it is an identification and all runs have
    /// these.
    fn identified<'b>(&'b self, metric: &Metric, columns: &'b RunColumns<'_>) -> Option<Vec<IdentificationScores<'b>>> {
        let of_run = |run: usize| match columns[run].as_slice() {
            [outcomes] => Some(IdentificationScores {
                outcomes,
                pseudo_values: of_identification(metric, &self.pseudo_values[run])?,
                too_low_by: self.runs[run].record.too_low_by(metric),
            }),
            _ => None,
        };
        (0..self.runs.len()).map(of_run).collect()
    }

    /// The comparison; of means over subjects if they are distinguished.
    pub(super) fn tested(
        &self,
        (direction, range): (Direction, (f64, f64)),
        n_family: usize,
        (columns, identified): (&RunColumns<'_>, Option<&[IdentificationScores<'_>]>),
        bootstrap: &BootstrapOptions,
    ) -> Result<SubjectComparison, Error> {
        let columns: Vec<Vec<&[Outcome]>> =
            columns.iter().map(|columns| columns.iter().map(|column| &**column).collect()).collect();
        let (options, stimuli) = (self.options, &self.stimuli);
        let test = (options.test, n_family);
        let Some(systems) = self.subjects else {
            let comparison = match identified {
                Some(systems) => compare_identifications(systems, stimuli, direction, test, bootstrap)?,
                None => compare_over_stimuli(&columns, stimuli, direction, test, bootstrap)?,
            };
            return Ok(SubjectComparison {
                comparison,
                subjects: Vec::new(),
                differences: Vec::new(),
                n_cells: 0,
            });
        };
        let scores = |&run: &usize| SubjectScores {
            columns: columns[run].clone(),
            pseudo_values: identified.map(|found| found[run].pseudo_values),
            too_low_by: identified.map_or(0.0, |found| found[run].too_low_by),
        };
        let of_system = |system: &SystemSubjects| system.runs.iter().map(scores).collect();
        let scores: Vec<Vec<SubjectScores<'_>>> = systems.iter().map(of_system).collect();
        let mut found = compare_subjects(&scores, stimuli, direction, test, options.population, bootstrap)?;
        for estimate in found.subjects.iter_mut().flatten() {
            *estimate = bounded(estimate.clone(), range, bootstrap)?;
        }
        Ok(found)
    }

    /// Notes on the pairs and pools of a metric.
    fn notes(&self, metric: &Metric) -> Vec<String> {
        let (label, unit) = (metric.spec.label, self.unit);
        let mut notes = Vec::new();
        let mut runs = self.runs.iter();
        if metric.compute.is_of_all_pairs() && runs.any(|run| run.stems().len() > self.n_shared) {
            notes.push(format!(
                "{label}: of the shared {unit} to first order, since it is computed of all {unit} of a run together"
            ));
        }
        notes.extend(pools::difference(metric, self.runs, self.names));
        notes
    }

    /// The values of the pairs that all systems have; the value of a system is the mean over its subjects.
    fn pairs(&self, columns: &RunColumns<'_>) -> Option<Vec<Vec<f64>>> {
        let all = || columns.iter().flatten();
        let shown: Vec<usize> = (0..self.n_shared).filter(|&pair| all().all(|column| column[pair].is_ok())).collect();
        let of_runs: Vec<&[Outcome]> = (columns.iter())
            .map(|columns| match columns.as_slice() {
                [column] => Some(&**column),
                _ => None,
            })
            .collect::<Option<_>>()?;
        let of_system = |column: &[Outcome]| shown.iter().filter_map(|&pair| column[pair].clone().ok()).collect();
        Some(match self.subjects {
            None => of_runs.into_iter().map(of_system).collect(),
            Some(systems) => {
                let mean =
                    |system: &SystemSubjects| mean_over(&system.runs.iter().map(|&run| of_runs[run]).collect_vec());
                systems.iter().map(|system| of_system(&mean(system))).collect()
            }
        })
    }
}

/// The reason why a run has no value for one of its pairs.
pub(super) fn reason<'b>(columns: &'b [Cow<'_, [Outcome]>], pair: usize) -> Option<&'b Undefined> {
    let mut outcomes = columns.iter().map(|column| &column[pair]);
    let reason = outcomes.find_map(|outcome| outcome.as_ref().err());
    reason.filter(|reason| **reason != NOT_IN_RUN)
}

/// For each run, why it lacks values that another run has.
fn lacking(columns: &RunColumns<'_>) -> Vec<String> {
    let of_run = |own: &Vec<Cow<'_, [Outcome]>>| {
        let n_pairs = own.first().map_or(0, |column| column.len());
        let of_pair = |pair: usize| {
            let others_have = columns.iter().any(|other| reason(other, pair).is_none());
            reason(own, pair).filter(|_| others_have)
        };
        counted((0..n_pairs).filter_map(of_pair))
    };
    columns.iter().map(of_run).collect()
}

/// Reasons with their counts.
pub(super) fn counted<'a>(reasons: impl Iterator<Item = &'a Undefined>) -> String {
    let counts = reasons.map(ToString::to_string).sorted().dedup_with_count();
    counts.map(|(n, reason)| format!("{n} {reason}")).join("; ")
}

/// Clips means to the metric's range, and differences to a range twice as wide.
pub(super) fn clip(comparison: &mut Comparison, range: (f64, f64), options: &CompareOptions) -> Result<(), Error> {
    for standing in &mut comparison.systems {
        let found = standing.estimate.clone();
        standing.estimate = match options.population {
            SubjectPopulation::These => bounded(found, range, &options.bootstrap)?,
            // Scores of 1 in all pairs say nothing about other subjects.
            SubjectPopulation::New => found.within(range),
        };
    }
    let most = range.1 - range.0;
    for difference in &mut comparison.differences {
        let ends = difference.interval;
        difference.interval = ends.map(|(low, high)| (low.max(-most), high.min(most)));
    }
    Ok(())
}
