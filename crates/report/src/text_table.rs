//! Tables of words and numbers other than systems by metrics.

use crate::number::{fixed, interval, shortest};
use crate::wording::DOUBLE_DAGGER;
use neurogauge_core::Outcome;
use neurogauge_core::hostile_text::csv_cell;

/// The content of a cell of a [`TextTable`].
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Words, aligned left.
    Text(String),
    Count(usize),
    /// A number with its decimals.
    Number(f64, usize),
    /// A number with its interval and their decimals.
    Estimate(f64, (f64, f64), usize),
    /// A p value; one below 0.0001 is printed as `<0.0001`.
    PValue(f64),
    /// A cell that a note below the table calls doubtful; a double dagger follows it.
    Doubtful(Box<Cell>),
    /// Nothing to show.
    Missing,
}

/// A table with a heading above each column.
#[derive(Debug, Clone, PartialEq)]
pub struct TextTable {
    /// The title of the table, without a full stop.
    pub title: String,
    /// One for each column.
    pub headings: Vec<String>,
    /// The cells. In a short row the rest is missing; surplus cells are not shown.
    pub rows: Vec<Vec<Cell>>,
    /// Sentences printed below the table.
    pub notes: Vec<String>,
}

impl TextTable {
    /// The table, or `None` if it has no rows.
    pub fn filled(self) -> Option<TextTable> {
        (!self.rows.is_empty()).then_some(self)
    }

    /// Headings and rows in full precision, without title and notes. Of an estimate only the value is written.
    pub fn csv(&self) -> String {
        let rows = self.cells().map(|row| row.map(Cell::full).collect());
        let line =
            |fields: Vec<String>| fields.iter().map(|field| csv_cell(field)).collect::<Vec<_>>().join(",") + "\n";
        [self.headings.clone()].into_iter().chain(rows).map(line).collect()
    }

    /// Title, headings, cells in full precision and notes as a JSON object.
    pub fn json(&self) -> String {
        let row = |row: &Vec<Cell>| row.iter().map(Cell::full).collect::<Vec<String>>();
        let object = serde_json::json!({
            "title": self.title,
            "headings": self.headings,
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
            "notes": self.notes,
        });
        format!("{object:#}\n")
    }

    /// A table with a row for each item; [`Described::column`] adds its columns.
    ///
    /// ```
    /// use neurogauge_report::{Cell, TextTable};
    /// let table = TextTable::of("Agreement", [("a", 0.12345), ("b", 1.0)])
    ///     .column("metric", |item| Cell::text(item.0))
    ///     .column("tau", |item| Cell::number(item.1))
    ///     .noted(vec![]);
    /// assert_eq!(table.text(None), "Agreement\n\nmetric    tau\na       0.123\nb       1.000\n");
    /// ```
    pub fn of<T>(title: impl Into<String>, items: impl IntoIterator<Item = T>) -> Described<T> {
        let items: Vec<T> = items.into_iter().collect();
        Described {
            table: TextTable {
                title: title.into(),
                headings: Vec::new(),
                rows: vec![Vec::new(); items.len()],
                notes: Vec::new(),
            },
            items,
        }
    }

    /// The cells of each row, one for each heading.
    pub(crate) fn cells(&self) -> impl Iterator<Item = impl Iterator<Item = &Cell>> {
        let n_columns = self.headings.len();
        self.rows
            .iter()
            .map(move |row| (0..n_columns).map(move |column| row.get(column).unwrap_or(&Cell::Missing)))
    }

    /// Is it a column of words?
    pub(crate) fn is_left(&self, column: usize) -> bool {
        self.rows.iter().any(|row| matches!(row.get(column), Some(Cell::Text(_))))
    }
}

/// A [`TextTable`] under construction: its items, and the columns so far.
#[derive(Debug)]
pub struct Described<T> {
    items: Vec<T>,
    table: TextTable,
}

impl<T> Described<T> {
    /// Adds a column: its heading, and its cell for an item.
    pub fn column(self, heading: impl Into<String>, cell: impl Fn(&T) -> Cell) -> Self {
        self.columns([heading], |item| [cell(item)])
    }

    /// Adds a column of words, which are printed only in the first of the rows that share them.
    ///
    /// ```
    /// use neurogauge_report::{Cell, TextTable};
    /// let table = TextTable::of("Two", [("a", 1), ("a", 2), ("b", 3)])
    ///     .column_of_groups("group", |item| item.0.to_owned())
    ///     .column("n", |item| Cell::Count(item.1))
    ///     .noted(vec![]);
    /// assert_eq!(table.csv(), "group,n\na,1\n,2\nb,3\n");
    /// ```
    pub fn column_of_groups(mut self, heading: impl Into<String>, words: impl Fn(&T) -> String) -> Self {
        self.table.headings.push(heading.into());
        let mut above = None;
        for (row, item) in self.table.rows.iter_mut().zip(&self.items) {
            let own = Some(words(item));
            let is_first = own != above;
            row.push(Cell::text(if is_first { own.as_deref() } else { None }.unwrap_or_default()));
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
        self.table.headings.extend(headings.into_iter().map(Into::into));
        for (row, item) in self.table.rows.iter_mut().zip(&self.items) {
            row.extend(cells(item));
        }
        self
    }

    /// The table, with these sentences below it.
    pub fn noted(mut self, notes: Vec<String>) -> TextTable {
        self.table.notes = notes;
        self.table
    }
}

/// Types that can be numbers in a table: a number, an optional number, or an outcome.
pub trait Value {
    fn value(&self) -> Option<f64>;
}

impl Value for f64 {
    fn value(&self) -> Option<f64> {
        Some(*self)
    }
}

impl Value for Option<f64> {
    fn value(&self) -> Option<f64> {
        *self
    }
}

impl Value for Outcome {
    fn value(&self) -> Option<f64> {
        self.as_ref().ok().copied()
    }
}

impl<V: Value> Value for &V {
    fn value(&self) -> Option<f64> {
        (*self).value()
    }
}

impl Cell {
    /// Number of decimals by default.
    pub const DECIMALS: usize = 3;

    pub fn text(words: impl Into<String>) -> Cell {
        Cell::Text(words.into())
    }

    /// A number, or a missing cell.
    pub fn number(value: impl Value) -> Cell {
        Cell::estimate(value, None)
    }

    /// A number with its interval; either may be missing.
    pub fn estimate(value: impl Value, interval: Option<(f64, f64)>) -> Cell {
        match (value.value(), interval) {
            (Some(value), Some(ends)) => Cell::Estimate(value, ends, Cell::DECIMALS),
            (Some(value), None) => Cell::Number(value, Cell::DECIMALS),
            (None, _) => Cell::Missing,
        }
    }

    /// The cell with another number of decimals.
    #[must_use]
    pub fn decimals(self, decimals: usize) -> Cell {
        match self {
            Cell::Number(value, _) => Cell::Number(value, decimals),
            Cell::Estimate(value, ends, _) => Cell::Estimate(value, ends, decimals),
            other => other,
        }
    }

    /// The cell with a double dagger, if a note calls it doubtful.
    ///
    /// ```
    /// use neurogauge_report::{Cell, TextTable};
    /// let rows = [(0.7, (0.6, 0.7))];
    /// let table = TextTable::of("Agreement", rows)
    ///     .column("tau", |row| Cell::estimate(row.0, Some(row.1)).doubtful_if(row.0 >= row.1.1));
    /// assert!(table.noted(vec![]).text(None).contains("0.700 [0.600, 0.700] ‡"));
    /// ```
    #[must_use]
    pub fn doubtful_if(self, is_doubtful: bool) -> Cell {
        if is_doubtful {
            Cell::Doubtful(Box::new(self))
        } else {
            self
        }
    }

    /// A p value, or a missing cell.
    pub fn p_value(p: Option<f64>) -> Cell {
        p.map_or(Cell::Missing, Cell::PValue)
    }

    pub(crate) fn reading(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Count(count) => count.to_string(),
            Cell::Number(value, decimals) => fixed(*value, *decimals),
            Cell::Estimate(value, ends, decimals) => {
                format!("{} {}", fixed(*value, *decimals), interval(*ends, *decimals))
            }
            Cell::PValue(p) if *p < 1e-4 => "<0.0001".to_owned(),
            Cell::PValue(p) => fixed(*p, 4),
            Cell::Doubtful(cell) => format!("{} {DOUBLE_DAGGER}", cell.reading()),
            Cell::Missing => "-".to_owned(),
        }
    }

    fn full(&self) -> String {
        match self {
            Cell::Text(text) => text.clone(),
            Cell::Count(count) => count.to_string(),
            Cell::Number(value, _) | Cell::Estimate(value, ..) | Cell::PValue(value) => shortest(*value),
            Cell::Doubtful(cell) => cell.full(),
            Cell::Missing => String::new(),
        }
    }
}
