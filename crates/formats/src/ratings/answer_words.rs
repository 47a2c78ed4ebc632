//! Answers in words, such as those of Likert scales, as numbers.

use super::column_names::{NoRating, words as words_of_name};
use super::{RatingColumns, exports, layout};
use crate::FormatError;
use crate::delimited_text::{DelimitedText, Number, number};
use neurogauge_core::option_words::option;
use neurogauge_core::{Finding, comparable, counted};
use std::collections::{BTreeMap, BTreeSet};

/// Usual scales, a line for each: its kind, and its points with the lowest first; `|` separates wordings of one point. Of
/// the scales of one kind that have all answers, the first counts.
const USUAL: &str = "\
agreement: strongly disagree,disagree,neutral|neither agree nor disagree|undecided,agree,strongly agree
agreement: strongly disagree,somewhat disagree,neutral|neither agree nor disagree,somewhat agree,strongly agree
agreement: strongly disagree,disagree|moderately disagree,somewhat disagree|slightly disagree,\
neutral|neither agree nor disagree,somewhat agree|slightly agree,agree|moderately agree,strongly agree
frequency: never,rarely|seldom,sometimes|occasionally,often|frequently|usually,always
frequency: never,rarely|seldom,occasionally,sometimes,frequently|often,usually,always|every time
quality: poor,fair,good,very good,excellent
quality: bad,poor,fair,good,excellent
quality: very poor|very bad,poor|bad,fair|average|acceptable|neutral,good,very good|excellent
quality: very poor,poor,below average,average,above average,good,excellent
quality: extremely bad,moderately bad,slightly bad,neither good nor bad,slightly good,moderately good,extremely good
likelihood: very unlikely|extremely unlikely,unlikely|somewhat unlikely,neutral|neither likely nor unlikely,\
likely|somewhat likely,very likely|extremely likely
likelihood: extremely unlikely|very unlikely,moderately unlikely|unlikely,slightly unlikely|somewhat unlikely,\
neutral|neither likely nor unlikely,slightly likely|somewhat likely,moderately likely|likely,extremely likely|very likely
degree: not at all,slightly|a little,moderately|somewhat,very,extremely
degree: not at all,a little|slightly,somewhat|moderately,quite|quite a bit,very|very much|extremely";
const KINDS: [&str; 5] = ["agreement", "frequency", "quality", "likelihood", "degree"];

/// Between a number and its words: `4 - Agree`, `4: Agree`, `4 (Agree)`.
const BETWEEN: [char; 8] = ['-', '–', '—', ':', '.', ')', '=', '('];
/// The most points of a scale whose answers have both numbers and words.
const MOST_POINTS: usize = 11;

/// A column that may hold answers: its distinct answers in [comparable] form, with one cell of each.
struct Column<'a> {
    at: usize,
    answers: BTreeMap<String, &'a str>,
}

/// The number of each answer in comparable form.
type Numbers = BTreeMap<String, f64>;

/// The table with numbers in place of answers in words, and how they were read.
pub(super) fn in_numbers(
    text: DelimitedText,
    columns: &RatingColumns,
) -> Result<(DelimitedText, Vec<Finding>), FormatError> {
    let first = exports::n_headings(&text);
    let candidates = candidates(&text, columns, first);
    let (numbers, findings) = match columns.words.as_slice() {
        [] => of_usual_scales(&text, &candidates),
        words => of_words(&text, &candidates, words)?,
    };
    if numbers.is_empty() {
        return Ok((text, findings));
    }
    let converted = |row: usize, at: usize, cell: &str| {
        let found = numbers.get(&at).filter(|_| row >= first)?.get(&comparable(cell))?;
        Some(found.to_string())
    };
    let lines = text.records.iter().enumerate().map(|(row, record)| {
        let cells = (0..text.header.len()).map(|at| {
            let cell = record.cell(at);
            converted(row, at, cell).unwrap_or_else(|| cell.to_owned())
        });
        (record.line, cells.collect())
    });
    let lines = lines.collect();
    Ok((DelimitedText::of_cells(&text.path, text.header, lines), findings))
}

/// The columns that are not known to hold something else and have words.
fn candidates<'a>(text: &'a DelimitedText, columns: &RatingColumns, first: usize) -> Vec<Column<'a>> {
    let names = [&columns.item, &columns.rater].into_iter().flatten().flat_map(|names| names.split(','));
    let named = names.chain(columns.groups.iter().map(String::as_str)).filter_map(|name| text.named(name).ok());
    let mut taken: Vec<usize> = named.chain(text.usually_named(&layout::ITEM, &[])).collect();
    taken.extend(text.usually_named(&layout::RATER, &[]));
    let is_code = |cell: &str| columns.missing.iter().flatten().any(|code| code == cell);
    let is_of_item = |name: &str| words_of_name(name).len() < 3 && NoRating::of_name(name).is_some();
    // The first column holds items, persons or times.
    let others = (1..text.header.len()).filter(|at| !taken.contains(at) && !is_of_item(&text.header[*at]));
    let columns = others.map(|at| {
        let cells = text.records.iter().skip(first).map(|record| record.cell(at));
        let given = cells.filter(|cell| number(cell) != Number::Missing && !is_code(cell));
        Column {
            at,
            answers: given.map(|cell| (comparable(cell), cell)).collect(),
        }
    });
    columns.filter(|column| column.answers.values().any(|cell| number(cell) == Number::Text)).collect()
}

/// Numbers by the words that the request gives, from 1.
fn of_words(
    text: &DelimitedText,
    candidates: &[Column<'_>],
    words: &[String],
) -> Result<(BTreeMap<usize, Numbers>, Vec<Finding>), FormatError> {
    let known: Numbers = (1..).map(f64::from).zip(words).map(|(number, word)| (comparable(word), number)).collect();
    let mut numbers = BTreeMap::new();
    for column in candidates {
        let is_known = |answer: &&String| known.contains_key(*answer);
        let n_known = column.answers.keys().filter(is_known).count();
        if 2 * n_known < column.answers.len() || n_known == 0 {
            continue;
        }
        let unknown = column.answers.iter().find(|(answer, cell)| !is_known(answer) && number(cell) == Number::Text);
        if let Some((_, cell)) = unknown
            && let Some(record) = text.records.iter().find(|record| record.cell(column.at) == *cell)
        {
            let expected = format!("one of {}, the answers of {}", words.join(", "), option("scale", ""));
            return Err(text.faulty_cell(record, column.at, &expected));
        }
        numbers.insert(column.at, known.clone());
    }
    if numbers.is_empty() {
        let problem = format!("no column has the answers of {}", option("scale", &format!("'{}'", words.join(","))));
        return Err(text.column_error(problem));
    }
    let scale = format!("{} = 1 to {} = {}", words[0], words[words.len() - 1], words.len());
    let finding = finding(text, numbers.len(), &scale);
    Ok((numbers, vec![finding]))
}

fn finding(text: &DelimitedText, n_columns: usize, scale: &str) -> Finding {
    let message = format!("answers in {} are numbers: {scale}", counted(n_columns, "column"));
    Finding::note("answers_in_words", text.path.display().to_string(), message)
}

/// Numbers that stand beside the words, or else the points of a usual scale.
fn of_usual_scales(text: &DelimitedText, candidates: &[Column<'_>]) -> (BTreeMap<usize, Numbers>, Vec<Finding>) {
    let (mut numbers, mut findings) = (BTreeMap::new(), Vec::new());
    let mut example = None;
    for column in candidates {
        if let Some(found) = beside_words(column) {
            let with_words = column.answers.values().find(|cell| number(cell) == Number::Text);
            example = example.or(with_words.copied());
            numbers.insert(column.at, found);
        }
    }
    if let Some(example) = example {
        let scale = format!("{example:?} is {}", number_in(example).map_or(f64::NAN, |(number, _)| number));
        findings.push(finding(text, numbers.len(), &scale));
    }
    for kind in KINDS {
        let of_kind: Vec<&Column> = candidates
            .iter()
            .filter(|column| !numbers.contains_key(&column.at) && !fitting(kind, &spoken(column)).is_empty())
            .collect();
        let all: BTreeSet<String> = of_kind.iter().flat_map(|column| spoken(column)).collect();
        let all: Vec<String> = all.into_iter().collect();
        let scales = fitting(kind, &all);
        let Some(scale) = scales.first().filter(|_| !all.is_empty()) else {
            continue;
        };
        let point = |scale: &[&str], answer: &str| place(scale, answer).unwrap_or_default() as f64;
        let differs = |other: &&Vec<&str>| {
            // Another scale that only begins elsewhere ranks and spaces the answers in the same way.
            let shifts = all.iter().map(|answer| point(scale, answer) - point(other, answer));
            shifts.map(|shift| shift as i64).collect::<BTreeSet<i64>>().len() > 1
        };
        let first = |points: &str| points.split('|').next().unwrap_or_default().to_owned();
        let in_words = format!(
            "{kind}, {} points, {} = 1 to {} = {}",
            scale.len(),
            first(scale[0]),
            first(scale[scale.len() - 1]),
            scale.len()
        );
        let mut said = finding(text, of_kind.len(), &in_words);
        if let Some(other) = scales[1..].iter().find(differs) {
            let points: Vec<String> = other.iter().map(|point| first(point)).collect();
            said.severity = neurogauge_core::Severity::Warning;
            said = said.or_else(format!("on another scale of {kind}")).advise(format!(
                "{} decides, the lowest answer first",
                option("scale", &format!("'{}'", points.join(",")))
            ));
        }
        findings.push(said);
        for column in of_kind {
            let spoken = column.answers.keys().zip(spoken(column));
            let points = spoken.map(|(answer, spoken)| (answer.clone(), point(scale, &spoken) + 1.0));
            numbers.insert(column.at, points.collect());
        }
    }
    (numbers, findings)
}

/// A column's answers, in order, without the last word if all of them share it: `very` for `very similar`.
fn spoken(column: &Column<'_>) -> Vec<String> {
    let answers: Vec<String> = column.answers.keys().cloned().collect();
    if KINDS.iter().any(|kind| !fitting(kind, &answers).is_empty()) {
        return answers;
    }
    let cut: Option<Vec<(&str, &str)>> = answers.iter().map(|answer| answer.rsplit_once(' ')).collect();
    match cut {
        Some(cut) if cut.windows(2).all(|two| two[0].1 == two[1].1) => {
            cut.into_iter().map(|(begin, _)| begin.to_owned()).collect()
        }
        _ => answers,
    }
}

/// The scales of a kind that have all answers, each at another point.
fn fitting(kind: &str, answers: &[String]) -> Vec<Vec<&'static str>> {
    let scales = USUAL.lines().filter_map(|line| line.strip_prefix(kind)?.strip_prefix(": "));
    let scales = scales.map(|points| points.split(',').collect());
    let fits = |scale: &Vec<&str>| {
        let mut places: Vec<Option<usize>> = answers.iter().map(|answer| place(scale, answer)).collect();
        places.sort_unstable();
        places.iter().all(Option::is_some) && places.windows(2).all(|two| two[0] != two[1])
    };
    scales.filter(fits).collect()
}

fn place(scale: &[&str], answer: &str) -> Option<usize> {
    scale.iter().position(|point| point.split('|').any(|wording| wording == answer))
}

/// The numbers in answers such as `4 - Agree` or `80%`, if each stands for one answer only.
fn beside_words(column: &Column<'_>) -> Option<Numbers> {
    let mut words_of: BTreeMap<u64, String> = BTreeMap::new();
    let (mut numbers, mut n_percent) = (Numbers::new(), 0);
    for (answer, cell) in &column.answers {
        let (value, words) = number_in(cell)?;
        n_percent += usize::from(words == "%");
        if !words.is_empty() && *words_of.entry(value.to_bits()).or_insert_with(|| words.clone()) != words {
            return None;
        }
        numbers.insert(answer.clone(), value);
    }
    let is_scale = n_percent == numbers.len() || n_percent == 0 && numbers.len() <= MOST_POINTS;
    is_scale.then_some(numbers)
}

/// The number in an answer, with the words beside it.
fn number_in(cell: &str) -> Option<(f64, String)> {
    let finite = |text: &str| match number(text.trim()) {
        Number::Finite(value) => Some(value),
        _ => None,
    };
    if let Some(value) = finite(cell) {
        return Some((value, String::new()));
    }
    if let Some(share) = cell.strip_suffix('%') {
        return Some((finite(share)?, "%".to_owned()));
    }
    if let Some((words, last)) = cell.strip_suffix(')').and_then(|text| text.rsplit_once('('))
        && let Some(value) = finite(last)
    {
        return Some((value, comparable(words.trim())));
    }
    let signed = usize::from(cell.starts_with(['+', '-']));
    let length = cell[signed..].find(|letter: char| !letter.is_ascii_digit() && letter != '.')?;
    let (digits, rest) = cell.split_at(signed + length);
    let is_apart = digits.ends_with('.') || rest.trim_start().starts_with(BETWEEN);
    let words = rest
        .trim_start_matches(|letter: char| letter == ' ' || BETWEEN.contains(&letter))
        .trim_end_matches(')');
    let value = finite(digits.trim_end_matches('.'))?;
    (is_apart && words.starts_with(char::is_alphabetic)).then(|| (value, comparable(words)))
}

#[cfg(test)]
mod tests {
    use super::number_in;

    #[test]
    fn numbers_beside_words() {
        for (cell, expected) in [
            ("4 - Agree", Some((4.0, "agree"))),
            ("-2: no", Some((-2.0, "no"))),
            ("4 (Agree)", Some((4.0, "agree"))),
            ("4. Agree", Some((4.0, "agree"))),
            ("Agree (4)", Some((4.0, "agree"))),
            ("80%", Some((80.0, "%"))),
            ("3.5", Some((3.5, ""))),
            ("3 cats", None),
            ("4th", None),
            ("2026-01-02", None),
            ("10:00:00 am", None),
            ("Agree", None),
            ("-", None),
        ] {
            assert_eq!(number_in(cell), expected.map(|(value, words)| (value, words.to_owned())), "{cell}");
        }
    }
}
