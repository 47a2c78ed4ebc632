//! One line per item, one column per rater.

use super::long::{Items, rating};
use super::scale::Scale;
use super::{RatingTable, in_natural_order};
use crate::delimited_text::DelimitedText;
use crate::{FormatError, Problem};
use neurogauge_core::pseudonyms::Pseudonyms;

pub(super) fn collect(
    text: &DelimitedText,
    item_columns: &[usize],
    rater_columns: &[usize],
    scale: &Scale<'_>,
    pseudonyms: &Pseudonyms<'_>,
) -> Result<RatingTable, FormatError> {
    let mut items = Items::default();
    let mut values = Vec::with_capacity(text.records.len() * rater_columns.len());
    for (row, record) in text.records.iter().enumerate() {
        let item = items.index_of(text, record, item_columns)?;
        if item < row {
            return Err(Problem::repeated_line(
                format!("item {:?}", items.id(item)),
                text.records[item].line,
                record.line,
                "a table without a rater and a value column has one line per item; if it \
                       has a line per rating, name these columns",
            )
            .at(&text.path));
        }
        for &column in rater_columns {
            values.push(rating(text, record, column, scale)?);
        }
    }
    let raters: Vec<String> = rater_columns.iter().map(|&column| text.header[column].clone()).collect();
    let n_raters = raters.len();
    Ok(in_natural_order(&items.into_ids(), &raters, pseudonyms, |item: usize, rater: usize| {
        values[item * n_raters + rater]
    }))
}
