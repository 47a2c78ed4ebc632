//! The style of intervals and numbers in LaTeX tables.

use super::math_minus;
use serde::{Deserialize, Serialize};

/// What is printed beside an estimate with an interval.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Spread {
    /// The interval itself: `[0.25, 0.75]`.
    #[default]
    Intervals,
    /// The distances from the estimate to the ends of its interval: with ± if both print the same, otherwise one above
    /// and one below.
    PlusMinus,
    /// Nothing.
    None,
}

/// How LaTeX tables are written.
///
/// ```
/// use neurogauge_report::{Format, LatexStyle, Spread};
/// let style = LatexStyle { spread: Spread::PlusMinus, siunitx: true };
/// assert_eq!("latex-pm-siunitx".parse(), Ok(Format::Latex(style)));
/// assert_eq!(Format::LATEX, Format::Latex(LatexStyle::default()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct LatexStyle {
    pub spread: Spread,
    /// Are numbers aligned at the decimal point, in `S` columns of the package siunitx?
    pub siunitx: bool,
}

impl LatexStyle {
    /// Intervals, without siunitx.
    pub const DEFAULT: LatexStyle = LatexStyle {
        spread: Spread::Intervals,
        siunitx: false,
    };

    /// This style, or `other` if this is the default.
    #[must_use]
    pub fn or(self, other: LatexStyle) -> LatexStyle {
        match self == LatexStyle::DEFAULT {
            true => other,
            false => self,
        }
    }

    /// The first line of a file with such tables, which names the packages that they need.
    pub fn needs(self) -> &'static str {
        match self.siunitx {
            false => "% Needs \\usepackage{booktabs}.",
            true => "% Needs \\usepackage{booktabs} and \\usepackage{siunitx}.",
        }
    }
}

impl Spread {
    /// The spread beside a value, as LaTeX. If the interval excludes the estimate, the interval is printed instead.
    pub(super) fn beside(self, value: f64, (low, high): (f64, f64), printed: impl Fn(f64) -> String) -> Option<String> {
        let interval = || math_minus(&format!("[{}, {}]", printed(low), printed(high)));
        match self {
            Spread::None => None,
            Spread::PlusMinus if low <= value && value <= high => {
                let (down, up) = (printed(value - low), printed(high - value));
                Some(match up == down {
                    true => format!("$\\pm$\\,{up}"),
                    false => format!("$^{{+{up}}}_{{-{down}}}$"),
                })
            }
            Spread::Intervals | Spread::PlusMinus => Some(interval()),
        }
    }

    /// A title or heading such as `r [95% interval]`, without the words about intervals if none are shown.
    pub(super) fn heading(self, text: &str) -> String {
        let bracket = text.find(" [").zip(text.rfind(']'));
        let Some((start, end)) = bracket.filter(|&(start, end)| text[start..end].contains('%')) else {
            return text.to_owned();
        };
        let (before, words, after) = (&text[..start], &text[start + 2..end], &text[end + 1..]);
        match self {
            Spread::Intervals => text.to_owned(),
            Spread::PlusMinus => format!("{before} ± ({words}){after}"),
            Spread::None => format!("{before}{after}"),
        }
    }
}
