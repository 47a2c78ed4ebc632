//! A table of either kind, in any format.

use crate::markdown::Markdown;
use crate::reading::{Readable, Reading};
use crate::text::Text;
use crate::{Format, ReportError, Table, TextTable, markdown, render};

/// Aligned text for a terminal of this width.
pub(crate) fn text(table: &impl Readable, width: Option<usize>) -> String {
    let mut text = Text::of_width(width);
    table.push(&mut text);
    text.written
}

pub(crate) fn markdown(table: &impl Readable) -> String {
    let mut markdown = Markdown::default();
    table.push(&mut markdown);
    markdown.0
}

impl TextTable {
    /// Aligned text; title and notes are wrapped to `width`. If columns do not fit, long words are wrapped too; columns
    /// that still do not fit follow below, with the first column repeated.
    pub fn text(&self, width: Option<usize>) -> String {
        text(self, width)
    }

    /// A pipe table below a heading.
    pub fn markdown(&self) -> String {
        markdown(self)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum ResultTable {
    Systems(Box<Table>),
    /// Any other table.
    Text(TextTable),
}

impl From<TextTable> for ResultTable {
    fn from(table: TextTable) -> Self {
        ResultTable::Text(table)
    }
}

impl From<Table> for ResultTable {
    fn from(table: Table) -> Self {
        ResultTable::Systems(Box::new(table))
    }
}

impl ResultTable {
    pub fn title(&self) -> &str {
        match self {
            ResultTable::Systems(table) => &table.title,
            ResultTable::Text(table) => &table.title,
        }
    }

    /// Writes the table; `width` is the terminal's width, for [`Format::Table`] only.
    ///
    /// # Errors
    /// A table of systems whose parts are inconsistent, as in [`render`].
    pub fn render(&self, format: Format, width: Option<usize>) -> Result<String, ReportError> {
        ResultTable::render_all(std::slice::from_ref(self), format, width)
    }

    /// Writes tables one below the other, with an empty line between them.
    ///
    /// # Errors
    /// As in [`render`].
    pub fn render_all(tables: &[ResultTable], format: Format, width: Option<usize>) -> Result<String, ReportError> {
        let written = tables.iter().map(|table| match (table, format) {
            (ResultTable::Systems(table), _) => render(table, format, width),
            (ResultTable::Text(table), Format::Table) => Ok(table.text(width)),
            (ResultTable::Text(table), Format::Markdown) => Ok(table.markdown()),
            (ResultTable::Text(table), Format::Latex(style)) => Ok(table.latex(style)),
            (ResultTable::Text(table), Format::Csv) => Ok(table.csv()),
            (ResultTable::Text(table), Format::Json) => Ok(table.json()),
        });
        let written = written.collect::<Result<Vec<String>, _>>()?.join("\n");
        Ok(match (tables.first(), format) {
            (Some(ResultTable::Text(_)), Format::Latex(style)) => {
                format!("{}\n{written}", style.needs())
            }
            _ => written,
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
        Format::Table => {
            let mut text = Text::of_width(width);
            text.sentence(words);
            Some(text.written)
        }
        Format::Markdown => Some(format!("{}\n", markdown::escape(words))),
        Format::Latex(_) | Format::Csv | Format::Json => None,
    }
}
