//! Tables for reading: what they contain and in which order, whatever the format.

use crate::marks::{Mark, SHOWN, marks};
use crate::wording::{
    counts_cell, counts_heading, dagger_note, has_stand_in, interval, mean_over_pairs, rank_cell, reasons,
    shared_counts, without_interval,
};
use crate::{Cell, Row, Table, TextTable};

/// A text in a format for reading, to which the parts of a table are added.
pub(crate) trait Reading {
    /// How the best and the second-best system of a column are marked.
    const LEGEND: &'static str;

    fn title(&mut self, title: &str);
    /// The heading of a grid: words of the program, then a user's name.
    fn heading(&mut self, words: &str, name: &str);
    /// Rows of cells below their headings; numbers are aligned right.
    fn grid(&mut self, headings: &[String], rows: &[Vec<String>], is_left: &[bool]);
    /// One system: metrics are rows under their groups.
    fn metrics(&mut self, table: &Table, row: &Row);
    /// Systems are rows and metrics are columns, with chance levels below; marks are by column and row.
    fn means(&mut self, table: &Table, marks: &[Vec<Mark>]);
    /// Systems are rows and metrics are columns, with this cell for each row and column.
    fn cells(&mut self, table: &Table, cell: &dyn Fn(usize, usize) -> String);
    /// Separates the next sentence from what is above.
    fn gap(&mut self);
    fn sentence(&mut self, words: &str);
}

/// A table that can be written for reading.
pub(crate) trait Readable {
    fn push(&self, out: &mut impl Reading);
}

impl Readable for Table {
    fn push(&self, out: &mut impl Reading) {
        out.title(&self.title);
        match self.rows.as_slice() {
            [row] => {
                out.heading("System: ", &row.name());
                out.metrics(self, row);
                let reasons = without_interval(self).into_iter().map(|reason| format!("no interval, {reason}"));
                push_notes(out, reasons);
            }
            _ => push_several(out, self),
        }
        push_notes(out, has_stand_in(self).then(dagger_note).into_iter().chain(self.notes.iter().cloned()));
    }
}

impl Readable for TextTable {
    fn push(&self, out: &mut impl Reading) {
        out.title(&self.title);
        let is_left: Vec<bool> = (0..self.headings.len()).map(|column| self.is_left(column)).collect();
        let rows: Vec<Vec<String>> = self.cells().map(|row| row.map(Cell::reading).collect()).collect();
        out.grid(&self.headings, &rows, &is_left);
        push_notes(out, self.notes.iter().cloned());
    }
}

fn push_several<R: Reading>(out: &mut R, table: &Table) {
    out.heading(&mean_over_pairs(table), "");
    let marks: Vec<Vec<Mark>> = (0..table.columns.len()).map(|column| marks(table, column)).collect();
    out.means(table, &marks);
    if marks.iter().flatten().any(|mark| *mark != Mark::Plain) {
        out.sentence(&format!("{}, {SHOWN}", R::LEGEND));
    }
    reasons(table).iter().for_each(|reason| out.sentence(&format!("undefined: {reason}")));
    without_interval(table).iter().for_each(|reason| out.sentence(&format!("no interval, {reason}")));
    if shared_counts(table).is_none() {
        out.heading(&counts_heading(table), "");
        out.cells(table, &|row, column| counts_cell(table, row, column));
    }
    if let Some(table) = &table.ranked() {
        out.heading(&format!("rank, 1 is best [{}]", interval(table.level)), "");
        out.cells(table, &|row, column| rank_cell(table, row, column));
    }
}

fn push_notes(out: &mut impl Reading, notes: impl Iterator<Item = String>) {
    for (place, note) in notes.enumerate() {
        if place == 0 {
            out.gap();
        }
        out.sentence(&note);
    }
}
