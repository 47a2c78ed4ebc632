//! Findings about the images of two sides before they are compared: equal content that should differ, images without
//! content, and anything that makes results incomparable with others.
//!
//! Everything here is computed from data that are read anyway. [`content`] needs hashes, [`appearance`] decoded images.

pub mod appearance;
pub mod content;
mod test_sets;

pub use test_sets::known_test_set;

use crate::pair::listed;
use crate::{Finding, Severity, Side};

/// The name of a side's images in findings.
fn images_of(side: Side) -> String {
    format!("{} images", side.folder())
}

/// A finding about some images of a side, which it lists.
fn of_images(
    severity: Severity,
    code: &str,
    subject: String,
    (stems, n_images): (&[&str], usize),
    are: &str,
) -> Finding {
    let shown = listed(stems.iter().copied());
    let message = format!("{} of {n_images} {are}: {shown}", stems.len());
    Finding::new(severity, code, subject, message)
}
