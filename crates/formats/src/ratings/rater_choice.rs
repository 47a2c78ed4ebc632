//! Chooses the columns of raters in a table with one line for each item.

use super::column_names::{NoRating, words};
use super::column_values::{Candidate, FEWEST_LINES, LeftOut, RULES, are_votes, doubt, is_summary, mean};
use crate::FormatError;
use crate::delimited_text::{DelimitedText, Number, number, with_point};
use neurogauge_core::option_words::option;
use neurogauge_core::{Finding, NAMES_SHOWN, counted, first_names};

/// The code of the finding that a table holds one mean rating for each item.
pub const TABLE_OF_MEANS: &str = "table_of_means";

/// Letters of an example of an option.
const LONGEST_EXAMPLE: usize = 60;

/// A column counts as the raters' mean if its correlation with their mean is at least this.
const SAME_MEAN: f64 = 0.9;

/// The raters among these columns, with a finding about what was taken and left out.
pub(super) fn choose(text: &DelimitedText, columns: &[usize]) -> Result<(Vec<usize>, Finding), FormatError> {
    let (mut left_out, mut candidates) = (Vec::new(), Vec::new());
    for &at in columns {
        let named = named(text, columns, at);
        match named {
            Some(kind) => left_out.push(LeftOut {
                at,
                reason: kind.in_words().to_owned(),
                named,
            }),
            None if is_words(text, at) => left_out.push(LeftOut {
                at,
                reason: "words".to_owned(),
                named,
            }),
            None => candidates.push(Candidate::of(text, at)),
        }
    }
    // Arrays in memory have numbers as names, and no other columns.
    if !candidates.iter().any(|candidate: &Candidate| text.header[candidate.at].parse::<f64>().is_ok()) {
        leave_out_by_values(text, &mut candidates, &mut left_out)?;
    }
    let means = left_out.iter().filter(|column| column.named == Some(NoRating::Mean));
    let means: Vec<usize> = means.map(|column| column.at).collect();
    let raters: Vec<usize> = candidates.iter().map(|candidate| candidate.at).collect();
    match (raters.as_slice(), means.as_slice()) {
        ([], [mean]) => {
            left_out.retain(|column| column.at != *mean);
            Ok((vec![*mean], of_means(text, *mean, &left_out)))
        }
        ([], []) => {
            Err(undecided(text, &format!("no column is clearly a rater: {}", listed(text, &left_out)), columns))
        }
        ([], means) => {
            let problem = format!("{} could all be the mean ratings", names(text, means));
            Err(undecided(text, &problem, &means[..1]))
        }
        (raters, means) => {
            for &mean in means {
                check_mean(text, &candidates, mean)?;
            }
            Ok((raters.to_vec(), taken(text, raters, &left_out)))
        }
    }
}

/// What the name of a column suggests. `class_1`, `class_2`, ... may be raters, `mean_1`, `mean_2` may not; `n` may be
/// one next to `m` or `o`.
fn named(text: &DelimitedText, columns: &[usize], at: usize) -> Option<NoRating> {
    let kind = NoRating::of_name(&text.header[at])?;
    let own = words(&text.header[at]);
    let is_sibling = |&other: &usize| match (own.as_slice(), words(&text.header[other]).as_slice()) {
        ([a], [b]) if a.len() == 1 && b.len() == 1 => a.as_bytes()[0].abs_diff(b.as_bytes()[0]) == 1,
        ([own @ .., a], [others @ .., b]) => {
            let are_numbers = [a, b].iter().all(|word| word.parse::<u32>().is_ok());
            a != b && own == others && are_numbers
        }
        _ => false,
    };
    let is_one_of_several = !matches!(kind, NoRating::Mean | NoRating::Spread) && columns.iter().any(is_sibling);
    (!is_one_of_several).then_some(kind)
}

/// Are the cells words? Numbers with a decimal comma are not: their reader says how to write them.
fn is_words(text: &DelimitedText, at: usize) -> bool {
    let cells = text.records.iter().map(|record| record.cell(at));
    let mut there = cells.filter(|cell| number(cell) != Number::Missing).peekable();
    there.peek().is_some() && there.all(|cell| number(cell) == Number::Text && with_point(cell).is_none())
}

/// Do all of these columns have names that raters cannot have?
pub(super) fn are_no_raters(text: &DelimitedText, columns: &[usize]) -> bool {
    columns.iter().all(|&at| named(text, columns, at).is_some())
}

/// Moves columns that cannot be raters to those that are left out; fails if it is unclear.
fn leave_out_by_values(
    text: &DelimitedText,
    candidates: &mut Vec<Candidate>,
    left_out: &mut Vec<LeftOut>,
) -> Result<(), FormatError> {
    if text.records.len() < FEWEST_LINES || candidates.len() < 2 {
        return Ok(());
    }
    if let Some(reason) = are_votes(text, candidates, left_out) {
        left_out.extend(candidates.drain(..).map(|column| LeftOut {
            at: column.at,
            reason: reason.clone(),
            named: None,
        }));
        return Ok(());
    }
    let mut n_doubtful = 0;
    for rule in RULES {
        let found =
            |candidates: &[Candidate]| (0..candidates.len()).find_map(|place| Some((place, rule(candidates, place)?)));
        while let Some((place, reason)) = found(candidates) {
            n_doubtful += usize::from(is_summary(candidates, place).is_none());
            left_out.push(LeftOut {
                at: candidates.remove(place).at,
                reason,
                named: None,
            });
        }
    }
    let rest: Vec<usize> = candidates.iter().map(|candidate| candidate.at).collect();
    if n_doubtful > 0 && n_doubtful >= candidates.len() {
        let problem = format!("it is unclear which columns are raters: {}", listed(text, left_out));
        return Err(undecided(text, &problem, &[]));
    }
    match (0..candidates.len()).find_map(|place| Some((candidates[place].at, doubt(candidates, place)?))) {
        None => Ok(()),
        Some((at, doubt)) => {
            let problem = format!("{} {doubt}, so it may be no rater", text.header[at]);
            let others: Vec<usize> = rest.into_iter().filter(|other| *other != at).collect();
            Err(undecided(text, &problem, &others))
        }
    }
}

/// Checks that a column of means, next to ratings, is their mean.
fn check_mean(text: &DelimitedText, candidates: &[Candidate], at: usize) -> Result<(), FormatError> {
    let means = Candidate::of(text, at);
    let lines = (0..text.records.len()).filter_map(|line| {
        let values: Vec<f64> = candidates.iter().filter_map(|column| column.values[line]).collect();
        Some((means.values[line]?, (!values.is_empty()).then(|| mean(&values))?))
    });
    let (named, own): (Vec<f64>, Vec<f64>) = lines.unzip();
    let is_theirs = candidates.len() > 1 && (named.len() < FEWEST_LINES || correlation(&named, &own) >= SAME_MEAN);
    if is_theirs || named == own {
        return Ok(());
    }
    let columns: Vec<usize> = candidates.iter().map(|column| column.at).collect();
    let name = &text.header[at];
    let problem = format!(
        "{name} is not the mean of the {} beside it; if it is to be compared, {}",
        counted(columns.len(), "rater"),
        option("rater-columns", name)
    );
    Err(undecided(text, &problem, &columns))
}

fn correlation(x: &[f64], y: &[f64]) -> f64 {
    let centred = |values: &[f64]| -> Vec<f64> { values.iter().map(|value| value - mean(values)).collect() };
    let (x, y) = (centred(x), centred(y));
    let product = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| a * b).sum() };
    product(&x, &y) / (product(&x, &x) * product(&y, &y)).sqrt()
}

fn names(text: &DelimitedText, columns: &[usize]) -> String {
    let names: Vec<&str> = columns.iter().map(|&at| text.header[at].as_str()).collect();
    first_names(&names)
}

/// `MOS (a mean), SD (a spread)`.
fn listed(text: &DelimitedText, left_out: &[LeftOut]) -> String {
    let in_order = |column: &LeftOut| column.at;
    let mut columns: Vec<&LeftOut> = left_out.iter().collect();
    columns.sort_by_key(|column| in_order(column));
    let named: Vec<String> =
        columns.iter().map(|column| format!("{} ({})", text.header[column.at], column.reason)).collect();
    first_names(&named)
}

/// An error that asks for the raters, with likely ones as an example if they are few.
fn undecided(text: &DelimitedText, problem: &str, example: &[usize]) -> FormatError {
    let names: Vec<&str> = example.iter().map(|&at| text.header[at].as_str()).collect();
    let is_short = (1..NAMES_SHOWN).contains(&names.len());
    let all = Some(names.join(",")).filter(|all| is_short && all.len() <= LONGEST_EXAMPLE);
    let example = all.unwrap_or_else(|| "NAME,NAME".to_owned());
    text.fault(format!("{problem}; name the raters: {}", option("rater-columns", &example)))
}

fn taken(text: &DelimitedText, raters: &[usize], left_out: &[LeftOut]) -> Finding {
    let path = text.path.display().to_string();
    let taken = match raters {
        [only] => format!("{} holds one rating of each item", text.header[*only]),
        several => format!("{} columns are taken as raters", several.len()),
    };
    if left_out.is_empty() {
        let named = match raters {
            [_] => String::new(),
            several => format!(": {}", names(text, several)),
        };
        return Finding::note("raters_taken", path, taken + &named);
    }
    Finding::warning("raters_taken", path, format!("{taken}; left out: {}", listed(text, left_out)))
        .advise(format!("{} decides", option("rater-columns", "NAME,NAME")))
}

/// The finding that a table holds the mean rating of each item.
pub(super) fn of_means(text: &DelimitedText, mean: usize, left_out: &[LeftOut]) -> Finding {
    let without = match left_out {
        [] => String::new(),
        _ => format!("; left out: {}", listed(text, left_out)),
    };
    let message = format!(
        "{} is taken as the mean rating of each item, so how well raters agree is unknown{without}",
        text.header[mean]
    );
    Finding::warning(TABLE_OF_MEANS, text.path.display().to_string(), message)
        .advise(format!("{} if other columns are raters", option("rater-columns", "NAME,NAME")))
}
