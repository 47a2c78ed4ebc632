//! Writes score tables to Parquet.

use crate::columns_parquet::{self, Column};
use crate::{FormatError, Problem};
use neurogauge_core::ScoreTable;
use std::collections::HashSet;
use std::path::Path;

/// Writes the outcomes of a run, metric by metric in the order of the table.
///
/// Columns: `pair` and `metric` (text), `value` (double, null if undefined), `undefined` (the reason as text, null if
/// there is a value); Snappy compression; equal tables give equal bytes. A table without metrics becomes a file without
/// rows, which loses its pairs.
///
/// # Errors
/// The length of a column differs from the number of pairs; a pair or metric occurs twice; a value is NaN or infinite
/// (such an outcome is undefined and needs a reason).
pub fn write(path: &Path, table: &ScoreTable) -> Result<(), FormatError> {
    refuse_faulty(path, table)?;
    let n_rows = table.pairs.len() * table.columns.len();
    let mut pairs = Vec::with_capacity(n_rows);
    let mut metrics = Vec::with_capacity(n_rows);
    let (mut values, mut reasons) = (Vec::with_capacity(n_rows), Vec::with_capacity(n_rows));
    for (metric, outcomes) in &table.columns {
        for (pair, outcome) in table.pairs.iter().zip(outcomes) {
            pairs.push(pair.clone());
            metrics.push(metric.clone());
            values.push(outcome.as_ref().ok().copied());
            reasons.push(outcome.as_ref().err().map(ToString::to_string));
        }
    }
    let columns = [
        ("pair", Column::Text(pairs)),
        ("metric", Column::Text(metrics)),
        ("value", Column::Number(values)),
        ("undefined", Column::SomeText(reasons)),
    ];
    columns_parquet::write(path, "scores", &columns)
}

fn refuse_faulty(path: &Path, table: &ScoreTable) -> Result<(), FormatError> {
    let invalid = |place: String, reason: String| Err(Problem::invalid(place, reason).at(path));
    let mut pairs = HashSet::new();
    if let Some(pair) = table.pairs.iter().find(|pair| !pairs.insert(*pair)) {
        return invalid(format!("pair {pair:?}"), "occurs twice".to_owned());
    }
    let mut metrics = HashSet::new();
    for (metric, outcomes) in &table.columns {
        let place = format!("metric {metric:?}");
        if !metrics.insert(metric) {
            return invalid(place, "occurs twice".to_owned());
        }
        if outcomes.len() != table.pairs.len() {
            let (found, expected) = (outcomes.len(), table.pairs.len());
            return invalid(place, format!("{found} outcomes for {expected} pairs"));
        }
        for (pair, outcome) in table.pairs.iter().zip(outcomes) {
            if let Ok(value) = outcome
                && !value.is_finite()
            {
                return Err(Problem::non_finite(format!("{place} of pair {pair:?}"), *value).at(path));
            }
        }
    }
    Ok(())
}
