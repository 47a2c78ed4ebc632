//! Which systems the tests show to be the best and the second of a column.

use crate::{Row, Table};

/// How a cell is set off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Not at all.
    Plain,
    /// The best of its column.
    Best,
    /// The second-best of its column.
    Second,
}

/// What legends say of marks, after their names.
pub(crate) const SHOWN: &str = "where the tests leave no other rank";

/// One mark for each row.
///
/// A mark says what the tests say: the rank interval holds 1, or 2, alone. So a table without tests has no marks,
/// nor where a column uses a placeholder model, whose differences are not tested. A system that lacks values which
/// another has is not among the best, since its rank is over the pairs that it has.
pub(crate) fn marks(table: &Table, column: usize) -> Vec<Mark> {
    let lacks = |row: &Row| matches!(&row.undefined, Some(why) if !why[column].is_empty());
    let all_lack = table.rows.iter().all(lacks);
    let rank = |row: &Row| row.rank.as_ref().and_then(|ranks| ranks[column]);
    let is_comparison = table.rows.iter().filter_map(rank).count() > 1;
    let mark = |row: &Row| {
        let counts = is_comparison && (all_lack || !lacks(row)) && !table.columns[column].stand_in;
        match rank(row).filter(|_| counts).map(|rank| rank.interval) {
            Some((1.0, 1.0)) => Mark::Best,
            Some((2.0, 2.0)) => Mark::Second,
            _ => Mark::Plain,
        }
    };
    table.rows.iter().map(mark).collect()
}
