//! Options for which figures a command draws, and how.

use super::*;
use neurogauge::report::figures::{FigureFormat, FigureOptions, FigureStyle};

#[derive(Debug, Args)]
pub(crate) struct FigureArgs {
    /// Do not draw the figures, which go to the folder `figures` of the results
    #[arg(long, help_heading = "Figures")]
    pub(crate) no_figures: bool,
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
}

impl FigureArgs {
    pub(crate) fn options(&self) -> Option<FigureOptions> {
        (!self.no_figures).then(|| self.drawing.options())
    }
}

#[derive(Debug, Args)]
pub(crate) struct DrawingArgs {
    /// What figures are written as: svg, png, pdf
    #[arg(long, value_name = "FORMAT,...", value_delimiter = ',', value_parser = figure_format, default_value = default_formats(), help_heading = "Figures")]
    pub(crate) figure_format: Vec<FigureFormat>,
    #[command(flatten)]
    pub(crate) style: FigureStyleArgs,
}

impl DrawingArgs {
    pub(crate) fn options(&self) -> FigureOptions {
        FigureOptions {
            formats: self.figure_format.clone(),
            style: self.style.style(),
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct FigureStyleArgs {
    /// Width of figures: 89mm, 3.5in, single (column, 89 mm) or double (183 mm) [default: what they show decides]
    #[arg(long, value_name = "WIDTH", value_parser = FigureStyle::width_in_mm, help_heading = "Figures")]
    pub(crate) figure_width: Option<f64>,
    /// Size of the letters of names in points; titles are larger, numbers of axes smaller
    #[arg(long, value_name = "POINTS", value_parser = FigureStyle::font_size_in_pt, help_heading = "Figures", defaults_to = FigureStyle::default().font_size_pt)]
    pub(crate) figure_font_size: Option<f64>,
    /// Title above and sentences below a figure; a paper has them in a caption of its own
    #[arg(long, value_enum, value_name = "on|off", default_value_t, help_heading = "Figures")]
    pub(crate) figure_caption: OnOff,
}

impl FigureStyleArgs {
    pub(crate) fn style(&self) -> FigureStyle {
        let default = FigureStyle::default();
        FigureStyle {
            width_mm: self.figure_width,
            font_size_pt: self.figure_font_size.unwrap_or(default.font_size_pt),
            caption: matches!(self.figure_caption, OnOff::On),
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum OnOff {
    /// In the figure.
    #[default]
    On,
    /// Left out.
    Off,
}

fn default_formats() -> String {
    FigureOptions::default().formats.iter().map(|format| format.ending()).collect::<Vec<_>>().join(",")
}

fn figure_format(text: &str) -> Result<FigureFormat, String> {
    FigureFormat::of_ending(text.trim()).ok_or_else(|| "expected svg, png or pdf".to_owned())
}
