//! Recognises columns by their values: next to the others, some cannot be ratings.

use super::column_names::NoRating;
use crate::delimited_text::{DelimitedText, Number, number};

/// The fewest lines from which values reveal something about a column.
pub(super) const FEWEST_LINES: usize = 5;

/// A column that may belong to a rater.
pub(super) struct Candidate {
    pub(super) at: usize,
    pub(super) values: Vec<Option<f64>>,
    /// Decimals of the number with the most.
    decimals: usize,
}

/// A column that does not belong to a rater.
pub(super) struct LeftOut {
    pub(super) at: usize,
    pub(super) reason: String,
    /// What its name suggests.
    pub(super) named: Option<NoRating>,
}

/// The most sets of columns to try when searching for a summary of the others.
const MOST_SETS: usize = 64;

/// The reason why the column at this position cannot belong to a rater like the others.
type Rule = fn(&[Candidate], usize) -> Option<String>;

/// The rules in order, because a column that was left out no longer tells about the others.
pub(super) const RULES: [Rule; 5] =
    [is_summary, is_finer, is_of_another_range, numbers_the_lines, is_constant_elsewhere];

impl Candidate {
    pub(super) fn of(text: &DelimitedText, at: usize) -> Self {
        let cells = || text.records.iter().map(|record| record.cell(at));
        let values = cells().map(|cell| match number(cell) {
            Number::Finite(value) => Some(value),
            _ => None,
        });
        Candidate {
            at,
            values: values.collect(),
            decimals: cells().map(decimals).max().unwrap_or_default(),
        }
    }

    fn given(&self) -> impl Iterator<Item = f64> + '_ {
        self.values.iter().flatten().copied()
    }

    fn ends(&self) -> (f64, f64) {
        (self.given().fold(f64::INFINITY, f64::min), self.given().fold(f64::NEG_INFINITY, f64::max))
    }

    fn is_constant(&self) -> bool {
        let (low, high) = self.ends();
        low >= high
    }

    fn is_half_steps(&self) -> bool {
        self.given().all(|value| (2.0 * value).fract() == 0.0)
    }

    /// The share of its values outside a range.
    fn share_outside(&self, (low, high): (f64, f64)) -> f64 {
        let outside = self.given().filter(|value| !(low..=high).contains(value)).count();
        outside as f64 / self.given().count().max(1) as f64
    }

    /// Are the values 0, 1, 2, ... or 1, 2, 3, ... in some order?
    fn numbers_lines(&self) -> bool {
        let mut values: Vec<f64> = self.given().collect();
        values.sort_by(f64::total_cmp);
        let is_start = values.first().is_some_and(|first| *first == 0.0 || *first == 1.0);
        is_start && values.len() == self.values.len() && values.windows(2).all(|two| two[1] - two[0] == 1.0)
    }
}

/// Digits after the decimal point; a number with an exponent counts as having the most.
fn decimals(cell: &str) -> usize {
    match cell.split_once('.') {
        _ if cell.contains(['e', 'E']) => usize::MAX,
        Some((_, digits)) => digits.trim_end_matches('0').len(),
        None => 0,
    }
}

/// Finds counts of votes: those for each point of a scale add up to the number of votes. So do the ranks in a line, but
/// their sum is the same in each line.
pub(super) fn are_votes(text: &DelimitedText, candidates: &[Candidate], left_out: &[LeftOut]) -> Option<String> {
    let is_counts = |column: &Candidate| column.decimals == 0 && column.given().all(|value| value >= 0.0);
    if candidates.len() < 3 || !candidates.iter().all(is_counts) {
        return None;
    }
    let lines = (0..text.records.len()).map(|line| {
        let mut values: Vec<f64> = candidates.iter().filter_map(|column| column.values[line]).collect();
        values.sort_by(f64::total_cmp);
        values
    });
    let lines: Vec<Vec<f64>> = lines.collect();
    let totals: Vec<f64> = lines.iter().map(|values| values.iter().sum()).collect();
    let is_same = totals.windows(2).all(|two| two[0] == two[1]);
    if is_same && lines.windows(2).any(|two| two[0] != two[1]) {
        return Some(format!("numbers of votes, {} in each line", totals[0]));
    }
    let counts = left_out.iter().filter(|column| column.named == Some(NoRating::Count));
    let total = counts.map(|column| Candidate::of(text, column.at)).find(|count| {
        !count.is_constant() && count.values.iter().zip(&totals).all(|(count, total)| *count == Some(*total))
    })?;
    Some(format!("numbers of votes, whose sum is {}", text.header[total.at]))
}

/// Is the column the mean, sum or spread of the others? One of those may itself be a summary.
pub(super) fn is_summary(candidates: &[Candidate], place: usize) -> Option<String> {
    let own = &candidates[place];
    let others: Vec<&Candidate> = (0..candidates.len()).filter(|at| *at != place).map(|at| &candidates[at]).collect();
    if others.len() < 2 || own.is_constant() {
        return None;
    }
    let coarsest = others.iter().map(|other| other.decimals).min()?;
    let raters = others.iter().copied().filter(|other| other.decimals == coarsest);
    let without_one = (0..=others.len()).take(MOST_SETS).map(|left_out| {
        let kept = others.iter().enumerate().filter(|(at, _)| *at != left_out);
        kept.map(|(_, other)| *other).collect::<Vec<&Candidate>>()
    });
    let mut sets = [raters.collect()].into_iter().chain(without_one).filter(|set| set.len() > 1);
    let found = sets.find_map(|set| summary_of(own, &set))?;
    Some(format!("the {found} of the others"))
}

fn summary_of(own: &Candidate, set: &[&Candidate]) -> Option<&'static str> {
    // Whole numbers are not treated as rounded: people who agree are as close to the mean of the others.
    let half_digit = match own.decimals {
        0 => 0.0,
        decimals => 0.5 * 0.1_f64.powf(decimals.min(15) as f64),
    };
    type Summary = fn(&[f64]) -> f64;
    let summaries: [(&str, Summary); 4] = [
        ("mean", mean),
        ("sum", |values| values.iter().sum()),
        ("standard deviation", |values| spread(values, 1.0)),
        ("standard deviation (of all)", |values| spread(values, 0.0)),
    ];
    let found = summaries.into_iter().find(|(_, summary)| {
        let mut n_telling = 0;
        let is_same = (0..own.values.len()).all(|line| {
            let values: Vec<f64> = set.iter().filter_map(|other| other.values[line]).collect();
            let Some(value) = own.values[line] else {
                return values.len() < 2;
            };
            n_telling += usize::from(values.windows(2).any(|two| two[0] != two[1]));
            let expected = summary(&values);
            (value - expected).abs() <= half_digit * 1.001 + 1e-9 * expected.abs()
        });
        is_same && n_telling >= if own.decimals > 0 { 3 } else { FEWEST_LINES }
    });
    found.map(|(name, _)| name)
}

pub(super) fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

fn spread(values: &[f64], fewer: f64) -> f64 {
    let center = mean(values);
    let squares: f64 = values.iter().map(|value| (value - center).powi(2)).sum();
    (squares / (values.len() as f64 - fewer)).sqrt()
}

/// Finds fractions among columns of whole numbers; half steps may be a rater's.
fn is_finer(candidates: &[Candidate], place: usize) -> Option<String> {
    let own = &candidates[place];
    let n_whole = candidates.iter().filter(|column| column.decimals == 0).count();
    (own.decimals > 0 && !own.is_half_steps() && n_whole >= 2).then(|| "fractions among whole numbers".to_owned())
}

/// The medians of the others' lowest and highest values.
fn usual_ends(candidates: &[Candidate], place: usize) -> (f64, f64) {
    let others = candidates.iter().enumerate().filter(|(at, _)| *at != place);
    let (mut lows, mut highs): (Vec<f64>, Vec<f64>) = others.map(|(_, other)| other.ends()).unzip();
    lows.sort_by(f64::total_cmp);
    highs.sort_by(f64::total_cmp);
    (lows[(lows.len() - 1) / 2], highs[(highs.len() - 1) / 2])
}

/// Finds a column that lies mostly far outside the range of the others.
fn is_of_another_range(candidates: &[Candidate], place: usize) -> Option<String> {
    if candidates.len() < 3 || candidates.iter().any(|column| column.decimals > 0) {
        return None;
    }
    let (low, high) = usual_ends(candidates, place);
    let around = (high - low).max(1.0);
    let own = &candidates[place];
    (own.share_outside((low - around, high + around)) > 0.5).then(|| {
        let (least, greatest) = own.ends();
        format!("{least} to {greatest} where others have {low} to {high}")
    })
}

fn numbers_the_lines(candidates: &[Candidate], place: usize) -> Option<String> {
    let n_such = candidates.iter().filter(|column| column.numbers_lines()).count();
    let is_such = candidates[place].numbers_lines() && 2 * n_such < candidates.len();
    is_such.then(|| "a number for each line".to_owned())
}

/// Finds a column with the same value everywhere, which the others do not have.
fn is_constant_elsewhere(candidates: &[Candidate], place: usize) -> Option<String> {
    let own = &candidates[place];
    let is_elsewhere =
        candidates.len() > 2 && own.is_constant() && own.share_outside(usual_ends(candidates, place)) == 1.0;
    is_elsewhere.then(|| "one value everywhere".to_owned())
}

/// The reason why a column may not belong to a rater, if that is unclear.
pub(super) fn doubt(candidates: &[Candidate], place: usize) -> Option<&'static str> {
    let own = &candidates[place];
    let others = || {
        candidates
            .iter()
            .enumerate()
            .filter(|(at, other)| *at != place && other.given().next().is_some())
            .map(|(_, other)| other)
    };
    if own.is_constant() && own.given().count() >= FEWEST_LINES && !others().any(Candidate::is_constant) {
        return Some("has the same value everywhere");
    }
    if own.given().count() < 2 * FEWEST_LINES {
        return None;
    }
    let ends = others().map(Candidate::ends).reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))?;
    let width = (ends.1 - ends.0).max(1.0);
    let is_far = own.share_outside((ends.0 - width, ends.1 + width)) > 0.0 && own.share_outside(ends) > 0.3;
    let is_outside = candidates.len() > 2 && own.share_outside(ends) > 0.3;
    if is_far || is_outside {
        return Some("has another range than the others");
    }
    let is_fractional =
        |other: &Candidate| 2 * other.given().filter(|value| value.fract() != 0.0).count() > other.values.len();
    if own.decimals == 0 && candidates.len() > 2 && others().all(is_fractional) {
        return Some("has whole numbers only, and the others fractions");
    }
    if own.decimals > 0 && !own.is_half_steps() && others().all(|other| other.decimals == 0) {
        return Some("has fractions, and the others whole numbers");
    }
    None
}
