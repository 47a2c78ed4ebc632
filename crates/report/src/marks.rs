//! Finds the systems that the tests show to be the best and the second-best of a column.

use crate::{Row, Table};

/// How a cell is emphasised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mark {
    /// Not at all.
    Plain,
    /// The best of its column.
    Best,
    /// The second-best of its column.
    Second,
}

/// Follows the names of marks in legends.
pub(crate) const SHOWN: &str = "where the tests leave no other rank";

/// One mark for each row.
///
/// A system is marked if its rank interval is only 1, or only 2. So there are no marks in a table without tests, nor in
/// a column that uses a placeholder model, whose differences are not tested. A system that lacks values that another
/// has is not marked, since its rank is over fewer pairs.
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
