//! What the first bytes of an image file say about reading it.

use crate::{FormatError, IoResult, budget, regular_file, tiff_scan};
use image::codecs::webp::WebPDecoder;
use image::metadata::Orientation;
use image::{ImageDecoder, ImageFormat, ImageReader};
use std::io::{BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;

/// Facts that an image file states before its pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImageHeader {
    /// Do its EXIF data ask viewers to rotate or mirror it? TIFF files are turned when they are read, others are not.
    pub is_turned: bool,
    /// Does it contain more pictures than the first, which is the only one read?
    pub has_more_pictures: bool,
    /// Can its pixels be transparent?
    pub has_alpha: bool,
}

/// Reads what a file states before its pixels. Faults are found when it is decoded; here they only leave the answers
/// empty.
pub fn read(path: &Path) -> Result<ImageHeader, FormatError> {
    let mut file = BufReader::new(regular_file::open(path).when("reading", path)?);
    let format = image::guess_format(file.fill_buf().when("reading", path)?);
    let found = match format {
        Ok(ImageFormat::Png) => of_png(file),
        Ok(ImageFormat::WebP) => of_webp(file),
        Ok(ImageFormat::Tiff) => of_tiff(path),
        Ok(format @ (ImageFormat::Jpeg | ImageFormat::Bmp)) => {
            let decoder = ImageReader::with_format(file, format).into_decoder();
            decoder.ok().map(|decoder| of_decoder(decoder, false))
        }
        _ => None,
    };
    Ok(found.unwrap_or_default())
}

fn of_decoder(mut decoder: impl ImageDecoder, has_more_pictures: bool) -> ImageHeader {
    let orientation = decoder.orientation();
    ImageHeader {
        is_turned: orientation.is_ok_and(|orientation| orientation != Orientation::NoTransforms),
        has_more_pictures,
        has_alpha: decoder.color_type().has_alpha(),
    }
}

fn of_webp(file: impl BufRead + Seek) -> Option<ImageHeader> {
    let decoder = WebPDecoder::new(file).ok()?;
    let is_animated = decoder.has_animation();
    Some(of_decoder(decoder, is_animated))
}

/// The header of a TIFF file, which is turned according to its orientation when it is read.
fn of_tiff(path: &Path) -> Option<ImageHeader> {
    let bytes = budget::read_file(path).ok()?.ok()?;
    let has_more_pages = tiff_scan::has_more_pages(&bytes);
    let decoder = ImageReader::with_format(Cursor::new(bytes), ImageFormat::Tiff).into_decoder();
    Some(ImageHeader {
        is_turned: false,
        ..of_decoder(decoder.ok()?, has_more_pages)
    })
}

/// The header of a PNG file, from the chunks before its pixels, since the decoder would inflate a colour profile to
/// gigabytes.
fn of_png(mut file: impl BufRead + Seek) -> Option<ImageHeader> {
    const WITH_ALPHA: [u8; 2] = [4, 6];
    /// The largest orientation record that is read, bytes.
    const MAX_EXIF: u32 = 1 << 20;
    let mut found = ImageHeader::default();
    file.seek(SeekFrom::Start(8)).ok()?;
    loop {
        let mut head = [0; 8];
        file.read_exact(&mut head).ok()?;
        let [a, b, c, d, kind @ ..] = head;
        let length = u32::from_be_bytes([a, b, c, d]);
        let mut content = Vec::new();
        match &kind {
            b"IHDR" | b"acTL" | b"eXIf" if length <= MAX_EXIF => {
                file.by_ref().take(length.into()).read_to_end(&mut content).ok()?;
                file.seek_relative(4).ok()?;
            }
            b"IDAT" => return Some(found),
            _ => file.seek_relative(i64::from(length) + 4).ok()?,
        }
        match &kind {
            b"IHDR" => found.has_alpha = WITH_ALPHA.contains(content.get(9)?),
            b"tRNS" => found.has_alpha = true,
            b"acTL" => found.has_more_pictures = content.get(..4)? > &[0, 0, 0, 1][..],
            b"eXIf" => {
                let orientation = Orientation::from_exif_chunk(&content);
                found.is_turned = orientation.is_some_and(|o| o != Orientation::NoTransforms);
            }
            _ => {}
        }
    }
}
