//! The data of a table of systems in full precision, in long form, and as JSON with keys in a fixed order.

use crate::grid::{Described, Grid};
use crate::number::unsigned_zero;
use crate::{Cell, RankEstimate, RowSubject, SystemRow, SystemTable};
use neurogauge_core::{Direction, Estimate};
use serde_json::Value;

/// In long form, a line for each system and metric. The mean over subjects has the subject `mean`.
pub(crate) fn records(table: &SystemTable) -> Grid {
    let entries = table.rows.iter().flat_map(|row| {
        let columns = table.columns.iter().zip(&row.estimates).enumerate();
        columns.map(move |(place, (column, estimate))| (row, place, column, estimate))
    });
    let mut long = Described::of("", entries)
        .column("system", |(row, ..)| Cell::text(&row.system))
        .column("metric", |(.., column, _)| Cell::text(&column.id))
        .column("mean", |(.., estimate)| Cell::number(&estimate.value))
        .ends(["low", "high"], |(.., estimate)| estimate.interval)
        .column("level", |_| Cell::number(table.level))
        .column("n", |(.., estimate)| Cell::Count(estimate.n))
        .column("n_undefined", |(.., estimate)| Cell::Count(estimate.n_undefined))
        // Why there is no mean, or otherwise why pairs have no value.
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
    long.grid
}

pub(crate) fn json(title: &str, table: &SystemTable) -> Value {
    serde_json::json!({
        "title": title,
        "level": table.level,
        "columns": table.columns,
        "rows": table.rows.iter().map(|row| of_row(table, row)).collect::<Vec<Value>>(),
        "notes": table.notes,
    })
}

fn of_row(table: &SystemTable, row: &SystemRow) -> Value {
    let mut object = serde_json::json!({ "system": row.system });
    match &row.subject {
        None => {}
        Some(RowSubject::One(subject)) => object["subject"] = subject.as_str().into(),
        Some(RowSubject::Mean(n)) => object["n_subjects"] = (*n).into(),
    }
    let estimates = table.columns.iter().zip(&row.estimates).enumerate().map(|(place, (column, estimate))| {
        let rank = row.rank.as_ref().and_then(|ranks| ranks[place]);
        of_estimate(&column.id, estimate, rank)
    });
    object["estimates"] = estimates.collect();
    object
}

fn of_estimate(metric: &str, estimate: &Estimate, rank: Option<RankEstimate>) -> Value {
    let mut object = serde_json::json!({
        "metric": metric,
        "value": estimate.value.as_ref().ok().copied().map(unsigned_zero),
        "low": estimate.interval.map(|(low, _)| unsigned_zero(low)),
        "high": estimate.interval.map(|(_, high)| unsigned_zero(high)),
        "n": estimate.n,
        "n_undefined": estimate.n_undefined,
        "undefined": estimate.value.as_ref().err().map(ToString::to_string),
    });
    if let Some(reason) = estimate.without_interval() {
        object["no_interval"] = reason.into();
    }
    let shown =
        |own: RankEstimate| serde_json::json!({"rank": own.rank, "low": own.interval.0, "high": own.interval.1});
    object["rank"] = rank.map(shown).into();
    object
}
