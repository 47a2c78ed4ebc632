//! Recognises files by their first bytes, for messages about files of an unexpected kind.

const BIG_TIFF: &str = "a BigTIFF, which is not read; save it as an ordinary TIFF or as a PNG";

/// First bytes of files, and the kind of file that they indicate.
const BEGINNINGS: [(&[u8], &str); 27] = [
    (b"GIF8", "a GIF"),
    (b"\x89PNG", "a PNG"),
    (b"\xff\xd8\xff", "a JPEG"),
    (b"BM", "a BMP"),
    (b"II*\0", "a TIFF"),
    (b"MM\0*", "a TIFF"),
    (b"II+\0", BIG_TIFF),
    (b"MM\0+", BIG_TIFF),
    (b"8BPS", "a Photoshop file"),
    (b"%PDF", "a PDF"),
    (b"\x93NUMPY", "a NumPy array"),
    (b"\x89HDF", "an HDF5 file"),
    (b"PAR1", "a Parquet file"),
    (b"MATLAB", "a MATLAB file"),
    (b"PK\x03\x04", "a zip archive (as .npz and .pt are)"),
    (b"\x1f\x8b", "a file compressed with gzip"),
    (b"\x28\xb5\x2f\xfd", "a file compressed with Zstandard"),
    (b"7z\xbc\xaf", "a 7z archive"),
    (b"\x80\x02", "a pickle"),
    (b"\x80\x03", "a pickle"),
    (b"\x80\x04", "a pickle"),
    (b"\x80\x05", "a pickle"),
    (b"version https://git-lfs", "a pointer of Git LFS, whose file was not fetched"),
    (b"\xff\xfe", "text in UTF-16"),
    (b"\xfe\xff", "text in UTF-16"),
    (b"<svg", "an SVG"),
    (b"<", "a web page or XML"),
];

/// The kind of file that the first bytes indicate; if unknown, the bytes themselves.
///
/// ```
/// use neurogauge_formats::file_start::describe;
/// assert_eq!(describe(b"GIF89a..."), "a GIF");
/// assert_eq!(describe(b""), "an empty file");
/// assert_eq!(describe(b"hello"), "text that begins with \"hello\"");
/// ```
pub fn describe(start: &[u8]) -> String {
    if start.is_empty() {
        return "an empty file".to_owned();
    }
    if start.get(4..8) == Some(b"ftyp") {
        return "an HEIC, AVIF or video file".to_owned();
    }
    let trimmed = start.trim_ascii_start();
    let mut known = BEGINNINGS.iter();
    if let Some((_, what)) = known.find(|(beginning, _)| trimmed.starts_with(beginning)) {
        return (*what).to_owned();
    }
    let shown = &start[..start.len().min(16)];
    match std::str::from_utf8(shown) {
        Ok(text) if !text.contains(|c: char| c.is_control() && !c.is_ascii_whitespace()) => {
            format!("text that begins with {text:?}")
        }
        _ => "bytes of no known kind".to_owned(),
    }
}
