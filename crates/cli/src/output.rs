//! The two streams: data on stdout, everything else on stderr.

use crate::args::OverwriteArgs;
use neurogauge::formats::FormatError;
use neurogauge::report::Format;
use neurogauge::{Error, Report};
use std::io::Write;
use std::path::Path;

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

/// Writes a result to its folder, with figures or without, says what was done, and prints it. A finished result of
/// other inputs or options is replaced only if that is asked for.
pub(crate) fn result<R: Report>(
    result: &R,
    (out, overwrite): (&Path, &OverwriteArgs),
    draws: bool,
    format: impl Into<Format>,
) -> Result<(), Error> {
    if overwrite.overwrite {
        R::set_unfinished(out)?;
    }
    result.refuse_other(out)?;
    let not_drawn = if draws {
        result.write_figures(out)?
    } else {
        result.remove_figures(out)?;
        Vec::new()
    };
    result.write(out)?;
    for warning in result.warnings().iter().chain(&not_drawn) {
        message(&format!("warning: {warning}"));
    }
    message(&format!("{}: {}", out.display(), result.done()));
    data(&result.print(format.into(), width())?)
}
