//! Checks of every figure.

use crate::ReportError;

/// An error unless all values are finite. Their span must be, too.
pub(super) fn finite(
    title: &str,
    what: &'static str,
    values: impl IntoIterator<Item = f64>,
) -> Result<(), ReportError> {
    for found in values {
        // Half the range of f64 each way, so that no difference of two overflows.
        if !found.is_finite() || found.abs() > f64::MAX / 8.0 {
            return Err(ReportError::NonFinitePoint {
                title: title.to_owned(),
                what,
                found,
            });
        }
    }
    Ok(())
}

/// An error if there is nothing to draw.
pub(super) fn some(title: &str, what: &'static str, n: usize) -> Result<(), ReportError> {
    if n == 0 {
        return Err(ReportError::EmptyFigure {
            title: title.to_owned(),
            what,
        });
    }
    Ok(())
}

/// An error if there is no such place in a list of `n`.
pub(super) fn place(title: &str, what: &'static str, place: usize, n: usize) -> Result<(), ReportError> {
    if place < n {
        Ok(())
    } else {
        length(title, what, n, place + 1)
    }
}

/// An error if a list does not have one entry for each of something.
pub(super) fn length(title: &str, what: &'static str, found: usize, expected: usize) -> Result<(), ReportError> {
    if found != expected {
        return Err(ReportError::FigureLength {
            title: title.to_owned(),
            what,
            found,
            expected,
        });
    }
    Ok(())
}
