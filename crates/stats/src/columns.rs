//! Columns of outcomes that must be over the same pairs.

use crate::StatsError;
use neurogauge_core::Outcome;

/// The number of pairs that all columns of all systems are over.
pub(crate) fn check_systems(systems: &[Vec<&[Outcome]>]) -> Result<usize, StatsError> {
    let first = systems.first().ok_or(StatsError::NoSystems)?;
    let n_pairs = first.first().ok_or(StatsError::NoColumns)?.len();
    for (system, columns) in systems.iter().enumerate() {
        if columns.len() != first.len() {
            return Err(StatsError::ColumnCount {
                system,
                found: columns.len(),
                expected: first.len(),
            });
        }
        check_columns(system, columns, n_pairs)?;
    }
    Ok(n_pairs)
}

/// Are all columns over `n_pairs` pairs, with finite values only?
pub(crate) fn check_columns(
    system: usize,
    columns: &[&[Outcome]],
    n_pairs: usize,
) -> Result<(), StatsError> {
    for (column, outcomes) in columns.iter().enumerate() {
        if outcomes.len() != n_pairs {
            return Err(StatsError::ColumnLength {
                system,
                column,
                found: outcomes.len(),
                expected: n_pairs,
            });
        }
        for (pair, outcome) in outcomes.iter().enumerate() {
            if let Ok(found) = *outcome
                && !found.is_finite()
            {
                return Err(StatsError::NonFiniteOutcome {
                    system,
                    column,
                    pair,
                    found,
                });
            }
        }
    }
    Ok(())
}
