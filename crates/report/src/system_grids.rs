//! Systems by metrics as cells.

use crate::grid::{Align, Column, Grid, Row};
use crate::marks::{SHOWN, marks};
use crate::wording::{
    dagger_note, has_stand_in, heading, interval, mean_over_pairs, reasons, shared_counts, without_interval,
};
use crate::{Cell, Format, MetricColumn, SystemRow, SystemTable};

impl SystemTable {
    /// The cells for this way of reading, and the notes below them.
    pub(crate) fn laid_out(&self, format: Format) -> (Vec<Grid>, Vec<String>) {
        let grids = match self.rows.as_slice() {
            [row] => vec![self.of_one(row, format)],
            _ => {
                let counts = shared_counts(self).is_none().then(|| self.counts());
                [self.means_explained(format)].into_iter().chain(counts).chain(self.ranks()).collect()
            }
        };
        (grids, has_stand_in(self).then(dagger_note).into_iter().chain(self.notes.iter().cloned()).collect())
    }

    /// One system: metrics are rows under their groups.
    fn of_one(&self, row: &SystemRow, format: Format) -> Grid {
        let no_interval = if format == Format::Markdown { "" } else { "-" };
        let of_metric = |(group, place): (&'static str, usize)| {
            let (column, estimate) = (&self.columns[place], &row.estimates[place]);
            let [value, ends] = match &estimate.value {
                Ok(mean) => [
                    Cell::Number(*mean, column.decimals),
                    estimate.interval.map_or(Cell::text(no_interval), |ends| Cell::Interval(ends, column.decimals)),
                ],
                // A reason spans the columns of mean and interval.
                Err(reason) => [Cell::Wide(format!("undefined: {reason}")), Cell::text("")],
            };
            let [n, n_undefined] = [estimate.n, estimate.n_undefined].map(Cell::Count);
            Row {
                group,
                cells: vec![Cell::Text(heading(column)), value, ends, n, n_undefined, chance(column)],
                ..Row::default()
            }
        };
        let interval = interval(self.level);
        let columns = [
            ("Metric", Align::Left),
            ("mean", Align::Right),
            (&interval, Align::Left),
            ("n", Align::Right),
            ("undefined", Align::Right),
        ];
        let chance = self.has_chance().then_some(("chance", Align::Right));
        Grid {
            lead: Some(("System: ".to_owned(), row.name())),
            columns: columns.into_iter().chain(chance).map(|(heading, align)| Column::of("", heading, align)).collect(),
            rows: self.in_groups().map(of_metric).collect(),
            below: without_interval(self).into_iter().map(|reason| format!("no interval, {reason}")).collect(),
        }
    }

    /// Several systems: their means, with sentences about marks and gaps.
    fn means_explained(&self, format: Format) -> Grid {
        let grid = self.means();
        let has_marks = grid.cells().flatten().any(|cell| matches!(cell, Cell::Marked(..)));
        let legend = match format {
            Format::Markdown => "Bold: best, underlined: second",
            _ => "* best, + second",
        };
        let legend = has_marks.then(|| format!("{legend}, {SHOWN}")).into_iter();
        let gaps = reasons(self).into_iter().map(|reason| format!("undefined: {reason}"));
        let without = without_interval(self).into_iter().map(|reason| format!("no interval, {reason}"));
        Grid {
            lead: Some((mean_over_pairs(self), String::new())),
            below: legend.chain(gaps).chain(without).collect(),
            ..grid
        }
    }

    /// The means, and the chance levels below them.
    pub(crate) fn means(&self) -> Grid {
        let marks: Vec<_> = (0..self.columns.len()).map(|column| marks(self, column)).collect();
        let mut grid = self.grid(|row, column| {
            let (estimate, decimals) = (&self.rows[row].estimates[column], self.columns[column].decimals);
            match Cell::estimate(&estimate.value, estimate.interval) {
                Cell::Missing => Cell::Undefined,
                known => known.decimals(decimals).marked(marks[column][row]),
            }
        });
        if self.has_chance() {
            let mut row = self.row("chance".to_owned(), |column| chance(&self.columns[column]));
            row.is_apart = true;
            grid.rows.push(row);
        }
        grid
    }

    /// Over how many pairs means are.
    fn counts(&self) -> Grid {
        let mut estimates = self.rows.iter().flat_map(|row| &row.estimates);
        let has_undefined = estimates.any(|estimate| estimate.n_undefined > 0);
        let (undefined, unit) = (if has_undefined { " (and undefined)" } else { "" }, self.unit);
        let grid = self.grid(|row, column| {
            let estimate = &self.rows[row].estimates[column];
            Cell::Text(match has_undefined {
                true => format!("{} ({})", estimate.n, estimate.n_undefined),
                false => estimate.n.to_string(),
            })
        });
        Grid {
            lead: Some((format!("n: {unit} with a value{undefined}"), String::new())),
            ..grid
        }
    }

    /// The ranks of the systems that have any.
    pub(crate) fn ranks(&self) -> Option<Grid> {
        let ranked: Vec<_> = self.rows.iter().map(|row| row.rank.as_ref()).collect();
        let mut grid = self.grid(|row, column| {
            let rank = ranked[row].and_then(|ranks| ranks[column]);
            rank.map_or(Cell::Missing, Cell::Rank)
        });
        let mut has_ranks = ranked.iter().map(Option::is_some);
        grid.rows.retain(|_| has_ranks.next().unwrap_or(false));
        grid.lead = Some((format!("rank, 1 is best [{}]", interval(self.level)), String::new()));
        (!grid.rows.is_empty()).then_some(grid)
    }

    /// These words and a cell for each metric.
    fn row(&self, words: String, cell: impl Fn(usize) -> Cell) -> Row {
        let cells = self.in_groups().map(|(_, column)| cell(column));
        Row {
            cells: [Cell::Text(words)].into_iter().chain(cells).collect(),
            ..Row::default()
        }
    }

    /// Systems are rows and metrics are columns, with this cell for each row and column.
    fn grid(&self, cell: impl Fn(usize, usize) -> Cell) -> Grid {
        let of_metric =
            |(group, column): (&'static str, usize)| Column::of(group, heading(&self.columns[column]), Align::Left);
        let of_system = |(row, of): (usize, &SystemRow)| self.row(of.name(), |column| cell(row, column));
        Grid {
            columns: [Column::of("", "System", Align::Left)]
                .into_iter()
                .chain(self.in_groups().map(of_metric))
                .collect(),
            rows: self.rows.iter().enumerate().map(of_system).collect(),
            ..Grid::default()
        }
    }
}

/// The chance level of a metric, or an empty text.
fn chance(column: &MetricColumn) -> Cell {
    // Chance is often below a hundredth.
    let decimals = |chance: f64| if chance.abs() < 0.01 { 4 } else { column.decimals };
    column.chance.map_or(Cell::text(""), |chance| Cell::Number(chance, decimals(chance)))
}
