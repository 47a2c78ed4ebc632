//! The lowest and the highest possible rating.

use crate::FormatError;
use std::path::Path;

pub(super) struct Scale<'a> {
    path: &'a Path,
    ends: Option<(f64, f64)>,
}

impl<'a> Scale<'a> {
    pub(super) fn new(path: &'a Path, ends: Option<(f64, f64)>) -> Self {
        Scale { path, ends }
    }

    /// The rating itself, if the scale has it.
    pub(super) fn check(
        &self,
        value: f64,
        place: impl FnOnce() -> String,
    ) -> Result<f64, FormatError> {
        match self.ends {
            Some((low, high)) if !(low..=high).contains(&value) => Err(FormatError::OutOfScale {
                path: self.path.to_owned(),
                place: place(),
                value,
                low,
                high,
            }),
            _ => Ok(value),
        }
    }
}
