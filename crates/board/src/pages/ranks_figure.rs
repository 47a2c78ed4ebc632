//! The figure of ranks over metrics: a line for each system, with the span of ranks that the tests allow.

use crate::board::{Board, BoardTable};
use neurogauge::core::hostile_text::for_html as escape;
use std::fmt::Write;

/// Least width of a column.
const COLUMN_PX: usize = 110;
const ROW_PX: usize = 34;
const LEFT_PX: usize = 20;
/// Width of a letter of names, in a wide font.
const LETTER_PX: usize = 8;
/// From the columns to the names of systems.
const KEY_PX: usize = 40;
const TOP_PX: usize = 46;

/// Number of the classes of colours in the style; further systems repeat them with dashes.
const N_COLOURS: usize = 7;
/// Width that the lines of all systems share within a column.
const SPREAD_PX: f64 = 84.0;
/// Greatest distance of two neighbours' lines.
const STEP_PX: f64 = 6.0;

/// The figure of a table, or nothing where no two systems are compared.
pub(crate) fn of(board: &Board, table: &BoardTable) -> String {
    let columns = table.columns.iter();
    let ranked = |column: &&crate::MetricColumn| column.cells.iter().flatten().any(|cell| cell.ranks.is_some());
    let columns: Vec<_> = columns.filter(ranked).collect();
    let n_rows = table.entries.len();
    if columns.is_empty() || n_rows < 2 {
        return String::new();
    }
    let widest = |name: usize, other: &str| name.max(LETTER_PX * other.chars().count());
    let labels = columns.iter().map(|column| column.spec.label);
    let column_px = COLUMN_PX.max(labels.fold(0, widest) + LETTER_PX);
    let systems = table.entries.iter().map(|&entry| board.entries[entry].card.system.as_str());
    let width = LEFT_PX + column_px * columns.len() + KEY_PX + systems.fold(0, widest);
    let height = TOP_PX + ROW_PX * n_rows + 10;
    let mut svg = format!(
        "<div class=\"wide\"><svg viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" role=\"img\" aria-label=\"Ranks of systems over metrics, {} {}\">\n",
        escape(table.protocol),
        escape(&table.subject)
    );
    let x_of = |place: usize| (LEFT_PX + column_px * place + column_px / 2) as f64;
    let y_of = |rank: f64| TOP_PX as f64 + (rank - 0.5) * ROW_PX as f64;
    // Writing to a string cannot fail.
    for (place, column) in columns.iter().enumerate() {
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"22\" text-anchor=\"middle\">{}</text>",
            x_of(place),
            escape(column.spec.label)
        );
    }
    // Names are in the order of the mean ranks; systems without any are last.
    let mean_rank = |row: usize| {
        let ranks = columns.iter().filter_map(|column| column.cells[row].as_ref()?.ranks);
        let ranks: Vec<f64> = ranks.map(|(best, worst)| f64::midpoint(best, worst)).collect();
        match ranks.len() {
            0 => f64::INFINITY,
            n => ranks.iter().sum::<f64>() / n as f64,
        }
    };
    let mut by_rank: Vec<usize> = (0..n_rows).collect();
    by_rank.sort_by(|&a, &b| mean_rank(a).total_cmp(&mean_rank(b)));
    let step = STEP_PX.min(SPREAD_PX / n_rows as f64);
    for (row, &entry) in table.entries.iter().enumerate() {
        let place_of_name = by_rank.iter().position(|&other| other == row).unwrap_or(row);
        let class = format!("class=\"s{}\"", row % N_COLOURS + 1);
        let dashes = ["none", "5 3", "2 3"][(row / N_COLOURS) % 3];
        // Spans of several systems lie beside each other.
        let shift = (row as f64 - (n_rows - 1) as f64 / 2.0) * step;
        let mut line = String::new();
        let mut last = None;
        for (place, column) in columns.iter().enumerate() {
            let ranks = column.cells[row].as_ref().and_then(|cell| cell.ranks);
            let Some((best, worst)) = ranks else {
                continue;
            };
            let (x, middle) = (x_of(place) + shift, f64::midpoint(best, worst));
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{:.1}\" {class} stroke-width=\"4\" stroke-linecap=\"round\"/>",
                y_of(best) - 3.0,
                y_of(worst) + 3.0
            );
            let _ = write!(line, "{x:.1},{:.1} ", y_of(middle));
            last = Some((x, y_of(middle)));
        }
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" {class} stroke-dasharray=\"{dashes}\" opacity=\"0.6\"/>",
            line.trim_end()
        );
        if last.is_some() {
            let y = y_of(place_of_name as f64 + 1.0);
            let x = (LEFT_PX + column_px * columns.len()) as f64 + 12.0;
            let _ = writeln!(
                svg,
                "<line x1=\"{x:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\" {class} stroke-width=\"4\" stroke-dasharray=\"{dashes}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\">{}</text>",
                x + 18.0,
                x + 24.0,
                y + 4.0,
                escape(&board.entries[entry].card.system)
            );
        }
    }
    for rank in 1..=n_rows {
        let _ = writeln!(svg, "<text x=\"4\" y=\"{:.1}\">{rank}</text>", y_of(rank as f64) + 4.0);
    }
    svg + "</svg></div>\n"
}
