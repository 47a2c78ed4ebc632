//! One line per rating.

use super::crowd;
use super::scale::Scale;
use super::{RatingTable, in_natural_order};
use crate::delimited_text::{DelimitedText, Number, Record, number};
use crate::{FormatError, Problem};
use indexmap::{IndexMap, IndexSet};
use neurogauge_core::option_words::option;
use neurogauge_core::pseudonyms::Pseudonyms;
use std::collections::HashMap;

/// The most cells of a table: a small file can name millions of items and raters with hardly any ratings in common.
const MAX_CELLS: usize = 1 << 26;

pub(super) fn collect(
    text: &DelimitedText,
    (item_columns, rater_column, value_column): (&[usize], usize, usize),
    scale: &Scale<'_>,
    pseudonyms: &Pseudonyms<'_>,
) -> Result<RatingTable, FormatError> {
    let mut items = Items::default();
    let mut raters: IndexSet<String> = IndexSet::new();
    // Line and rating, by item and rater.
    let mut ratings: HashMap<(usize, usize), (usize, Option<f64>)> = HashMap::new();
    for record in text.records.iter().filter(|record| !crowd::is_rejected(text, record)) {
        let item = items.index_of(text, record, item_columns)?;
        let rater = record.cell(rater_column);
        if rater.is_empty() {
            return Err(text.faulty_cell(record, rater_column, "the id of a rater"));
        }
        let rater = raters.insert_full(rater.to_owned()).0;
        let value = rating(text, record, value_column, scale)?;
        if let Some((first, _)) = ratings.insert((item, rater), (record.line, value)) {
            return Err(Problem::repeated_line(
                format!("the rating of item {:?} by rater {:?}", items.id(item), raters[rater]),
                first,
                record.line,
                format!(
                    "keep one of them, or, if it takes several columns to tell the items apart, \
                     name them all: {}",
                    option("item-column", &several_columns(text, item_columns, rater_column))
                ),
            )
            .at(&text.path));
        }
    }
    let (items, raters) = (items.into_ids(), Vec::from_iter(raters));
    let n_cells = items.len().checked_mul(raters.len());
    if n_cells.is_none_or(|n_cells| n_cells > MAX_CELLS) {
        return Err(text.column_error(format!(
            "{} items by {} raters is too large a table; the rater column may not be one",
            items.len(),
            raters.len()
        )));
    }
    let value = |item, rater| ratings.get(&(item, rater)).and_then(|&(_, value)| value);
    Ok(in_natural_order(&items, &raters, pseudonyms, value))
}

/// The item's columns and, as an example, the first other column that could distinguish items.
fn several_columns(text: &DelimitedText, item_columns: &[usize], rater_column: usize) -> String {
    let mut names: Vec<&str> = item_columns.iter().map(|&column: &usize| text.header[column].as_str()).collect();
    let is_number = |cell: &str| !matches!(number(cell), Number::Text);
    let all = 0..text.header.len();
    let mut others = all.filter(|at| !item_columns.contains(at) && *at != rater_column);
    let words = |at: &usize| text.records.iter().all(|record| !is_number(record.cell(*at)));
    names.push(others.find(words).map_or("OTHER", |at| text.header[at].as_str()));
    names.join(",")
}

pub(super) fn rating(
    text: &DelimitedText,
    record: &Record,
    column: usize,
    scale: &Scale<'_>,
) -> Result<Option<f64>, FormatError> {
    let expected = || {
        let words = option("scale", "'WORD,...'");
        format!("a rating, a finite number up to 1e100 (empty, NA or NaN where it is missing; {words} for words)")
    };
    let place = || format!("line {}, column {:?}", record.line, text.header[column]);
    if scale.is_code(record.cell(column)) {
        return Ok(None);
    }
    let value = text.number_at(record, column, &expected())?;
    value.map(|value| scale.check(value, place)).transpose()
}

/// Ids of the items in order of first appearance, with their parts.
#[derive(Default)]
pub(super) struct Items(IndexMap<String, Vec<String>>);

impl Items {
    /// The position of a line's item, whose id is formed from the cells of `columns`.
    pub(super) fn index_of(
        &mut self,
        text: &DelimitedText,
        record: &Record,
        columns: &[usize],
    ) -> Result<usize, FormatError> {
        if let Some(&empty) = columns.iter().find(|&&at| record.cell(at).is_empty()) {
            return Err(text.faulty_cell(record, empty, "the id of an item"));
        }
        let parts: Vec<&str> = columns.iter().map(|&at| record.cell(at)).collect();
        let id = parts.join("/");
        match self.0.get_full(&id) {
            Some((index, _, known)) if *known == parts => Ok(index),
            Some((.., known)) => Err(Problem::invalid(
                format!("line {}", record.line),
                format!(
                    "{parts:?} and {known:?} of a line above are different items, but both are \
                     called {id:?} when joined; rename one"
                ),
            )
            .at(&text.path)),
            None => Ok(self.0.insert_full(id, parts.into_iter().map(str::to_owned).collect()).0),
        }
    }

    pub(super) fn id(&self, index: usize) -> &str {
        self.0.get_index(index).map_or("", |(id, _)| id)
    }

    pub(super) fn into_ids(self) -> Vec<String> {
        self.0.into_keys().collect()
    }
}
