//! The page of a metric: a description, and in each table its values and the differences of systems.

use super::cells::{interval, printed, rank, signed, value};
use super::{page, system_link, wide};
use crate::board::{Board, BoardTable, MetricColumn};
use maud::{Markup, html};
use neurogauge::NamedDifference;
use neurogauge::core::{Direction, MetricSpec};

/// With more systems than this, only differences of neighbours in the order of the values are shown.
const ALL_DIFFERENCES: usize = 10;

pub(super) fn of(board: &Board, spec: &MetricSpec) -> String {
    let direction = match spec.direction {
        Direction::Higher => "Higher is better.",
        Direction::Lower => "Lower is better.",
    };
    let body = html! {
        p { (spec.about) ". " (direction) " Conventions: " (spec.conventions.replace(' ', ", ")) "." }
        @for table in &board.tables {
            @if let Some(column) = table.columns.iter().find(|column| column.spec.id == spec.id) {
                (section(board, table, column))
            }
        }
    };
    page(board, spec.label, "../", &body)
}

fn section(board: &Board, table: &BoardTable, column: &MetricColumn) -> Markup {
    let spec = &column.spec;
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
    let heads = html! {
        th data-n { "system" } th data-n { "value" } th { "interval" } th data-n { "rank" } th { "printed" }
    };
    let lines = html! {
        @for &(entry, cell) in &rows {
            tr {
                td { (system_link(board, entry, "../")) }
                td data-v=[cell.estimate.value.as_ref().ok()] {
                    a href=(board.cell_address(entry, spec.id, "../")) { (value(spec, cell)) }
                }
                td { (interval(spec, cell)) }
                td data-v=[cell.ranks.map(|(best, worst)| f64::midpoint(best, worst))] { (rank(cell)) }
                td { (printed(spec, cell)) }
            }
        }
    };
    let order: Vec<&str> = rows.iter().map(|(entry, _)| board.entries[*entry].card.system.as_str()).collect();
    html! {
        h2 { (table.subject) ": " (table.protocol) }
        (wide(&heads, &lines))
        @if !column.differences.is_empty() { (differences(column, &order)) }
    }
}

/// The differences of every two systems; with many systems, of neighbours only.
fn differences(column: &MetricColumn, order: &[&str]) -> Markup {
    let spec = &column.spec;
    let is_of_many = order.len() > ALL_DIFFERENCES;
    let are_neighbours = |found: &&NamedDifference| {
        let place = |name: &str| order.iter().position(|other| *other == name);
        match (place(&found.minuend), place(&found.subtrahend)) {
            (Some(a), Some(b)) => a.abs_diff(b) == 1,
            _ => false,
        }
    };
    let ends = |(low, high): (f64, f64)| format!("[{}, {}]", signed(spec, low), signed(spec, high));
    let heads = html! { th data-n { "difference" } th data-n { "value" } th { "interval" } th data-n { "p (Holm)" } };
    let rows = html! {
        @for found in column.differences.iter().filter(|found| !is_of_many || are_neighbours(found)) {
            tr {
                td { (found.minuend) " − " (found.subtrahend) }
                td data-v=[found.difference] { (found.difference.map_or("–".into(), |value| signed(spec, value))) }
                td { (found.interval.map_or(String::new(), ends)) }
                td data-v=[found.p_holm] { (found.p_holm.map_or("–".into(), |p| format!("{p:.4}"))) }
            }
        }
    };
    html! {
        @if is_of_many {
            p { small {
                "Of " (column.differences.len()) " differences those of neighbours; Holm's correction is over all, by this and every \
                 other metric."
            } }
        }
        (wide(&heads, &rows))
    }
}
