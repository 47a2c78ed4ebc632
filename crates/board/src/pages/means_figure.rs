//! A figure of metrics by system: the mean of each with its interval, the best rank on top, better on the right.

use super::cells::number;
use crate::board::{Board, BoardTable, Cell, MetricColumn};
use maud::{Markup, html};
use neurogauge::core::Direction;

/// Width of the figure, if that gives columns within these widths.
const WIDTH_PX: usize = 1160;
const COLUMN_PX: [usize; 2] = [150, 280];
/// Space on both sides of a column.
const GAP_PX: usize = 16;
const ROW_PX: usize = 24;
const TOP_PX: usize = 30;
const BOTTOM_PX: usize = 24;
/// Assumed width of a letter, for a wide font.
const LETTER_PX: usize = 8;

/// The means of one metric on their own scale.
struct Scale {
    low: f64,
    high: f64,
    direction: Direction,
}

impl Scale {
    /// The ends of all means and intervals; `None` without means.
    fn of(column: &MetricColumn) -> Option<Scale> {
        let ends = column.cells.iter().flatten().filter_map(ends).flat_map(|(mean, (low, high))| [mean, low, high]);
        let (low, high) = ends.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        (low <= high).then_some(Scale {
            low,
            high,
            direction: column.spec.direction,
        })
    }

    /// Where a value is in a column, 0 to 1, with the better values on the right.
    fn share(&self, value: f64) -> f64 {
        let share = match self.high - self.low {
            0.0 => 0.5,
            width => (value - self.low) / width,
        };
        match self.direction {
            Direction::Higher => share,
            Direction::Lower => 1.0 - share,
        }
    }
}

/// The mean, and its interval, which without one is the mean itself.
fn ends(cell: &Cell) -> Option<(f64, (f64, f64))> {
    let mean = *cell.estimate.value.as_ref().ok()?;
    Some((mean, cell.estimate.interval.unwrap_or((mean, mean))))
}

/// The figure of a table; empty without means of two systems.
pub(super) fn of(board: &Board, table: &BoardTable) -> Markup {
    let columns: Vec<(&MetricColumn, Scale)> =
        table.columns.iter().filter_map(|column| Some((column, Scale::of(column)?))).collect();
    let rows = table.by_rank();
    if columns.is_empty() || rows.len() < 2 {
        return Markup::default();
    }
    let name = |row: usize| board.entries[table.entries[row]].card.system.as_str();
    let longest = rows.iter().map(|&row| name(row).chars().count()).max().unwrap_or(0);
    let left = LETTER_PX * longest + GAP_PX;
    let share = (WIDTH_PX.saturating_sub(left) / columns.len()).saturating_sub(GAP_PX);
    let labels = columns.iter().map(|(column, _)| LETTER_PX * column.spec.label.chars().count());
    let widest = labels.fold(share.clamp(COLUMN_PX[0], COLUMN_PX[1]), usize::max);
    let column_px = widest + GAP_PX;
    let (width, bottom) = (left + column_px * columns.len(), TOP_PX + ROW_PX * rows.len());
    let y = |place: usize| TOP_PX + ROW_PX * place + ROW_PX / 2;
    let mean = |(at, (column, scale)): (usize, &(&MetricColumn, Scale)), (place, row): (usize, usize)| {
        let start = (left + column_px * at) as f64 + GAP_PX as f64 / 2.0;
        let x = |value: f64| format!("{:.1}", start + scale.share(value) * (column_px - GAP_PX) as f64);
        html! {
            @if let Some((mean, (low, high))) = column.cells[row].as_ref().and_then(ends) {
                line x1=(x(low)) x2=(x(high)) y1=(y(place)) y2=(y(place)) {}
                circle cx=(x(mean)) cy=(y(place)) r="4" { title { (name(row)) ": " (number(&column.spec, mean)) } }
            }
        }
    };
    html! {
        div.wide {
            svg.means viewBox={ "0 0 " (width) " " (bottom + BOTTOM_PX) } width=(width) height=(bottom + BOTTOM_PX) role="img"
                aria-label={ "Means of systems by metric, " (table.protocol) " " (table.subject) } {
                @for (place, &row) in rows.iter().enumerate() {
                    line.row x1="0" x2=(width) y1=(y(place) + ROW_PX / 2) y2=(y(place) + ROW_PX / 2) {}
                    text x="0" y=(y(place) + 4) { (name(row)) }
                    @for column in columns.iter().enumerate() { (mean(column, (place, row))) }
                }
                @for (at, (column, scale)) in columns.iter().enumerate() {
                    @let (start, end) = (left + column_px * at + GAP_PX / 2, left + column_px * (at + 1) - GAP_PX / 2);
                    @let [first, last] = match scale.direction {
                        Direction::Higher => [scale.low, scale.high],
                        Direction::Lower => [scale.high, scale.low],
                    };
                    text x=(start) y="18" { (column.spec.label) }
                    text.end x=(start) y=(bottom + 16) { (number(&column.spec, first)) }
                    text.end x=(end) y=(bottom + 16) text-anchor="end" { (number(&column.spec, last)) }
                }
            }
        }
        p { small { "Means with 95% intervals, each metric on its own scale, better on the right." } }
    }
}
