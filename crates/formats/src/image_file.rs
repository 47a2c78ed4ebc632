//! Image files.

use crate::{FormatError, atomic_file};
use image::codecs::png::PngEncoder;
use image::{DynamicImage, ExtendedColorType, ImageEncoder, ImageFormat, ImageReader};
use neurogauge_core::Image;
use std::io::{self, Cursor};
use std::path::Path;

/// Decodes a PNG, JPEG, WebP, BMP or TIFF file to 8-bit RGB.
///
/// The content decides, not the extension. As Pillow's `Image.open(path).convert("RGB")`: grey is
/// replicated, palettes are expanded, transparency is dropped without blending, colour profiles and
/// the EXIF orientation are ignored. Of 16 bits the high byte is taken; Pillow does so too, except
/// for 16-bit grey without alpha, which it clips to 255.
///
/// PNG, WebP, BMP and TIFF give Pillow's pixels exactly. JPEG decoders may round differently; on
/// photographs the pixels are up to 3 levels from Pillow's (mean 0.02), with subsampled chroma up
/// to 5 (mean 0.3).
///
/// # Errors
/// [`FormatError::Image`] for a file that does not decode, is cut short, or is of another kind:
/// also float and palette TIFF. [`FormatError::Io`].
///
/// ```
/// use neurogauge_core::Image;
/// use neurogauge_formats::image_file;
/// let folder = tempfile::tempdir().unwrap();
/// let path = folder.path().join("pixel.png");
/// image_file::write_png(&path, &Image::new(1, 1, vec![7, 8, 9]).unwrap()).unwrap();
/// assert_eq!(image_file::read_rgb8(&path).unwrap().data(), [7, 8, 9]);
/// ```
pub fn read_rgb8(path: &Path) -> Result<Image<u8>, FormatError> {
    let bytes = std::fs::read(path).map_err(|source| FormatError::Io {
        path: path.to_owned(),
        action: "reading",
        source,
    })?;
    let refused = |reason: String| FormatError::Image {
        path: path.to_owned(),
        reason,
    };
    let reader = ImageReader::new(Cursor::new(&bytes))
        .with_guessed_format()
        .map_err(|e| refused(e.to_string()))?;
    if reader.format() == Some(ImageFormat::Jpeg) && !jpeg_is_whole(&bytes) {
        return Err(refused(
            "a JPEG that ends before its picture does".to_owned(),
        ));
    }
    let decoded = reader.decode().map_err(|e| refused(e.to_string()))?;
    let (width_px, height_px) = (decoded.width() as usize, decoded.height() as usize);
    let high = |value: u16| (value >> 8) as u8;
    let rgb = match decoded {
        DynamicImage::ImageLuma16(pixels) => {
            pixels.pixels().flat_map(|p| [high(p[0]); 3]).collect()
        }
        DynamicImage::ImageLumaA16(pixels) => {
            pixels.pixels().flat_map(|p| [high(p[0]); 3]).collect()
        }
        DynamicImage::ImageRgb16(pixels) => pixels.pixels().flat_map(|p| p.0.map(high)).collect(),
        DynamicImage::ImageRgba16(pixels) => pixels
            .pixels()
            .flat_map(|p| [high(p[0]), high(p[1]), high(p[2])])
            .collect(),
        DynamicImage::ImageRgb32F(_) | DynamicImage::ImageRgba32F(_) => {
            return Err(refused(
                "floats have no agreed range in an image file; use a .npy stack".to_owned(),
            ));
        }
        eight_bit => eight_bit.into_rgb8().into_raw(),
    };
    Image::new(width_px, height_px, rgb).map_err(|source| FormatError::ImageSize {
        path: path.to_owned(),
        source,
    })
}

/// Whether an end marker follows the last start of a scan. The decoder fills what is missing with
/// grey and says nothing. Neither marker can occur within the compressed data, where 0xFF is
/// escaped; thumbnails come before the picture's own scans.
fn jpeg_is_whole(bytes: &[u8]) -> bool {
    let last = |marker: [u8; 2]| bytes.windows(2).rposition(|pair| pair == marker);
    last([0xff, 0xd9]) > last([0xff, 0xda])
}

/// Writes an 8-bit RGB PNG file, atomically.
///
/// # Errors
/// [`FormatError::Io`], also for an image without pixels, which PNG cannot hold.
pub fn write_png(path: &Path, image: &Image<u8>) -> Result<(), FormatError> {
    atomic_file::write_with(path, |writer| {
        let width_px = u32::try_from(image.width_px()).map_err(io::Error::other)?;
        let height_px = u32::try_from(image.height_px()).map_err(io::Error::other)?;
        PngEncoder::new(writer)
            .write_image(image.data(), width_px, height_px, ExtendedColorType::Rgb8)
            .map_err(io::Error::other)
    })
}
