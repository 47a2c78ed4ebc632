//! SHA-256 of contents, in lower-case hexadecimal.

use crate::FormatError;
use std::path::Path;

/// The SHA-256 of some bytes.
pub fn of_bytes(bytes: &[u8]) -> String {
    let _ = bytes;
    todo!()
}

/// The SHA-256 of a file's bytes, read in a stream.
pub fn of_file(path: &Path) -> Result<String, FormatError> {
    let _ = path;
    todo!()
}
