//! Metric by metric: estimates, ranks and differences by a paired bootstrap.

use super::conditions::note_differing_conditions;
use super::shared_pairs::{restrict, shared_pairs};
use super::table::table;
use crate::pool_notes;
use crate::score::{Run, load_run};
use crate::summary::system_columns;
use crate::{Error, RunFolder};
use neurogauge_core::{Outcome, ScoreTable};
use neurogauge_metrics::{METRICS, Metric};
use neurogauge_report::Table;
use neurogauge_stats::{BootstrapOptions, Comparison, compare_systems};
use serde::Serialize;
use std::collections::HashSet;
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
