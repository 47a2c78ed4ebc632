//! The tables made for reading.

mod controls;
mod models;
mod pairs;
mod references;

use super::entries::MAIN_LENGTH;
use super::summary::{AlignRecord, SourceSummary};
use neurogauge_alignment::UnitEstimate;
use neurogauge_report::{Cell, Sheet};

const DECIMALS: usize = 3;

pub(super) fn sheets(record: &AlignRecord) -> Vec<Sheet> {
    let mut sheets = vec![models::models(record)];
    if record
        .sources
        .iter()
        .any(|source| !source.null_curve.is_empty())
    {
        sheets.push(models::null(record));
    }
    if record
        .sources
        .iter()
        .any(|source| source.architecture.is_some())
    {
        sheets.push(models::architectures(record));
    }
    if record.sources.iter().any(|source| source.state.is_some()) {
        sheets.push(models::summary_of_models(record));
    }
    if record.matched.iter().any(|matched| matched.pairs.n > 0) {
        sheets.push(pairs::matched(record));
    }
    if !record.sensitivity.is_empty() {
        sheets.push(pairs::sensitivity(record));
    }
    sheets.push(references::references(record));
    sheets.extend(controls::sheets(record));
    sheets
}

fn text(text: impl Into<String>) -> Cell {
    Cell::Text(text.into())
}

fn headings(names: &[&str]) -> Vec<String> {
    names.iter().map(|&name| name.to_owned()).collect()
}

fn estimate(estimate: &UnitEstimate) -> Cell {
    match (estimate.mean, estimate.interval) {
        (Some(mean), Some(ends)) => Cell::Estimate(mean, ends, DECIMALS),
        (Some(mean), None) => Cell::Number(mean, DECIMALS),
        (None, _) => Cell::Missing,
    }
}

fn number(value: Option<f64>) -> Cell {
    value.map_or(Cell::Missing, |value| Cell::Number(value, DECIMALS))
}

/// ProfileMean at the main length, or the longest below it.
fn profile_mean(source: &SourceSummary) -> Option<&UnitEstimate> {
    let means = source.profile_means.iter();
    means
        .rev()
        .find(|(k, _)| *k <= MAIN_LENGTH)
        .map(|(_, mean)| mean)
}
