//! Human ratings of items.

mod answer_words;
mod choices;
mod column_names;
mod column_values;
mod crowd;
mod exports;
mod groups;
mod items_in_order;
mod layout;
mod long;
mod missing_codes;
mod questions;
mod rater_choice;
mod scale;
mod wide;

use crate::delimited_text::{DelimitedText, LARGEST, is_table_of_text, unknown_ending};
use crate::stem_listing::has_ending;
use crate::{FormatError, Problem, npy, word_list};
pub use choices::Choices;
use layout::RatingsLayout;
use neurogauge_core::Finding;
use neurogauge_core::option_words::option;
use neurogauge_core::pair::natural_order;
use neurogauge_core::pseudonyms::Pseudonyms;
pub use questions::{Question, questions, questions_of_text};
pub use rater_choice::TABLE_OF_MEANS;
use scale::Scale;
use std::path::{Path, PathBuf};

const EXPECTED: &str = "ratings, a table (.csv, .tsv, .txt) with a line per rating or per item, or \
                        a .npy array of (items, raters)";

/// Ratings by item and rater; a rating may be missing.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RatingTable {
    /// Ids of the items: unique, in natural order.
    pub items: Vec<String>,
    /// Ids of the raters: unique, in natural order.
    pub raters: Vec<String>,
    /// Shape (n_items, n_raters), item-major; finite if present.
    pub values: Vec<Option<f64>>,
    /// For each requested group column, the group of each item.
    pub groups: Vec<Vec<String>>,
    /// People's choices, for a table of choices in place of ratings; there are then no values.
    pub choices: Option<Choices>,
    /// What holds the ratings, in a few words: `columns item, rater, value`.
    pub form: String,
    /// How the table was read.
    pub findings: Vec<Finding>,
}

/// Names of the columns of a table of ratings; `None` means that the usual names are tried.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RatingColumns {
    /// The rated item; several columns that form one id are given as a comma-separated list, e.g. `text,model`, whose
    /// cells are joined by "/". Usual: item, stimulus, image, id.
    pub item: Option<String>,
    /// The rater. Usual: rater, worker, annotator, participant, subject.
    pub rater: Option<String>,
    /// The rating. Usual: value, rating, answer, score. A comma-separated list names several [questions()].
    pub value: Option<String>,
    /// Patterns for the columns of raters in a wide table, such as `sem_*` or `ann,bob`, each of which is a question
    /// (see [questions()]). If empty, all columns that can be raters are used.
    pub raters: Vec<String>,
    /// Columns that group the items, such as the stimulus or the system of each. No names are tried for them. They may
    /// be among the columns of the item.
    pub groups: Vec<String>,
    /// Codes for missing ratings, such as `99`. `None` means that there are none, and ratings that look like codes are
    /// refused.
    pub missing: Option<Vec<String>>,
    /// A file with the ids of the items, one on each line, in the order of the columns with answers about them (in a
    /// table with a line for each person) or of the rows of an array.
    pub items: Option<PathBuf>,
    /// The words of the scale, the lowest first, for answers in words. If empty, [usual scales](read) are known.
    pub words: Vec<String>,
    /// Addresses of e-mail remain the names of their raters, which otherwise get [pseudonyms](Pseudonyms).
    pub keep_emails: bool,
}

impl RatingColumns {
    /// The ids in the file of items; empty if the request names none.
    fn item_order(&self) -> Result<Vec<String>, FormatError> {
        self.items.as_deref().map_or(Ok(Vec::new()), word_list::read)
    }

    fn pseudonyms<'a>(&self, raters: impl Iterator<Item = &'a str>) -> Pseudonyms<'a> {
        match self.keep_emails {
            true => Pseudonyms::default(),
            false => Pseudonyms::of(raters, "rater"),
        }
    }
}

/// Reads ratings from a long or wide table as text (`.csv`, `.tsv`, `.txt`) or an `.npy` file.
///
/// Text: UTF-8 with a header line; cells separated by comma, semicolon or tab, whichever is most frequent in the
/// header; quotes as in RFC 4180; decimal point; spaces around cells are ignored. An empty cell, NA and NaN are missing
/// ratings. `.npy`: numbers of shape (n_items, n_raters), with NaN for missing ratings; items and raters are called
/// "0", "1", ...
///
/// Layout. Usual names count in any case, and also if followed by `_id` (`worker_id`).
/// - An export of Amazon Mechanical Turk (`WorkerId`, `Input.*`, `Answer.*`) is long: the rater is `WorkerId`, the
///   rating the `Answer.*` column with numbers, the item the `Input.*` column that is the only one, has a usual name or
///   varies. Rejected assignments are left out, with a warning.
/// - An export of Qualtrics, Google Forms or jsPsych, or a table with one line for each person and a usual name for the
///   rater (also `PROLIFIC_PID`), is recognised if no item, value or group is named; a warning explains how it was
///   read.
/// - A table of [choices](Choices) is recognised if no column of ratings is named: two items and which was chosen
///   (`left`, `right`, `choice`), the better and the worse (`winner`, `loser`; `best`, `worst`, `item_1`, ...), or orders
///   (`rank_1`, `rank_2`, ...; `ranking` with `a > b > c`; `item`, `rank` and a rater).
/// - Columns with the same title, as Google Forms writes a question about many pictures, are about the items of
///   `items`, in this order. Titles that differ in one number (`Picture 7: how similar?`) are about items of that
///   number.
/// - Answers in words are numbers from 1: by `words`, or by a usual scale of agreement, frequency, quality, likelihood or
///   degree, which a finding names. `4 - Agree` is 4 and `80%` is 80.
/// - A table is long (one line per rating) if a rater or value column is named in `columns`, or if
///   some column has a usual name for either. Item, rater and value must then each be named or be
///   the only column with a usual name for it; other columns are ignored.
/// - Otherwise it is wide (one line per item, one column per rater). The items are in the named column, in the only one
///   with a usual name, or in the first one, unless that could be ratings: it has only numbers, or the header looks
///   like data. All other columns are raters, except for a first one without a name or called `Unnamed: 0` (row
///   numbers), and those that cannot be raters: words; names such as MOS, SD, n and class; and values that are a mean,
///   a spread or a sum of the others, that number the lines, or that have another range or step. A finding lists them.
/// - A table with one mean rating for each item is read as having one rater, with the finding [`TABLE_OF_MEANS`].
///
/// In a wide table, an item has one line, so a long table with unusual names is not mistaken for a wide one once an
/// item has two ratings.
///
/// # Errors
/// Names are missing or ambiguous, with the existing names; a rating is text or an infinity, or looks like a code for a
/// missing one, such as 99 on a scale of 5; a rater rated an item twice; a rating is outside `scale` (lowest and
/// highest, both allowed); an item is in two groups. A single item or rater is not an error here.
pub fn read(path: &Path, columns: &RatingColumns, scale: Option<(f64, f64)>) -> Result<RatingTable, FormatError> {
    let ends = Scale::new(path, scale, columns.missing.as_ref());
    let table = if has_ending(path, &["npy"]) {
        read_array(path, columns, &ends)?
    } else if is_table_of_text(path) {
        of_table(DelimitedText::read_with_repeats(path, EXPECTED)?, columns, &ends)?
    } else {
        return Err(unknown_ending(path, EXPECTED));
    };
    decided(path, table, columns, scale)
}

/// The table, unless ratings look like codes for missing ones and the request names neither the codes nor the scale.
fn decided(
    path: &Path,
    table: RatingTable,
    columns: &RatingColumns,
    scale: Option<(f64, f64)>,
) -> Result<RatingTable, FormatError> {
    if columns.missing.is_none() && scale.is_none() {
        missing_codes::refuse_suspects(path, &table)?;
    }
    Ok(table)
}

/// Reads a text table in memory; `name` is its name in messages.
pub fn of_text(
    name: &str,
    text: &str,
    columns: &RatingColumns,
    scale: Option<(f64, f64)>,
) -> Result<RatingTable, FormatError> {
    let path = Path::new(name);
    let text = DelimitedText::of_text_with_repeats(path, text, EXPECTED)?;
    let table = of_table(text, columns, &Scale::new(path, scale, columns.missing.as_ref()))?;
    decided(path, table, columns, scale)
}

fn of_table(text: DelimitedText, columns: &RatingColumns, scale: &Scale<'_>) -> Result<RatingTable, FormatError> {
    let items = columns.item_order()?;
    let (text, of_words) = match prepared(text, columns, &items)? {
        Prepared::Choices(table) => return Ok(table),
        Prepared::Ratings(text, findings) => (text, findings),
    };
    let mut table = match exports::as_long_table(&text, columns, &items)? {
        Some(exported) => {
            let mut table = of_columns(&exported.text, &exported.columns, scale)?;
            table.findings.splice(0..0, exported.findings);
            table
        }
        None if !items.is_empty() => {
            let problem = format!("{} is for a table with a line for each person", option("items", "FILE"));
            return Err(text.column_error(problem));
        }
        None => of_columns(&text, columns, scale)?,
    };
    table.findings.extend(of_words);
    Ok(table)
}

enum Prepared {
    Choices(RatingTable),
    /// A table with a name for each column and with numbers for answers, and how these were read.
    Ratings(DelimitedText, Vec<Finding>),
}

fn prepared(text: DelimitedText, columns: &RatingColumns, items: &[String]) -> Result<Prepared, FormatError> {
    let text = items_in_order::named(text, items, columns.items.as_deref())?;
    if let Some((choices, findings)) = choices::read(&text, columns)? {
        return Ok(Prepared::Choices(RatingTable {
            items: choices.items.clone(),
            raters: choices.raters.clone(),
            choices: Some(choices),
            form: "choices between items".to_owned(),
            findings,
            ..RatingTable::default()
        }));
    }
    let (text, findings) = answer_words::in_numbers(text, columns)?;
    Ok(Prepared::Ratings(text, findings))
}

fn of_columns(text: &DelimitedText, columns: &RatingColumns, scale: &Scale<'_>) -> Result<RatingTable, FormatError> {
    let (groups, layout) = layout::recognise(text, columns)?;
    let form = layout.in_words(text);
    let (item, mut findings, pseudonyms, table) = match layout {
        RatingsLayout::Long { item, rater, value } => {
            let raters = text.records.iter().map(|record| record.cell(rater));
            let pseudonyms = columns.pseudonyms(raters);
            let table = long::collect(text, (&item, rater, value), scale, &pseudonyms)?;
            (item, questions::findings(text, &[], true), pseudonyms, table)
        }
        RatingsLayout::Wide { item, raters, finding } => {
            let names = raters.iter().map(|&column| text.header[column].as_str());
            let pseudonyms = columns.pseudonyms(names);
            let table = wide::collect(text, &item, &raters, scale, &pseudonyms)?;
            let mut findings: Vec<Finding> = finding.into_iter().collect();
            findings.extend(questions::findings(text, &raters, !columns.raters.is_empty()));
            (item, findings, pseudonyms, table)
        }
    };
    findings.iter_mut().for_each(|finding| finding.message = pseudonyms.in_text(&finding.message));
    findings.extend(pseudonyms.finding(&option("keep-emails", "").to_string()));
    Ok(RatingTable {
        groups: groups::collect(text, &item, &groups, &table.items)?,
        findings,
        form,
        ..table
    })
}

fn read_array(path: &Path, columns: &RatingColumns, scale: &Scale<'_>) -> Result<RatingTable, FormatError> {
    let unnamed = RatingColumns {
        missing: columns.missing.clone(),
        items: columns.items.clone(),
        ..RatingColumns::default()
    };
    if *columns != unnamed {
        let expected = "a table as text, since columns were named; leave their names out";
        return Err(Problem::content("an array, which has no named columns", expected).at(path));
    }
    let (shape, numbers) = npy::read_f64(path)?;
    let (n_items, n_raters) = match shape[..] {
        [n_items, n_raters] if n_items > 0 && n_raters > 0 => (n_items, n_raters),
        _ => {
            return Err(Problem::shape(shape, "(items, raters), at least one of each").at(path));
        }
    };
    let mut values = Vec::with_capacity(numbers.len());
    for (index, &value) in numbers.iter().enumerate() {
        let (row, column) = (index as u64 / n_raters, index as u64 % n_raters);
        let place = || format!("row {row}, column {column}");
        values.push(match value {
            _ if value.is_nan() || scale.is_code(&value.to_string()) => None,
            _ if value.abs() > LARGEST => {
                return Err(Problem::non_finite(place(), value).at(path));
            }
            _ => Some(scale.check(value, place)?),
        });
    }
    let items = columns.item_order()?;
    let items = match items.len() as u64 {
        0 => (0..n_items).map(|item| item.to_string()).collect(),
        n if n == n_items => items,
        n => {
            let list = columns.items.as_deref().unwrap_or(path).display();
            let expected = format!("as many rows as {list} names, {n}");
            return Err(Problem::content(format_args!("{n_items} items (rows)"), expected).at(path));
        }
    };
    Ok(RatingTable {
        items,
        raters: (0..n_raters).map(|rater| rater.to_string()).collect(),
        values,
        form: "an array (items, raters)".to_owned(),
        ..RatingTable::default()
    })
}

/// Sorts items and raters, whose names are unique, into natural order: that of the pseudonyms where raters have them.
fn in_natural_order(
    items: &[String],
    raters: &[String],
    pseudonyms: &Pseudonyms<'_>,
    value: impl Fn(usize, usize) -> Option<f64>,
) -> RatingTable {
    let raters: Vec<String> = raters.iter().map(|name| pseudonyms.name(name).to_owned()).collect();
    let (item_order, rater_order) = (natural_order(items), natural_order(&raters));
    let by_item = item_order.iter().flat_map(|&item| {
        let value = &value;
        rater_order.iter().map(move |&rater| value(item, rater))
    });
    RatingTable {
        values: by_item.collect(),
        items: item_order.iter().map(|&item| items[item].clone()).collect(),
        raters: rater_order.iter().map(|&rater| raters[rater].clone()).collect(),
        ..RatingTable::default()
    }
}
