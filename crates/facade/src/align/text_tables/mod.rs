//! The readable tables.

mod blocks;
mod controls;
mod models;
mod pairs;

use super::AlignRecord;
use neurogauge_alignment::UnitEstimate;
use neurogauge_core::Outcome;
use neurogauge_report::{Cell, Table};

const DECIMALS: usize = Cell::DECIMALS;

pub(super) fn text_tables(record: &AlignRecord) -> Vec<Table> {
    let tables = [
        Some(models::models(record)),
        record.has_null().then(|| models::null(record)),
        models::differences(record),
        models::human_references(record),
        models::architectures(record),
        models::summary_of_models(record),
        pairs::matched(record),
        pairs::sensitivity(record),
        Some(references(record)),
        blocks::contributions(record),
        controls::subspaces(record),
        controls::directions(record),
        controls::auxiliary(record),
    ];
    tables.into_iter().flatten().collect()
}

impl AlignRecord {
    fn has_null(&self) -> bool {
        self.summary.sources.iter().any(|source| !source.null_curve.is_empty())
    }
}

fn references(record: &AlignRecord) -> Table {
    let references = &record.summary.references;
    let mut rows = vec![
        ("effective rank".to_owned(), estimate(&references.effective_rank)),
        ("consensus rank".to_owned(), estimate(&references.consensus_rank)),
    ];
    for (m, [coverage, purity, _]) in &references.convergence {
        let values = format!("{coverage:.DECIMALS$}, {purity:.DECIMALS$}");
        rows.push((format!("{m} partitions: coverage, purity"), Cell::text(values)));
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
    Table::of("Target references", rows)
        .column("", |row| Cell::text(&row.0))
        .column("value", |row| row.1.clone())
        .noted(vec![format!("Accuracy against ProfileMean: {found}")])
}

fn estimate(estimate: &UnitEstimate) -> Cell {
    Cell::estimate(estimate.mean, estimate.interval)
}

/// A value in words, or the reason why there is none.
fn outcome(outcome: &Outcome) -> String {
    match outcome {
        Ok(value) => format!("{value:.DECIMALS$}"),
        Err(reason) => reason.to_string(),
    }
}
