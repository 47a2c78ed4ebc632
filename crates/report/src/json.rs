//! The data of a table, in full precision and with keys in a fixed order.

use crate::number::unsigned_zero;
use crate::{RankEstimate, ReportError, Row, RowSubject, Table};
use neurogauge_core::{Direction, Estimate, Group};
use serde::Serialize;

pub(crate) fn render(table: &Table) -> Result<String, ReportError> {
    let mut text = serde_json::to_string_pretty(&TableJson::new(table)).map_err(|error| ReportError::Json {
        title: table.title.clone(),
        reason: error.to_string(),
    })?;
    text.push('\n');
    Ok(text)
}

#[derive(Serialize)]
struct TableJson<'a> {
    title: &'a str,
    level: f64,
    columns: Vec<ColumnJson<'a>>,
    rows: Vec<RowJson<'a>>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct ColumnJson<'a> {
    metric: &'a str,
    label: &'a str,
    direction: Direction,
    group: Group,
    decimals: usize,
    stand_in: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    chance: Option<f64>,
}

#[derive(Serialize)]
struct RowJson<'a> {
    system: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    n_subjects: Option<usize>,
    estimates: Vec<EstimateJson<'a>>,
}

#[derive(Serialize)]
struct EstimateJson<'a> {
    metric: &'a str,
    mean: Option<f64>,
    low: Option<f64>,
    high: Option<f64>,
    n: usize,
    n_undefined: usize,
    undefined: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_interval: Option<&'static str>,
    rank: Option<RankJson>,
}

#[derive(Serialize)]
struct RankJson {
    rank: f64,
    low: f64,
    high: f64,
}

impl<'a> TableJson<'a> {
    fn new(table: &'a Table) -> Self {
        let columns = table.columns.iter().map(|column| ColumnJson {
            metric: &column.id,
            label: &column.label,
            direction: column.direction,
            group: column.group,
            decimals: column.decimals,
            stand_in: column.stand_in,
            chance: column.chance,
        });
        TableJson {
            title: &table.title,
            level: table.level,
            columns: columns.collect(),
            rows: table.rows.iter().map(|row| RowJson::new(table, row)).collect(),
            notes: &table.notes,
        }
    }
}

impl<'a> RowJson<'a> {
    fn new(table: &'a Table, row: &'a Row) -> Self {
        let estimates = table.columns.iter().zip(&row.estimates).enumerate();
        RowJson {
            system: &row.system,
            subject: match &row.subject {
                Some(RowSubject::One(subject)) => Some(subject),
                _ => None,
            },
            n_subjects: match row.subject {
                Some(RowSubject::Mean(n)) => Some(n),
                _ => None,
            },
            estimates: estimates
                .map(|(place, (column, estimate))| {
                    let rank = row.rank.as_ref().and_then(|ranks| ranks[place]);
                    EstimateJson::new(&column.id, estimate, rank)
                })
                .collect(),
        }
    }
}

impl<'a> EstimateJson<'a> {
    fn new(metric: &'a str, estimate: &Estimate, rank: Option<RankEstimate>) -> Self {
        EstimateJson {
            metric,
            mean: estimate.value.as_ref().ok().copied().map(unsigned_zero),
            low: estimate.interval.map(|(low, _)| unsigned_zero(low)),
            high: estimate.interval.map(|(_, high)| unsigned_zero(high)),
            n: estimate.n,
            n_undefined: estimate.n_undefined,
            undefined: estimate.value.as_ref().err().map(ToString::to_string),
            no_interval: estimate.without_interval(),
            rank: rank.map(
                |RankEstimate {
                     rank,
                     interval: (low, high),
                 }| RankJson { rank, low, high },
            ),
        }
    }
}
