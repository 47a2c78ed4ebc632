//! Options for the format of a command's tables, and for LaTeX.

use super::*;
use neurogauge::report::{Format, LatexStyle, Spread};

#[derive(Debug, Clone, Copy, Default, Args, Deserialize)]
#[serde(default)]
pub(crate) struct TableArgs {
    /// What is printed on stdout
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: OutputFormat,
    /// What is shown beside estimates in LaTeX: intervals, ± the distance to their ends, or none
    #[arg(long, value_enum, value_name = "STYLE", default_value_t)]
    pub(crate) latex_style: LatexStyleArg,
    /// Align the numbers of LaTeX tables at the decimal point, which needs the package siunitx
    #[arg(long)]
    pub(crate) latex_siunitx: bool,
}

impl TableArgs {
    pub(crate) fn latex(&self) -> LatexStyle {
        LatexStyle {
            spread: match self.latex_style {
                LatexStyleArg::Intervals => Spread::Intervals,
                LatexStyleArg::Pm => Spread::PlusMinus,
                LatexStyleArg::None => Spread::None,
            },
            siunitx: self.latex_siunitx,
        }
    }

    /// The printed format.
    pub(crate) fn format(&self) -> Format {
        match self.format {
            OutputFormat::Table => Format::Table,
            OutputFormat::Json => Format::Json,
            OutputFormat::Csv => Format::Csv,
            OutputFormat::Markdown => Format::Markdown,
            OutputFormat::Latex => Format::Latex(self.latex()),
        }
    }
}

/// How a table is printed.
#[derive(Debug, Clone, Copy, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum OutputFormat {
    #[default]
    Table,
    Json,
    Csv,
    Markdown,
    Latex,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum LatexStyleArg {
    #[default]
    Intervals,
    Pm,
    None,
}
