//! The command line, which comes with the package.

use crate::{work, write_options_as_keywords};
use pyo3::prelude::*;
use std::ffi::OsString;

/// Runs the command of these arguments and returns its exit code. The first argument is the program's name. If the
/// process does nothing else, Ctrl-C ends it with a line on what is kept.
#[pyfunction]
pub(crate) fn run_command(py: Python<'_>, arguments: Vec<OsString>, is_program: bool) -> u8 {
    let code = py.detach(|| match is_program {
        true => neurogauge_cli::run_program(arguments),
        false => neurogauge_cli::run(arguments),
    });
    // The command writes options in shell form; later calls use Python's form again.
    write_options_as_keywords();
    code
}

/// Warnings, and what would be printed.
type Said = (Vec<String>, Option<String>);

/// Does what `neurogauge report`, `gallery`, `study` and `survey` do with these arguments, the command's name first.
/// Items that failed in a result that is written all the same are a warning.
#[pyfunction]
pub(crate) fn write_result(
    py: Python<'_>,
    arguments: Vec<OsString>,
    progress: Option<&Bound<'_, PyAny>>,
) -> PyResult<Said> {
    let done = work::run(py, progress, |work| Ok(neurogauge_cli::write(arguments, work)?))?;
    let mut warnings = done.warnings;
    warnings.extend(done.failed.map(|failed| failed.to_string()));
    Ok((warnings, done.printed.map(|(_, text)| text)))
}
