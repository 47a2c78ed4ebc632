//! Compares metrics with people.

use crate::errors::{Failure, bug};
use crate::work;
use neurogauge::Report;
use neurogauge::report::Format;
use neurogauge_meta::{InMemoryTable, InMemoryTables, MetaRun};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::ffi::OsString;

/// Runs `neurogauge meta` with these arguments, which refer to tables in memory (name, text) by name. Returns the
/// result for each question in the ratings, with its name if there are several.
#[pyfunction]
pub(crate) fn evaluate_metrics<'py>(
    py: Python<'py>,
    arguments: Vec<OsString>,
    human: Option<(String, String)>,
    metrics: Vec<(String, String)>,
) -> PyResult<Vec<(Option<String>, Bound<'py, PyDict>)>> {
    let table = |(name, text): (String, String)| InMemoryTable { name, text };
    let held = InMemoryTables {
        human: human.map(table),
        metrics: metrics.into_iter().map(table).collect(),
    };
    let runs = work::run(py, None, |_| Ok(neurogauge_command::meta(arguments, &held)?))?;
    runs.iter().map(|(question, run)| Ok((question.clone(), entries(py, run)?))).collect()
}

fn entries<'py>(py: Python<'py>, run: &MetaRun) -> PyResult<Bound<'py, PyDict>> {
    // Notes are in the record. Raters who are given by name need no warning.
    let findings = run.record.findings.iter();
    let findings: Vec<String> = findings.filter(|finding| finding.is_warning()).map(ToString::to_string).collect();
    let entries = PyDict::new(py);
    entries.set_item("record", serde_json::to_string(&run.record).map_err(|_| bug())?)?;
    entries.set_item("warnings", findings)?;
    entries.set_item("opening", run.opening().join(" "))?;
    let formats = [Format::Csv, Format::Table, Format::Markdown].into_iter();
    for format in formats.chain(Format::latex_styles()) {
        let text = run.print(format, None).map_err(Failure::from)?;
        entries.set_item(format.name(), text)?;
    }
    Ok(entries)
}
