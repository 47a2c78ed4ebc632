//! Checks that all figures share.

use crate::ReportError;

fn refuse_if(is_wrong: bool, message: impl FnOnce() -> String) -> Result<(), ReportError> {
    if is_wrong {
        Err(ReportError::Parts(message()))
    } else {
        Ok(())
    }
}

/// Fails unless all values and their span are finite.
pub(super) fn finite(title: &str, what: &str, values: impl IntoIterator<Item = f64>) -> Result<(), ReportError> {
    values.into_iter().try_for_each(|found| {
        // Values may use a quarter of f64's range, so that no difference of two overflows.
        refuse_if(!found.is_finite() || found.abs() > f64::MAX / 8.0, || {
            format!(
                "the figure {title:?} has {found} among its {what}; leave out what has no value, or give it as undefined"
            )
        })
    })
}

/// Fails if there is nothing to draw.
pub(super) fn some(title: &str, what: &str, n: usize) -> Result<(), ReportError> {
    refuse_if(n == 0, || format!("the figure {title:?} has no {what}; give it at least one"))
}

/// Fails if a list of `n` has no such index.
pub(super) fn place(title: &str, what: &str, place: usize, n: usize) -> Result<(), ReportError> {
    length(title, what, n, n.max(place + 1))
}

/// Fails if a list has the wrong length.
pub(super) fn length(title: &str, what: &str, found: usize, expected: usize) -> Result<(), ReportError> {
    refuse_if(found != expected, || format!("the figure {title:?} has {found} {what} where {expected} belong"))
}

/// Fails if the figure would be larger than a picture can be.
pub(super) fn size(title: &str, (width, height): (f64, f64), limit: f64) -> Result<(), ReportError> {
    refuse_if(width > limit || height > limit, || {
        format!(
            "the figure {title:?} would be {width} x {height} pixels, and viewers open at most {limit}; show fewer rows or columns"
        )
    })
}
