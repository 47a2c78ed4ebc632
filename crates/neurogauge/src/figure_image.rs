//! Images as figures show them.

use crate::Error;
use neurogauge_core::Image;
use neurogauge_formats::FormatError;
use neurogauge_formats::image_source::ImageSource;

/// Image number `place` in 8 bits; floats are cut to [0, 1].
pub(crate) fn figure_image(source: &ImageSource, place: usize) -> Result<Image<u8>, Error> {
    if let Some(image) = source.load_u8(place)? {
        return Ok(image);
    }
    let image = source.load(place)?;
    let (width, height) = (image.width_px(), image.height_px());
    let bytes = image.into_data().into_iter();
    // NaN becomes black.
    let bytes = bytes.map(|value| (value.clamp(0.0, 1.0) * 255.0).round() as u8);
    Image::new(width, height, bytes.collect()).map_err(|source_error| {
        Error::Format(FormatError::ImageSize {
            path: source.path().to_owned(),
            source: source_error,
        })
    })
}
