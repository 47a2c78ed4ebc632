//! The table that every format is written from.

use crate::{Cell, Format, LatexStyle, SystemTable, data, latex, markdown, text};
use neurogauge_core::hostile_text::csv_cell;

/// A title, cells below headings, and notes. [`SystemTable::table`] makes one of systems by metrics, and
/// [`of`](Table::of) any other.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Without a full stop.
    pub title: String,
    content: Content,
    /// Sentences printed below the table.
    pub notes: Vec<String>,
}

#[derive(Debug, Clone, PartialEq)]
enum Content {
    Cells(Grid),
    /// Laid out once the format is known.
    Systems(Box<SystemTable>),
}

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

impl Table {
    /// A table with a row for each item; [`Described::column`] adds its columns.
    ///
    /// ```
    /// use neurogauge_report::{Cell, Table};
    /// let table = Table::of("Agreement", [("a", 0.12345), ("b", 1.0)])
    ///     .column("metric", |item| Cell::text(item.0))
    ///     .column("tau", |item| Cell::number(item.1))
    ///     .noted(vec![]);
    /// assert_eq!(table.text(None), "Agreement\n\nmetric    tau\na       0.123\nb       1.000\n");
    /// ```
    pub fn of<T>(title: impl Into<String>, items: impl IntoIterator<Item = T>) -> Described<T> {
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

    pub(crate) fn of_systems(systems: SystemTable) -> Table {
        Table {
            title: systems.title.clone(),
            content: Content::Systems(Box::new(systems)),
            notes: Vec::new(),
        }
    }

    /// The table, or `None` if it has no rows.
    pub fn filled(self) -> Option<Table> {
        match &self.content {
            Content::Cells(grid) if grid.rows.is_empty() => None,
            _ => Some(self),
        }
    }

    /// Aligned text; title and notes are wrapped to `width`. If columns do not fit, long words are wrapped too; columns
    /// that still do not fit follow below, with the first column repeated.
    pub fn text(&self, width: Option<usize>) -> String {
        let (grids, notes) = self.laid_out(Format::Table);
        text::written(&self.title, &grids, &notes, width)
    }

    /// Pipe tables below a heading.
    pub fn markdown(&self) -> String {
        let (grids, notes) = self.laid_out(Format::Markdown);
        markdown::written(&self.title, &grids, &notes)
    }

    /// The cells for this way of reading, and the notes below them.
    fn laid_out(&self, format: Format) -> (Vec<Grid>, Vec<String>) {
        match &self.content {
            Content::Cells(grid) => (vec![grid.clone()], self.notes.clone()),
            Content::Systems(systems) => systems.laid_out(format),
        }
    }

    /// `table` environments with the notes in their captions. They need `booktabs`, and `siunitx` if the style uses it.
    pub(crate) fn latex(&self, style: LatexStyle) -> String {
        match &self.content {
            Content::Cells(grid) => latex::written(&self.title, grid, &self.notes, style),
            Content::Systems(systems) => latex::systems(&self.title, systems, style),
        }
    }

    /// Headings and rows in full precision, without title and notes. Of an estimate only the value is written. Systems by
    /// metrics are in long form.
    pub fn csv(&self) -> String {
        match &self.content {
            Content::Cells(grid) => {
                let rows = grid.cells().map(|row| row.map(Cell::full).collect());
                let headings = grid.columns.iter().map(|column| column.heading.clone()).collect();
                let line = |fields: Vec<String>| {
                    fields.iter().map(|field| csv_cell(field)).collect::<Vec<_>>().join(",") + "\n"
                };
                [headings].into_iter().chain(rows).map(line).collect()
            }
            Content::Systems(systems) => data::records(systems).csv(),
        }
    }

    /// Title, headings, cells in full precision and notes as a JSON object; for systems by metrics their data.
    pub fn json(&self) -> String {
        let object = match &self.content {
            Content::Cells(grid) => serde_json::json!({
                "title": self.title,
                "headings": grid.columns.iter().map(|column| &column.heading).collect::<Vec<_>>(),
                "rows": grid.rows.iter().map(|row| row.cells.iter().map(Cell::full).collect()).collect::<Vec<Vec<_>>>(),
                "notes": self.notes,
            }),
            Content::Systems(systems) => data::json(&self.title, systems),
        };
        format!("{object:#}\n")
    }

    /// Writes the table; `width` is the terminal's width, for [`Format::Table`] only.
    ///
    /// - [`Format::Table`]: for one system the metrics are rows; for several, the systems are.
    /// - [`Format::Table`], [`Format::Markdown`] and [`Format::Latex`] mark the best system of a column and the second
    ///   (`*` and `+`, or bold and underlined) if the tests of differences show them, that is, if the rank interval is
    ///   1 to 1, or 2 to 2.
    /// - [`Format::Csv`] and [`Format::Json`] have full precision: the shortest decimals that read back as the same
    ///   number. CSV lines end with `\n`.
    pub fn render(&self, format: Format, width: Option<usize>) -> String {
        Table::render_all(std::slice::from_ref(self), format, width)
    }

    /// Writes tables one below the other, with an empty line between them.
    pub fn render_all(tables: &[Table], format: Format, width: Option<usize>) -> String {
        let written = tables.iter().map(|table| match format {
            Format::Table => table.text(width),
            Format::Markdown => table.markdown(),
            Format::Latex(style) => table.latex(style),
            Format::Csv => table.csv(),
            Format::Json => table.json(),
        });
        let written = written.collect::<Vec<String>>().join("\n");
        match format {
            Format::Latex(style) if !tables.is_empty() => format!("{}\n{written}", style.needs()),
            _ => written,
        }
    }
}

impl Grid {
    /// The cells of each row, one for each heading.
    pub(crate) fn cells(&self) -> impl Iterator<Item = impl Iterator<Item = &Cell>> {
        let n_columns = self.columns.len();
        self.rows.iter().map(move |row| (0..n_columns).map(move |column| row.cell(column)))
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

/// A [`Table`] under construction: its items, and the columns so far.
#[derive(Debug)]
pub struct Described<T> {
    title: String,
    items: Vec<T>,
    grid: Grid,
}

impl<T> Described<T> {
    /// Adds a column: its heading, and its cell for an item.
    pub fn column(self, heading: impl Into<String>, cell: impl Fn(&T) -> Cell) -> Self {
        self.columns([heading], |item| [cell(item)])
    }

    /// Adds a column of words, which are printed only in the first of the rows that share them.
    ///
    /// ```
    /// use neurogauge_report::{Cell, Table};
    /// let table = Table::of("Two", [("a", 1), ("a", 2), ("b", 3)])
    ///     .column_of_groups("group", |item| item.0.to_owned())
    ///     .column("n", |item| Cell::Count(item.1))
    ///     .noted(vec![]);
    /// assert_eq!(table.csv(), "group,n\na,1\n,2\nb,3\n");
    /// ```
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

    /// The table, with these sentences below it.
    pub fn noted(self, notes: Vec<String>) -> Table {
        Table {
            title: self.title,
            content: Content::Cells(self.grid),
            notes,
        }
    }
}

/// Formats words above tables for text formats, ending in a line break; `None` for other formats. `width` is the
/// terminal's width, for [`Format::Table`] only.
///
/// ```
/// use neurogauge_report::{Format, paragraph};
/// assert_eq!(paragraph("obj_f1 agrees best.", Format::Markdown, None).as_deref(), Some("obj\\_f1 agrees best.\n"));
/// assert_eq!(paragraph("one two", Format::Table, Some(4)).as_deref(), Some("one\ntwo\n"));
/// assert_eq!(paragraph("obj_f1 agrees best.", Format::Csv, None), None);
/// ```
pub fn paragraph(words: &str, format: Format, width: Option<usize>) -> Option<String> {
    match format {
        Format::Table => Some(text::sentence(words, width)),
        Format::Markdown => Some(format!("{}\n", markdown::escape(words))),
        Format::Latex(_) | Format::Csv | Format::Json => None,
    }
}
