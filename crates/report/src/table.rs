//! The table that every format is written from.

use crate::grid::{Described, Grid};
use crate::{Cell, Format, LatexStyle, ReportError, SystemTable, data, latex, markdown, text};

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
    /// Laid out once the format is known; in LaTeX with a table of ranks if this is true.
    Systems(Box<SystemTable>, bool),
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
        Described::of(title, items)
    }

    /// The table, or `None` if it has no rows.
    pub fn filled(self) -> Option<Table> {
        match &self.content {
            Content::Cells(grid) if grid.rows.is_empty() => None,
            _ => Some(self),
        }
    }

    /// The table as papers print it: in LaTeX, ranks only decide what is bold.
    pub fn as_in_papers(mut self) -> Table {
        if let Content::Systems(_, has_ranks) = &mut self.content {
            *has_ranks = false;
        }
        self
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
            Content::Systems(systems, _) => systems.laid_out(format),
        }
    }

    /// `table` environments with the notes in their captions. They need `booktabs`, and `siunitx` if the style uses it.
    pub(crate) fn latex(&self, style: LatexStyle) -> String {
        match &self.content {
            Content::Cells(grid) => latex::written(&self.title, grid, &self.notes, style),
            Content::Systems(systems, has_ranks) => latex::systems(&self.title, systems, style, *has_ranks),
        }
    }

    /// Headings and rows in full precision, without title and notes. Of an estimate only the value is written. Systems by
    /// metrics are in long form.
    pub fn csv(&self) -> String {
        match &self.content {
            Content::Cells(grid) => grid.csv(),
            Content::Systems(systems, _) => data::records(systems).csv(),
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
            Content::Systems(systems, _) => data::json(&self.title, systems),
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

impl<T> Described<T> {
    /// The table, with these sentences below it.
    pub fn noted(self, notes: Vec<String>) -> Table {
        Table {
            title: self.title,
            content: Content::Cells(self.grid),
            notes,
        }
    }
}

impl SystemTable {
    /// The table that is written.
    ///
    /// # Errors
    ///
    /// [`ReportError`] if it has no rows or columns, if a row does not have one estimate (and rank) for each column, if its
    /// level is not within (0, 1), or if it holds NaN or an infinity.
    pub fn table(&self) -> Result<Table, ReportError> {
        self.check()?;
        Ok(Table {
            title: self.title.clone(),
            content: Content::Systems(Box::new(self.clone()), true),
            notes: Vec::new(),
        })
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
