//! Writes the explanations in a LaTeX table's caption.

use super::escape::escape;
use super::style::Spread;
use crate::Table;
use crate::marks::SHOWN;
use crate::wording::{dagger_note, has_stand_in, interval, reasons, shared_counts, without_interval};
use neurogauge_core::Direction;

/// The mark for a missing value.
pub(super) const NO_VALUE: &str = "--";

/// Explains the numbers beside an estimate; follows the words for the estimate.
pub(super) fn beside(level: f64, spread: Spread, is_uneven: bool) -> String {
    let level = escape(&interval(level));
    let uneven = if is_uneven {
        ", up and down where they differ"
    } else {
        ""
    };
    match spread {
        Spread::Intervals => format!(" with the {level} below"),
        Spread::PlusMinus => {
            format!(" $\\pm$ the distance to the ends of the {level}{uneven}")
        }
        Spread::None => String::new(),
    }
}

/// Caption of the table of means.
pub(super) fn means(table: &Table, (spread, beside): (Spread, &str), has_marks: bool) -> String {
    let mut sentences = vec![escape(&table.title)];
    sentences.push(format!("Mean over {}{beside}", pairs(table)));
    sentences.push(arrows(table));
    if has_marks {
        sentences.push(format!("Best in bold, second underlined, {SHOWN}"));
    }
    let reasons = reasons(table);
    if !reasons.is_empty() {
        sentences.push(format!("{NO_VALUE}: no value ({})", escape(&reasons.join("; "))));
    }
    if spread != Spread::None {
        sentences.extend(without_interval(table).into_iter().map(|reason| escape(&format!("No interval, {reason}"))));
    }
    if has_stand_in(table) {
        sentences.push(escape(&dagger_note()));
    }
    sentences.extend(table.notes.iter().map(|note| escape(note)));
    joined(&sentences)
}

/// Caption of the table of ranks.
pub(super) fn ranks(table: &Table, beside: &str) -> String {
    let mut sentences = vec![
        escape(&table.title),
        format!("Rank, 1 is best{}{beside}", if beside.is_empty() { "" } else { "," }),
        arrows(table),
    ];
    if has_stand_in(table) {
        sentences.push(escape(&dagger_note()));
    }
    joined(&sentences)
}

fn pairs(table: &Table) -> String {
    let unit = table.unit;
    if let Some((n, n_undefined)) = shared_counts(table) {
        return match n_undefined {
            0 => format!("$n = {n}$ {unit}"),
            _ => format!("$n = {n}$ {unit} ({n_undefined} undefined)"),
        };
    }
    let estimates = || table.rows.iter().flat_map(|row| &row.estimates);
    let fewest = estimates().map(|estimate| estimate.n).min().unwrap_or(0);
    let most = estimates().map(|estimate| estimate.n).max().unwrap_or(0);
    let undefined = estimates().map(|estimate| estimate.n_undefined).max().unwrap_or(0);
    let range = if fewest == most {
        format!("$n = {most}$ {unit}")
    } else {
        format!("$n = {fewest}$ to ${most}$ {unit}")
    };
    match undefined {
        0 => range,
        _ => format!("{range} (up to {undefined} undefined)"),
    }
}

fn arrows(table: &Table) -> String {
    let has = |direction| table.columns.iter().any(|column| column.direction == direction);
    let (up, down) = ("$\\uparrow$: higher is better", "$\\downarrow$: lower is better");
    match (has(Direction::Higher), has(Direction::Lower)) {
        (true, true) => format!("{up}; {down}"),
        (true, false) => up.to_owned(),
        (false, _) => down.to_owned(),
    }
}

/// Joins sentences, each with a full stop.
pub(super) fn joined(sentences: &[String]) -> String {
    let ended = sentences.iter().map(|sentence| {
        let sentence = sentence.trim();
        let stop = if sentence.ends_with(['.', '!', '?']) { "" } else { "." };
        format!("{sentence}{stop}")
    });
    ended.collect::<Vec<_>>().join(" ")
}
