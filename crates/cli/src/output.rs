//! The two streams: data on stdout, everything else on stderr.

use neurogauge::Error;
use neurogauge::formats::FormatError;
use std::io::Write;

/// Writes data to stdout. A reader that has gone away (`| head`) is no error.
pub(crate) fn data(text: &str) -> Result<(), Error> {
    let mut stdout = std::io::stdout().lock();
    let written = stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush());
    match written {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => Err(FormatError::Io {
            path: "stdout".into(),
            action: "writing",
            source: error,
        }
        .into()),
        _ => Ok(()),
    }
}

/// Writes a line to stderr.
pub(crate) fn message(text: &str) {
    let _ = writeln!(std::io::stderr().lock(), "{text}");
}

/// Columns of the terminal that stdout is, if it is one.
pub(crate) fn width() -> Option<usize> {
    let terminal = console::Term::stdout();
    terminal.is_term().then(|| usize::from(terminal.size().1))
}
