//! What stands in a table, and how it is read and written in full.

use crate::RankEstimate;
use crate::marks::{DOUBLE_DAGGER, Mark};
use crate::number::{fixed, interval, rank, shortest};
use neurogauge_core::Outcome;

/// The content of a cell of a [`Table`](crate::Table).
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Words, aligned left.
    Text(String),
    /// Words that take the room of the next cell, too, which is empty.
    Wide(String),
    Count(usize),
    /// A number with its decimals.
    Number(f64, usize),
    /// A number with its interval and their decimals.
    Estimate(f64, (f64, f64), usize),
    /// The interval of the number in the cell before.
    Interval((f64, f64), usize),
    Rank(RankEstimate),
    /// A p value; one below 0.0001 is printed as `<0.0001`.
    PValue(f64),
    Marked(Mark, Box<Cell>),
    /// A mean without a value.
    Undefined,
    /// Nothing to show.
    Missing,
}

/// Types that can be numbers in a table: a number, an optional number, or an outcome.
pub trait Value {
    fn value(&self) -> Option<f64>;
}

impl Value for f64 {
    fn value(&self) -> Option<f64> {
        Some(*self)
    }
}

impl Value for Option<f64> {
    fn value(&self) -> Option<f64> {
        *self
    }
}

impl Value for Outcome {
    fn value(&self) -> Option<f64> {
        self.as_ref().ok().copied()
    }
}

impl<V: Value> Value for &V {
    fn value(&self) -> Option<f64> {
        (*self).value()
    }
}

impl Cell {
    /// Number of decimals by default.
    pub const DECIMALS: usize = 3;

    pub fn text(words: impl Into<String>) -> Cell {
        Cell::Text(words.into())
    }

    /// A number, or a missing cell.
    pub fn number(value: impl Value) -> Cell {
        Cell::estimate(value, None)
    }

    /// A number with its interval; either may be missing.
    pub fn estimate(value: impl Value, interval: Option<(f64, f64)>) -> Cell {
        match (value.value(), interval) {
            (Some(value), Some(ends)) => Cell::Estimate(value, ends, Cell::DECIMALS),
            (Some(value), None) => Cell::Number(value, Cell::DECIMALS),
            (None, _) => Cell::Missing,
        }
    }

    /// The cell with another number of decimals.
    #[must_use]
    pub fn decimals(self, decimals: usize) -> Cell {
        match self {
            Cell::Number(value, _) => Cell::Number(value, decimals),
            Cell::Estimate(value, ends, _) => Cell::Estimate(value, ends, decimals),
            other => other,
        }
    }

    /// The cell with a mark, if there is one.
    #[must_use]
    pub(crate) fn marked(self, mark: Option<Mark>) -> Cell {
        match mark {
            Some(mark) => Cell::Marked(mark, Box::new(self)),
            None => self,
        }
    }

    /// The cell with a double dagger, if a note calls it doubtful.
    #[must_use]
    pub fn doubtful_if(self, is_doubtful: bool) -> Cell {
        self.marked(is_doubtful.then_some(Mark::Doubtful))
    }

    /// A p value, or a missing cell.
    pub fn p_value(p: Option<f64>) -> Cell {
        p.map_or(Cell::Missing, Cell::PValue)
    }

    /// The number and its interval as they are read, each empty where there is none; `None` for other cells.
    pub(crate) fn number_and_interval(&self) -> Option<[String; 2]> {
        match self {
            Cell::Number(value, decimals) => Some([fixed(*value, *decimals), String::new()]),
            Cell::Estimate(value, ends, decimals) => Some([fixed(*value, *decimals), interval(*ends, *decimals)]),
            Cell::Interval(ends, decimals) => Some([String::new(), interval(*ends, *decimals)]),
            Cell::Rank(found) => {
                let (low, high) = found.interval;
                Some([rank(found.rank), format!("[{}, {}]", rank(low), rank(high))])
            }
            _ => None,
        }
    }

    pub(crate) fn reading(&self) -> String {
        match self {
            Cell::Text(text) | Cell::Wide(text) => text.clone(),
            Cell::Count(count) => count.to_string(),
            Cell::PValue(p) if *p < 1e-4 => "<0.0001".to_owned(),
            Cell::PValue(p) => fixed(*p, 4),
            Cell::Marked(Mark::Doubtful, cell) => format!("{} {DOUBLE_DAGGER}", cell.reading()),
            Cell::Marked(_, cell) => cell.reading(),
            Cell::Undefined => "undefined".to_owned(),
            Cell::Missing => "-".to_owned(),
            Cell::Number(..) | Cell::Estimate(..) | Cell::Interval(..) | Cell::Rank(_) => {
                self.number_and_interval().unwrap_or_default().join(" ").trim().to_owned()
            }
        }
    }

    pub(crate) fn full(&self) -> String {
        match self {
            Cell::Number(value, _) | Cell::Estimate(value, ..) | Cell::PValue(value) => shortest(*value),
            Cell::Marked(_, cell) => cell.full(),
            Cell::Undefined | Cell::Missing => String::new(),
            other => other.reading(),
        }
    }
}
