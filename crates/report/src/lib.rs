//! Writes estimates as tables (aligned text, JSON, CSV, Markdown and LaTeX) and figures (SVG, PNG and PDF).
//!
//! A [`Table`] holds one [`Estimate`](neurogauge_core::Estimate) for each system and column; [`render`] writes it. A
//! [`TextTable`] is any other table of words and numbers. No metric is known here by name: the name, decimals and
//! direction of a column are in its [`Column`].

mod columns;
mod data;
mod error;
pub mod figures;
mod format;
mod latex;
mod markdown;
mod marks;
mod number;
mod ranking;
mod reading;
mod result_table;
mod table;
mod text;
mod text_table;
mod wording;

pub use error::ReportError;
pub use format::Format;
pub use latex::{LatexStyle, Spread};
pub use number::{fixed, p_in_words};
pub use ranking::{Ranked, Ranking, TestedDifference};
pub use result_table::{ResultTable, paragraph};
pub use table::{Column, RankEstimate, Row, RowSubject, Table};
pub use text_table::{Cell, Described, TextTable, Value};
pub use wording::{dagger_note, interval_note, marked};

/// Writes `table` in `format`, ending with a newline.
///
/// - [`Format::Table`]: for one system the metrics are rows; for several, the systems are. `width` is the width of the
///   terminal in columns: wider tables are split into blocks, and notes are wrapped. Other formats ignore it.
/// - [`Format::Table`], [`Format::Markdown`] and [`Format::Latex`] mark the best system of a column and the second (`*`
///   and `+`, or bold and underlined) if the tests of differences show them, that is, if the rank interval is 1 to 1,
///   or 2 to 2.
/// - [`Format::Csv`] and [`Format::Json`] have full precision: the shortest decimals that read back as the same number.
///   CSV lines end with `\n`.
///
/// # Errors
///
/// [`ReportError`] if the table has no rows or columns, if a row does not have one estimate (and
/// rank) for each column, if its level is not within (0, 1), or if it holds NaN or an infinity.
pub fn render(table: &Table, format: Format, width: Option<usize>) -> Result<String, ReportError> {
    table.check()?;
    Ok(match format {
        Format::Table => result_table::text(table, width),
        Format::Json => data::json(table),
        Format::Csv => data::csv(table),
        Format::Markdown => result_table::markdown(table),
        Format::Latex(style) => latex::render(table, style),
    })
}
