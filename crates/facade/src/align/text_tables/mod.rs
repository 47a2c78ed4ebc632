//! The readable tables.

mod blocks;
mod controls;
mod models;
mod pairs;

use super::{AlignRecord, SourceSummary};
use neurogauge_alignment::UnitEstimate;
use neurogauge_core::Outcome;
use neurogauge_report::{Cell, TextTable};

const DECIMALS: usize = Cell::DECIMALS;

pub(super) fn text_tables(record: &AlignRecord) -> Vec<TextTable> {
    let any = |wanted: fn(&SourceSummary) -> bool| record.summary.sources.iter().any(wanted);
    let mut tables = vec![models::models(record)];
    if has_null(record) {
        tables.push(models::null(record));
    }
    tables.extend(models::differences(record));
    if !record.summary.human_references.is_empty() {
        tables.push(models::human_references(record));
    }
    if any(|source| source.architecture.is_some()) {
        tables.push(models::architectures(record));
    }
    if any(|source| source.state.is_some()) {
        tables.push(models::summary_of_models(record));
    }
    if record.summary.matched.iter().any(|matched| matched.pairs.n > 0) {
        tables.push(pairs::matched(record));
    }
    if !record.summary.sensitivity.is_empty() {
        tables.push(pairs::sensitivity(record));
    }
    tables.push(references(record));
    tables.extend(blocks::contributions(record));
    tables.extend(controls::text_tables(record));
    tables
}

fn has_null(record: &AlignRecord) -> bool {
    let mut sources = record.summary.sources.iter();
    sources.any(|source| !source.null_curve.is_empty())
}

fn references(record: &AlignRecord) -> TextTable {
    let references = &record.summary.references;
    let mut rows = vec![
        ("effective rank".to_owned(), estimate(&references.effective_rank)),
        ("consensus rank".to_owned(), estimate(&references.consensus_rank)),
    ];
    for (m, [coverage, purity, _]) in &references.convergence {
        let values = format!("{coverage:.DECIMALS$}, {purity:.DECIMALS$}");
        rows.push((format!("{m} partitions: coverage, purity"), text(values)));
    }
    let correlations = &record.summary.accuracy_and_profile;
    let of = if record.config.reverse { "brains" } else { "models" };
    let found = match correlations.is_shown() {
        true => format!(
            "over {} {of}, means over target units: Pearson {}, Spearman {}",
            correlations.n,
            outcome(&correlations.pearson),
            outcome(&correlations.spearman)
        ),
        false => format!("a correlation takes at least five {of}; here: {}", correlations.n),
    };
    TextTable::of("Target references", rows)
        .column("", |row| text(&row.0))
        .column("value", |row| row.1.clone())
        .noted(vec![format!("Accuracy against ProfileMean: {found}")])
}

fn text(words: impl Into<String>) -> Cell {
    Cell::text(words)
}

fn number(value: Option<f64>) -> Cell {
    Cell::number(value)
}

fn estimate(estimate: &UnitEstimate) -> Cell {
    Cell::estimate(estimate.mean, estimate.interval)
}

/// A value in words, or why there is none.
fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Ok(value) => format!("{value:.DECIMALS$}"),
        Err(reason) => reason.to_string(),
    }
}
