//! Exports of survey tools: one line for each person or trial, with other columns besides the ratings.

mod people;
mod trials;

use super::RatingColumns;
use super::crowd::Crowd;
use super::layout::{ITEM, VALUE};
use crate::FormatError;
use crate::delimited_text::DelimitedText;
use neurogauge_core::Finding;

/// Columns that identify the respondent, the most reliable first.
const RATERS: &str = "prolific_pid, prolific pid, prolific id, participant id, participant_id, participant, workerid, \
                      worker_id, worker, rater_id, rater, subject_id, subject, email address, username";

/// The survey tool that wrote an export.
enum Tool {
    /// The header has ids, then come lines with the questions and with `{"ImportId": ...}`.
    Qualtrics,
    /// `Timestamp` and one column for each question; rows of a grid are in brackets.
    GoogleForms,
    /// One line for each trial.
    JsPsych,
    /// Any other tool that writes a column for the person and one for each item.
    Other,
}

/// A table with one line for each rating, or for each pair of an item and a rater: `item`, `rater`, and a column for
/// each question.
pub(super) struct LongTable {
    pub(super) text: DelimitedText,
    pub(super) columns: RatingColumns,
    /// Warnings on how the table was interpreted.
    pub(super) findings: Vec<Finding>,
}

impl LongTable {
    /// The columns of the questions, if there are several.
    pub(super) fn questions(&self) -> &[String] {
        match &self.text.header[2..] {
            [_] => &[],
            several => several,
        }
    }
}

/// The ratings of a tool's export; `None` if no such tool wrote the table, or if the request names its columns.
pub(super) fn as_long_table(
    text: &DelimitedText,
    columns: &RatingColumns,
    items: &[String],
) -> Result<Option<LongTable>, FormatError> {
    let has_value = |name: &String| text.named(name).is_ok();
    let is_named = columns.item.is_some()
        || !columns.raters.is_empty()
        || !columns.groups.is_empty()
        || columns.value.as_ref().is_some_and(has_value);
    let is_long = || !text.usually_named(&ITEM, &[]).is_empty() && !text.usually_named(&VALUE, &[]).is_empty();
    if is_named || is_long() || Crowd::recognise(text).is_some() {
        return Ok(None);
    }
    let Some((text, findings)) = converted(text, columns, items)? else {
        return Ok(None);
    };
    Ok(Some(LongTable {
        text,
        columns: RatingColumns {
            item: Some("item".to_owned()),
            rater: Some("rater".to_owned()),
            value: columns.value.clone().or_else(|| Some("value".to_owned())),
            keep_emails: columns.keep_emails,
            ..RatingColumns::default()
        },
        findings,
    }))
}

fn converted(
    text: &DelimitedText,
    columns: &RatingColumns,
    items: &[String],
) -> Result<Option<(DelimitedText, Vec<Finding>)>, FormatError> {
    let has = |name: &str| text.header.iter().any(|column| column == name);
    if has("Submission id") && has("Participant id") && has("Completion code") {
        return Err(text.column_error(
            "this is Prolific's list of participants, which holds no ratings; expected the export of the survey itself (pass Prolific's \
             participant id on to it, so that raters are known by PROLIFIC_PID)"
                .to_owned(),
        ));
    }
    let tool = if n_headings(text) > 0 {
        Tool::Qualtrics
    } else if has("trial_type") && has("trial_index") && has("response") {
        Tool::JsPsych
    } else if text.header.first().is_some_and(|name| name == "Timestamp") {
        Tool::GoogleForms
    } else {
        Tool::Other
    };
    let named = columns.rater.as_deref().map(|name| text.named(name)).transpose()?;
    match tool {
        Tool::JsPsych => trials::ratings(text, named).map(Some),
        tool => people::ratings(text, named, &tool, items),
    }
}

/// The number of lines below the header that hold no answers: two in an export of Qualtrics.
pub(super) fn n_headings(text: &DelimitedText) -> usize {
    let is_import_id = |cell: &str| cell.starts_with("{\"ImportId\"");
    let has_id = text.header.iter().any(|column| column == "ResponseId");
    match text.records.get(1) {
        Some(line) if has_id && is_import_id(line.cell(0)) => 2,
        _ => 0,
    }
}

/// The column that identifies the respondent, if there is one.
pub(super) fn rater_column(text: &DelimitedText) -> Option<usize> {
    let position = |name: &str| text.header.iter().position(|column| column.eq_ignore_ascii_case(name));
    RATERS.split(", ").find_map(position)
}

/// A note on how a table was read.
fn read_as(text: &DelimitedText, tool: &Tool, (n_items, n_questions): (usize, usize), rater: Option<usize>) -> Finding {
    let tool = match tool {
        Tool::Qualtrics => "an export of Qualtrics",
        Tool::GoogleForms => "an export of Google Forms",
        Tool::JsPsych => "an export of jsPsych",
        Tool::Other => "a table with a line for each person",
    };
    let rater = match rater {
        Some(at) => format!("raters by {:?}", text.header[at]),
        None => "a rater for each line".to_owned(),
    };
    let questions = match n_questions {
        1 => String::new(),
        n => format!(", {n} questions"),
    };
    Finding::note(
        "read_as_export",
        text.path.display().to_string(),
        format!("read as {tool}: {n_items} items{questions}, {rater}"),
    )
}
