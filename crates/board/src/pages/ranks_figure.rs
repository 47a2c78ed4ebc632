//! A figure of ranks over metrics: a line for each system, with the range of ranks that the tests allow.

use crate::board::{Board, BoardTable, MetricColumn};
use itertools::Itertools;
use maud::{Markup, html};

/// Minimum width of a column.
const COLUMN_PX: usize = 110;
const ROW_PX: usize = 34;
const LEFT_PX: usize = 20;
/// Assumed width of a letter, for a wide font.
const LETTER_PX: usize = 8;
/// Space between the columns and the names of systems.
const KEY_PX: usize = 40;
const TOP_PX: usize = 46;

/// Number of colour classes in the style sheet; more systems repeat them with dashes.
const N_COLOURS: usize = 7;
/// Width in a column that the lines of all systems share.
const SPREAD_PX: f64 = 84.0;
/// Largest distance between two neighbouring lines.
const STEP_PX: f64 = 6.0;

/// The figure of a table; empty if no two systems are compared.
pub(super) fn of(board: &Board, table: &BoardTable) -> Markup {
    let ranked = |column: &&MetricColumn| column.cells.iter().flatten().any(|cell| cell.ranks.is_some());
    let columns = table.columns.iter().filter(ranked).collect_vec();
    let n_rows = table.entries.len();
    if columns.is_empty() || n_rows < 2 {
        return Markup::default();
    }
    let widest = |name: usize, other: &str| name.max(LETTER_PX * other.chars().count());
    let column_px = COLUMN_PX.max(columns.iter().map(|column| column.spec.label).fold(0, widest) + LETTER_PX);
    let systems = table.entries.iter().map(|&entry| board.entries[entry].card.system.as_str());
    let width = LEFT_PX + column_px * columns.len() + KEY_PX + systems.fold(0, widest);
    let height = TOP_PX + ROW_PX * n_rows + 10;
    let x_of = |place: usize| (LEFT_PX + column_px * place + column_px / 2) as f64;
    let by_rank = table.by_rank();
    let step = STEP_PX.min(SPREAD_PX / n_rows as f64);
    let system = |row: usize, entry: usize| {
        let class = format!("s{}", row % N_COLOURS + 1);
        let dashes = ["none", "5 3", "2 3"][(row / N_COLOURS) % 3];
        // Ranges of several systems are drawn side by side.
        let shift = (row as f64 - (n_rows - 1) as f64 / 2.0) * step;
        let spans = columns.iter().enumerate().filter_map(|(place, column)| {
            let (best, worst) = column.cells[row].as_ref()?.ranks?;
            Some((x_of(place) + shift, best, worst))
        });
        let spans = spans.collect_vec();
        let point = |(x, best, worst): &(f64, f64, f64)| format!("{x:.1},{:.1}", y_of(f64::midpoint(*best, *worst)));
        let points = spans.iter().map(point).join(" ");
        let key_x = (LEFT_PX + column_px * columns.len()) as f64 + 12.0;
        let key_y = y_of(by_rank.iter().position(|&other| other == row).unwrap_or(row) as f64 + 1.0);
        html! {
            @for &(x, best, worst) in &spans {
                line x1=(px(x)) x2=(px(x)) y1=(px(y_of(best) - 3.0)) y2=(px(y_of(worst) + 3.0)) class=(class)
                    stroke-width="4" stroke-linecap="round" {}
            }
            polyline points=(points) class=(class) stroke-dasharray=(dashes) opacity="0.6" {}
            @if !spans.is_empty() {
                line x1=(px(key_x)) x2=(px(key_x + 18.0)) y1=(px(key_y)) y2=(px(key_y)) class=(class) stroke-width="4"
                    stroke-dasharray=(dashes) {}
                text x=(px(key_x + 24.0)) y=(px(key_y + 4.0)) { (board.entries[entry].card.system) }
            }
        }
    };
    html! {
        div.wide {
            svg viewBox={ "0 0 " (width) " " (height) } width=(width) height=(height) role="img"
                aria-label={ "Ranks of systems over metrics, " (table.protocol) " " (table.subject) } {
                @for (place, column) in columns.iter().enumerate() {
                    text x=(px(x_of(place))) y="22" text-anchor="middle" { (column.spec.label) }
                }
                @for (row, &entry) in table.entries.iter().enumerate() { (system(row, entry)) }
                @for rank in 1..=n_rows { text x="4" y=(px(y_of(rank as f64) + 4.0)) { (rank) } }
            }
        }
    }
}

fn y_of(rank: f64) -> f64 {
    TOP_PX as f64 + (rank - 0.5) * ROW_PX as f64
}

fn px(value: f64) -> String {
    format!("{value:.1}")
}
