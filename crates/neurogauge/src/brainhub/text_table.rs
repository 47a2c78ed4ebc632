//! The table of a benchmark.

use super::BenchmarkRecord;
use neurogauge_report::{Cell, TextTable};

const DECIMALS: usize = 2;
/// What the field's tables multiply by.
const PERCENT: f64 = 100.0;

/// Made for reading.
pub(super) fn reading(record: &BenchmarkRecord) -> TextTable {
    let labels = record.rows.first().map_or(&[][..], |row| &row.measures);
    let mut headings = vec![record.row_heading.to_owned(), record.counted.to_owned()];
    headings.extend(labels.iter().map(|measure| measure.label.to_owned()));
    let rows = record.rows.iter().map(|row| {
        let mut cells = vec![Cell::Text(row.name.clone()), Cell::Count(row.n)];
        cells.extend(row.measures.iter().map(|m| match (m.value, m.interval) {
            (Some(value), Some((low, high))) => {
                Cell::Estimate(value * PERCENT, (low * PERCENT, high * PERCENT), DECIMALS)
            }
            (Some(value), None) => Cell::Number(value * PERCENT, DECIMALS),
            (None, _) => Cell::Missing,
        }));
        cells
    });
    let mut notes = vec![format!(
        "All values times 100, as BrainHub prints them (the files hold them as they are); {}% \
         bootstrap intervals over images.",
        record.level * PERCENT
    )];
    for row in &record.rows {
        for measure in &row.measures {
            if let Some(reason) = &measure.undefined {
                notes.push(format!("{}, {}: {reason}.", row.name, measure.label));
            }
        }
    }
    notes.extend(record.warnings.iter().map(|w| format!("Warning: {w}")));
    let what = match record.benchmark {
        "caption" => "Brain captioning",
        _ => "Brain grounding",
    };
    TextTable {
        title: format!("{what}: {} images", record.n_images),
        headings,
        rows: rows.collect(),
        notes,
    }
}

/// In full precision, one line for each value.
pub(super) fn full(record: &BenchmarkRecord) -> TextTable {
    let number = |value: Option<f64>| value.map_or(Cell::Missing, |v| Cell::Number(v, DECIMALS));
    let rows = record.rows.iter().flat_map(|row| {
        row.measures.iter().map(move |measure| {
            vec![
                Cell::Text(row.name.clone()),
                Cell::Text(measure.id.to_owned()),
                number(measure.value),
                number(measure.interval.map(|ends| ends.0)),
                number(measure.interval.map(|ends| ends.1)),
                Cell::Count(row.n),
                measure.undefined.clone().map_or(Cell::Missing, Cell::Text),
            ]
        })
    });
    let headings = [
        record.row_heading,
        "metric",
        "value",
        "low",
        "high",
        record.counted,
        "undefined",
    ];
    TextTable {
        title: record.benchmark.to_owned(),
        headings: headings.map(str::to_owned).to_vec(),
        rows: rows.collect(),
        notes: Vec::new(),
    }
}
