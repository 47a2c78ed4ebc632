//! Marks of cells: the systems that the tests show to be the best and the second-best of a column, and doubts.

use crate::{SystemRow, SystemTable};

/// How a cell is emphasised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// The best of its column.
    Best,
    /// The second-best of its column.
    Second,
    /// A note below the table speaks against it.
    Doubtful,
}

/// Follows a number that a note below the table calls doubtful.
pub(crate) const DOUBLE_DAGGER: &str = "‡";

/// Follows the names of marks in legends.
pub(crate) const SHOWN: &str = "where the tests leave no other rank";

/// The best and the second, one entry for each row.
///
/// A system is marked if its rank interval is only 1, or only 2. So there are no marks in a table without tests, nor in
/// a column that uses a placeholder model, whose differences are not tested. A system that lacks values that another
/// has is not marked, since its rank is over fewer pairs.
pub(crate) fn marks(table: &SystemTable, column: usize) -> Vec<Option<Mark>> {
    let lacks = |row: &SystemRow| matches!(&row.undefined, Some(why) if !why[column].is_empty());
    let all_lack = table.rows.iter().all(lacks);
    let rank = |row: &SystemRow| row.rank.as_ref().and_then(|ranks| ranks[column]);
    let is_comparison = table.rows.iter().filter_map(rank).count() > 1;
    let mark = |row: &SystemRow| {
        let counts = is_comparison && (all_lack || !lacks(row)) && !table.columns[column].stand_in;
        match rank(row).filter(|_| counts)?.interval {
            (1.0, 1.0) => Some(Mark::Best),
            (2.0, 2.0) => Some(Mark::Second),
            _ => None,
        }
    };
    table.rows.iter().map(mark).collect()
}
