//! Which of two items a cell says was chosen.

use super::form::{SIDES, names, side_words};
use crate::FormatError;
use crate::delimited_text::{DelimitedText, Number, Record, number};
use neurogauge_core::Preference;
use std::collections::HashSet;

const TIES: &str = "tie ties tied equal same draw neither both none = ==";

/// How the cells of a column say which of two items was preferred.
pub(super) struct ChosenBy {
    items: [usize; 2],
    chosen: usize,
    /// Are the cells ids, rather than sides?
    pub(super) is_by_id: bool,
    /// The cells for the first and the second side, and for neither, in lower case.
    sides: [Vec<String>; 3],
}

impl ChosenBy {
    pub(super) fn of(text: &DelimitedText, items: [usize; 2], chosen: usize) -> Result<Self, FormatError> {
        let names = &names(text);
        let (first, second) = side_words(names, items).unwrap_or(SIDES[0]);
        let side = |at: usize, word: &str| vec![word.to_owned(), text.header[items[at]].to_lowercase()];
        let ties = TIES.split(' ').map(str::to_owned).chain(["no preference".to_owned(), "no difference".to_owned()]);
        let mut sides = [side(0, first), side(1, second), ties.collect()];
        let is_tie = |cell: &str| sides[2].contains(&cell.to_lowercase());
        let given = || text.records.iter().filter(|record| number(record.cell(chosen)) != Number::Missing);
        let is_id = |record: &Record| items.iter().any(|&at| record.cell(at) == record.cell(chosen));
        let is_by_id = given().all(|record| is_id(record) || is_tie(record.cell(chosen)));
        let found: HashSet<String> = given().map(|record| record.cell(chosen).to_lowercase()).collect();
        let are_numbers = !is_by_id && found.iter().all(|cell| number(cell) != Number::Text);
        if are_numbers {
            let known = [["0", "0.5", "1"], ["1", "0", "2"]];
            let fits = |known: &&[&str; 3]| {
                let has_side = |side: usize| found.contains(known[side]);
                found.iter().all(|cell| known.contains(&cell.as_str())) && has_side(0) && has_side(2)
            };
            let Some([first, tie, second]) = known.iter().find(fits) else {
                let problem = format!(
                    "it is unclear which side the numbers in {:?} mean; expected the id of the item, the name of its column, or \
                     1 and 2 (0 for neither)",
                    text.header[chosen]
                );
                return Err(text.column_error(problem));
            };
            sides = [first, second, tie].map(|cell| vec![(*cell).to_owned()]);
        }
        Ok(ChosenBy {
            items,
            chosen,
            is_by_id,
            sides,
        })
    }

    /// The preference in a line; `None` if the cell is empty.
    pub(super) fn preferred(&self, text: &DelimitedText, record: &Record) -> Result<Option<Preference>, FormatError> {
        let cell = record.cell(self.chosen);
        if number(cell) == Number::Missing {
            return Ok(None);
        }
        let lower = cell.to_lowercase();
        let is = |side: usize| match (self.is_by_id, self.items.get(side)) {
            (true, Some(&at)) => record.cell(at) == cell,
            _ => self.sides[side].contains(&lower),
        };
        let sides = [Preference::First, Preference::Second, Preference::Tie];
        let found = sides.into_iter().enumerate().find(|(side, _)| is(*side)).map(|(_, preferred)| preferred);
        let [a, b] = self.items.map(|at| record.cell(at));
        let expected = || format!("{a:?}, {b:?}, the name of one of their columns, or tie");
        found.map(Some).ok_or_else(|| text.faulty_cell(record, self.chosen, &expected()))
    }
}
