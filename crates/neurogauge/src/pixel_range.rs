//! Arrays of floats that are not on the scale that images are compared on.

use crate::Error;
use neurogauge_core::Warning;
use neurogauge_core::image::BeyondUnit;
use neurogauge_formats::FormatError;
use neurogauge_formats::image_source::ImageSource;
use rayon::prelude::*;

/// What is to be said of the values of a source's images. Files and 8-bit arrays cannot be at fault and are not read.
pub(crate) fn beyond_unit(source: &ImageSource) -> Result<Option<BeyondUnit>, Error> {
    if !source.holds_floats() {
        return Ok(None);
    }
    let range = |image: usize| Ok(source.load(image)?.range());
    let ranges = (0..source.len()).into_par_iter().map(range);
    let ranges = ranges.collect::<Result<Vec<_>, FormatError>>()?;
    Ok(BeyondUnit::of(ranges.into_iter()))
}

/// The same as a warning of a run.
pub(crate) fn warning(role: &str, source: &ImageSource) -> Result<Option<Warning>, Error> {
    let found = beyond_unit(source)?;
    let warn = |found: BeyondUnit| Warning::new("pixels_beyond_unit", role, found.to_string());
    Ok(found.map(warn))
}
