//! Writes the explanations in a LaTeX table's caption.

use super::escape::escape;
use super::grid::LatexGrid;
use super::style::{LatexStyle, Spread};
use crate::SystemTable;
use crate::marks::SHOWN;
use crate::wording::{dagger_note, has_stand_in, interval, reasons, shared_counts, without_interval};
use neurogauge_core::Direction;

/// The mark for a missing value.
pub(super) const NO_VALUE: &str = "--";

/// Title and notes as sentences, with the explanation of ± if it is used.
pub(super) fn of_notes(title: &str, notes: &[String], style: LatexStyle, grid: &LatexGrid) -> String {
    let title = style.spread.heading(title);
    let has_spread = grid.cells().any(|cell| cell.spread.is_some());
    let pm = (style.spread == Spread::PlusMinus && has_spread)
        .then(|| format!("±: distance from an estimate to the ends of its interval{}", uneven(grid)));
    let sentences = [&title].into_iter().chain(notes).chain(&pm);
    joined(&sentences.map(|sentence| escape(sentence)).collect::<Vec<String>>())
}

fn uneven(grid: &LatexGrid) -> &'static str {
    match grid.is_uneven() {
        true => ", up and down where they differ",
        false => "",
    }
}

/// Explains the numbers beside an estimate; follows the words for the estimate.
fn beside(table: &SystemTable, spread: Spread, grid: &LatexGrid) -> String {
    let level = escape(&interval(table.level));
    match spread {
        Spread::Intervals => format!(" with the {level} below"),
        Spread::PlusMinus => format!(" $\\pm$ the distance to the ends of the {level}{}", uneven(grid)),
        Spread::None => String::new(),
    }
}

pub(super) fn means(title: &str, table: &SystemTable, spread: Spread, grid: &LatexGrid) -> String {
    let mut sentences = vec![escape(title)];
    sentences.push(format!("Mean over {}{}", pairs(table), beside(table, spread, grid)));
    sentences.push(arrows(table));
    if grid.cells().any(|cell| cell.mark.is_some()) {
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

pub(super) fn ranks(title: &str, table: &SystemTable, spread: Spread, grid: &LatexGrid) -> String {
    let beside = beside(table, spread, grid);
    let mut sentences = vec![
        escape(title),
        format!("Rank, 1 is best{}{beside}", if beside.is_empty() { "" } else { "," }),
        arrows(table),
    ];
    if has_stand_in(table) {
        sentences.push(escape(&dagger_note()));
    }
    joined(&sentences)
}

fn pairs(table: &SystemTable) -> String {
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

fn arrows(table: &SystemTable) -> String {
    let has = |direction| table.columns.iter().any(|column| column.direction == direction);
    let (up, down) = ("$\\uparrow$: higher is better", "$\\downarrow$: lower is better");
    match (has(Direction::Higher), has(Direction::Lower)) {
        (true, true) => format!("{up}; {down}"),
        (true, false) => up.to_owned(),
        (false, _) => down.to_owned(),
    }
}

/// Joins sentences, each with a full stop.
fn joined(sentences: &[String]) -> String {
    let ended = sentences.iter().map(|sentence| {
        let sentence = sentence.trim();
        let stop = if sentence.ends_with(['.', '!', '?']) { "" } else { "." };
        format!("{sentence}{stop}")
    });
    ended.collect::<Vec<_>>().join(" ")
}
