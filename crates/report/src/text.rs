//! Formats text for a terminal: columns aligned with spaces, no boxes, no colours.

use crate::Cell;
use crate::columns::{GAP, TextColumn, left, push_columns, push_words, right, widest};
use crate::grid::{Align, Grid};
use crate::marks::Mark;
use crate::wording::one_line;

const INDENT: &str = "  ";

/// Grids below their title, the notes below them; everything is wrapped to `width`.
pub(crate) fn written(title: &str, grids: &[Grid], notes: &[String], width: Option<usize>) -> String {
    let mut out = sentence(title, width);
    for (place, grid) in grids.iter().enumerate() {
        if let Some((words, name)) = &grid.lead {
            out.push_str(if place > 0 { "\n" } else { "" });
            out.push_str(&sentence(&format!("{words}{name}"), width));
        }
        out.push('\n');
        let groups: Vec<&str> = grid.rows.iter().map(|row| row.group).collect();
        let has_groups = groups.iter().any(|group| !group.is_empty());
        // Groups of rows stay whole.
        push_columns(&mut out, &columns(grid), &groups, width.filter(|_| !has_groups));
        // Directly below, a sentence would seem to belong to the last group.
        out.push_str(if has_groups && !grid.below.is_empty() { "\n" } else { "" });
        grid.below.iter().for_each(|words| out.push_str(&sentence(words, width)));
    }
    out.push_str(if notes.is_empty() { "" } else { "\n" });
    notes.iter().for_each(|note| out.push_str(&sentence(note, width)));
    out
}

/// Words on lines of at most this width.
pub(crate) fn sentence(words: &str, width: Option<usize>) -> String {
    let mut out = String::new();
    push_words(&mut out, &one_line(words), width);
    out
}

fn columns(grid: &Grid) -> Vec<TextColumn> {
    let mut columns: Vec<TextColumn> = Vec::new();
    let mut before: Option<Vec<&Cell>> = None;
    for (place, column) in grid.columns.iter().enumerate() {
        let cells: Vec<&Cell> = grid.cells().filter_map(|mut row| row.nth(place)).collect();
        let mut read = match column.align {
            Align::Left => aligned(&cells),
            Align::ByContent | Align::Right => cells.iter().map(|cell| one_line(&cell.reading())).collect(),
        };
        for (cell, row) in read.iter_mut().zip(&grid.rows) {
            let is_member = place == 0 && !row.group.is_empty();
            cell.insert_str(0, if is_member { INDENT } else { "" });
        }
        let read = [one_line(&column.heading)].into_iter().chain(read).collect();
        match (before.replace(cells), columns.last_mut()) {
            (Some(cells), Some(last)) if cells.iter().any(|cell| matches!(cell, Cell::Wide(_))) => {
                last.join(&cells, read);
            }
            _ => columns.push(TextColumn {
                group: column.group,
                cells: read,
                is_left: grid.is_left(place),
                is_words: column.align == Align::ByContent && grid.is_left(place),
            }),
        }
    }
    columns
}

impl TextColumn {
    /// Makes one column of this one, of numbers, and the next, so that wide cells span both.
    fn join(&mut self, cells: &[&Cell], next: Vec<String>) {
        let is_wide = |row: usize| row > 0 && matches!(cells[row - 1], Cell::Wide(_));
        let narrow = self.cells.iter().enumerate().filter(|(row, _)| !is_wide(*row));
        let (own, others) = (widest(narrow.map(|(_, cell)| cell.as_str())), widest(next.iter().map(String::as_str)));
        for (row, (cell, next)) in self.cells.iter_mut().zip(next).enumerate() {
            if !is_wide(row) {
                *cell = format!("{}{GAP}{}", right(cell, own), left(&next, others));
            }
        }
        self.is_left = true;
    }
}

/// The cells of a column: numbers below numbers and intervals below intervals, the best and the second set off.
fn aligned(cells: &[&Cell]) -> Vec<String> {
    let has_marks = cells.iter().any(|cell| matches!(cell, Cell::Marked(..)));
    let parts = cells.iter().map(|cell| {
        let (sign, cell) = match cell {
            Cell::Marked(Mark::Best, cell) => ("*", cell.as_ref()),
            Cell::Marked(Mark::Second, cell) => ("+", cell.as_ref()),
            cell if has_marks => (" ", *cell),
            cell => ("", *cell),
        };
        match cell {
            Cell::Number(..) | Cell::Estimate(..) => cell.number_and_interval().map(|[mean, ends]| [mean + sign, ends]),
            _ => None,
        }
    });
    let parts: Vec<Option<[String; 2]>> = parts.collect();
    let [means, ends] = [0, 1].map(|part| widest(parts.iter().flatten().map(|parts| parts[part].as_str())));
    let shown = |(cell, parts): (&&Cell, &Option<[String; 2]>)| match parts {
        Some([mean, own]) => format!("{} {}", right(mean, means), right(own, ends)),
        None => one_line(&cell.reading()),
    };
    cells.iter().zip(&parts).map(shown).collect()
}
