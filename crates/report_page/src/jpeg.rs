//! Encodes small images and figures as JPEG.

use neurogauge::core::Image;
use neurogauge::core::image::{Filter, resize_u8};
use neurogauge::report::figures;

const QUALITY: u8 = 70;
/// JPEG quality of figures, which contain text.
const FIGURE_QUALITY: u8 = 85;
/// An image is blurred by reducing it to this size and enlarging it again, px.
const BLURRED_PX: usize = 6;

/// An encoded image and its original size.
pub(crate) struct Encoded {
    pub(crate) jpeg: Vec<u8>,
    pub(crate) size: (f64, f64),
}

/// A JPEG whose longer side is at most `side_px`.
pub(crate) fn encoded(image: &Image<u8>, side_px: usize, blurred: bool) -> Result<Encoded, ()> {
    let (width, height) = (image.width_px(), image.height_px());
    let longer = width.max(height).max(1);
    let within = |px: usize, most: usize| (px * most.min(longer) / longer).max(1);
    let resize = |image: &Image<u8>, most: usize, filter: Filter| {
        let (width, height) = (within(width, most), within(height, most));
        resize_u8(image, width, height, filter).map_err(|_| ())
    };
    let mut small = resize(image, side_px, Filter::Bicubic)?;
    if blurred {
        let (width, height) = (small.width_px(), small.height_px());
        small = resize(&small, BLURRED_PX, Filter::Bilinear)?;
        small = resize_u8(&small, width, height, Filter::Bilinear).map_err(|_| ())?;
    }
    let jpeg = figures::jpeg(&small, QUALITY).map_err(|_| ())?;
    Ok(Encoded {
        jpeg,
        size: (width as f64, height as f64),
    })
}

/// A picture with photographs as JPEG; `None` if it cannot be read.
pub(crate) fn as_jpeg(picture: &[u8]) -> Option<Vec<u8>> {
    let picture = image::load_from_memory(picture).ok()?.to_rgb8();
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    let picture = Image::new(width, height, picture.into_raw()).ok()?;
    figures::jpeg(&picture, FIGURE_QUALITY).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stripes() -> Image<u8> {
        let pixels = (0..300 * 150).flat_map(|k| if k % 2 == 0 { [255; 3] } else { [0; 3] });
        Image::new(300, 150, pixels.collect()).unwrap()
    }

    #[test]
    fn thumbnails_keep_proportions_and_are_not_enlarged() {
        let decoded = |side_px| {
            let found = encoded(&stripes(), side_px, false).unwrap();
            assert_eq!(found.size, (300.0, 150.0));
            let image = image::load_from_memory(&found.jpeg).unwrap();
            (image.width(), image.height())
        };
        assert_eq!(decoded(100), (100, 50));
        assert_eq!(decoded(1000), (300, 150));
    }

    #[test]
    fn a_blurred_image_has_lost_what_was_in_it() {
        let left_black = |x: usize| if x % 10 < 5 { [0; 3] } else { [255; 3] };
        let image = Image::new(90, 90, (0..90 * 90).flat_map(|k| left_black(k % 90)).collect()).unwrap();
        let contrast = |blurred| {
            let found = encoded(&image, 90, blurred).unwrap();
            let grey = image::load_from_memory(&found.jpeg).unwrap().to_luma8();
            let values = || (0..80).map(|x| grey.get_pixel(x + 5, 45).0[0]);
            values().max().unwrap() - values().min().unwrap()
        };
        assert!(contrast(false) > 230);
        assert!(contrast(true) < 90, "{}", contrast(true));
    }
}
