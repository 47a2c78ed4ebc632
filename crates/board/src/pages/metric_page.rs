//! A metric: what it is, its values and the differences of systems in each table.

use super::cells::{interval, printed, rank, signed, sorted_by, value};
use super::page;
use crate::board::{Board, BoardTable, MetricColumn};
use neurogauge::NamedDifference;
use neurogauge::core::hostile_text::for_html as escape;
use neurogauge::core::{Direction, MetricSpec};
use std::fmt::Write;

/// With more systems than this, differences are shown of neighbours in the order of the values only.
const ALL_DIFFERENCES: usize = 10;

pub(super) fn of(board: &Board, spec: &MetricSpec) -> String {
    let direction = match spec.direction {
        Direction::Higher => "Higher is better.",
        Direction::Lower => "Lower is better.",
    };
    let mut body = format!(
        "<p>{}. {direction} Conventions: {}.</p>\n",
        escape(spec.about),
        escape(&spec.conventions.join(", "))
    );
    for table in &board.tables {
        let mut columns = table.columns.iter();
        if let Some(column) = columns.find(|column| column.spec.id == spec.id) {
            body += &section(board, table, column);
        }
    }
    page(board, spec.label, "../", &body)
}

fn section(board: &Board, table: &BoardTable, column: &MetricColumn) -> String {
    let spec = &column.spec;
    let mut text = format!(
        "<h2>{}: {}</h2>\n<div class=\"wide\"><table><thead><tr><th data-n>system</th><th data-n>value</th><th>interval</th>\
         <th data-n>rank</th><th>printed</th></tr></thead>\n<tbody>\n",
        escape(&table.subject),
        escape(table.protocol)
    );
    let rows = table.entries.iter().zip(&column.cells);
    let mut rows: Vec<_> = rows.filter_map(|(&entry, cell)| Some((entry, cell.as_ref()?))).collect();
    let best_first = |cell: &crate::Cell| {
        let value = cell.estimate.value.as_ref().ok().copied();
        value.map(|value| match spec.direction {
            Direction::Higher => -value,
            Direction::Lower => value,
        })
    };
    rows.sort_by(|(_, a), (_, b)| match (best_first(a), best_first(b)) {
        (Some(a), Some(b)) => a.total_cmp(&b),
        (a, b) => b.is_some().cmp(&a.is_some()),
    });
    // Writing to a string cannot fail.
    for (entry, cell) in &rows {
        let (value, sorted) = value(spec, cell);
        let system = &board.entries[*entry].card.system;
        let _ = writeln!(
            text,
            "<tr><td><a href=\"../system/{}.html\">{}</a></td><td{sorted}><a href=\"{}\">{value}</a></td><td>{}</td><td{}>{}</td><td>{}</td></tr>",
            board.addresses.systems[system],
            escape(system),
            board.cell_address(*entry, spec.id, "../"),
            interval(spec, cell),
            sorted_by(cell.ranks.map(|(best, worst)| f64::midpoint(best, worst))),
            rank(cell),
            printed(spec, cell)
        );
    }
    text += "</tbody></table></div>\n";
    let order: Vec<&str> = rows.iter().map(|(entry, _)| board.entries[*entry].card.system.as_str()).collect();
    text + &differences(spec, column, &order)
}

/// The differences of every two systems; of many systems those of neighbours.
fn differences(spec: &MetricSpec, column: &MetricColumn, order: &[&str]) -> String {
    if column.differences.is_empty() {
        return String::new();
    }
    let is_of_many = order.len() > ALL_DIFFERENCES;
    let are_neighbours = |found: &&NamedDifference| {
        let place = |name: &str| order.iter().position(|other| *other == name);
        match (place(&found.minuend), place(&found.subtrahend)) {
            (Some(a), Some(b)) => a.abs_diff(b) == 1,
            _ => false,
        }
    };
    let shown: Vec<&NamedDifference> =
        (column.differences.iter()).filter(|found| !is_of_many || are_neighbours(found)).collect();
    let note = match is_of_many {
        true => format!(
            "<p><small>Of {} differences those of neighbours; Holm's correction is over all, by this and every other metric.</small></p>\n",
            column.differences.len()
        ),
        false => String::new(),
    };
    let mut text = note
        + "<div class=\"wide\"><table><thead><tr><th data-n>difference</th><th data-n>value</th><th>interval</th>\
           <th data-n>p (Holm)</th></tr></thead>\n<tbody>\n";
    for found in shown {
        let difference = found.difference.map_or("–".to_owned(), |value| signed(spec, value));
        let ends = found
            .interval
            .map_or(String::new(), |(low, high)| format!("[{}, {}]", signed(spec, low), signed(spec, high)));
        let p = found.p_holm.map_or("–".to_owned(), |p| format!("{p:.4}"));
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "<tr><td>{} − {}</td><td{}>{difference}</td><td>{ends}</td><td{}>{p}</td></tr>",
            escape(&found.minuend),
            escape(&found.subtrahend),
            sorted_by(found.difference),
            sorted_by(found.p_holm)
        );
    }
    text + "</tbody></table></div>\n"
}
