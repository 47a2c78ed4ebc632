//! One line for each trial, as written by jsPsych.

use super::{Tool, rater_column, read_as};
use crate::FormatError;
use crate::delimited_text::{DelimitedText, Number, number};
use neurogauge_core::option_words::option;
use neurogauge_core::{Finding, first_names};

/// Finds the ratings among a table's trials.
pub(super) fn ratings(
    text: &DelimitedText,
    named: Option<usize>,
) -> Result<(DelimitedText, Vec<Finding>), FormatError> {
    let (response, kind) = (text.named("response")?, text.named("trial_type")?);
    let item = text.usually_named(&["item"], &[]).first().copied();
    let Some(item) = item.or_else(|| text.header.iter().position(|name| name == "stimulus")) else {
        return Err(text.column_error(
            "an export of jsPsych without a column \"stimulus\" or \"item\"; add what was rated to the data of each trial: data: {item: \"0\"}"
                .to_owned(),
        ));
    };
    let Some(rater) = named.or_else(|| rater_column(text)) else {
        return Err(text.column_error(format!(
            "an export of jsPsych that says nowhere who answered; add it with jsPsych.data.addProperties({{rater: ...}}), or name the \
             column: {}",
            option("rater-column", "NAME")
        )));
    };
    let is_rating = |cell: &str| matches!(number(cell), Number::Finite(_));
    let (mut lines, mut left_out) = (Vec::new(), Vec::new());
    for record in &text.records {
        if record.cell(item).is_empty() || !is_rating(record.cell(response)) {
            left_out.push(record.cell(kind));
            continue;
        }
        if record.cell(item).starts_with('<') {
            return Err(text.faulty_cell(
                record,
                item,
                "the name of what was rated, not HTML; add it to the data of each trial: data: {item: \"0\"}",
            ));
        }
        let cells = [item, rater, response].map(|at| record.cell(at).to_owned());
        lines.push((record.line, cells.to_vec()));
    }
    let n_left_out = left_out.len();
    left_out.sort_unstable();
    left_out.dedup();
    let header = ["item", "rater", "value"].map(str::to_owned).to_vec();
    let mut items: Vec<&String> = lines.iter().map(|(_, cells)| &cells[0]).collect();
    items.sort_unstable();
    items.dedup();
    let mut findings = vec![read_as(text, &Tool::JsPsych, (items.len(), 1), Some(rater))];
    if n_left_out > 0 {
        findings.push(Finding::warning(
            "trials_left_out",
            text.path.display().to_string(),
            format!("{n_left_out} trials without a number as response are left out ({})", first_names(&left_out)),
        ));
    }
    Ok((DelimitedText::of_cells(&text.path, header, lines), findings))
}
