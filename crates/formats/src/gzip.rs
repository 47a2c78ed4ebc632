//! Files that may be gzipped, and the check at their end, where gzip has a checksum of the content.

use crate::stem_listing::has_ending;
use crate::{FormatError, IoResult, Problem, regular_file};
use flate2::read::MultiGzDecoder;
use std::io::{BufReader, Read};
use std::path::Path;

/// The most bytes that may follow the values of a file, such as the tags of an MGH file.
const MOST_AFTER_VALUES: u64 = 1 << 20;
/// The decoder's message about bytes after the content that are not gzipped. Some programs pad a file with zeros.
const NOT_GZIPPED: &str = "invalid gzip header";

/// Opens a file, which is decompressed while it is read if its name ends in `.gz` or `.mgz`.
pub(crate) fn open(path: &Path, expected: &str) -> Result<Box<dyn Read + Send>, FormatError> {
    let file = regular_file::open(path).when_expecting("opening", path, expected)?;
    Ok(match has_ending(path, &["mgz", "gz"]) {
        true => Box::new(BufReader::new(MultiGzDecoder::new(BufReader::new(file)))),
        false => Box::new(BufReader::with_capacity(1 << 20, file)),
    })
}

/// Reads to the end of a source after its values: only there does a decoder compare the content with its checksum. A
/// file that is not gzipped is not checked. Returns the number of bytes that follow the values, up to the limit.
pub(crate) fn check_end(path: &Path, source: &mut dyn Read) -> Result<u64, FormatError> {
    match std::io::copy(&mut source.take(MOST_AFTER_VALUES), &mut std::io::sink()) {
        Err(error) if error.to_string() != NOT_GZIPPED => Err(Problem::Io("reading", error).at(path)),
        read => Ok(read.unwrap_or(0)),
    }
}
