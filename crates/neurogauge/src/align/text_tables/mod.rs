//! The tables made for reading.

mod controls;
mod models;
mod pairs;
mod references;

use super::summary::{AlignRecord, SourceSummary};
use super::unit_scores::MAIN_LENGTH;
use neurogauge_alignment::UnitEstimate;
use neurogauge_report::{Cell, TextTable};

const DECIMALS: usize = 3;

pub(super) fn text_tables(record: &AlignRecord) -> Vec<TextTable> {
    let mut tables = vec![models::models(record)];
    if record
        .sources
        .iter()
        .any(|source| !source.null_curve.is_empty())
    {
        tables.push(models::null(record));
    }
    if record
        .sources
        .iter()
        .any(|source| source.architecture.is_some())
    {
        tables.push(models::architectures(record));
    }
    if record.sources.iter().any(|source| source.state.is_some()) {
        tables.push(models::summary_of_models(record));
    }
    if record.matched.iter().any(|matched| matched.pairs.n > 0) {
        tables.push(pairs::matched(record));
    }
    if !record.sensitivity.is_empty() {
        tables.push(pairs::sensitivity(record));
    }
    tables.push(references::references(record));
    tables.extend(controls::text_tables(record));
    tables
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
