//! One line for each person, with a column for each answer.

use super::{Tool, rater_column, read_as};
use crate::FormatError;
use crate::delimited_text::{DelimitedText, Number, number};
use crate::ratings::column_names::{NoRating, words};
use crate::ratings::layout::{ITEM, VALUE};
use indexmap::{IndexMap, IndexSet};
use neurogauge_core::option_words::option;
use neurogauge_core::{Finding, counted, first_names};

/// The most cells of a table: a small file can name many items and questions that share no column.
const MAX_CELLS: usize = 1 << 26;

/// Columns that Qualtrics adds to each response, besides its answers.
const OF_QUALTRICS: &str = "StartDate, EndDate, Status, IPAddress, Progress, Duration (in seconds), Finished, \
                            RecordedDate, ResponseId, RecipientLastName, RecipientFirstName, RecipientEmail, \
                            ExternalReference, LocationLatitude, LocationLongitude, DistributionChannel, UserLanguage, \
                            Q_RecaptchaScore, SC0";
/// Fewer words, such as `pair`, name an item together with its number.
const FEWEST_WORDS: usize = 3;
/// Columns of Qualtrics' timers.
const TIMINGS: [&str; 4] = ["_First Click", "_Last Click", "_Page Submit", "_Click Count"];

/// An answer to a question about an item.
struct AnswerColumn {
    at: usize,
    item: String,
    question: String,
}

/// The columns of each item, each with its question.
#[derive(Default)]
struct ItemColumns {
    questions: IndexSet<String>,
    items: IndexMap<String, IndexMap<usize, usize>>,
}

impl ItemColumns {
    fn of(text: &DelimitedText, answers: Vec<AnswerColumn>) -> Result<Self, FormatError> {
        let mut grid = ItemColumns::default();
        for AnswerColumn { at, item, question } in answers {
            let question = grid.questions.insert_full(question).0;
            if let Some(first) = grid.items.entry(item.clone()).or_default().insert(question, at) {
                return Err(text.column_error(format!(
                    "{:?} and {:?} ask the same of the item {item:?}; rename one of them",
                    text.header[first], text.header[at]
                )));
            }
        }
        Ok(grid)
    }
}

/// Is it a fact about the person or session, such as an age or a duration?
fn is_circumstance(name: &str) -> bool {
    words(name).len() < 3 && NoRating::of_name(name) == Some(NoRating::Circumstance)
}

fn is_number_or_missing(cell: &str) -> bool {
    matches!(number(cell), Number::Finite(_) | Number::Missing)
}

/// The ratings; `None` for a table of another kind.
pub(super) fn ratings(
    text: &DelimitedText,
    named: Option<usize>,
    tool: &Tool,
    items: &[String],
) -> Result<Option<(DelimitedText, Vec<Finding>)>, FormatError> {
    let position = |name: &str| text.header.iter().position(|column| column == name);
    let response_id = position("ResponseId").filter(|_| matches!(tool, Tool::Qualtrics));
    let is_filled = |&at: &usize| answered(text, tool).any(|line| !text.records[line].cell(at).is_empty());
    let rater = named.or_else(|| rater_column(text).filter(is_filled)).or(response_id);
    let has_items = !text.usually_named(&ITEM, &[]).is_empty() || !text.usually_named(&VALUE, &[]).is_empty();
    if matches!(tool, Tool::Other) && items.is_empty() && (has_items || !is_by_people(text, rater)) {
        return Ok(None);
    }
    let is_known = |at: usize| {
        let name = text.header[at].as_str();
        Some(at) == rater
            || at < text.n_row_numbers()
            || matches!(tool, Tool::GoogleForms) && at == 0
            || matches!(tool, Tool::Qualtrics)
                && (OF_QUALTRICS.split(", ").any(|known| known == name)
                    || TIMINGS.iter().any(|end| name.ends_with(end)))
    };
    let others: Vec<usize> = (0..text.header.len()).filter(|&at| !is_known(at)).collect();
    let holds_numbers = |&at: &usize| {
        let mut cells = answered(text, tool).map(|line| text.records[line].cell(at));
        let has_some = cells.clone().any(|cell| matches!(number(cell), Number::Finite(_)));
        has_some && cells.all(is_number_or_missing)
    };
    let (numeric, words): (Vec<usize>, Vec<usize>) = others.into_iter().partition(holds_numbers);
    let of_people = |at: &usize| is_circumstance(&text.header[*at]);
    let (circumstances, numeric): (Vec<usize>, Vec<usize>) = numeric.into_iter().partition(of_people);
    let (answers, unlike) = answer_columns(text, &numeric, tool, items)?;
    if answers.is_empty() {
        return Err(text.column_error(format!(
            "a line for each person, and no column of numbers besides; expected ratings as numbers (export the values of answers, not \
             their words, or say what words mean, the lowest first: {}), or a table with a line for each rating: {} {} {}",
            option("scale", "'Not at all,...,Very'"),
            option("item-column", "NAME"),
            option("rater-column", "NAME"),
            option("value-column", "NAME")
        )));
    }
    let grid = ItemColumns::of(text, answers)?;
    let people: Vec<usize> = answered(text, tool).collect();
    let n_cells = people.len().saturating_mul(grid.items.len()).saturating_mul(grid.questions.len());
    if n_cells > MAX_CELLS {
        return Err(text.column_error(format!(
            "{} people by {} items by {} questions is too large a table",
            people.len(),
            grid.items.len(),
            grid.questions.len()
        )));
    }
    let mut header = vec!["item".to_owned(), "rater".to_owned()];
    match grid.questions.len() {
        1 => header.push("value".to_owned()),
        _ => header.extend(grid.questions.iter().cloned()),
    }
    let mut lines = Vec::new();
    for &person in &people {
        let record = &text.records[person];
        let who = rater.map_or_else(|| format!("line {}", record.line), |at| record.cell(at).to_owned());
        for (item, columns) in &grid.items {
            let mut cells = vec![String::new(); header.len()];
            cells[0].clone_from(item);
            cells[1].clone_from(&who);
            for (&question, &at) in columns {
                record.cell(at).clone_into(&mut cells[2 + question]);
            }
            if cells[2..].iter().any(|cell| number(cell) != Number::Missing) {
                lines.push((record.line, cells));
            }
        }
    }
    let mut findings = vec![read_as(text, tool, (grid.items.len(), grid.questions.len()), rater)];
    let left_out: Vec<&str> =
        words.iter().chain(&unlike).chain(&circumstances).map(|&at| text.header[at].as_str()).collect();
    if !left_out.is_empty() {
        findings.push(Finding::warning(
            "columns_left_out",
            text.path.display().to_string(),
            format!(
                "{} left out, taken for no ratings ({})",
                counted(left_out.len(), "column"),
                first_names(&left_out)
            ),
        ));
    }
    let n_previews = (0..text.records.len()).filter(|&line| is_preview(text, tool, line)).count();
    if n_previews > 0 {
        let message = format!("{} of the survey left out", counted(n_previews, "preview"));
        findings.push(Finding::warning("previews_left_out", text.path.display().to_string(), message));
    }
    Ok(Some((DelimitedText::of_cells(&text.path, header, lines), findings)))
}

/// The lines that have an answer.
fn answered<'a>(text: &'a DelimitedText, tool: &'a Tool) -> impl Iterator<Item = usize> + Clone + 'a {
    let first = match tool {
        Tool::Qualtrics => 2,
        _ => 0,
    };
    (first..text.records.len()).filter(move |&line| !is_preview(text, tool, line))
}

/// Is the line a preview by the survey's author?
fn is_preview(text: &DelimitedText, tool: &Tool, line: usize) -> bool {
    let status = text.header.iter().position(|name| name == "Status");
    let is_of = |at: usize| ["Survey Preview", "1"].contains(&text.records[line].cell(at));
    matches!(tool, Tool::Qualtrics) && line > 1 && status.is_some_and(is_of)
}

/// Is every line a different person, with numbers in at least two more columns?
fn is_by_people(text: &DelimitedText, rater: Option<usize>) -> bool {
    let Some(rater) = rater else { return false };
    let mut people: Vec<&str> = text.records.iter().map(|record| record.cell(rater)).collect();
    people.sort_unstable();
    let is_unique = people.windows(2).all(|two| two[0] != two[1]) && people.first().is_some_and(|who| !who.is_empty());
    let is_numeric = |&at: &usize| {
        let mut cells = text.records.iter().map(|record| record.cell(at));
        at != rater && cells.all(is_number_or_missing)
    };
    is_unique && (text.n_row_numbers()..text.header.len()).filter(is_numeric).count() >= 2
}

/// The item and question of each column of numbers, and the columns outside grids if there are grids. `items` are those
/// of the columns in order, if the request names them.
fn answer_columns(
    text: &DelimitedText,
    numeric: &[usize],
    tool: &Tool,
    items: &[String],
) -> Result<(Vec<AnswerColumn>, Vec<usize>), FormatError> {
    let in_grid = |at: usize| -> Option<AnswerColumn> {
        let (question, item) = match tool {
            Tool::Qualtrics => {
                let looped = text.header[at].split_once("_Q");
                match looped.filter(|(n, _)| !n.is_empty() && n.bytes().all(|byte| byte.is_ascii_digit())) {
                    Some((item, question)) => (format!("Q{question}"), item),
                    None => {
                        let (question, item) = text.records[0].cell(at).rsplit_once(" - ")?;
                        (question.to_owned(), item)
                    }
                }
            }
            Tool::Other if items.is_empty() => return None,
            Tool::GoogleForms | Tool::Other => {
                let (question, item) = text.header[at].strip_suffix(']')?.rsplit_once('[')?;
                (question.trim().to_owned(), item)
            }
            Tool::JsPsych => return None,
        };
        let item = item.trim().to_owned();
        (!item.is_empty()).then_some(AnswerColumn { at, item, question })
    };
    let mut grid: Vec<AnswerColumn> = numeric.iter().filter_map(|&at| in_grid(at)).collect();
    if grid.is_empty() && items.is_empty() && matches!(tool, Tool::GoogleForms) {
        grid = numbered(text, numeric);
    }
    if grid.is_empty() {
        if !items.is_empty() && items.len() != numeric.len() {
            return Err(text.column_error(format!(
                "{} of answers, and {} names {}; expected one for each column, in their order",
                counted(numeric.len(), "column"),
                option("items", "FILE"),
                counted(items.len(), "item")
            )));
        }
        let alone = numeric.iter().enumerate().map(|(place, &at)| AnswerColumn {
            at,
            item: items.get(place).unwrap_or(&text.header[at]).clone(),
            question: String::new(),
        });
        return Ok((alone.collect(), Vec::new()));
    }
    let unlike = numeric.iter().copied().filter(|at| grid.binary_search_by_key(at, |answer| answer.at).is_err());
    let unlike = unlike.collect();
    Ok((grid, unlike))
}

/// Titles that are the same sentence with another number, such as `Picture 7: how similar?`: the number is the item.
fn numbered(text: &DelimitedText, numeric: &[usize]) -> Vec<AnswerColumn> {
    let columns = numeric.iter().filter_map(|&at| {
        let title = text.header[at].as_str();
        let is_digit = |letter: char| letter.is_ascii_digit();
        let begin = title.find(is_digit)?;
        let length = title[begin..].find(|letter| !is_digit(letter)).unwrap_or(title.len() - begin);
        let (before, number, after) = (&title[..begin], &title[begin..begin + length], &title[begin + length..]);
        let question =
            format!("{before}{after}").split_whitespace().collect::<Vec<&str>>().join(" ").replace(" :", ":");
        let is_sentence = words(&question).len() >= FEWEST_WORDS && !question.contains(is_digit);
        is_sentence.then(|| AnswerColumn {
            at,
            item: number.to_owned(),
            question,
        })
    });
    let columns: Vec<AnswerColumn> = columns.collect();
    let n_alike = |question: &str| columns.iter().filter(|column| column.question == question).count();
    match columns.iter().all(|column| n_alike(&column.question) > 1) {
        true => columns,
        false => Vec::new(),
    }
}
