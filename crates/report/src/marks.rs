//! Which systems are best and second in a column.

use crate::number::fixed;
use crate::{Row, RowSubject, Table};

/// How a cell is set off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Not at all.
    Plain,
    /// The best value of its column.
    Best,
    /// The second-best value of its column.
    Second,
}

/// One mark for each row.
///
/// Values are compared as they are printed: a reader who sees two equal numbers should not see one
/// of them set off. Nothing is marked where fewer than two systems have a value (there is no
/// comparison) or where the column rests on a placeholder model (its numbers mean nothing). Single subjects are no systems, and a system
/// that lacks values which another has is none of the best.
pub(crate) fn marks(table: &Table, column: usize) -> Vec<Mark> {
    let spec = &table.columns[column];
    let lacks = |row: &Row| matches!(&row.undefined, Some(why) if !why[column].is_empty());
    let all_lack = table.rows.iter().all(lacks);
    let values: Vec<Option<(f64, String)>> = table
        .rows
        .iter()
        .map(|row| match row.subject {
            Some(RowSubject::One(_)) => None,
            _ => row.estimates[column].value.as_ref().ok(),
        })
        .map(|value| value.map(|&value| (value, fixed(value, spec.decimals))))
        .collect();
    let is_comparison = values.iter().flatten().count() >= 2 && !spec.stand_in;
    let rows = table.rows.iter().zip(values);
    let values: Vec<Option<(f64, String)>> = rows
        .map(|(row, value)| value.filter(|_| all_lack || !lacks(row)))
        .collect();
    let best_beside = |excluded: Option<&str>| {
        values
            .iter()
            .flatten()
            .filter(|(_, printed)| Some(printed.as_str()) != excluded)
            .reduce(|best, other| {
                if spec.direction.better(other.0, best.0) {
                    other
                } else {
                    best
                }
            })
            .map(|(_, printed)| printed.as_str())
    };
    let best = best_beside(None).filter(|_| is_comparison);
    let n_best = values
        .iter()
        .flatten()
        .filter(|(_, printed)| Some(printed.as_str()) == best)
        .count();
    let second = best_beside(best).filter(|_| n_best == 1);
    values
        .iter()
        .map(
            |value| match value.as_ref().map(|(_, printed)| printed.as_str()) {
                None => Mark::Plain,
                printed if printed == best => Mark::Best,
                printed if printed == second => Mark::Second,
                _ => Mark::Plain,
            },
        )
        .collect()
}
