//! Differences as readable tables.

use super::{AlignComparisonRecord, PairedDifference, RunComparison};
use crate::aligned::cell;
use neurogauge::report::{Cell, Described, Table};

/// One or two tables for each run besides the first.
pub(super) fn all(record: &AlignComparisonRecord, intervals: &str) -> Vec<Table> {
    let tables = record.comparisons.iter().flat_map(|comparison| {
        let names = [record.runs[0].as_str(), comparison.run.as_str()];
        let mut tables = vec![of_sources(comparison, names, intervals)];
        if !comparison.regions.is_empty() {
            tables.push(of_regions(comparison, names, intervals));
        }
        tables
    });
    tables.collect()
}

fn note(found: &[PairedDifference], intervals: &str, names: [&str; 2]) -> String {
    let has_interval = |own: &PairedDifference| own.difference.interval.is_some();
    let words = match found.iter().any(has_interval) {
        true => format!("with {intervals}"),
        false => format!(
            "without intervals: fewer subjects (target units of a single one) than `interval_units` of {} says",
            names[0]
        ),
    };
    format!("Difference: {} less {}, entry by entry (a source and a target unit), {words}", names[1], names[0])
}

fn of_sources(comparison: &RunComparison, names: [&str; 2], intervals: &str) -> Table {
    let mut notes = vec![note(&comparison.sources, intervals, names)];
    if comparison.by_hemisphere {
        notes.push(
            "The runs share no region: entries are paired by subject and hemisphere, as means over regions".to_owned(),
        );
    }
    if !comparison.unpaired.is_empty() {
        notes.push(format!("Not in both runs: {}", comparison.unpaired.join(", ")));
    }
    let table = Table::of(format!("{} beside {}", names[1], names[0]), &comparison.sources)
        .column_of_groups("sources", |found| found.sources.clone());
    columns(table, names).noted(notes)
}

fn of_regions(comparison: &RunComparison, names: [&str; 2], intervals: &str) -> Table {
    let table = Table::of(format!("{} beside {}, by region", names[1], names[0]), &comparison.regions)
        .column_of_groups("region", |found| found.region.clone())
        .column("sources", |found| Cell::text(found.sources.as_str()));
    columns(table, names).noted(vec![note(&comparison.regions, intervals, names)])
}

fn columns<'a>(table: Described<&'a PairedDifference>, names: [&str; 2]) -> Described<&'a PairedDifference> {
    table
        .column("quantity", |found| Cell::text(found.quantity.as_str()))
        .column("n", |found| Cell::Count(found.difference.n))
        .column(names[0], |found| Cell::number(found.first.mean))
        .column(names[1], |found| Cell::number(found.second.mean))
        .column("difference", |found| cell(&found.difference))
}
