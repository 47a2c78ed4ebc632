//! Systems by metrics in long form: one line for each system and metric.

use crate::{Cell, RowSubject, Table, TextTable};
use neurogauge_core::Direction;

/// A mean over subjects is of the subject `mean`.
pub(crate) fn render(table: &Table) -> String {
    let entries = table.rows.iter().flat_map(|row| {
        let columns = table.columns.iter().zip(&row.estimates).enumerate();
        columns.map(move |(place, (column, estimate))| (row, place, column, estimate))
    });
    let mut long = TextTable::of(table.title.clone(), entries)
        .column("system", |(row, ..)| Cell::text(&row.system))
        .column("metric", |(.., column, _)| Cell::text(&column.id))
        .column("mean", |(.., estimate)| Cell::number(&estimate.value))
        .ends(["low", "high"], |(.., estimate)| estimate.interval)
        .column("level", |_| Cell::number(table.level))
        .column("n", |(.., estimate)| Cell::Count(estimate.n))
        .column("n_undefined", |(.., estimate)| Cell::Count(estimate.n_undefined))
        // Why there is no mean, or else why pairs have no value.
        .column("undefined", |(row, place, _, estimate)| match &estimate.value {
            Ok(_) => Cell::text(row.undefined.as_ref().map_or("", |reasons| &reasons[*place])),
            Err(reason) => Cell::text(reason.to_string()),
        })
        .column("direction", |(.., column, _)| {
            Cell::text(match column.direction {
                Direction::Higher => "higher",
                Direction::Lower => "lower",
            })
        })
        .column("stand_in", |(.., column, _)| Cell::text(column.stand_in.to_string()));
    if table.has_chance() {
        long = long.column("chance", |(.., column, _)| Cell::number(column.chance));
    }
    if table.has_subjects() {
        long = long.column("subject", |(row, ..)| {
            Cell::text(match &row.subject {
                None => "",
                Some(RowSubject::One(subject)) => subject,
                Some(RowSubject::Mean(_)) => "mean",
            })
        });
    }
    long.noted(Vec::new()).csv()
}
