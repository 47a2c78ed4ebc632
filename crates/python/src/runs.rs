//! Runs: scores them like the command line, reads them back, and compares them.

use crate::errors::{Failure, bug};
use crate::outcomes::{Bootstrap, Scored, Summary, bootstrap, scored, summary};
use crate::{options, work};
use neurogauge::core::Finding;
use neurogauge::formats::content_hash;
use neurogauge::metrics::decoding::basic_h::DimensionScores;
use neurogauge::report::Format;
use neurogauge::stats::SubjectPopulation;
use neurogauge::{
    CompareOptions, Error, ExplainedMetric, HolmFamily, Input, Report, Run, ScoreRequest, Setting, SubjectPattern,
    check, compare, load_run,
};
use neurogauge_guide::citations::{cite_records, result_record};
use neurogauge_guide::methods::paragraph;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Runs `neurogauge score` with these options, a JSON object.
#[pyfunction]
pub(crate) fn score_run<'py>(
    py: Python<'py>,
    options: &str,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let run = work::run(py, progress, |work| Ok(neurogauge_command::score(options, work)?))?;
    of_run(py, &run)
}

/// The names of a command's options.
#[pyfunction]
pub(crate) fn command_options(words: Vec<String>) -> Vec<String> {
    neurogauge_command::command_options(&words)
}

/// What `neurogauge check` finds out about images of two sides, as JSON. `options` are the pairing as in `run.json`, and
/// conventions by their ids; `explained` the metrics for which mistakes are looked for.
#[pyfunction]
pub(crate) fn check_images(
    py: Python<'_>,
    gt: PathBuf,
    recon: PathBuf,
    options: (String, String),
    explained: Vec<String>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<String> {
    let mut request = ScoreRequest {
        inputs: [(Input::GT, gt), (Input::RECON, recon)].into_iter().collect(),
        pairing: options::read(&options.0)?,
        ..ScoreRequest::default()
    };
    let settings: BTreeMap<String, Value> = options::read(&options.1)?;
    let settings = settings.iter().map(|(id, value)| Setting::of_json(id, value));
    let settings: Vec<Setting> = settings.collect::<Result<_, String>>().map_err(Failure::Usage)?;
    request.set(&settings).map_err(Failure::from)?;
    let metrics = explained.iter().map(|metric| metric.parse()).collect::<Result<Vec<ExplainedMetric>, String>>();
    let metrics = metrics.map_err(Failure::Usage)?;
    let explained = (!metrics.is_empty()).then_some(metrics.as_slice());
    let found = work::run(py, progress, |work| Ok(check(&request, explained, work)?))?;
    Ok(serde_json::to_string(&found).map_err(|_| bug())?)
}

/// A finding in words.
#[pyfunction]
pub(crate) fn finding_text(finding: &str) -> PyResult<String> {
    let finding: Finding = options::read(finding)?;
    Ok(finding.to_string())
}

/// Checks that the files beside a record have not changed since they were written.
#[pyfunction]
pub(crate) fn verify_outputs(py: Python<'_>, record: PathBuf) -> PyResult<()> {
    work::run(py, None, |_| Ok(content_hash::verify_outputs(&record).map_err(Error::from)?))
}

/// Reads a finished run.
#[pyfunction]
pub(crate) fn read_run(py: Python<'_>, path: PathBuf) -> PyResult<Bound<'_, PyDict>> {
    let run = work::run(py, None, |_| Ok(load_run(&path)?))?;
    of_run(py, &run)
}

/// Id, label, whether it uses a placeholder, outcomes, their summary, chance level.
type OfMetric<'a, 'py> = (&'a str, &'a str, bool, Scored<'py>, Summary, Option<f64>);

fn of_run<'py>(py: Python<'py>, run: &Run) -> PyResult<Bound<'py, PyDict>> {
    let summaries = work::run(py, None, |_| Ok(run.summaries()?))?;
    let columns: Vec<OfMetric<'_, 'py>> = summaries
        .iter()
        .filter_map(|found| {
            let id = found.metric.spec.id;
            let outcomes = scored(py, run.scores.column(id)?);
            let (label, sums) = (found.label.as_str(), summary(&found.estimate));
            Some((id, label, found.stand_in, outcomes, sums, found.chance))
        })
        .collect();
    let record = serde_json::to_string(&run.record).map_err(|_| bug())?;
    let entries = PyDict::new(py);
    entries.set_item("path", run.folder.root())?;
    entries.set_item("name", run.folder.name())?;
    entries.set_item("record", record)?;
    entries.set_item("pairs", run.scores.pairs.clone())?;
    let parts = run.scores_of_parts().map_err(Failure::from)?;
    let parts = parts.map(|table| {
        let columns = summaries.iter().filter_map(|found| {
            let id = found.metric.spec.id;
            Some((id, scored(py, table.column(id)?)))
        });
        (table.pairs.clone(), columns.collect::<Vec<_>>())
    });
    entries.set_item("parts", parts)?;
    let details = run.details().map_err(Failure::from)?;
    entries.set_item("details", serde_json::to_string(&details).map_err(|_| bug())?)?;
    let dimensions = run.dimensions().map_err(Failure::from)?;
    let dimensions: Vec<Value> = dimensions.iter().map(of_dimension).collect();
    entries.set_item("dimensions", serde_json::json!(dimensions).to_string())?;
    entries.set_item("columns", columns)?;
    entries.set_item("level", run.record.request.bootstrap.level)?;
    let table = run.table().and_then(|table| Ok(table.table()?)).map_err(Failure::from)?;
    entries.set_item("tables", tables(|format| Ok(table.render(format, None)))?)?;
    // Pairs on which a model failed have no value, but all other pairs do, so they are reported and not an error.
    let failed: Vec<String> = run.record.check_observations().err().iter().map(ToString::to_string).collect();
    let findings: Vec<String> = run.record.findings.iter().map(ToString::to_string).collect();
    entries.set_item("warnings", [findings, failed].concat())?;
    Ok(entries)
}

fn of_dimension(of: &DimensionScores) -> Value {
    serde_json::json!({
        "dimension": of.dimension,
        "n_reference": of.n.gt,
        "n_reconstruction": of.n.recon,
        "recall": of.recall.value.as_ref().ok(),
        "recall_interval": of.recall.interval,
        "precision": of.precision.value.as_ref().ok(),
        "precision_interval": of.precision.interval,
        "f1": of.f1,
    })
}

/// A metric, with mean and rank of each system.
type OfSystems<'a> = (&'a str, Vec<Summary>, Vec<Option<f64>>);

/// Compares finished runs on their shared pairs, under these names or those of their folders.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "runs, what they are called, and how they are compared")]
pub(crate) fn compare_runs<'py>(
    py: Python<'py>,
    paths: Vec<PathBuf>,
    names: Option<Vec<String>>,
    metrics: Vec<String>,
    over_all_metrics: bool,
    test: (String, Option<f64>),
    of_runs: (Option<String>, bool, bool, bool),
    options: Bootstrap,
) -> PyResult<Bound<'py, PyDict>> {
    let (test, equivalence) = (options::word("test", &test.0)?, test.1);
    let (subjects, new_subjects, mixed, by_dimension) = of_runs;
    let subjects = subjects.map(|pattern| pattern.parse::<SubjectPattern>()).transpose();
    let subjects = subjects.map_err(|e| Failure::from(Error::Usage(format!("subjects: {e}"))))?;
    let population = match new_subjects {
        true => SubjectPopulation::New,
        false => SubjectPopulation::These,
    };
    let holm = match over_all_metrics {
        true => HolmFamily::All,
        false => HolmFamily::Metric,
    };
    let found = work::run(py, None, |_| {
        let options = CompareOptions {
            metrics,
            holm,
            test,
            subjects,
            population,
            mixed,
            equivalence,
            by_dimension,
            bootstrap: bootstrap(options)?,
        };
        Ok(compare(&paths, names, &options)?)
    })?;
    let metrics: Vec<OfSystems<'_>> = found
        .metrics
        .iter()
        .map(|(metric, comparison)| {
            let systems = &comparison.systems;
            let sums = systems.iter().map(|system| summary(&system.estimate));
            let ranks = systems.iter().map(|system| system.rank);
            (metric.spec.id, sums.collect(), ranks.collect())
        })
        .collect();
    let of_subjects: Vec<(&str, Vec<Vec<Summary>>)> = (found.metrics.iter())
        .zip(&found.of_subjects)
        .map(|((metric, _), systems)| {
            let systems = systems.iter();
            let sums = systems.map(|subjects| subjects.iter().map(summary).collect());
            (metric.spec.id, sums.collect())
        })
        .collect();
    let subjects = found.subjects.iter().flatten();
    let subjects: Vec<(&str, &[String])> = subjects.map(|of| (of.system.as_str(), of.subjects.as_slice())).collect();
    let differences = serde_json::to_string(&found.differences()).map_err(|_| bug())?;
    let by_dimension = serde_json::to_string(&found.by_dimension()).map_err(|_| bug())?;
    let entries = PyDict::new(py);
    entries.set_item("by_dimension", by_dimension)?;
    entries.set_item("systems", found.systems.clone())?;
    entries.set_item("metrics", metrics)?;
    entries.set_item("subjects", subjects)?;
    entries.set_item("of_subjects", of_subjects)?;
    entries.set_item("differences", differences)?;
    entries.set_item("notes", found.table.notes.clone())?;
    entries.set_item("level", found.table.level)?;
    entries.set_item("tables", tables(|format| found.shown(format, None))?)?;
    Ok(entries)
}

/// BibTeX of everything that results used, given as folders or as records in JSON, or a methods paragraph.
#[pyfunction]
pub(crate) fn cite(folders: Vec<PathBuf>, records: Vec<String>, methods: bool) -> PyResult<String> {
    let read = folders
        .iter()
        .map(|folder| Ok(result_record(folder)?))
        .chain(records.iter().map(|record| options::read(record)));
    let records: Result<Vec<_>, Failure> = read.collect();
    let records = records?;
    if methods {
        return Ok(paragraph(&records).map_err(Failure::from)?);
    }
    let references = cite_records(&records).into_iter();
    let entries: Vec<String> = references.map(|reference| reference.bibtex).collect();
    Ok(entries.join("\n"))
}

/// The tables in the formats for reading.
fn tables(written: impl Fn(Format) -> Result<String, Error>) -> Result<Vec<(&'static str, String)>, Failure> {
    ([Format::Table, Format::Markdown].into_iter())
        .chain(Format::latex_styles())
        .map(|format| Ok((format.name(), written(format)?)))
        .collect()
}
