//! Long form: one line for each system and metric.

use crate::number::shortest;
use crate::{Column, Row, RowSubject, Table};
use neurogauge_core::hostile_text::csv_cell;
use neurogauge_core::{Direction, Estimate};

const HEADER: &str = "system,metric,mean,low,high,level,n,n_undefined,undefined,direction,stand_in";

/// Fields are those of [`csv_cell`]; lines end with `\n`. A mean over subjects is of the subject `mean`.
pub(crate) fn render(table: &Table) -> String {
    let subject = if table.has_subjects() { ",subject" } else { "" };
    let chance = if table.has_chance() { ",chance" } else { "" };
    let mut out = format!("{HEADER}{chance}{subject}\n");
    for row in &table.rows {
        for (place, (column, estimate)) in table.columns.iter().zip(&row.estimates).enumerate() {
            let undefined = row.undefined.as_ref().and_then(|all| all.get(place));
            let fields = fields(table, row, column, estimate, undefined);
            let fields: Vec<String> = fields.iter().map(|field| csv_cell(field)).collect();
            out.push_str(&fields.join(","));
            out.push('\n');
        }
    }
    out
}

/// `undefined` holds why there is no mean, or else why pairs have no value.
fn fields(table: &Table, row: &Row, column: &Column, estimate: &Estimate, undefined: Option<&String>) -> Vec<String> {
    let (mean, reason) = match &estimate.value {
        Ok(mean) => (shortest(*mean), undefined.cloned().unwrap_or_default()),
        Err(reason) => (String::new(), reason.to_string()),
    };
    let (low, high) = match estimate.interval {
        Some((low, high)) => (shortest(low), shortest(high)),
        None => Default::default(),
    };
    let mut fields = vec![
        row.system.clone(),
        column.id.clone(),
        mean,
        low,
        high,
        shortest(table.level),
        estimate.n.to_string(),
        estimate.n_undefined.to_string(),
        reason,
        direction(column.direction).to_owned(),
        column.stand_in.to_string(),
    ];
    if table.has_chance() {
        fields.push(column.chance.map(shortest).unwrap_or_default());
    }
    if table.has_subjects() {
        fields.push(match &row.subject {
            None => String::new(),
            Some(RowSubject::One(subject)) => subject.clone(),
            Some(RowSubject::Mean(_)) => "mean".to_owned(),
        });
    }
    fields
}

fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::Higher => "higher",
        Direction::Lower => "lower",
    }
}
