//! Files that are either wholly written or not there.

use crate::FormatError;
use std::io::{self, Write};
use std::path::Path;

/// Writes `bytes` to `path` atomically.
pub fn write(path: &Path, bytes: &[u8]) -> Result<(), FormatError> {
    write_with(path, |writer| writer.write_all(bytes))
}

/// Lets `fill` write the content of `path`, atomically.
pub fn write_with(
    path: &Path,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), FormatError> {
    let _ = (path, fill);
    todo!()
}
