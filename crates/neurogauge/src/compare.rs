//! `neurogauge compare`: systems side by side on the pairs that they share.

use crate::pool_notes;
use crate::run_record::RunRecord;
use crate::score::{Run, load_run};
use crate::summary::system_columns;
use crate::{Error, RunFolder};
use neurogauge_core::{Outcome, ScoreTable};
use neurogauge_metrics::{METRICS, Metric};
use neurogauge_report::{Column, RankEstimate, Row, Table};
use neurogauge_stats::{BootstrapOptions, Comparison, compare_systems};
use serde::Serialize;
use std::collections::{HashMap, HashSet};
use std::path::PathBuf;

/// Systems side by side.
#[derive(Debug)]
pub struct SystemComparison {
    /// Names of the systems, in the order given.
    pub systems: Vec<String>,
    /// For every metric that all runs have: estimates, ranks and differences.
    pub metrics: Vec<(&'static Metric, Comparison)>,
    /// The same as a table, with what should be known about it as notes.
    pub table: Table,
}

/// A difference between two systems, with names.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NamedDifference {
    /// Metric id.
    pub metric: &'static str,
    /// The system subtracted from.
    pub minuend: String,
    /// The system subtracted.
    pub subtrahend: String,
    /// The difference, `None` where it is undefined.
    pub difference: Option<f64>,
    /// Its interval.
    pub interval: Option<(f64, f64)>,
    /// Two-sided bootstrap p value, not corrected for many comparisons.
    pub p_value: Option<f64>,
}

/// Compares finished runs by a paired bootstrap over their shared pairs.
pub fn compare(roots: &[PathBuf], options: &BootstrapOptions) -> Result<SystemComparison, Error> {
    if roots.len() < 2 {
        return Err(Error::Usage(
            "compare needs at least two run folders".into(),
        ));
    }
    let runs = roots
        .iter()
        .map(|root| load_run(root))
        .collect::<Result<Vec<Run>, Error>>()?;
    let systems = system_names(&runs.iter().map(|run| &run.folder).collect::<Vec<_>>());
    compare_runs(systems, &runs.iter().collect::<Vec<_>>(), options)
}

/// The same of runs that are read, under names of their own.
pub(crate) fn compare_runs(
    systems: Vec<String>,
    runs: &[&Run],
    options: &BootstrapOptions,
) -> Result<SystemComparison, Error> {
    let mut notes = Vec::new();
    let shared = shared_pairs(runs, &systems, &mut notes)?;
    note_differing_conditions(runs, &systems, &mut notes);
    let tables: Vec<ScoreTable> = runs
        .iter()
        .map(|run| restrict(&run.scores, &shared))
        .collect();

    let mut metrics = Vec::new();
    for metric in METRICS {
        let having: Vec<usize> = (0..runs.len())
            .filter(|&i| tables[i].column(metric.spec.id).is_some())
            .collect();
        if having.len() < runs.len() {
            if let Some(&first) = having.first() {
                notes.push(format!(
                    "{} left out: {} has it, {} of the {} runs do not",
                    metric.spec.label,
                    systems[first],
                    runs.len() - having.len(),
                    runs.len()
                ));
            }
            continue;
        }
        let columns: Vec<Vec<Vec<Outcome>>> = tables
            .iter()
            .map(|table| system_columns(metric, table))
            .collect();
        let borrowed: Vec<Vec<&[Outcome]>> = columns
            .iter()
            .map(|columns| columns.iter().map(Vec::as_slice).collect())
            .collect();
        let comparison = compare_systems(&borrowed, metric.spec.direction, options)?;
        if comparison.n_dropped > 0 {
            notes.push(format!(
                "{}: {} of {} pairs left out because it is undefined there for some system",
                metric.spec.label,
                comparison.n_dropped,
                shared.len()
            ));
        }
        notes.extend(pool_notes::difference(metric, runs, &systems));
        metrics.push((metric, comparison));
    }
    if metrics.is_empty() {
        return Err(no_shared_metric(runs, &systems));
    }
    let table = table(&systems, &metrics, runs, shared.len(), options.level, notes);
    Ok(SystemComparison {
        systems,
        metrics,
        table,
    })
}

impl SystemComparison {
    /// Every difference between two systems, metric by metric.
    pub fn differences(&self) -> Vec<NamedDifference> {
        self.metrics
            .iter()
            .flat_map(|(metric, comparison)| {
                comparison
                    .differences
                    .iter()
                    .map(|difference| NamedDifference {
                        metric: metric.spec.id,
                        minuend: self.systems[difference.minuend].clone(),
                        subtrahend: self.systems[difference.subtrahend].clone(),
                        difference: difference.value.as_ref().ok().copied(),
                        interval: difference.interval,
                        p_value: difference.p_value,
                    })
            })
            .collect()
    }
}

/// Folder names, or whole paths where two folders share a name.
fn system_names(folders: &[&RunFolder]) -> Vec<String> {
    let names: Vec<String> = folders.iter().map(|folder| folder.name()).collect();
    let distinct: HashSet<&String> = names.iter().collect();
    if distinct.len() == names.len() {
        return names;
    }
    folders
        .iter()
        .map(|folder| folder.root().display().to_string())
        .collect()
}

/// The stems that every run has, in the order of the first; differences are noted.
fn shared_pairs(
    runs: &[&Run],
    systems: &[String],
    notes: &mut Vec<String>,
) -> Result<Vec<String>, Error> {
    let sets: Vec<HashSet<&str>> = runs
        .iter()
        .map(|run| run.scores.pairs.iter().map(String::as_str).collect())
        .collect();
    let shared: Vec<String> = runs[0]
        .scores
        .pairs
        .iter()
        .filter(|stem| sets.iter().all(|set| set.contains(stem.as_str())))
        .cloned()
        .collect();
    if shared.is_empty() {
        return Err(Error::Usage(format!(
            "the runs share no pair ({} has {:?}, {} has {:?})",
            systems[0],
            runs[0].scores.pairs.first(),
            systems[1],
            runs[1].scores.pairs.first()
        )));
    }
    for (run, system) in runs.iter().zip(systems) {
        let own = run.scores.pairs.len();
        if own > shared.len() {
            let example = run.scores.pairs.iter().find(|stem| !shared.contains(stem));
            notes.push(format!(
                "pairs differ: {system} has {own} pairs, {} of which not every run has (for \
                 example {}); only the {} shared pairs are compared",
                own - shared.len(),
                example.map_or("", String::as_str),
                shared.len()
            ));
        }
    }
    Ok(shared)
}

/// Different stimuli, options or models behind the same stems make a comparison questionable.
fn note_differing_conditions(runs: &[&Run], systems: &[String], notes: &mut Vec<String>) {
    let first = &runs[0].record;
    for (run, system) in runs.iter().zip(systems).skip(1) {
        for role in ["gt/images", "gt/captions", "gt/detections"] {
            let changed = differing_items(first, &run.record, role);
            if changed > 0 {
                notes.push(format!(
                    "stimuli differ: {changed} {role} of {system} are not those of {} with the \
                     same stem",
                    systems[0]
                ));
            }
        }
        let options = |record: &RunRecord| {
            let request = &record.request;
            serde_json::json!([
                request.options,
                request.box_scale_px,
                request.image_size_px,
                record.label_names,
                record.models,
                record.captioned
            ])
        };
        if options(&run.record) != options(first) {
            notes.push(format!(
                "options differ: {system} was scored with other options, labels or models than \
                 {} (see their run.json); the figures are not comparable as they stand",
                systems[0]
            ));
        }
    }
}

fn no_shared_metric(runs: &[&Run], systems: &[String]) -> Error {
    let held: Vec<String> = runs
        .iter()
        .zip(systems)
        .map(|(run, system)| {
            let ids: Vec<&str> = run.scores.columns.iter().map(|c| c.0.as_str()).collect();
            format!("{system} has {}", ids.join(", "))
        })
        .collect();
    Error::Usage(format!("the runs share no metric ({})", held.join("; ")))
}

fn differing_items(a: &RunRecord, b: &RunRecord, role: &str) -> usize {
    let (Some(a), Some(b)) = (a.input(role), b.input(role)) else {
        return 0;
    };
    let other = b.hashes();
    a.items
        .iter()
        .filter(|(stem, sha256)| other.get(stem.as_str()).is_some_and(|o| o != sha256))
        .count()
}

fn restrict(scores: &ScoreTable, stems: &[String]) -> ScoreTable {
    let position: HashMap<&str, usize> = scores
        .pairs
        .iter()
        .enumerate()
        .map(|(i, stem)| (stem.as_str(), i))
        .collect();
    let rows: Vec<usize> = stems
        .iter()
        .filter_map(|s| position.get(s.as_str()).copied())
        .collect();
    ScoreTable {
        pairs: stems.to_vec(),
        columns: scores
            .columns
            .iter()
            .map(|(id, column)| {
                (
                    id.clone(),
                    rows.iter().map(|&row| column[row].clone()).collect(),
                )
            })
            .collect(),
    }
}

fn table(
    systems: &[String],
    metrics: &[(&'static Metric, Comparison)],
    runs: &[&Run],
    n_shared: usize,
    level: f64,
    notes: Vec<String>,
) -> Table {
    let stand_in = |metric: &Metric| {
        runs.iter().any(|run| {
            run.record
                .metrics
                .iter()
                .any(|record| record.id == metric.spec.id && record.stand_in)
        })
    };
    Table {
        title: format!("{} systems on {n_shared} shared pairs", systems.len()),
        columns: metrics
            .iter()
            .map(|(metric, _)| Column {
                label: pool_notes::label(metric, &runs[0].record.request.options.identification),
                ..Column::from_spec(&metric.spec, stand_in(metric))
            })
            .collect(),
        rows: systems
            .iter()
            .enumerate()
            .map(|(s, system)| Row {
                system: system.clone(),
                estimates: metrics
                    .iter()
                    .map(|(_, c)| c.systems[s].estimate.clone())
                    .collect(),
                rank: Some(
                    metrics
                        .iter()
                        .map(|(_, comparison)| {
                            let standing = &comparison.systems[s];
                            Some(RankEstimate {
                                rank: standing.rank?,
                                interval: standing.rank_interval?,
                            })
                        })
                        .collect(),
                ),
            })
            .collect(),
        level,
        notes,
    }
}
