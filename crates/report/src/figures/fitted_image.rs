//! Resizes images to the size at which they are shown.

use super::scene::Xy;
use crate::ReportError;
use neurogauge_core::Image;
use neurogauge_core::image::{Filter, resize_u8};

/// Width and height of an image whose longer side is `side`.
pub(super) fn shown_size((wide, high): (usize, usize), side: f64) -> Xy {
    let (wide, high) = (wide as f64, high as f64);
    let longest = wide.max(high).max(1.0);
    let shown = |length: f64| (length / longest * side).round().max(1.0);
    (shown(wide), shown(high))
}

/// An image at a PNG's resolution: two pixels per unit of its size.
pub(super) fn sharp(image: &Image<u8>, (wide, high): Xy, title: &str) -> Result<Image<u8>, ReportError> {
    let pixels = |side: f64| 2 * side as usize;
    resize_u8(image, pixels(wide), pixels(high), Filter::Bilinear).map_err(|error| ReportError::not_drawn(title, error))
}
