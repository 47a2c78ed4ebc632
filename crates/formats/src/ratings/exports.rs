//! What tools for surveys export: a line for each person, or for each trial, with more than ratings in it.

use super::RatingColumns;
use super::crowd::Crowd;
use super::layout::{ITEM, VALUE};
use crate::FormatError;
use crate::delimited_text::{DelimitedText, Number, number};
use neurogauge_core::Warning;
use neurogauge_core::option_words::option;

/// Columns that say who answered, the surest first.
const RATERS: [&str; 15] = [
    "prolific_pid",
    "prolific pid",
    "prolific id",
    "participant id",
    "participant_id",
    "participant",
    "workerid",
    "worker_id",
    "worker",
    "rater_id",
    "rater",
    "subject_id",
    "subject",
    "email address",
    "username",
];

/// What Qualtrics says of a response besides its answers.
const OF_QUALTRICS: [&str; 19] = [
    "StartDate",
    "EndDate",
    "Status",
    "IPAddress",
    "Progress",
    "Duration (in seconds)",
    "Finished",
    "RecordedDate",
    "ResponseId",
    "RecipientLastName",
    "RecipientFirstName",
    "RecipientEmail",
    "ExternalReference",
    "LocationLatitude",
    "LocationLongitude",
    "DistributionChannel",
    "UserLanguage",
    "Q_RecaptchaScore",
    "SC0",
];
/// What Qualtrics' timers write.
const TIMINGS: [&str; 4] = [
    "_First Click",
    "_Last Click",
    "_Page Submit",
    "_Click Count",
];

/// Names of columns that were left out which a message lists.
const N_NAMED: usize = 5;

/// A tool whose export this is.
enum Tool {
    /// Columns of ids, below them the questions, below these `{"ImportId": ...}`.
    Qualtrics,
    /// `Timestamp` and a column for each question; the rows of a grid stand in brackets.
    GoogleForms,
    /// A line for each trial.
    JsPsych,
    /// Any other with a column for the person and one for each item.
    Other,
}

/// An answer to a question about an item.
struct AnswerColumn {
    at: usize,
    item: String,
    question: String,
}

/// A table of one line for each rating, or for each pair of an item and a rater: `item`, `rater`, and a column for each question.
pub(super) struct LongTable {
    pub(super) text: DelimitedText,
    /// Of this table.
    pub(super) columns: RatingColumns,
    /// How it was found.
    pub(super) warnings: Vec<Warning>,
}

impl LongTable {
    /// The columns of the questions, where there are several.
    pub(super) fn questions(&self) -> &[String] {
        match &self.text.header[2..] {
            [_] => &[],
            several => several,
        }
    }
}

/// The ratings of a tool's export; `None` of a table that no such tool wrote, or whose columns are named.
pub(super) fn as_long_table(
    text: &DelimitedText,
    columns: &RatingColumns,
) -> Result<Option<LongTable>, FormatError> {
    let has_value = |name: &String| text.named(name).is_ok();
    let is_named = columns.item.is_some()
        || !columns.raters.is_empty()
        || !columns.groups.is_empty()
        || columns.value.as_ref().is_some_and(has_value);
    let is_long = || {
        !text.usually_named(&ITEM, &[]).is_empty() && !text.usually_named(&VALUE, &[]).is_empty()
    };
    if is_named || is_long() || Crowd::recognise(text).is_some() {
        return Ok(None);
    }
    let Some((text, warnings)) = converted(text, columns.rater.as_deref())? else {
        return Ok(None);
    };
    Ok(Some(LongTable {
        text,
        columns: RatingColumns {
            item: Some("item".to_owned()),
            rater: Some("rater".to_owned()),
            value: columns.value.clone().or_else(|| Some("value".to_owned())),
            ..RatingColumns::default()
        },
        warnings,
    }))
}

fn converted(
    text: &DelimitedText,
    rater: Option<&str>,
) -> Result<Option<(DelimitedText, Vec<Warning>)>, FormatError> {
    let has = |name: &str| text.header.iter().any(|column| column == name);
    if has("Submission id") && has("Participant id") && has("Completion code") {
        return Err(text.column_error(
            "this is Prolific's list of participants, which holds no ratings; expected the export of the survey itself (pass Prolific's \
             participant id on to it, so that raters are known by PROLIFIC_PID)"
                .to_owned(),
        ));
    }
    let second = text.records.get(1);
    let is_import_id = |cell: &str| cell.starts_with("{\"ImportId\"");
    let tool = if has("ResponseId") && second.is_some_and(|line| is_import_id(line.cell(0))) {
        Tool::Qualtrics
    } else if has("trial_type") && has("trial_index") && has("response") {
        Tool::JsPsych
    } else if text.header.first().is_some_and(|name| name == "Timestamp") {
        Tool::GoogleForms
    } else {
        Tool::Other
    };
    let named = rater.map(|name| text.named(name)).transpose()?;
    match tool {
        Tool::JsPsych => trials(text, named).map(Some),
        tool => people(text, named, &tool),
    }
}

/// The column that says who answered, if there is one.
fn rater_column(text: &DelimitedText) -> Option<usize> {
    let position = |name: &&str| {
        let mut header = text.header.iter();
        header.position(|column| column.eq_ignore_ascii_case(name))
    };
    RATERS.iter().find_map(|name| position(name))
}

fn is_number_or_missing(cell: &str) -> bool {
    matches!(number(cell), Number::Finite(_) | Number::Missing)
}

/// A line for each person.
fn people(
    text: &DelimitedText,
    named: Option<usize>,
    tool: &Tool,
) -> Result<Option<(DelimitedText, Vec<Warning>)>, FormatError> {
    let position = |name: &str| text.header.iter().position(|column| column == name);
    let response_id = position("ResponseId").filter(|_| matches!(tool, Tool::Qualtrics));
    let is_filled =
        |&at: &usize| answered(text, tool).any(|line| !text.records[line].cell(at).is_empty());
    let rater = named
        .or_else(|| rater_column(text).filter(is_filled))
        .or(response_id);
    let has_items =
        !text.usually_named(&ITEM, &[]).is_empty() || !text.usually_named(&VALUE, &[]).is_empty();
    if matches!(tool, Tool::Other) && (has_items || !is_by_people(text, rater)) {
        return Ok(None);
    }
    let is_known = |at: usize| {
        let name = text.header[at].as_str();
        Some(at) == rater
            || matches!(tool, Tool::GoogleForms) && at == 0
            || matches!(tool, Tool::Qualtrics)
                && (OF_QUALTRICS.contains(&name) || TIMINGS.iter().any(|end| name.ends_with(end)))
    };
    let others: Vec<usize> = (0..text.header.len()).filter(|&at| !is_known(at)).collect();
    let holds_numbers = |&at: &usize| {
        let mut cells = answered(text, tool).map(|line| text.records[line].cell(at));
        let has_some = cells
            .clone()
            .any(|cell| matches!(number(cell), Number::Finite(_)));
        has_some && cells.all(is_number_or_missing)
    };
    let (numeric, words): (Vec<usize>, Vec<usize>) = others.into_iter().partition(holds_numbers);
    let (answers, unlike) = answer_columns(text, &numeric, tool);
    if answers.is_empty() {
        return Err(text.column_error(format!(
            "a line for each person, and no column of numbers besides; expected ratings as numbers (export the values of answers, not \
             their words), or a table with a line for each rating: {} {} {}",
            option("item-column", "NAME"),
            option("rater-column", "NAME"),
            option("value-column", "NAME")
        )));
    }
    let mut questions: Vec<&str> = Vec::new();
    for answer in &answers {
        if !questions.contains(&answer.question.as_str()) {
            questions.push(&answer.question);
        }
    }
    let mut items: Vec<&str> = Vec::new();
    for answer in &answers {
        if !items.contains(&answer.item.as_str()) {
            items.push(&answer.item);
        }
    }
    let heading = |question: &&str| match questions.len() {
        1 => "value".to_owned(),
        _ => (*question).to_owned(),
    };
    let mut header = vec!["item".to_owned(), "rater".to_owned()];
    header.extend(questions.iter().map(heading));
    let mut lines = Vec::new();
    for line in answered(text, tool) {
        let record = &text.records[line];
        let who = match rater {
            Some(at) => record.cell(at).to_owned(),
            None => format!("line {}", record.line),
        };
        for item in &items {
            let cell = |question: &&str| {
                let mut answers = answers.iter();
                let own = answers.find(|a| a.item == *item && a.question == **question);
                own.map_or(String::new(), |answer| record.cell(answer.at).to_owned())
            };
            let cells: Vec<String> = questions.iter().map(cell).collect();
            if cells.iter().any(|cell| number(cell) != Number::Missing) {
                lines.push((
                    record.line,
                    [vec![(*item).to_owned(), who.clone()], cells].concat(),
                ));
            }
        }
    }
    let mut warnings = vec![read_as(text, tool, (items.len(), questions.len()), rater)];
    let left_out: Vec<&str> = words
        .iter()
        .chain(&unlike)
        .map(|&at| text.header[at].as_str())
        .collect();
    if !left_out.is_empty() {
        warnings.push(Warning::new(
            "columns_left_out",
            text.path.display().to_string(),
            format!(
                "{} columns are taken for no ratings and left out ({})",
                left_out.len(),
                listed(&left_out)
            ),
        ));
    }
    let n_previews = (0..text.records.len())
        .filter(|&line| is_preview(text, tool, line))
        .count();
    if n_previews > 0 {
        let message = format!("{n_previews} previews of the survey are left out");
        warnings.push(Warning::new(
            "previews_left_out",
            text.path.display().to_string(),
            message,
        ));
    }
    Ok(Some((
        DelimitedText::of_cells(&text.path, header, lines),
        warnings,
    )))
}

/// The lines in which somebody answered.
fn answered<'a>(
    text: &'a DelimitedText,
    tool: &'a Tool,
) -> impl Iterator<Item = usize> + Clone + 'a {
    let first = match tool {
        Tool::Qualtrics => 2,
        _ => 0,
    };
    (first..text.records.len()).filter(move |&line| !is_preview(text, tool, line))
}

/// Whether the author of a survey tried it out.
fn is_preview(text: &DelimitedText, tool: &Tool, line: usize) -> bool {
    let status = text.header.iter().position(|name| name == "Status");
    let is_of = |at: usize| ["Survey Preview", "1"].contains(&text.records[line].cell(at));
    matches!(tool, Tool::Qualtrics) && line > 1 && status.is_some_and(is_of)
}

/// Whether every line is another person, with numbers in at least two columns besides.
fn is_by_people(text: &DelimitedText, rater: Option<usize>) -> bool {
    let Some(rater) = rater else { return false };
    let mut people: Vec<&str> = text
        .records
        .iter()
        .map(|record| record.cell(rater))
        .collect();
    people.sort_unstable();
    let is_unique = people.windows(2).all(|two| two[0] != two[1])
        && people.first().is_some_and(|who| !who.is_empty());
    let is_numeric = |&at: &usize| {
        let mut cells = text.records.iter().map(|record| record.cell(at));
        at != rater && cells.all(is_number_or_missing)
    };
    is_unique && (0..text.header.len()).filter(is_numeric).count() >= 2
}

/// What each column of numbers is about, and which of them stand outside the grids where there are grids.
fn answer_columns(
    text: &DelimitedText,
    numeric: &[usize],
    tool: &Tool,
) -> (Vec<AnswerColumn>, Vec<usize>) {
    let in_grid = |at: usize| -> Option<AnswerColumn> {
        let (question, item) = match tool {
            Tool::Qualtrics => {
                let looped = text.header[at].split_once("_Q");
                let looped = looped
                    .filter(|(n, _)| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit()));
                match looped {
                    Some((item, question)) => (format!("Q{question}"), item),
                    None => {
                        let (question, item) = text.records[0].cell(at).rsplit_once(" - ")?;
                        (question.to_owned(), item)
                    }
                }
            }
            Tool::GoogleForms => {
                let (question, item) = text.header[at].strip_suffix(']')?.rsplit_once('[')?;
                (question.trim().to_owned(), item)
            }
            Tool::JsPsych | Tool::Other => return None,
        };
        let item = item.trim().to_owned();
        (!item.is_empty()).then_some(AnswerColumn { at, item, question })
    };
    let grid: Vec<AnswerColumn> = numeric.iter().filter_map(|&at| in_grid(at)).collect();
    if grid.is_empty() {
        let alone = numeric.iter().map(|&at| AnswerColumn {
            at,
            item: text.header[at].clone(),
            question: String::new(),
        });
        return (alone.collect(), Vec::new());
    }
    let unlike = numeric
        .iter()
        .copied()
        .filter(|&at| grid.iter().all(|answer| answer.at != at));
    let unlike = unlike.collect();
    (grid, unlike)
}

fn read_as(
    text: &DelimitedText,
    tool: &Tool,
    (n_items, n_questions): (usize, usize),
    rater: Option<usize>,
) -> Warning {
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
    Warning::new(
        "read_as_export",
        text.path.display().to_string(),
        format!("read as {tool}: {n_items} items{questions}, {rater}"),
    )
}

/// A line for each trial: those that are ratings.
fn trials(
    text: &DelimitedText,
    named: Option<usize>,
) -> Result<(DelimitedText, Vec<Warning>), FormatError> {
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
    let mut warnings = vec![read_as(text, &Tool::JsPsych, (items.len(), 1), Some(rater))];
    if n_left_out > 0 {
        warnings.push(Warning::new(
            "trials_left_out",
            text.path.display().to_string(),
            format!(
                "{n_left_out} trials without a number as response are left out ({})",
                listed(&left_out)
            ),
        ));
    }
    Ok((DelimitedText::of_cells(&text.path, header, lines), warnings))
}

fn listed(names: &[&str]) -> String {
    let first: Vec<&str> = names.iter().take(N_NAMED).copied().collect();
    let more = if names.len() > N_NAMED { ", ..." } else { "" };
    format!("{}{more}", first.join(", "))
}
