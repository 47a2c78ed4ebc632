//! One line per item, one column per metric.

use super::MetricTable;
use crate::delimited_text::{DelimitedText, Number, number, with_point};
use crate::{FormatError, Problem, recipe};
use std::collections::{BTreeSet, HashMap};
use std::path::Path;

const ITEM: [&str; 6] = ["item", "stimulus", "image", "stem", "pair", "id"];

const EXPECTED: &str = "scores, a table with a line per item";

pub(super) fn read(path: &Path, item: Option<&str>) -> Result<MetricTable, FormatError> {
    of_table(&DelimitedText::read(path, EXPECTED)?, item)
}

pub(super) fn of_text(path: &Path, text: &str, item: Option<&str>) -> Result<MetricTable, FormatError> {
    of_table(&DelimitedText::of_text(path, text, EXPECTED)?, item)
}

pub(super) fn of_table(text: &DelimitedText, item: Option<&str>) -> Result<MetricTable, FormatError> {
    let item_columns = match item.and_then(|names| text.all_named(names)) {
        Some(columns) => columns,
        None => vec![text.item_column(&ITEM)?],
    };
    let items = unique_items(text, &item_columns)?;
    let mut metrics = Vec::new();
    for column in text.columns_besides(&item_columns)? {
        if holds_only_text(text, column) && !has_decimal_commas(text, column) {
            continue;
        }
        let expected = "a score, a finite number up to 1e100 (empty, NA or NaN where it is missing)";
        let scores = text.records.iter().map(|record| text.number_at(record, column, expected));
        metrics.push((text.header[column].clone(), scores.collect::<Result<_, _>>()?));
    }
    if metrics.is_empty() {
        return Err(text.column_error("no column holds numbers, so there is no metric".to_owned()));
    }
    let marks = text.all_named(recipe::STAND_IN).into_iter().flatten();
    let cells = marks.flat_map(|column| text.records.iter().map(move |record| record.cell(column)));
    let named: BTreeSet<&str> = cells.flat_map(str::split_whitespace).collect();
    let is_metric = |name: &&str| metrics.iter().any(|(metric, _)| metric == name);
    Ok(MetricTable {
        stand_ins: named.into_iter().filter(is_metric).map(str::to_owned).collect(),
        items,
        metrics,
    })
}

fn unique_items(text: &DelimitedText, columns: &[usize]) -> Result<Vec<String>, FormatError> {
    let mut first_line = HashMap::new();
    let mut items = Vec::with_capacity(text.records.len());
    for record in &text.records {
        if let Some(&empty) = columns.iter().find(|&&at| record.cell(at).is_empty()) {
            return Err(text.faulty_cell(record, empty, "the id of an item"));
        }
        let item = columns.iter().map(|&at| record.cell(at)).collect::<Vec<_>>().join("/");
        items.push(item.clone());
        if let Some(first) = first_line.insert(item.clone(), record.line) {
            let hint = "a table of metrics has one line per item and one column per metric";
            return Err(Problem::repeated_line(format!("item {item:?}"), first, record.line, hint).at(&text.path));
        }
    }
    Ok(items)
}

/// Are all cells that are not numbers numbers with decimal commas? Such a column is an error, rather than a column of
/// text.
fn has_decimal_commas(text: &DelimitedText, column: usize) -> bool {
    let mut others = text.records.iter().map(|record| record.cell(column)).filter(|cell| number(cell) == Number::Text);
    others.all(|cell| with_point(cell).is_some())
}

/// A column with text but no number is not a metric, whereas text among numbers is an error.
fn holds_only_text(text: &DelimitedText, column: usize) -> bool {
    let mut kinds = text.records.iter().map(|record| number(record.cell(column)));
    let has_number = kinds.clone().any(|kind| matches!(kind, Number::Finite(_) | Number::Infinite));
    !has_number && kinds.any(|kind| kind == Number::Text)
}
