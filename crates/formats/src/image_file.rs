//! Image files: decoding, description and encoding.

use crate::parser_words::of_decoder;
use crate::{
    AtPath, FormatError, IoResult, Problem, atomic_file, bmp_scan, budget, file_start, image_limit, jpeg_scan,
    tiff_scan,
};
use image::codecs::png::PngEncoder;
use image::error::LimitErrorKind;
use image::metadata::Orientation;
use image::{
    DynamicImage, ExtendedColorType, ImageDecoder, ImageEncoder, ImageError, ImageFormat, ImageReader, Limits,
};
use neurogauge_core::image::{Background, SizeMismatch, blended};
use neurogauge_core::option_words::option;
use neurogauge_core::{Image, byte_size};
use std::io::{self, Cursor};
use std::path::Path;

/// The supported formats, for messages.
const FORMATS: &str = "a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file";

/// The first bytes of PNG files.
const PNG_START: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Decodes a PNG, JPEG, WebP, BMP, TIFF, GIF or PPM file to 8-bit RGB. For a GIF file, this is the first frame, whose
/// transparent pixels are black.
///
/// The content decides, not the extension. As in Pillow's `Image.open(path).convert("RGB")`, grey is replicated,
/// palettes are expanded, transparency is dropped without blending ([`read_rgb8_on`] blends), colour profiles and the
/// EXIF orientation are ignored. A TIFF file is turned according to its orientation, and colours that were multiplied
/// by alpha are divided by it. For 16 bits, the high byte is used, as in Pillow, except for 16-bit grey without alpha,
/// which Pillow clips to 255.
///
/// PNG, WebP, BMP and TIFF give exactly Pillow's pixels. JPEG decoders may round differently: on photographs, pixels
/// differ by up to 3 levels from Pillow's (mean 0.02), and with subsampled chroma by up to 5 (mean 0.3).
///
/// # Errors
/// The file cannot be decoded, is incomplete, or has another format, including TIFF with floats, a palette, or grey
/// with alpha. It has too many pixels, which is checked before memory is allocated for them ([`image_limit`]).
pub fn read_rgb8(path: &Path) -> Result<Image<u8>, FormatError> {
    read_rgb8_on(path, Background::AsStored)
}

/// Like [`read_rgb8`], but with transparent pixels blended over a background.
pub fn read_rgb8_on(path: &Path, background: Background) -> Result<Image<u8>, FormatError> {
    let decoded = decode(path)?;
    let alpha = match background {
        Background::AsStored => None,
        _ => decoded.alpha(),
    };
    let image = to_rgb8(path, decoded)?;
    match alpha {
        Some(alpha) => on(background, &image, &alpha).at(path),
        None => Ok(image),
    }
}

/// An image on a background, by the alpha of each pixel.
pub(crate) fn on(background: Background, image: &Image<u8>, alpha: &[u8]) -> Result<Image<u8>, SizeMismatch> {
    let (width_px, height_px) = (image.width_px(), image.height_px());
    let (pixels, _) = image.data().as_chunks::<3>();
    let seen = pixels.iter().zip(alpha).flat_map(|(pixel, alpha)| background.under(*pixel, *alpha));
    Image::new(width_px, height_px, seen.collect())
}

/// The effect of dropping the alpha of an image's transparent pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Transparency {
    /// No pixel is transparent by more than rounding.
    None,
    /// All transparent pixels hide one colour, and the image looks as it is stored when shown on that colour.
    OnOneColour,
    /// The stored colours differ from what is seen on any background.
    HidesColours,
}

/// Decodes an image to find out whether its alpha can be dropped.
pub fn transparency(path: &Path) -> Result<Transparency, FormatError> {
    let decoded = decode(path)?;
    let Some(alpha) = decoded.alpha() else {
        return Ok(Transparency::None);
    };
    Ok(Transparency::of(&to_rgb8(path, decoded)?, &alpha))
}

impl Transparency {
    /// Can this alpha of an image's pixels be dropped?
    pub fn of(image: &Image<u8>, alpha: &[u8]) -> Transparency {
        let (pixels, _) = image.data().as_chunks::<3>();
        let differs = |a: [u8; 3], b: [u8; 3]| a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > 1);
        let transparent = pixels.iter().zip(alpha).filter(|(_, alpha)| **alpha < 255);
        let is_seen = |(pixel, alpha): (&[u8; 3], &u8)| {
            let on = |background: Background| background.under(*pixel, *alpha);
            differs(on(Background::White), on(Background::Black))
        };
        if !transparent.clone().any(is_seen) {
            return Transparency::None;
        }
        let wholly = pixels.iter().zip(alpha).find(|(_, alpha)| **alpha == 0);
        let hides = |(pixel, alpha): (&[u8; 3], &u8)| {
            wholly.is_none_or(|(below, _)| differs(*pixel, blended(*pixel, *below, *alpha)))
        };
        match transparent.clone().any(hides) {
            true => Transparency::HidesColours,
            false => Transparency::OnOneColour,
        }
    }
}

/// An image and its encoding.
#[derive(Debug, Clone, PartialEq)]
pub struct DescribedImage {
    /// The image, as from [`read_rgb8`].
    pub image: Image<u8>,
    /// Format, channels and depth, e.g. `PNG, RGB, 8 bits`.
    pub encoding: String,
    /// Is any pixel not fully opaque?
    pub is_transparent: bool,
}

/// Decodes like [`read_rgb8`], and describes the encoding.
pub fn read_described(path: &Path) -> Result<DescribedImage, FormatError> {
    let decoded = decode(path)?;
    let (format, colour) = (decoded.format, decoded.pixels.color());
    let channels = match (colour.has_color(), colour.has_alpha()) {
        (true, false) => "RGB",
        (true, true) => "RGB with alpha",
        (false, false) => "grey",
        (false, true) => "grey with alpha",
    };
    let bits = 8 * u16::from(colour.bytes_per_pixel()) / u16::from(colour.channel_count().max(1));
    let name = format.map_or_else(String::new, |format| format!("{format:?}, ").to_uppercase());
    Ok(DescribedImage {
        encoding: format!("{name}{channels}, {bits} bits"),
        is_transparent: colour.has_alpha() && decoded.pixels.to_rgba16().pixels().any(|pixel| pixel[3] < u16::MAX),
        image: to_rgb8(path, decoded)?,
    })
}

fn refused(path: &Path, reason: impl Into<String>) -> FormatError {
    Problem::image(reason.into()).at(path)
}

struct Decoded {
    format: Option<ImageFormat>,
    pixels: DynamicImage,
    /// Were the colours multiplied by alpha?
    is_premultiplied: bool,
}

impl Decoded {
    /// The alpha of each pixel, if the image has any.
    fn alpha(&self) -> Option<Vec<u8>> {
        let high = |value: u16| (value >> 8) as u8;
        Some(match &self.pixels {
            DynamicImage::ImageLumaA8(pixels) => pixels.pixels().map(|p| p[1]).collect(),
            DynamicImage::ImageRgba8(pixels) => pixels.pixels().map(|p| p[3]).collect(),
            DynamicImage::ImageLumaA16(pixels) => pixels.pixels().map(|p| high(p[1])).collect(),
            DynamicImage::ImageRgba16(pixels) => pixels.pixels().map(|p| high(p[3])).collect(),
            _ => return None,
        })
    }
}

fn decode(path: &Path) -> Result<Decoded, FormatError> {
    let bytes = budget::read_file(path).when("reading", path)??;
    let most_bytes = Limits::default().max_alloc.max(Some(8 * image_limit::max_pixels()));
    let bytes = without_profile(bytes);
    let reader = ImageReader::new(Cursor::new(&bytes)).with_guessed_format();
    let mut reader = reader.map_err(|error| refused(path, of_decoder(error)))?;
    let format = reader.format();
    let faulty = |error: ImageError| match &error {
        ImageError::Limits(limit) if limit.kind() == LimitErrorKind::InsufficientMemory => refused(
            path,
            format!(
                "to decode it takes more than {} of memory; if it is meant, raise {}",
                byte_size(most_bytes.unwrap_or(u64::MAX)),
                option("max-pixels", "")
            ),
        ),
        ImageError::Unsupported(_) if format == Some(ImageFormat::Tiff) => refused(
            path,
            "a TIFF of a kind that is not read, such as one with a palette, grey with alpha or floats; save it as PNG",
        ),
        _ => refused(path, of_decoder(error)),
    };
    if !format.is_some_and(|format| format.reading_enabled()) {
        let reason = format!("{}; expected {FORMATS}", file_start::describe(&bytes));
        return Err(refused(path, reason));
    }
    if format == Some(ImageFormat::WebP) && is_cut_webp(&bytes) {
        return Err(refused(path, "it has fewer bytes than it announces, so it is damaged"));
    }
    if format == Some(ImageFormat::Jpeg) {
        jpeg_scan::check(&bytes).map_err(|reason| refused(path, reason))?;
    }
    let mut limits = Limits::default();
    // Memory for the decoder besides the pixels, whose number is checked below.
    limits.max_alloc = most_bytes;
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(faulty)?;
    let (width_px, height_px) = decoder.dimensions();
    image_limit::check_size(path, width_px.into(), height_px.into())?;
    if format == Some(ImageFormat::Bmp) {
        bmp_scan::check(&bytes).map_err(|reason| refused(path, reason))?;
    }
    let is_tiff = format == Some(ImageFormat::Tiff);
    let orientation = match is_tiff {
        true => decoder.orientation().map_err(faulty)?,
        // Pillow does not turn other formats either.
        false => Orientation::NoTransforms,
    };
    let mut pixels = DynamicImage::from_decoder(decoder).map_err(faulty)?;
    pixels.apply_orientation(orientation);
    Ok(Decoded {
        format,
        pixels,
        is_premultiplied: is_tiff && tiff_scan::is_premultiplied(&bytes),
    })
}

/// Has a WebP file fewer bytes than its head announces? Its pixels have no checksum, and the decoder does not look at
/// what follows the first picture.
fn is_cut_webp(bytes: &[u8]) -> bool {
    let length = bytes.get(4..).and_then(<[u8]>::first_chunk).copied().map(u32::from_le_bytes);
    length.is_none_or(|length| (bytes.len() as u64) < u64::from(length) + 8)
}

/// A PNG file without the chunk of its colour profile, which the decoder would inflate to gigabytes and nobody uses;
/// other files unchanged.
fn without_profile(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut place = PNG_START.len();
    if !bytes.starts_with(PNG_START) {
        return bytes;
    }
    while let Some([a, b, c, d, kind @ ..]) = bytes.get(place..).and_then(|rest| rest.first_chunk::<8>()) {
        // The chunk consists of its length, its name, the content and a checksum.
        let end = place.saturating_add(u32::from_be_bytes([*a, *b, *c, *d]) as usize + 12);
        match kind {
            b"IDAT" => break,
            b"iCCP" if end <= bytes.len() => drop(bytes.drain(place..end)),
            _ => place = end,
        }
    }
    bytes
}

/// Colours that were multiplied by alpha, divided by it as in Pillow; black if alpha is 0.
fn divided([red, green, blue, alpha]: [u8; 4]) -> [u8; 3] {
    [red, green, blue].map(|value| (255 * u16::from(value)).checked_div(alpha.into()).unwrap_or(0).min(255) as u8)
}

fn to_rgb8(path: &Path, decoded: Decoded) -> Result<Image<u8>, FormatError> {
    let Decoded {
        pixels,
        is_premultiplied,
        ..
    } = decoded;
    let (width_px, height_px) = (pixels.width() as usize, pixels.height() as usize);
    let high = |value: u16| (value >> 8) as u8;
    let rgb = match pixels {
        DynamicImage::ImageLuma16(pixels) => pixels.pixels().flat_map(|p| [high(p[0]); 3]).collect(),
        DynamicImage::ImageLumaA16(pixels) => pixels.pixels().flat_map(|p| [high(p[0]); 3]).collect(),
        DynamicImage::ImageRgb16(pixels) => pixels.pixels().flat_map(|p| p.0.map(high)).collect(),
        DynamicImage::ImageRgba8(pixels) if is_premultiplied => pixels.pixels().flat_map(|p| divided(p.0)).collect(),
        DynamicImage::ImageRgba16(pixels) if is_premultiplied => {
            pixels.pixels().flat_map(|p| divided(p.0.map(high))).collect()
        }
        DynamicImage::ImageRgba16(pixels) => {
            pixels.pixels().flat_map(|p| [high(p[0]), high(p[1]), high(p[2])]).collect()
        }
        DynamicImage::ImageRgb32F(_) | DynamicImage::ImageRgba32F(_) => {
            let reason = "floats have no agreed range in an image file; use a .npy stack";
            return Err(refused(path, reason));
        }
        eight_bit => eight_bit.into_rgb8().into_raw(),
    };
    Image::new(width_px, height_px, rgb).at(path)
}

/// An image as an 8-bit PNG file: values in [0, 1] are multiplied by 255 and rounded; values outside are clipped.
///
/// # Errors
/// The image has no pixels, which PNG cannot represent.
pub fn png_bytes(image: &Image<f32>) -> Result<Vec<u8>, FormatError> {
    let bytes: Vec<u8> = image.data().iter().map(|value| (value * 255.0).round() as u8).collect();
    let mut png = Vec::new();
    let size_px = (image.width_px(), image.height_px());
    encode_png(&mut png, size_px, &bytes).when("encoding", "an image in memory")?;
    Ok(png)
}

/// Writes an 8-bit RGB PNG file, atomically.
///
/// # Errors
/// The image has no pixels, which PNG cannot represent.
pub fn write_png(path: &Path, image: &Image<u8>) -> Result<(), FormatError> {
    atomic_file::write_with(path, |writer| encode_png(writer, (image.width_px(), image.height_px()), image.data()))
}

/// Writes width and height, and three bytes for each pixel.
fn encode_png(writer: impl io::Write, (width_px, height_px): (usize, usize), rgb: &[u8]) -> io::Result<()> {
    let size = |px: usize| u32::try_from(px).map_err(io::Error::other);
    PngEncoder::new(writer)
        .write_image(rgb, size(width_px)?, size(height_px)?, ExtendedColorType::Rgb8)
        .map_err(io::Error::other)
}
