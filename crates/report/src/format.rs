//! The formats in which a table can be written.

use crate::latex::Spread;
use crate::{LatexStyle, ReportError};
use std::fmt;
use std::str::FromStr;

/// The format of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Format {
    /// Aligned text for a terminal.
    Table,
    /// The data, in full precision.
    Json,
    /// A line for each system and metric, in full precision.
    Csv,
    /// Pipe tables.
    Markdown,
    /// `table` environments, which need `booktabs`, and `siunitx` if the style uses it.
    Latex(LatexStyle),
}

impl Format {
    /// All formats, in the order of the help text.
    pub const ALL: [Format; 5] = [Format::Table, Format::Json, Format::Csv, Format::Markdown, Format::LATEX];

    /// LaTeX in the default style.
    pub const LATEX: Format = Format::Latex(LatexStyle::DEFAULT);

    /// This format; if it is LaTeX, in this style.
    #[must_use]
    pub fn styled(self, style: LatexStyle) -> Format {
        match self {
            Format::Latex(_) => Format::Latex(style),
            other => other,
        }
    }

    pub fn latex_styles() -> impl Iterator<Item = Format> {
        let spreads = [Spread::Intervals, Spread::PlusMinus, Spread::None].into_iter();
        spreads.flat_map(|spread| [false, true].map(|siunitx| Format::Latex(LatexStyle { spread, siunitx })))
    }

    /// The name that [`FromStr`] reads.
    pub fn name(self) -> &'static str {
        match self {
            Format::Table => "table",
            Format::Json => "json",
            Format::Csv => "csv",
            Format::Markdown => "markdown",
            Format::Latex(LatexStyle { spread, siunitx }) => match (spread, siunitx) {
                (Spread::Intervals, false) => "latex",
                (Spread::Intervals, true) => "latex-siunitx",
                (Spread::PlusMinus, false) => "latex-pm",
                (Spread::PlusMinus, true) => "latex-pm-siunitx",
                (Spread::None, false) => "latex-none",
                (Spread::None, true) => "latex-none-siunitx",
            },
        }
    }

    /// The file extension, without a dot.
    pub fn ending(self) -> &'static str {
        match self {
            Format::Table => "txt",
            Format::Json => "json",
            Format::Csv => "csv",
            Format::Markdown => "md",
            Format::Latex(_) => "tex",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = ReportError;

    fn from_str(text: &str) -> Result<Self, ReportError> {
        let mut formats = Format::ALL.into_iter().chain(Format::latex_styles());
        formats.find(|format| format.name() == text).ok_or_else(|| {
            let expected = Format::ALL.map(Format::name).join(", ");
            ReportError::Request(format!("unknown format {text:?}; expected one of {expected}"))
        })
    }
}
