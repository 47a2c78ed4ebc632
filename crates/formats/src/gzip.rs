//! The end of a gzipped file, which has a checksum of its content.

use crate::FormatError;
use std::io::Read;
use std::path::Path;

/// Bytes that may follow the values of a file, such as the tags of an MGH file.
const MOST_AFTER_VALUES: u64 = 1 << 20;
/// What the decoder says of bytes after the content that are not gzipped. Some programs pad a file with zeros.
const NOT_GZIPPED: &str = "invalid gzip header";

/// Reads to the end of a source whose values have been read: only there does a decoder compare the content with its
/// checksum. Of a file that is not gzipped nothing is checked. Returns how many bytes follow the values, as far as it
/// looks.
///
/// # Errors
/// [`FormatError::Io`] for a wrong checksum, and for an end in the middle.
pub(crate) fn check_end(path: &Path, source: &mut dyn Read) -> Result<u64, FormatError> {
    match std::io::copy(&mut source.take(MOST_AFTER_VALUES), &mut std::io::sink()) {
        Err(error) if error.to_string() != NOT_GZIPPED => Err(FormatError::Io {
            path: path.to_owned(),
            action: "reading",
            source: error,
        }),
        read => Ok(read.unwrap_or(0)),
    }
}
