//! The lowest and the highest possible rating, and codes for missing ones.

use crate::{FormatError, Problem};
use neurogauge_core::option_words::option;
use std::path::Path;

pub(super) struct Scale<'a> {
    path: &'a Path,
    ends: Option<(f64, f64)>,
    codes: &'a [String],
}

impl<'a> Scale<'a> {
    pub(super) fn new(path: &'a Path, ends: Option<(f64, f64)>, codes: Option<&'a Vec<String>>) -> Self {
        let codes = codes.map(Vec::as_slice).unwrap_or_default();
        Scale { path, ends, codes }
    }

    /// Does a cell stand for a missing rating? It must be the text or the number of a code.
    pub(super) fn is_code(&self, cell: &str) -> bool {
        let number = cell.parse::<f64>();
        self.codes.iter().any(|code| code == cell || number.is_ok() && code.parse() == number)
    }

    /// The rating, if it is within the scale.
    pub(super) fn check(&self, value: f64, place: impl FnOnce() -> String) -> Result<f64, FormatError> {
        match self.ends {
            Some((low, high)) if !(low..=high).contains(&value) => {
                let code = value.to_string();
                let missing = option("missing", &code);
                let reason = format!(
                    "the rating {value} is outside the scale {low} to {high}; if it stands for a missing one, {missing} leaves it out"
                );
                Err(Problem::invalid(place(), reason).at(self.path))
            }
            _ => Ok(value),
        }
    }
}
