//! Columns of outcomes over the same pairs.

use crate::StatsError;
use neurogauge_core::Outcome;

/// The number of pairs that all columns of all systems cover.
pub(crate) fn check_systems(systems: &[Vec<&[Outcome]>]) -> Result<usize, StatsError> {
    let first = systems.first().ok_or_else(no_systems)?;
    let n_pairs = first.first().ok_or_else(StatsError::no_columns)?.len();
    for (system, columns) in systems.iter().enumerate() {
        if columns.len() != first.len() {
            return Err(StatsError::Data(format!(
                "system {system} has {} columns and the first system {}; all systems must be scored on the same parts",
                columns.len(),
                first.len()
            )));
        }
        check_columns(system, columns, n_pairs)?;
    }
    Ok(n_pairs)
}

fn no_systems() -> StatsError {
    StatsError::Data("no system was given; a comparison needs at least one".to_owned())
}

/// The columns of each system, with a value only where the same column of every other system has one.
pub(crate) struct SharedColumns(pub(crate) Vec<Vec<Vec<Outcome>>>);

impl SharedColumns {
    /// Columns of systems that have the same number of columns; other systems keep what they have.
    pub(crate) fn of(systems: &[Vec<&[Outcome]>]) -> Self {
        let n_columns = systems.first().map_or(0, Vec::len);
        let are_alike = systems.iter().all(|columns| columns.len() == n_columns);
        let lacking = |place: usize, pair: usize| {
            systems.iter().filter(|_| are_alike).find_map(|columns| columns[place][pair].as_ref().err())
        };
        let shared = |(place, column): (usize, &&[Outcome])| {
            let pairs = column.iter().enumerate().map(|(pair, own)| match lacking(place, pair) {
                Some(reason) => Err(reason.clone()),
                None => own.clone(),
            });
            pairs.collect::<Vec<Outcome>>()
        };
        let systems = systems.iter();
        SharedColumns(systems.map(|columns| columns.iter().enumerate().map(shared).collect()).collect())
    }

    /// The shared columns if columns lack different pairs; `None` if all columns have values for the same pairs, as a
    /// single column always has.
    pub(crate) fn with_gaps(systems: &[Vec<&[Outcome]>]) -> Option<Self> {
        let is_single = systems.iter().all(|columns| columns.len() == 1);
        let shared = || Some(SharedColumns::of(systems)).filter(|shared| !shared.are_complete());
        if is_single { None } else { shared() }
    }

    /// Do all columns have a value for the same pairs?
    pub(crate) fn are_complete(&self) -> bool {
        let mut columns = self.0.iter().flatten();
        let Some(first) = columns.next() else {
            return true;
        };
        let is_alike = |(one, other): (&Outcome, &Outcome)| one.is_ok() == other.is_ok();
        columns.all(|column| column.iter().zip(first).all(is_alike))
    }

    /// The numbers of pairs with a value in any column, and in every column.
    pub(crate) fn n_pairs(&self) -> (usize, usize) {
        let columns = || self.0.iter().flatten();
        let n_pairs = columns().next().map_or(0, Vec::len);
        let has_any = |pair: &usize| columns().any(|column| column[*pair].is_ok());
        let has_all = |pair: &usize| columns().all(|column| column[*pair].is_ok());
        let count = |has: &dyn Fn(&usize) -> bool| (0..n_pairs).filter(has).count();
        (count(&has_any), count(&has_all))
    }
}

/// Are all columns over `n_pairs` pairs, with finite values only?
pub(crate) fn check_columns(system: usize, columns: &[&[Outcome]], n_pairs: usize) -> Result<(), StatsError> {
    for (column, outcomes) in columns.iter().enumerate() {
        if outcomes.len() != n_pairs {
            let found = outcomes.len();
            return Err(StatsError::Data(format!(
                "column {column} of system {system} holds {found} pairs and the first column {n_pairs}; all columns \
                 must be over the same pairs in the same order"
            )));
        }
        for (pair, outcome) in outcomes.iter().enumerate() {
            if let Ok(found) = *outcome
                && !found.is_finite()
            {
                return Err(StatsError::Data(format!(
                    "pair {pair} of column {column} of system {system} has the value {found}; a pair without a value \
                     must say why, as an undefined outcome"
                )));
            }
        }
    }
    Ok(())
}
