//! The columns of a `tabular`: alignment of cells, and protection of words where siunitx expects numbers.

use super::math_minus;
use super::style::LatexStyle;
use crate::marks::Mark;

#[derive(Debug, Clone)]
pub(super) struct LatexCell {
    pub(super) content: Content,
    /// The best or the second of its column.
    pub(super) mark: Option<Mark>,
    /// The spread beside the number, as LaTeX.
    pub(super) spread: Option<String>,
    /// The daggers, as LaTeX.
    pub(super) after: String,
}

#[derive(Debug, Clone)]
pub(super) enum Content {
    /// Digits, with a hyphen as minus sign.
    Number(String),
    /// Words, as LaTeX.
    Words(String),
}

impl LatexCell {
    pub(super) fn of(content: Content) -> Self {
        LatexCell {
            content,
            mark: None,
            spread: None,
            after: String::new(),
        }
    }

    pub(super) fn number(digits: impl Into<String>) -> Self {
        LatexCell::of(Content::Number(digits.into()))
    }

    pub(super) fn words(latex: impl Into<String>) -> Self {
        LatexCell::of(Content::Words(latex.into()))
    }

    /// Do the numbers above and below differ?
    pub(super) fn is_uneven(&self) -> bool {
        let spread = self.spread.as_ref();
        spread.is_some_and(|spread| spread.contains("^{+"))
    }

    pub(super) fn is_words(&self) -> bool {
        matches!(self.content, Content::Words(_))
    }

    /// The digits or words, without marks and spread.
    pub(super) fn latex(&self) -> &str {
        match &self.content {
            Content::Number(latex) | Content::Words(latex) => latex,
        }
    }

    /// The cell with its words wrapped to this width in points.
    pub(super) fn broken(&self, points: f64) -> Self {
        let mut cell = self.clone();
        if let Content::Words(latex) = &mut cell.content {
            let breakable = latex.replace("\\_", "\\_\\allowbreak ");
            *latex = format!("\\parbox[t]{{{points}pt}}{{\\raggedright {breakable}\\strut}}");
        }
        cell
    }

    fn digits(&self) -> Option<&str> {
        match &self.content {
            Content::Number(digits) => Some(digits),
            Content::Words(_) => None,
        }
    }

    fn marked(&self) -> String {
        let latex = match &self.content {
            Content::Number(digits) => math_minus(digits),
            Content::Words(latex) => latex.clone(),
        };
        match self.mark {
            Some(Mark::Best) => format!("\\textbf{{{latex}}}"),
            Some(Mark::Second) => format!("\\underline{{{latex}}}"),
            Some(Mark::Doubtful) | None => latex,
        }
    }
}

/// A column of a `tabular`.
pub(super) struct LatexColumn {
    align: char,
    /// Space for digits, if siunitx aligns the column.
    places: Option<Places>,
    /// Do the spreads have a separate column?
    is_split: bool,
}

impl LatexColumn {
    /// `align` is the alignment used without siunitx.
    pub(super) fn of<'a>(
        style: LatexStyle,
        align: char,
        mut cells: impl Iterator<Item = &'a LatexCell> + Clone,
    ) -> Self {
        let is_aligned = style.siunitx && align != 'l';
        let places = Places::of(cells.clone().filter_map(LatexCell::digits)).filter(|_| is_aligned);
        LatexColumn {
            align,
            is_split: places.is_some() && cells.any(|cell| cell.spread.is_some()),
            places,
        }
    }

    /// How many columns of the `tabular` it occupies.
    pub(super) fn width(&self) -> usize {
        1 + usize::from(self.is_split)
    }

    pub(super) fn spec(&self) -> String {
        match (&self.places, self.is_split) {
            (None, _) => self.align.to_string(),
            (Some(places), false) => format!("S[table-format={}]", places.format()),
            (Some(places), true) => format!("S[table-format={}]@{{\\,}}l", places.format()),
        }
    }

    pub(super) fn heading(&self, latex: &str) -> String {
        match self.is_split {
            true => format!("\\multicolumn{{2}}{{c}}{{{latex}}}"),
            false => self.protected(latex),
        }
    }

    /// A cell, which includes the `&` between two columns if it occupies two.
    pub(super) fn cell(&self, cell: &LatexCell) -> String {
        // Numbers above and below are small already.
        let small = |latex: &String| match cell.is_uneven() {
            true => latex.clone(),
            false => format!("{{\\scriptsize {latex}}}"),
        };
        let spread = cell.spread.as_ref().map(small);
        let Some(places) = &self.places else {
            let spread = spread.map_or_else(String::new, |spread| format!(" {spread}"));
            return format!("{}{spread}{}", cell.marked(), cell.after);
        };
        let (inside, beside) = match self.is_split {
            true => (String::new(), format!(" & {}{}", spread.unwrap_or_default(), cell.after)),
            // The mark has no width, so that the numbers of the column stay aligned.
            false if cell.digits().is_some() && !cell.after.is_empty() => {
                (format!("\\rlap{{{}}}", cell.after), String::new())
            }
            false => (cell.after.clone(), String::new()),
        };
        let value = match (cell.digits(), cell.mark) {
            (Some(digits), None) if inside.is_empty() => digits.to_owned(),
            (Some(digits), _) => {
                let (left, right) = places.missing(digits);
                format!("{{{left}{}{right}{inside}}}", cell.marked())
            }
            (None, _) => self.protected(&format!("{}{inside}", cell.marked())),
        };
        format!("{value}{beside}")
    }

    /// Puts words in braces if a number is expected; an empty cell stays empty.
    fn protected(&self, latex: &str) -> String {
        match self.places.is_some() && !latex.is_empty() {
            true => format!("{{{latex}}}"),
            false => latex.to_owned(),
        }
    }
}

/// The space that numbers need on both sides of the decimal point.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Places {
    has_minus: bool,
    integer: usize,
    decimals: usize,
}

impl Places {
    /// Enough space for all these numbers; `None` if there are none.
    fn of<'a>(numbers: impl Iterator<Item = &'a str>) -> Option<Self> {
        numbers.map(Places::of_one).reduce(|a, b| Places {
            has_minus: a.has_minus || b.has_minus,
            integer: a.integer.max(b.integer),
            decimals: a.decimals.max(b.decimals),
        })
    }

    fn of_one(digits: &str) -> Self {
        let unsigned = digits.trim_start_matches('-');
        let (integer, decimals) = unsigned.split_once('.').unwrap_or((unsigned, ""));
        Places {
            has_minus: unsigned.len() < digits.len(),
            integer: integer.len(),
            decimals: decimals.len(),
        }
    }

    fn format(self) -> String {
        let minus = if self.has_minus { "-" } else { "" };
        format!("{minus}{}.{}", self.integer, self.decimals)
    }

    /// Space on both sides of a number, which puts it where siunitx would.
    fn missing(self, digits: &str) -> (String, String) {
        let own = Places::of_one(digits);
        let minus = if self.has_minus && !own.has_minus { "$-$" } else { "" };
        let point = if own.decimals == 0 && self.decimals > 0 {
            "."
        } else {
            ""
        };
        let zeros = |n: usize| "0".repeat(n);
        let empty = |latex: String| match latex.is_empty() {
            true => latex,
            false => format!("\\phantom{{{latex}}}"),
        };
        (
            empty(format!("{minus}{}", zeros(self.integer - own.integer))),
            empty(format!("{point}{}", zeros(self.decimals - own.decimals))),
        )
    }
}
