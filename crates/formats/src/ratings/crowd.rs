//! Exports of Amazon Mechanical Turk: `WorkerId`, an `Input.*` column for each variable of the task, an `Answer.*`
//! column for each of its fields, `AssignmentStatus`.

use crate::FormatError;
use crate::delimited_text::{DelimitedText, Number, Record, number};
use neurogauge_core::first_names;
use neurogauge_core::option_words::option;

const INPUT: &str = "Input.";
const ANSWER: &str = "Answer.";
const STATUS: &str = "AssignmentStatus";

/// Positions of the columns with inputs and answers.
pub(super) struct Crowd {
    inputs: Vec<usize>,
    /// Columns of answers that contain numbers; comments and the like are not ratings.
    pub(super) answers: Vec<usize>,
}

impl Crowd {
    /// The columns; `None` for a table that is not such an export.
    pub(super) fn recognise(text: &DelimitedText) -> Option<Self> {
        let starting = |start: &str| -> Vec<usize> {
            let columns = text.header.iter().enumerate().filter(|(_, name)| name.starts_with(start));
            columns.map(|(position, _)| position).collect()
        };
        let (inputs, answers) = (starting(INPUT), starting(ANSWER));
        if !text.header.iter().any(|name| name == "WorkerId") || answers.is_empty() {
            return None;
        }
        let holds_numbers = |&column: &usize| {
            let cells = text.records.iter().map(|record| number(record.cell(column)));
            let mut there = cells.filter(|cell| *cell != Number::Missing).peekable();
            there.peek().is_some() && there.all(|cell| matches!(cell, Number::Finite(_)))
        };
        Some(Crowd {
            inputs,
            answers: answers.into_iter().filter(holds_numbers).collect(),
        })
    }

    /// The column of the only answer.
    pub(super) fn only_answer(&self, text: &DelimitedText) -> Result<usize, FormatError> {
        let problem = match self.answers.as_slice() {
            [answer] => return Ok(*answer),
            [] => format!(
                "no {ANSWER}* column holds numbers; an answer such as true and false for each point of \
                 the scale must become one column with the point first, then {}",
                option("value-column", "Answer.NAME")
            ),
            several => format!(
                "{} could all be the rating; choose one: {}",
                names(text, several),
                option("value-column", &text.header[several[0]])
            ),
        };
        Err(text.column_error(problem))
    }

    /// The column of the item: the only input, or the only one with a usual name after `Input.`, or the only one that
    /// varies.
    pub(super) fn item(&self, text: &DelimitedText, usual: &[&str]) -> Result<usize, FormatError> {
        let is_usual = |&column: &usize| {
            let name = text.header[column][INPUT.len()..].to_ascii_lowercase();
            let stem = ["_id", "_url"].iter().find_map(|end| name.strip_suffix(end));
            usual.contains(&stem.unwrap_or(&name))
        };
        let varies = |&column: &usize| {
            let first = text.records.first().map(|record| record.cell(column));
            text.records.iter().any(|record| Some(record.cell(column)) != first)
        };
        let usual: Vec<usize> = self.inputs.iter().copied().filter(is_usual).collect();
        let varying: Vec<usize> = self.inputs.iter().copied().filter(varies).collect();
        match (self.inputs.as_slice(), usual.as_slice(), varying.as_slice()) {
            ([only], ..) | (_, [only], _) | (_, [], [only]) => Ok(*only),
            ([], ..) => Err(text.column_error(format!(
                "no {INPUT}* column says what was rated; name the column: {}",
                option("item-column", "NAME")
            ))),
            (inputs, ..) => Err(text.fault(format!(
                "{} could all be the item; name the right one, or several that make up an item: {}",
                names(text, inputs),
                option("item-column", &names(text, &inputs[..2]).replace(", ", ","))
            ))),
        }
    }
}

/// Did the requester reject this assignment?
pub(super) fn is_rejected(text: &DelimitedText, record: &Record) -> bool {
    let status = text.header.iter().position(|name| name == STATUS);
    status.is_some_and(|column| record.cell(column) == "Rejected")
}

fn names(text: &DelimitedText, columns: &[usize]) -> String {
    first_names(&columns.iter().map(|&column| text.header[column].as_str()).collect::<Vec<_>>())
}
