//! How figures are drawn: file format, width, size of letters, caption.

use super::style::{LABEL, MARGIN};
use crate::ReportError;
use std::path::Path;

const MM_PER_INCH: f64 = 25.4;
const POINTS_PER_INCH: f64 = 72.0;
/// Pixels per inch in a PNG: for screens, and for a given width on paper.
const SCREEN_DPI: f64 = 192.0;
const PRINT_DPI: f64 = 300.0;
/// Margin around a figure of given width, since the page has its own margins.
const NARROW_MARGIN: f64 = 2.0;

/// The file format of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FigureFormat {
    /// Text stays text, in DejaVu Sans or the reader's sans-serif.
    Svg,
    /// 192 pixels per inch, or 300 if a width was given.
    Png,
    /// Text stays text, with an embedded font.
    Pdf,
}

impl FigureFormat {
    pub const ALL: [FigureFormat; 3] = [FigureFormat::Svg, FigureFormat::Png, FigureFormat::Pdf];

    /// The file extension, without a dot.
    pub fn ending(self) -> &'static str {
        match self {
            FigureFormat::Svg => "svg",
            FigureFormat::Png => "png",
            FigureFormat::Pdf => "pdf",
        }
    }

    /// The format with this extension, in upper or lower case.
    pub fn of_ending(ending: &str) -> Option<Self> {
        let is_its = |format: &FigureFormat| format.ending().eq_ignore_ascii_case(ending);
        FigureFormat::ALL.into_iter().find(is_its)
    }

    /// The format that a path's extension names.
    ///
    ///
    /// ```
    /// use neurogauge_report::figures::FigureFormat;
    /// assert_eq!(FigureFormat::of_path("figure_2.PDF".as_ref()), Ok(FigureFormat::Pdf));
    /// assert!(FigureFormat::of_path("figure_2.eps".as_ref()).is_err());
    /// ```
    pub fn of_path(path: &Path) -> Result<Self, ReportError> {
        let known = path.extension().and_then(|ending| ending.to_str()).and_then(FigureFormat::of_ending);
        known.ok_or_else(|| {
            let path = path.display();
            ReportError::Request(format!(
                "{path}: a figure is written as .svg, .png or .pdf; give the file one of these endings"
            ))
        })
    }
}

/// The width of a figure, the size of its letters, and whether it includes its title and caption.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FigureStyle {
    /// Width in millimetres; `None` lets the content decide.
    pub width_mm: Option<f64>,
    /// Size of names in points. Titles are 1.25 times as large, numbers on axes 0.875 times.
    pub font_size_pt: f64,
    /// Does the figure include its title and caption? A paper has its own caption.
    pub caption: bool,
}

impl Default for FigureStyle {
    fn default() -> Self {
        FigureStyle {
            width_mm: None,
            font_size_pt: 9.0,
            caption: true,
        }
    }
}

impl FigureStyle {
    /// Width of a journal's single column.
    pub const SINGLE_COLUMN_MM: f64 = 89.0;
    /// Width of two columns.
    pub const DOUBLE_COLUMN_MM: f64 = 183.0;
    pub const WIDTHS_MM: std::ops::RangeInclusive<f64> = 20.0..=1000.0;
    /// Sizes of letters that are accepted, in points.
    pub const FONT_SIZES_PT: std::ops::RangeInclusive<f64> = 4.0..=24.0;

    /// Reads a width: a number with `mm` or `in`, or `single` or `double` for a column. The error is a sentence.
    pub fn width_in_mm(text: &str) -> Result<f64, String> {
        let text = text.trim();
        let number = |digits: &str| digits.trim().parse::<f64>().ok();
        let width = match text {
            "single" => Some(Self::SINGLE_COLUMN_MM),
            "double" => Some(Self::DOUBLE_COLUMN_MM),
            _ => match (text.strip_suffix("mm"), text.strip_suffix("in")) {
                (Some(digits), _) => number(digits),
                (None, Some(digits)) => number(digits).map(|inches| inches * MM_PER_INCH),
                (None, None) => None,
            },
        };
        width.filter(|width| Self::WIDTHS_MM.contains(width)).ok_or_else(|| {
            "expected a width from 20 mm to 1000 mm, such as 89mm or 3.5in, or single (89 mm) or double (183 mm)"
                .to_owned()
        })
    }

    /// Reads the size of letters in points. The error is a sentence.
    pub fn font_size_in_pt(text: &str) -> Result<f64, String> {
        let size = text.trim().trim_end_matches("pt").trim_end().parse().ok();
        size.filter(|size| Self::FONT_SIZES_PT.contains(size))
            .ok_or_else(|| "expected a size from 4 to 24 points, such as 8".to_owned())
    }

    /// Points per unit of a scene.
    pub(super) fn unit_pt(&self) -> f64 {
        self.font_size_pt / LABEL
    }

    /// Pixels of a PNG per unit of a scene.
    pub(super) fn pixels_per_unit(&self) -> f64 {
        self.unit_pt() * self.dpi() / POINTS_PER_INCH
    }

    /// Pixels of a PNG per inch.
    pub(super) fn dpi(&self) -> f64 {
        match self.width_mm {
            Some(_) => PRINT_DPI,
            None => SCREEN_DPI,
        }
    }

    pub(super) fn room(&self) -> Room {
        let unit_mm = self.unit_pt() / POINTS_PER_INCH * MM_PER_INCH;
        Room {
            width: self.width_mm.map(|width| width / unit_mm),
            has_words: self.caption,
        }
    }
}

/// The formats and style of a result's figures.
#[derive(Debug, Clone, PartialEq)]
pub struct FigureOptions {
    /// Each figure is written in each of these formats; figures that consist only of pixels are always PNG.
    pub formats: Vec<FigureFormat>,
    pub style: FigureStyle,
}

impl Default for FigureOptions {
    fn default() -> Self {
        FigureOptions {
            formats: vec![FigureFormat::Svg, FigureFormat::Png],
            style: FigureStyle::default(),
        }
    }
}

/// The space for a figure, in units of its scene.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Room {
    /// The total width, if it is given.
    pub(super) width: Option<f64>,
    /// Is there space for title and caption?
    pub(super) has_words: bool,
}

impl Default for Room {
    fn default() -> Self {
        Room {
            width: None,
            has_words: true,
        }
    }
}

impl Room {
    pub(super) fn margin(&self) -> f64 {
        match self.width {
            Some(_) => NARROW_MARGIN,
            None => MARGIN,
        }
    }

    /// Maximum width of a figure's body, if it is limited.
    pub(super) fn inner(&self) -> Option<f64> {
        self.width.map(|width| width - 2.0 * self.margin())
    }
}
