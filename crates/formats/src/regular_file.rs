//! Opens only files that have an end.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Opens a file for reading. Refuses named pipes, whose opening would wait for a writer, devices such as `/dev/zero`,
/// which never end, and sockets.
///
/// # Errors
/// [`ErrorKind::InvalidInput`], which says what the path is instead; otherwise errors of [`File::open`].
///
/// ```
/// # #[cfg(unix)] {
/// let error = neurogauge_formats::regular_file::open("/dev/zero".as_ref()).unwrap_err();
/// assert_eq!(error.to_string(), "this is a device; expected a file: write what you have into one first");
/// # }
/// ```
pub fn open(path: &Path) -> io::Result<File> {
    match special(&std::fs::metadata(path)?) {
        Some(what) => Err(io::Error::new(
            ErrorKind::InvalidInput,
            format!("this is {what}; expected a file: write what you have into one first"),
        )),
        None => File::open(path),
    }
}

/// The bytes of a file, which is opened by [`open`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The text of a file, which is opened by [`open`].
///
/// # Errors
/// Errors of [`open`]; bytes that are not UTF-8.
pub fn read_to_string(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open(path)?.read_to_string(&mut text)?;
    Ok(text)
}

/// What a path is if it is neither a file nor a folder.
#[cfg(unix)]
fn special(found: &Metadata) -> Option<&'static str> {
    use std::os::unix::fs::FileTypeExt;
    let kind = found.file_type();
    if kind.is_fifo() {
        Some("a pipe")
    } else if kind.is_char_device() || kind.is_block_device() {
        Some("a device")
    } else {
        kind.is_socket().then_some("a socket")
    }
}

#[cfg(not(unix))]
fn special(_found: &Metadata) -> Option<&'static str> {
    None
}
