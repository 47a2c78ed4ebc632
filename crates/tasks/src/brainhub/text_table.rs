//! The table of a benchmark.

use super::{BenchmarkRecord, Measure};
use neurogauge::report::{Cell, TextTable, interval_note};

const DECIMALS: usize = 2;
/// The factor in the field's tables.
const PERCENT: f64 = 100.0;

/// Made for reading.
pub(super) fn reading(record: &BenchmarkRecord) -> TextTable {
    let (what, method) = match record.benchmark {
        "caption" => ("Brain captioning", "bootstrap over images"),
        _ => (
            "Brain grounding",
            "jackknife over images, each with all its boxes",
        ),
    };
    let mut notes = vec![format!(
        "All values times 100, as BrainHub prints them (the files hold them as they are); {}.",
        interval_note(record.level, "new images", method)
    )];
    for row in &record.rows {
        for measure in &row.measures {
            if let Some(reason) = &measure.undefined {
                notes.push(format!("{}, {}: {reason}.", row.name, measure.label));
            }
        }
    }
    notes.extend(record.warnings.iter().map(|w| format!("Warning: {w}")));
    let labels = record.rows.first().map_or(&[][..], |row| &row.measures);
    let percent = |measure: &Measure| {
        let value = measure.value.map(|value| value * PERCENT);
        let ends = measure
            .interval
            .map(|(low, high)| (low * PERCENT, high * PERCENT));
        Cell::estimate(value, ends).decimals(DECIMALS)
    };
    TextTable::of(format!("{what}: {} images", record.n_images), &record.rows)
        .column(record.row_heading, |row| Cell::text(&row.name))
        .column(record.counted, |row| Cell::Count(row.n))
        .columns(
            labels.iter().map(|measure| measure.label.to_owned()),
            |row| row.measures.iter().map(percent).collect::<Vec<Cell>>(),
        )
        .noted(notes)
}

/// In full precision, one line for each value.
pub(super) fn full(record: &BenchmarkRecord) -> TextTable {
    let lines = record.rows.iter();
    let lines = lines.flat_map(|row| row.measures.iter().map(move |measure| (row, measure)));
    TextTable::of(record.benchmark, lines)
        .column(record.row_heading, |(row, _)| Cell::text(&row.name))
        .column("metric", |(_, measure)| Cell::text(measure.id))
        .column("value", |(_, measure)| Cell::number(measure.value))
        .ends(["low", "high"], |(_, measure)| measure.interval)
        .column(record.counted, |(row, _)| Cell::Count(row.n))
        .column("undefined", |(_, measure)| {
            measure.undefined.as_ref().map_or(Cell::Missing, Cell::text)
        })
        .noted(Vec::new())
}
