//! Cells below headings, as they are laid out for one format.

use crate::Cell;
use neurogauge_core::hostile_text::csv_cell;

/// Cells with a heading above each column.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Grid {
    /// The heading: words of the program, then a user's name.
    pub(crate) lead: Option<(String, String)>,
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Row>,
    /// Sentences directly below.
    pub(crate) below: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Column {
    pub(crate) heading: String,
    /// Stands above the headings of neighbours that share it; empty without one.
    pub(crate) group: &'static str,
    pub(crate) align: Align,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Align {
    /// Words left, where they may be broken into lines, and numbers right.
    ByContent,
    /// Left, numbers below numbers and intervals below intervals.
    Left,
    Right,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Row {
    /// Stands above the neighbours that share it; empty without one.
    pub(crate) group: &'static str,
    /// In a short row the rest is missing; surplus cells are not shown.
    pub(crate) cells: Vec<Cell>,
    /// Is it set off from the rows above?
    pub(crate) is_apart: bool,
}

impl Column {
    fn by_content(heading: impl Into<String>) -> Column {
        Column::of("", heading, Align::ByContent)
    }

    pub(crate) fn of(group: &'static str, heading: impl Into<String>, align: Align) -> Column {
        Column {
            heading: heading.into(),
            group,
            align,
        }
    }
}

impl Grid {
    /// The cells of each row, one for each heading.
    pub(crate) fn cells(&self) -> impl Iterator<Item = impl Iterator<Item = &Cell>> {
        let n_columns = self.columns.len();
        self.rows.iter().map(move |row| (0..n_columns).map(move |column| row.cell(column)))
    }

    /// Headings and rows in full precision.
    pub(crate) fn csv(&self) -> String {
        let rows = self.cells().map(|row| row.map(Cell::full).collect());
        let headings = self.columns.iter().map(|column| column.heading.clone()).collect();
        let line =
            |fields: Vec<String>| fields.iter().map(|field| csv_cell(field)).collect::<Vec<_>>().join(",") + "\n";
        [headings].into_iter().chain(rows).map(line).collect()
    }

    /// Is the column aligned left?
    pub(crate) fn is_left(&self, column: usize) -> bool {
        match self.columns[column].align {
            Align::ByContent => self.rows.iter().any(|row| matches!(row.cell(column), Cell::Text(_))),
            align => align == Align::Left,
        }
    }

    /// Rows as columns. The first cell of each row becomes a heading, below `corner` the headings become first cells.
    pub(crate) fn transposed(&self, corner: &str) -> Grid {
        let headings = [corner.to_owned()].into_iter().chain(self.rows.iter().map(|row| row.cell(0).reading()));
        let row = |(place, of): (usize, &Column)| {
            let cells = self.rows.iter().map(|row| row.cell(place).clone());
            Row {
                group: of.group,
                cells: [Cell::text(&of.heading)].into_iter().chain(cells).collect(),
                ..Row::default()
            }
        };
        Grid {
            columns: headings.map(|heading| Column::of("", heading, Align::Left)).collect(),
            rows: self.columns.iter().enumerate().skip(1).map(row).collect(),
            ..Grid::default()
        }
    }
}

impl Row {
    fn cell(&self, column: usize) -> &Cell {
        self.cells.get(column).unwrap_or(&Cell::Missing)
    }
}

/// A [`Table`](crate::Table) under construction: its items, and the columns so far.
#[derive(Debug)]
pub struct Described<T> {
    pub(crate) title: String,
    items: Vec<T>,
    pub(crate) grid: Grid,
}

impl<T> Described<T> {
    pub(crate) fn of(title: impl Into<String>, items: impl IntoIterator<Item = T>) -> Self {
        let items: Vec<T> = items.into_iter().collect();
        let rows = items.iter().map(|_| Row::default()).collect();
        let grid = Grid {
            rows,
            ..Grid::default()
        };
        Described {
            title: title.into(),
            items,
            grid,
        }
    }

    /// Adds a column: its heading, and its cell for an item.
    pub fn column(self, heading: impl Into<String>, cell: impl Fn(&T) -> Cell) -> Self {
        self.columns([heading], |item| [cell(item)])
    }

    /// Adds a column of words, which are printed only in the first of the rows that share them.
    pub fn column_of_groups(mut self, heading: impl Into<String>, words: impl Fn(&T) -> String) -> Self {
        self.grid.columns.push(Column::by_content(heading));
        let mut above = None;
        for (row, item) in self.grid.rows.iter_mut().zip(&self.items) {
            let own = Some(words(item));
            row.cells.push(Cell::text(own.as_deref().filter(|_| own != above).unwrap_or_default()));
            above = own;
        }
        self
    }

    /// Adds two columns with the ends of an interval.
    pub fn ends(self, [low, high]: [&str; 2], interval: impl Fn(&T) -> Option<(f64, f64)>) -> Self {
        self.column(low, |item| Cell::number(interval(item).map(|ends| ends.0)))
            .column(high, |item| Cell::number(interval(item).map(|ends| ends.1)))
    }

    /// Adds several columns at once, such as one for each of several statistics.
    pub fn columns<C: IntoIterator<Item = Cell>>(
        mut self,
        headings: impl IntoIterator<Item = impl Into<String>>,
        cells: impl Fn(&T) -> C,
    ) -> Self {
        self.grid.columns.extend(headings.into_iter().map(Column::by_content));
        for (row, item) in self.grid.rows.iter_mut().zip(&self.items) {
            row.cells.extend(cells(item));
        }
        self
    }
}
