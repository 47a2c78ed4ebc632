//! Identification: against NumPy and SciPy, by hand, and for rows that are not in memory.

mod by_hand;
mod goldens;
mod intervals;
mod rank_counts;
pub(crate) mod rows;
mod rows_elsewhere;
