//! The table of a benchmark.

use super::{BenchmarkRecord, Measure};
use neurogauge::core::Finding;
use neurogauge::report::{Cell, TextTable, dagger_note, interval_note, marked};

/// The factor in the field's tables of captions and boxes, with two decimals.
const PERCENT: f64 = 100.0;
const DECIMALS: usize = 2;

pub(super) fn items(record: &BenchmarkRecord) -> &'static str {
    match record.benchmark {
        "shapes" => "shapes",
        _ => "images",
    }
}

pub(super) fn reading(record: &BenchmarkRecord) -> TextTable {
    let (what, method) = match record.benchmark {
        "caption" => ("Brain captioning", "bootstrap over images"),
        "shapes" => ("Decoded shapes", "bootstrap over shapes"),
        _ => ("Brain grounding", "jackknife over images, each with all its boxes"),
    };
    let population = format!("new {}", items(record));
    let intervals = interval_note(record.level, &population, method);
    let is_of_shapes = record.benchmark == "shapes";
    let mut notes = vec![match is_of_shapes {
        true => format!("Distances, lower is better; {intervals}."),
        false => {
            format!("All values times 100, as BrainHub prints them (the files hold them as they are); {intervals}.")
        }
    }];
    for row in &record.rows {
        for measure in &row.measures {
            if let Some(reason) = &measure.undefined {
                notes.push(format!("{}, {}: {reason}.", row.name, measure.label));
            }
        }
    }
    notes.extend(record.rows.iter().flat_map(|row| &row.measures).any(|measure| measure.stand_in).then(dagger_note));
    notes.extend(record.findings.iter().map(Finding::below_table));
    let labels = record.rows.first().map_or(&[][..], |row| &row.measures);
    // Where a placeholder is under all values of a row, its name says so.
    let others = record.rows.iter().filter(|row| !row.is_stand_in());
    let heading = |measure: &Measure| {
        let mut of_others = others.clone().flat_map(|row| &row.measures);
        let is_marked = of_others.any(|other| other.id == measure.id && other.stand_in);
        marked(measure.label, is_marked)
    };
    let shown = |measure: &Measure| {
        if is_of_shapes {
            return Cell::estimate(measure.value, measure.interval).decimals(2 * DECIMALS);
        }
        let value = measure.value.map(|value| value * PERCENT);
        let ends = measure.interval.map(|(low, high)| (low * PERCENT, high * PERCENT));
        Cell::estimate(value, ends).decimals(DECIMALS)
    };
    TextTable::of(format!("{what}: {} {}", record.n_images, items(record)), &record.rows)
        .column(record.row_heading, |row| Cell::text(marked(&row.name, row.is_stand_in())))
        .column(record.counted, |row| Cell::Count(row.n))
        .columns(labels.iter().map(heading), |row| row.measures.iter().map(shown).collect::<Vec<Cell>>())
        .noted(notes)
}

/// In full precision, one line for each value.
pub(super) fn full(record: &BenchmarkRecord) -> TextTable {
    let lines = record.rows.iter().flat_map(|row| row.measures.iter().map(move |measure| (row, measure)));
    TextTable::of(record.benchmark, lines)
        .column(record.row_heading, |(row, _)| Cell::text(&row.name))
        .column("metric", |(_, measure)| Cell::text(measure.id))
        .column("value", |(_, measure)| Cell::number(measure.value))
        .ends(["low", "high"], |(_, measure)| measure.interval)
        .column(record.counted, |(row, _)| Cell::Count(row.n))
        .column("undefined", |(_, measure)| measure.undefined.as_ref().map_or(Cell::Missing, Cell::text))
        .column("stand_in", |(_, measure)| Cell::text(measure.stand_in.to_string()))
        .noted(Vec::new())
}
