//! Image files.

use crate::FormatError;
use neurogauge_core::Image;
use std::path::Path;

/// Decodes a PNG, JPEG, WebP, BMP or TIFF file, whatever it is called, to 8-bit RGB.
pub fn read_rgb8(path: &Path) -> Result<Image<u8>, FormatError> {
    let _ = path;
    todo!()
}

/// Writes a PNG file, atomically.
pub fn write_png(path: &Path, image: &Image<u8>) -> Result<(), FormatError> {
    let _ = (path, image);
    todo!()
}
