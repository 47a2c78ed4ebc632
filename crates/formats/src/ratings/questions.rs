//! Several questions in one table.

use super::crowd::{self, Crowd};
use super::{EXPECTED, Prepared, RatingColumns, exports, layout};
use crate::FormatError;
use crate::delimited_text::{DelimitedText, is_table_of_text};
use indexmap::IndexMap;
use neurogauge_core::option_words::option;
use neurogauge_core::{Finding, counted};
use std::path::Path;

/// One question of a table of ratings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// Its name; `None` if the table has only one question.
    pub name: Option<String>,
    /// The requested columns, for this question only.
    pub columns: RatingColumns,
}

/// The questions in a table of ratings, each to be read separately with [`read`](super::read).
///
/// - Each pattern of rater columns is a question, named after the pattern without its stars, or after `NAME` in
///   `NAME=PATTERN`.
/// - Each name in a comma-separated list of value columns is a question.
/// - Each question in a grid of Qualtrics or Google Forms is a question, unless a value column is named.
/// - In an export of Amazon Mechanical Turk (`WorkerId`, `Answer.*`), each answer with numbers is a question, unless a
///   value column is named.
///
/// # Errors
/// Errors of [`read`](super::read); two questions with the same name.
pub fn questions(path: &Path, columns: &RatingColumns) -> Result<Vec<Question>, FormatError> {
    if !is_table_of_text(path) {
        return Ok(vec![alone(columns)]);
    }
    of_table(DelimitedText::read_with_repeats(path, EXPECTED)?, columns)
}

/// Finds the questions of a text table in memory; `name` is its name in messages.
pub fn questions_of_text(name: &str, text: &str, columns: &RatingColumns) -> Result<Vec<Question>, FormatError> {
    of_table(DelimitedText::of_text_with_repeats(Path::new(name), text, EXPECTED)?, columns)
}

fn alone(columns: &RatingColumns) -> Question {
    Question {
        name: None,
        columns: columns.clone(),
    }
}

fn of_table(text: DelimitedText, columns: &RatingColumns) -> Result<Vec<Question>, FormatError> {
    let items = columns.item_order()?;
    let text = match super::prepared(text, columns, &items)? {
        Prepared::Choices(_) => return Ok(vec![alone(columns)]),
        Prepared::Ratings(text, _) => text,
    };
    let text = &text;
    let exported = exports::as_long_table(text, columns, &items)?;
    let values: Vec<String> = match &columns.value {
        Some(names) if text.named(names).is_ok() => vec![names.clone()],
        Some(names) => names.split(',').map(|name| name.trim().to_owned()).collect(),
        None => match (Crowd::recognise(text), &exported) {
            (_, Some(exported)) => exported.questions().to_vec(),
            (Some(crowd), None) if layout::lacks_values(text) => {
                crowd.answers.iter().map(|&at| text.header[at].clone()).collect()
            }
            _ => Vec::new(),
        },
    };
    let found: Vec<Question> = match (columns.raters.as_slice(), values.as_slice()) {
        ([], [] | [_]) => vec![alone(columns)],
        ([_], _) => vec![alone(columns)],
        ([], values) => values
            .iter()
            .map(|value| Question {
                name: Some(value.strip_prefix("Answer.").unwrap_or(value).to_owned()),
                columns: RatingColumns {
                    value: Some(value.clone()),
                    ..columns.clone()
                },
            })
            .collect(),
        (patterns, _) => patterns
            .iter()
            .map(|pattern| Question {
                name: Some(name_of(pattern)),
                columns: RatingColumns {
                    raters: vec![pattern.clone()],
                    ..columns.clone()
                },
            })
            .collect(),
    };
    let names: Vec<&String> = found.iter().filter_map(|question| question.name.as_ref()).collect();
    match names.iter().enumerate().find(|(at, name)| names[..*at].contains(name)) {
        Some((_, name)) => Err(text.column_error(format!(
            "two questions are called {name:?}; give them names: {}",
            option("rater-columns", "NAME=PATTERN")
        ))),
        None => Ok(found),
    }
}

/// `NAME` of `NAME=PATTERN`, otherwise the pattern without stars and without separators at its ends.
fn name_of(pattern: &str) -> String {
    match pattern.split_once('=') {
        Some((name, _)) => name.trim().to_owned(),
        None => pattern.replace('*', "").trim_matches(is_separator).to_owned(),
    }
}

fn is_separator(letter: char) -> bool {
    matches!(letter, '_' | '-' | '.' | ' ' | ':' | '/')
}

/// The columns that match the only pattern, or one of the comma-separated names in it, in order; `None` without a
/// pattern.
pub(super) fn rater_columns(text: &DelimitedText, patterns: &[String]) -> Result<Option<Vec<usize>>, FormatError> {
    let pattern = match patterns {
        [] => return Ok(None),
        [pattern] => pattern.split_once('=').map_or(pattern.as_str(), |(_, pattern)| pattern),
        several => {
            return Err(text.column_error(format!(
                "{} patterns of rater columns are as many questions; they are read one after the other",
                several.len()
            )));
        }
    };
    let columns = text.header.iter().enumerate();
    let is_name = text.named(pattern).is_ok();
    let alternatives = || pattern.split(',').filter(|_| !is_name).chain(is_name.then_some(pattern));
    let columns = columns.filter(|(_, name)| alternatives().any(|one| matches_pattern(one.trim(), name)));
    let columns: Vec<usize> = columns.map(|(position, _)| position).collect();
    if columns.is_empty() {
        return Err(text.column_error(format!("no column is called {pattern:?} (* stands for any letters)")));
    }
    Ok(Some(columns))
}

/// Does a name match a pattern in which each star stands for any number of letters?
fn matches_pattern(pattern: &str, name: &str) -> bool {
    let Some((start, rest)) = pattern.split_once('*') else {
        return pattern == name;
    };
    let Some(name) = name.strip_prefix(start) else {
        return false;
    };
    let mut ends = name.char_indices().map(|(at, _)| at).chain([name.len()]);
    ends.any(|at| matches_pattern(rest, &name[at..]))
}

/// Warnings about how a table was read.
pub(super) fn findings(text: &DelimitedText, raters: &[usize], is_asked_for: bool) -> Vec<Finding> {
    let subject = text.path.display().to_string();
    let mut findings = Vec::new();
    let rejected = text.records.iter().filter(|record| crowd::is_rejected(text, record)).count();
    if rejected > 0 {
        let message = format!("{} left out", counted(rejected, "rejected assignment"));
        findings.push(Finding::warning("assignments_rejected", subject.clone(), message));
    }
    if let (false, Some(groups)) = (is_asked_for, groups(text, raters)) {
        let shown: Vec<String> = groups.iter().map(|(stem, n)| format!("{stem}* ({n})")).collect();
        let patterns: Vec<String> =
            groups.keys().map(|stem| option("rater-columns", &format!("'{stem}*'")).to_string()).collect();
        let message = format!(
            "the names of the {} rater columns fall into groups: {}. If these are questions, their ratings \
             are not to be averaged; evaluate them one after the other: {}",
            raters.len(),
            shown.join(", "),
            patterns.join(" ")
        );
        findings.push(Finding::warning("rater_columns_in_groups", subject, message));
    }
    findings
}

/// Prefixes of names with their numbers of columns, if there are several prefixes with several columns each, and no
/// other columns.
fn groups<'a>(text: &'a DelimitedText, raters: &[usize]) -> Option<IndexMap<&'a str, usize>> {
    let mut groups: IndexMap<&str, usize> = IndexMap::new();
    for &column in raters {
        let name = text.header[column].as_str();
        let without_number = name.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let end = name.rfind(is_separator).map_or(0, |at| at + 1);
        let stem = if without_number.len() < name.len() {
            without_number
        } else {
            &name[..end]
        };
        if stem.is_empty() {
            return None;
        }
        *groups.entry(stem).or_default() += 1;
    }
    (groups.len() > 1 && groups.values().all(|n| *n > 1)).then_some(groups)
}

#[cfg(test)]
mod tests {
    use super::matches_pattern;

    #[test]
    fn stars_stand_for_any_letters() {
        for (pattern, name, is_match) in [
            ("sem_*", "sem_1", true),
            ("sem_*", "perc_1", false),
            ("*_1", "sem_1", true),
            ("*a*b*", "xaybz", true),
            ("*a*b*", "xbya", false),
            ("exact", "exact", true),
            ("exact", "exactly", false),
            ("*", "", true),
            ("é*é", "éé", true),
        ] {
            assert_eq!(matches_pattern(pattern, name), is_match, "{pattern} {name}");
        }
    }
}
