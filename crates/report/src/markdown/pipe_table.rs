//! Pipe tables whose source is aligned too.

use crate::layout::{left, right, widest};

/// The alignment of a column's cells.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    Left,
    Right,
}

/// Appends a table; every row has as many cells as the header, already escaped.
pub(crate) fn push(out: &mut String, header: &[(String, Align)], rows: &[Vec<String>]) {
    /// Markdown wants three characters in the line below the header.
    const MIN_WIDTH: usize = 3;
    let widths: Vec<usize> = header
        .iter()
        .enumerate()
        .map(|(column, (name, _))| {
            widest(rows.iter().map(|row| row[column].as_str()).chain([name.as_str()])).max(MIN_WIDTH)
        })
        .collect();
    let place = |column: usize, text: &str| match header[column].1 {
        Align::Left => left(text, widths[column]),
        Align::Right => right(text, widths[column]),
    };
    let names = header.iter().enumerate();
    push_row(out, names.map(|(column, (name, _))| place(column, name)));
    let rules = header.iter().zip(&widths);
    push_row(
        out,
        rules.map(|((_, align), &width)| match align {
            Align::Left => format!(":{}", "-".repeat(width - 1)),
            Align::Right => format!("{}:", "-".repeat(width - 1)),
        }),
    );
    for row in rows {
        let cells = row.iter().enumerate();
        push_row(out, cells.map(|(column, cell)| place(column, cell)));
    }
}

fn push_row(out: &mut String, cells: impl Iterator<Item = String>) {
    let cells: Vec<String> = cells.collect();
    out.push_str("| ");
    out.push_str(&cells.join(" | "));
    out.push_str(" |\n");
}
