//! The words in tables for reading.

use crate::number::percentage;
use crate::{MetricColumn, SystemTable};

/// Follows the name of a column that depends on a placeholder model.
pub(crate) const DAGGER: &str = "†";

/// Explains the dagger; the dagger itself is not included.
pub(crate) const PLACEHOLDER: &str = "rests on a placeholder model: the number shows that the pipeline \
                                   runs and means nothing else";

/// The dagger and its explanation.
pub fn dagger_note() -> String {
    format!("{DAGGER} {PLACEHOLDER}")
}

/// A name, with a dagger if its numbers depend on a placeholder model.
///
/// ```
/// assert_eq!(neurogauge_report::marked("Object F1", true), "Object F1†");
/// ```
pub fn marked(name: &str, is_stand_in: bool) -> String {
    format!("{name}{}", if is_stand_in { DAGGER } else { "" })
}

/// Name of a column with the arrow of its direction, and a dagger if it depends on a placeholder model.
pub(crate) fn heading(column: &MetricColumn) -> String {
    let dagger = if column.stand_in { DAGGER } else { "" };
    format!("{} {}{dagger}", one_line(&column.label), column.direction.arrow())
}

/// `95% interval`.
pub(crate) fn interval(level: f64) -> String {
    format!("{}% interval", percentage(level))
}

/// The sentence below every table with intervals: which population they are for, and how they were computed.
///
/// ```
/// use neurogauge_report::interval_note;
/// let note = interval_note(0.95, "new stimuli", "studentised bootstrap over pairs, 2000 resamples");
/// assert_eq!(note, "95% intervals for new stimuli (studentised bootstrap over pairs, 2000 resamples)");
/// ```
pub fn interval_note(level: f64, population: &str, method: &str) -> String {
    format!("{}% intervals for {population} ({method})", percentage(level))
}

/// What a cell of several systems contains, and over how many pairs if that is the same everywhere.
pub(crate) fn mean_over_pairs(table: &SystemTable) -> String {
    let (level, unit) = (interval(table.level), table.unit);
    match shared_counts(table) {
        Some((n, 0)) => format!("mean [{level}] over n = {n} {unit}"),
        Some((n, n_undefined)) => {
            format!("mean [{level}] over n = {n} {unit} ({n_undefined} undefined)")
        }
        None => format!("mean [{level}]"),
    }
}

/// Does any column depend on a placeholder model?
pub(crate) fn has_stand_in(table: &SystemTable) -> bool {
    table.columns.iter().any(|column| column.stand_in)
}

/// Numbers of pairs with and without a value, if they are the same in every cell.
pub(crate) fn shared_counts(table: &SystemTable) -> Option<(usize, usize)> {
    let mut counts =
        table.rows.iter().flat_map(|row| &row.estimates).map(|estimate| (estimate.n, estimate.n_undefined));
    let first = counts.next()?;
    counts.all(|other| other == first).then_some(first)
}

/// `system, metric: reason` for each cell without a value, ordered by system.
pub(crate) fn reasons(table: &SystemTable) -> Vec<String> {
    let mut reasons = Vec::new();
    for row in &table.rows {
        for (_, column) in table.in_groups() {
            if let Err(reason) = &row.estimates[column].value {
                let label = &table.columns[column].label;
                reasons.push(one_line(&format!("{}, {label}: {reason}", row.name())));
            }
        }
    }
    reasons
}

/// `reason: system, metric; metric` for each reason why a mean has no interval, ordered by system; if there is only one
/// system, it is not named.
pub(crate) fn without_interval(table: &SystemTable) -> Vec<String> {
    let mut found: Vec<(&str, Vec<String>)> = Vec::new();
    for row in &table.rows {
        for (column, estimate) in table.columns.iter().zip(&row.estimates) {
            let Some(reason) = estimate.without_interval() else {
                continue;
            };
            let place = match table.rows.len() {
                1 => column.label.clone(),
                _ => format!("{}, {}", row.name(), column.label),
            };
            match found.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, places)) => places.push(place),
                None => found.push((reason, vec![place])),
            }
        }
    }
    let sentence = |(reason, places): (&str, Vec<String>)| one_line(&format!("{reason}: {}", places.join("; ")));
    found.into_iter().map(sentence).collect()
}

/// Replaces control characters (line breaks, escape sequences) by spaces, so that a name cannot break the layout or
/// control the terminal.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}
