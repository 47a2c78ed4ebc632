//! What a reader of a LaTeX table has to be told.

use super::escape::escape;
use crate::Table;
use crate::wording::{
    DAGGER, PLACEHOLDER, has_stand_in, interval, reasons, shared_counts, without_interval,
};
use neurogauge_core::Direction;

/// Stands where there is no value.
pub(super) const NO_VALUE: &str = "--";

/// Caption of the table of means.
pub(super) fn means(table: &Table, has_marks: bool) -> String {
    let mut sentences = vec![escape(&table.title)];
    let level = escape(&interval(table.level));
    sentences.push(format!("Mean over {} with the {level} below", pairs(table)));
    sentences.push(arrows(table));
    if has_marks {
        sentences.push("Best in bold, second underlined".to_owned());
    }
    let reasons = reasons(table);
    if !reasons.is_empty() {
        sentences.push(format!(
            "{NO_VALUE}: no value ({})",
            escape(&reasons.join("; "))
        ));
    }
    for reason in without_interval(table) {
        sentences.push(escape(&format!("No interval, {reason}")));
    }
    if has_stand_in(table) {
        sentences.push(escape(&format!("{DAGGER} {PLACEHOLDER}")));
    }
    sentences.extend(table.notes.iter().map(|note| escape(note)));
    joined(&sentences)
}

/// Caption of the table of ranks.
pub(super) fn ranks(table: &Table) -> String {
    let level = escape(&interval(table.level));
    let mut sentences = vec![
        escape(&table.title),
        format!("Rank, 1 is best, with the {level} below"),
        arrows(table),
    ];
    if has_stand_in(table) {
        sentences.push(escape(&format!("{DAGGER} {PLACEHOLDER}")));
    }
    joined(&sentences)
}

fn pairs(table: &Table) -> String {
    if let Some((n, n_undefined)) = shared_counts(table) {
        return match n_undefined {
            0 => format!("$n = {n}$ pairs"),
            _ => format!("$n = {n}$ pairs ({n_undefined} undefined)"),
        };
    }
    let estimates = || table.rows.iter().flat_map(|row| &row.estimates);
    let fewest = estimates().map(|estimate| estimate.n).min().unwrap_or(0);
    let most = estimates().map(|estimate| estimate.n).max().unwrap_or(0);
    let undefined = estimates()
        .map(|estimate| estimate.n_undefined)
        .max()
        .unwrap_or(0);
    let range = if fewest == most {
        format!("$n = {most}$ pairs")
    } else {
        format!("$n = {fewest}$ to ${most}$ pairs")
    };
    format!("{range} (up to {undefined} undefined)")
}

fn arrows(table: &Table) -> String {
    let has = |direction| {
        table
            .columns
            .iter()
            .any(|column| column.direction == direction)
    };
    let (up, down) = (
        "$\\uparrow$: higher is better",
        "$\\downarrow$: lower is better",
    );
    match (has(Direction::Higher), has(Direction::Lower)) {
        (true, true) => format!("{up}; {down}"),
        (true, false) => up.to_owned(),
        (false, _) => down.to_owned(),
    }
}

/// Sentences with their full stops.
fn joined(sentences: &[String]) -> String {
    let ended = sentences.iter().map(|sentence| {
        let sentence = sentence.trim();
        let stop = if sentence.ends_with(['.', '!', '?']) {
            ""
        } else {
            "."
        };
        format!("{sentence}{stop}")
    });
    ended.collect::<Vec<_>>().join(" ")
}
