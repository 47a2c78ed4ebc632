//! Pipe tables below headings.

use crate::Cell;
use crate::columns::{left, right, widest};
use crate::grid::{Align, Grid};
use crate::marks::Mark;
use crate::wording::one_line;

/// Grids below their title, the notes below them.
pub(crate) fn written(title: &str, grids: &[Grid], notes: &[String]) -> String {
    let mut out = format!("### {}\n\n", escape(title));
    let sentence = |out: &mut String, words: &String| out.push_str(&format!("\n{}\n", escape(words)));
    for (place, grid) in grids.iter().enumerate() {
        if let Some((words, name)) = &grid.lead {
            let gap = if place > 0 { "\n" } else { "" };
            out.push_str(&format!("{gap}{words}{}\n\n", escape(name)));
        }
        push_pipes(&mut out, grid);
        grid.below.iter().for_each(|words| sentence(&mut out, words));
    }
    notes.iter().for_each(|note| sentence(&mut out, note));
    out
}

/// A pipe table whose source is aligned too.
fn push_pipes(out: &mut String, grid: &Grid) {
    /// Markdown needs three characters in the line below the headings.
    const MIN_WIDTH: usize = 3;
    let mut lines: Vec<Vec<String>> = vec![grid.columns.iter().map(|column| escape(&column.heading)).collect()];
    let mut above = "";
    for (row, cells) in grid.rows.iter().zip(grid.cells()) {
        if row.group != above {
            let mut line = vec![String::new(); grid.columns.len()];
            line[0] = format!("**{}**", escape(row.group));
            lines.push(line);
        }
        above = row.group;
        lines.push(cells.zip(&grid.columns).map(|(cell, column)| written_cell(cell, column.align)).collect());
    }
    let columns: Vec<(usize, bool)> = (0..grid.columns.len())
        .map(|c| (widest(lines.iter().map(|line| line[c].as_str())).max(MIN_WIDTH), grid.is_left(c)))
        .collect();
    let rules = columns.iter().map(|&(width, is_left)| match is_left {
        true => format!(":{}", "-".repeat(width - 1)),
        false => format!("{}:", "-".repeat(width - 1)),
    });
    lines.insert(1, rules.collect());
    for line in lines {
        let placed = line.iter().zip(&columns).map(|(cell, &(width, is_left))| match is_left {
            true => left(cell, width),
            false => right(cell, width),
        });
        out.push_str(&format!("| {} |\n", placed.collect::<Vec<_>>().join(" | ")));
    }
}

fn written_cell(cell: &Cell, align: Align) -> String {
    let set_off = |cell: &Cell, [open, close]: [&str; 2]| {
        let [mean, ends] = cell.number_and_interval().unwrap_or_default();
        format!("{open}{mean}{close} {ends}").trim_end().to_owned()
    };
    match cell {
        Cell::Marked(Mark::Best, cell) => set_off(cell, ["**", "**"]),
        Cell::Marked(Mark::Second, cell) => set_off(cell, ["<u>", "</u>"]),
        cell if align != Align::ByContent && cell.number_and_interval().is_some() => cell.reading(),
        cell => escape(&cell.reading()),
    }
}

/// Puts the text on one line and escapes every character that could open markup or end a cell.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in one_line(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '$' | '#' => {
                out.push('\\');
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}
