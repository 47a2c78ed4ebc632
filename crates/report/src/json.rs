//! The data of a table of systems, in full precision and with keys in a fixed order.

use crate::number::unsigned_zero;
use crate::{Column, RankEstimate, Row, RowSubject, Table};
use neurogauge_core::Estimate;
use serde_json::{Value, json};

pub(crate) fn render(table: &Table) -> String {
    let object = json!({
        "title": table.title,
        "level": table.level,
        "columns": table.columns.iter().map(of_column).collect::<Vec<Value>>(),
        "rows": table.rows.iter().map(|row| of_row(table, row)).collect::<Vec<Value>>(),
        "notes": table.notes,
    });
    format!("{object:#}\n")
}

fn of_column(column: &Column) -> Value {
    let mut object = json!({
        "metric": column.id,
        "label": column.label,
        "direction": column.direction,
        "group": column.group,
        "decimals": column.decimals,
        "stand_in": column.stand_in,
    });
    if let Some(chance) = column.chance {
        object["chance"] = chance.into();
    }
    object
}

fn of_row(table: &Table, row: &Row) -> Value {
    let mut object = json!({ "system": row.system });
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
    let mut object = json!({
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
    object["rank"] = rank
        .map(
            |RankEstimate {
                 rank,
                 interval: (low, high),
             }| json!({ "rank": rank, "low": low, "high": high }),
        )
        .into();
    object
}
