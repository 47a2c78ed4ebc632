//! Differences as tables to read.

use super::{AlignComparisonRecord, PairedDifference, RunComparison};
use neurogauge::alignment::UnitEstimate;
use neurogauge::report::{Cell, TextTable};

/// One or two tables for each run beside the first.
pub(super) fn all(record: &AlignComparisonRecord, level: f64) -> Vec<TextTable> {
    let tables = record.comparisons.iter().flat_map(|comparison| {
        let names = [record.runs[0].as_str(), comparison.run.as_str()];
        let mut tables = vec![of_sources(comparison, names, level)];
        if !comparison.regions.is_empty() {
            tables.push(of_regions(comparison, names, level));
        }
        tables
    });
    tables.collect()
}

fn estimate(found: &UnitEstimate) -> Cell {
    Cell::estimate(found.mean, found.interval)
}

fn note(level: f64, names: [&str; 2]) -> String {
    format!(
        "Difference: {} less {}, entry by entry (a source and a target unit), with {:.0}% block bootstrap intervals over \
         target units",
        names[1],
        names[0],
        100.0 * level
    )
}

fn of_sources(comparison: &RunComparison, names: [&str; 2], level: f64) -> TextTable {
    let mut notes = vec![note(level, names)];
    if comparison.by_hemisphere {
        notes.push(
            "The runs share no region: entries are paired by subject and hemisphere, as means over regions".to_owned(),
        );
    }
    if !comparison.unpaired.is_empty() {
        notes.push(format!(
            "Not in both runs: {}",
            comparison.unpaired.join(", ")
        ));
    }
    let table = TextTable::of(
        format!("{} beside {}", names[1], names[0]),
        &comparison.sources,
    )
    .column_of_groups("sources", |found| found.sources.clone());
    columns(table, names).noted(notes)
}

fn of_regions(comparison: &RunComparison, names: [&str; 2], level: f64) -> TextTable {
    let title = format!("{} beside {}, by region", names[1], names[0]);
    let table = TextTable::of(title, &comparison.regions)
        .column_of_groups("region", |found| found.region.clone())
        .column("sources", |found| Cell::text(found.sources.as_str()));
    columns(table, names).noted(vec![note(level, names)])
}

fn columns<'a>(
    table: neurogauge::report::Described<&'a PairedDifference>,
    names: [&str; 2],
) -> neurogauge::report::Described<&'a PairedDifference> {
    table
        .column("quantity", |found| Cell::text(found.quantity.as_str()))
        .column("n", |found| Cell::Count(found.difference.n))
        .column(names[0], |found| Cell::number(found.first.mean))
        .column(names[1], |found| Cell::number(found.second.mean))
        .column("difference", |found| estimate(&found.difference))
}
